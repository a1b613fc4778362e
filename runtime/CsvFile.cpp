// Numbers as text in columns: .csv and .txt. A line is a row; between its fields stand commas, semicolons,
// tabs or blanks. '#' begins a comment; a first line of words names the columns, and is left out.
#include "runtime/ArgumentSpec.h"
#include "runtime/DataFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

namespace {

class CsvReader {
public:
  CsvReader(StringRef name, ArrayRef<uint8_t> data, ElementType type)
      : name(name), text(reinterpret_cast<const char *>(data.data()), data.size()), type(type) {}
  Expected<Array> read();

private:
  Error fail(const char *at, const Twine &message) const {
    return llvm::createStringError(name + ":" + Twine(lineNumber) + ":" + Twine(at - line.data() + 1) + ": " +
                                   message);
  }
  Error split(SmallVectorImpl<StringRef> &fields) const;
  Error readRow(ArrayRef<StringRef> fields);

  StringRef name, text, line;
  ElementType type;
  uint64_t lineNumber = 0, rows = 0, columns = 0;
  std::vector<uint8_t> bytes;
};

bool isBlank(char c) { return c == ' ' || c == '\t'; }

Error CsvReader::split(SmallVectorImpl<StringRef> &fields) const {
  StringRef rest = line.take_until([](char c) { return c == '#'; }).rtrim(" \t\r");
  bool wantsField = false;
  for (rest = rest.ltrim(" \t"); !rest.empty() || wantsField; rest = rest.ltrim(" \t")) {
    StringRef field = rest.take_until([](char c) { return isBlank(c) || c == ',' || c == ';'; });
    if (field.empty())
      return fail(rest.data(), "expected a number" + Twine(rest.empty() ? " after the last separator" : ""));
    rest = rest.drop_front(field.size()).ltrim(" \t");
    wantsField = rest.consume_front(",") || rest.consume_front(";");
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
      field = field.drop_front().drop_back();
    fields.push_back(field);
  }
  return Error::success();
}

Error CsvReader::readRow(ArrayRef<StringRef> fields) {
  if (columns && fields.size() != columns)
    return fail(fields.back().data(), "this row has " + Twine(fields.size()) +
                                          (fields.size() == 1 ? " field" : " fields") +
                                          ", the rows before it " + Twine(columns));
  columns = fields.size();
  ++rows;
  for (StringRef field : fields) {
    Expected<uint64_t> bits = parseElement(type, field);
    if (!bits) {
      Error located = Error::success();
      llvm::handleAllErrors(bits.takeError(), [&](const ArgumentError &mistake) {
        located = joinErrors(std::move(located), fail(field.data() + mistake.column, mistake.message));
      });
      return located;
    }
    uint8_t little[8];
    llvm::support::endian::write64le(little, *bits);
    bytes.insert(bytes.end(), little, little + info(type).size);
  }
  return Error::success();
}

/// A word such as a column's name, which no number looks like.
bool isWord(StringRef field) {
  double number;
  bool isTruth = field.equals_insensitive("true") || field.equals_insensitive("false");
  return !field.empty() && (llvm::isAlpha(field[0]) || field[0] == '_') && !isTruth &&
         field.getAsDouble(number);
}

Expected<Array> CsvReader::read() {
  if (info(type).kind == ElementInfo::Complex)
    return llvm::createStringError(name + ": complex numbers are not read from text; use .npy");
  text.consume_front("\xef\xbb\xbf");
  for (bool isFirst = true; !text.empty();) {
    std::tie(line, text) = text.split('\n');
    ++lineNumber;
    SmallVector<StringRef, 16> fields;
    if (Error error = split(fields))
      return std::move(error);
    if (fields.empty())
      continue;
    bool isHeader = std::exchange(isFirst, false) && llvm::all_of(fields, isWord);
    if (isHeader)
      columns = fields.size();
    else if (Error error = readRow(fields))
      return std::move(error);
  }
  if (rows == 1 || columns <= 1)
    return Array{type, {rows * columns}, std::move(bytes)};
  return Array{type, {rows, columns}, std::move(bytes)};
}

} // namespace

Expected<Array> parseCsv(StringRef name, ArrayRef<uint8_t> data, ElementType type) {
  return CsvReader(name, data, type).read();
}

void writeCsv(llvm::raw_ostream &os, const Array &array, char separator) {
  unsigned size = info(array.type).size;
  uint64_t columns = array.shape.size() == 2 ? array.shape[1] : 1, column = 0;
  for (size_t at = 0; at < array.bytes.size(); at += size) {
    os << elementText(array.type, array.bytes.data() + at);
    bool isLast = ++column == columns;
    os << (isLast ? '\n' : separator);
    if (isLast)
      column = 0;
  }
}

} // namespace leno::runtime
