#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

char TextError::ID;

void TextError::log(raw_ostream &os) const {
  if (text.empty()) {
    os << message;
    return;
  }
  // Tabs are shown as one space, so that the caret stands under its column.
  std::string line = text;
  for (char &c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      c = ' ';
  os << message << "\n  " << line << "\n  ";
  os.indent(unsigned(std::min(column, text.size()))) << '^';
}

Error textError(StringRef text, size_t column, const Twine &message) {
  return make_error<TextError>(text, column, message);
}

std::string numberRanges(ArrayRef<unsigned> numbers) {
  std::string text;
  while (!numbers.empty()) {
    size_t count = 1;
    while (count < numbers.size() && numbers[count] == numbers[0] + count)
      ++count;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[0]);
    if (count > 1)
      text += "-" + std::to_string(numbers[count - 1]);
    numbers = numbers.drop_front(count);
  }
  return text.empty() ? "-" : text;
}

std::string laneRanges(LaneMask lanes) {
  SmallVector<unsigned, laneCount> numbers;
  for (; lanes; lanes &= lanes - 1)
    numbers.push_back(unsigned(__builtin_ctz(lanes)));
  return numberRanges(numbers);
}

std::string describeLanes(LaneMask lanes) {
  if (!lanes)
    return "no lanes";
  return ((lanes & (lanes - 1)) ? "lanes " : "lane ") + laneRanges(lanes);
}

std::string describeIndex(Dim3 index) { return formatv("({0},{1},{2})", index.x, index.y, index.z); }

std::string hexAddress(u64 value, unsigned digits) {
  std::string text = utohexstr(value, /*LowerCase=*/true);
  return "0x" + std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
}

std::string plural(u64 count, StringRef noun) {
  return formatv("{0} {1}{2}", count, noun, count == 1 ? "" : "s");
}

void Table::printOr(raw_ostream &os, StringRef none) const {
  if (!empty())
    return print(os);
  if (auto *answer = dynamic_cast<AnswerStream *>(&os))
    answer->tables.push_back(rows);
  os << none << '\n';
}

void Table::print(raw_ostream &os) const {
  if (auto *answer = dynamic_cast<AnswerStream *>(&os))
    answer->tables.push_back(rows);
  std::vector<size_t> widths;
  for (const auto &cells : rows)
    for (size_t i = 0; i < cells.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], cells[i].size());
    }
  for (const auto &cells : rows) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) {
      line += cells[i];
      if (i + 1 < cells.size())
        line.append(widths[i] - cells[i].size() + 2, ' ');
    }
    os << StringRef(line).rtrim() << '\n';
  }
}

} // namespace leno::dbg
