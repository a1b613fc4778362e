#include "dbg/StackNote.h"
#include "dbg/Interpreter.h"
#include "llvm/Support/FormatVariadic.h"

namespace leno::dbg {

static bool movesStack(const Op &op) {
  using enum Semantic;
  if (op.flags & (Op::popSync | Op::setSync))
    return true;
  for (Semantic semantic : {SSY, PBK, PCNT, PRET, BRK, CONT, RET})
    if (op.semantic == semantic)
      return true;
  return false;
}

static std::string mnemonicOf(llvm::StringRef text) {
  if (text.starts_with("@")) // its guard
    text = text.split(' ').second.ltrim();
  return text.split(' ').first.str();
}

std::string stackNote(Interpreter &in, u64 from, u64 to) {
  static constexpr unsigned most = 3;
  std::string places;
  unsigned count = 0;
  for (u64 address = std::min(from, to); address < std::max(from, to); address += 8)
    if (movesStack(*in.session.focus().grid().opAt(address / 8)) && count++ < most)
      places += llvm::formatv("{0}{1} at {2}", places.empty() ? "" : ", ",
                              mnemonicOf(in.session.code().text(address)), in.describePlace(address));
  if (count == 0)
    return "";
  if (count > most)
    places += llvm::formatv(", and {0} more", count - most);
  return "note: the stack stays as it is, but between the two places it is changed: " + places + "\n";
}

} // namespace leno::dbg
