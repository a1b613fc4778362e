#include "dbg/Focus.h"
#include "asm/support/Numbers.h"
#include "dbg/Text.h"

using namespace llvm;

namespace leno::dbg {

Expected<Dim3> parseIndex(StringRef text) {
  StringRef inner = text.trim();
  if (inner.starts_with("(") && inner.ends_with(")") && inner.size() > 1)
    inner = inner.drop_front().drop_back();
  SmallVector<StringRef, 4> parts;
  inner.split(parts, ',');
  if (parts.size() > 3)
    return textError(text, columnIn(text, parts[3]), "an index has at most three coordinates: X,Y,Z");
  u32 values[3] = {};
  for (size_t i = 0; i < parts.size(); ++i) {
    StringRef part = parts[i].trim();
    ScannedInteger scanned = scanInteger(part);
    if (scanned.status != ScannedInteger::Ok || scanned.negative || scanned.magnitude > 0xffffffff)
      return textError(text, columnIn(text, parts[i]), "expected an index such as 3, 3,1 or 3,1,0");
    values[i] = u32(scanned.magnitude);
  }
  return Dim3{values[0], values[1], values[2]};
}

Expected<unsigned> parseNumber(StringRef text, unsigned most, StringRef what) {
  StringRef part = text.trim();
  ScannedInteger scanned = scanInteger(part);
  if (scanned.status != ScannedInteger::Ok || scanned.negative || scanned.magnitude > most)
    return textError(text, part.empty() ? text.size() : columnIn(text, part),
                     what + " is a number from 0 to " + Twine(most));
  return unsigned(scanned.magnitude);
}

} // namespace leno::dbg
