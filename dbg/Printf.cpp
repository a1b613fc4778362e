#include "dbg/Printf.h"
#include "dbg/Examine.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace leno::dbg {

std::string withoutEscapes(StringRef text) {
  std::string result;
  while (!text.empty()) {
    char c = text.front();
    text = text.drop_front();
    if (c != '\\' || text.empty()) {
      result += c;
      continue;
    }
    unsigned octal = 0, digits = 0;
    for (; digits < 3 && digits < text.size() && text[digits] >= '0' && text[digits] <= '7'; ++digits)
      octal = octal * 8 + unsigned(text[digits] - '0');
    if (digits) {
      result += char(octal);
      text = text.drop_front(digits);
      continue;
    }
    static constexpr std::pair<char, char> known[] = {{'n', '\n'}, {'t', '\t'},   {'r', '\r'},
                                                      {'a', '\a'}, {'e', '\x1b'}, {'b', '\b'}};
    c = text.front();
    text = text.drop_front();
    for (auto [letter, meaning] : known)
      if (letter == c)
        c = meaning;
    result += c;
  }
  return result;
}

namespace {

struct Conversion {
  size_t column = 0;
  std::string flags; ///< "%-08.3", without length and letter
  char letter = '%';
};

struct Printf {
  std::vector<std::string> plain; ///< one more than conversions
  std::vector<Conversion> conversions;
  std::vector<Expression> values;
};

} // namespace

/// The format's text between its quotes; `rest` is what follows them.
static Expected<StringRef> quoted(StringRef text, StringRef &rest) {
  if (!text.starts_with("\""))
    return textError(text, 0, "expected a format in quotes, as in `printf \"%d\\n\", R1`");
  for (size_t i = 1; i < text.size(); ++i)
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"') {
      rest = text.substr(i + 1);
      return text.slice(1, i);
    }
  return textError(text, text.size(), "expected '\"' at the format's end");
}

static Error readConversion(StringRef text, StringRef &format, Printf &into) {
  Conversion one;
  one.column = columnIn(text, format) - 1;
  one.flags = "%";
  while (!format.empty() && (isDigit(format[0]) || StringRef("-+ #.").contains(format[0]))) {
    one.flags += format[0];
    format = format.drop_front();
  }
  // The values know how wide they are.
  format = format.drop_front(std::min(format.find_first_not_of("hlLqjzt"), format.size()));
  if (format.empty() || !StringRef("diouxXcsfFgGeEaAp").contains(format[0]))
    return textError(text, one.column,
                     "expected one of %d %i %u %x %X %o %c %s %f %e %g %a %p, or %% for the sign");
  if (one.flags.size() > 20)
    return textError(text, one.column, "the width is too long");
  one.letter = format[0];
  format = format.drop_front();
  into.conversions.push_back(std::move(one));
  into.plain.emplace_back();
  return Error::success();
}

static Expected<Printf> readPrintf(StringRef text) {
  Printf result;
  StringRef rest;
  Expected<StringRef> format = quoted(text, rest);
  if (!format)
    return format.takeError();
  result.plain.emplace_back();
  for (StringRef left = *format; !left.empty();) {
    size_t sign = std::min(left.find('%'), left.size());
    result.plain.back() += withoutEscapes(left.take_front(sign));
    left = left.drop_front(sign);
    if (!left.consume_front("%"))
      break;
    if (left.consume_front("%"))
      result.plain.back() += '%';
    else if (Error error = readConversion(text, left, result))
      return std::move(error);
  }
  for (rest = rest.ltrim(); !rest.empty(); rest = rest.ltrim()) {
    if (!rest.consume_front(","))
      return textError(text, columnIn(text, rest), "expected ',' and a value");
    StringRef after;
    std::string blanked = std::string(columnIn(text, rest), ' ') + rest.str();
    Expected<Expression> value = Expression::parsePrefix(blanked, after);
    if (!value)
      return handleErrors(value.takeError(), [&](const TextError &error) {
        return textError(text, error.column, error.message);
      });
    rest = text.substr(text.size() - after.size());
    result.values.push_back(std::move(*value));
  }
  if (result.values.size() != result.conversions.size())
    return textError(text, text.size(),
                     "the format takes " + plural(result.conversions.size(), "value") + ", and " +
                         (result.values.size() == 1 ? "1 is" : Twine(result.values.size()) + " are") +
                         " given");
  return result;
}

static Expected<std::string> convertOne(const Conversion &to, const Value &value,
                                        const WarpContext &context) {
  char buffer[1100];
  auto print = [&](StringRef length, auto bits) {
    std::string format = to.flags + length.str() + to.letter;
    int size = snprintf(buffer, sizeof buffer, format.c_str(), bits);
    return std::string(buffer, size_t(std::clamp(size, 0, int(sizeof buffer) - 1)));
  };
  if (StringRef("fFgGeEaA").contains(to.letter)) {
    // A register that nobody gave a type is the float in it.
    Value number = value.type == ValueType::Word ? reinterpret(value.bits, ValueType::F32) : value;
    return print("", number.number());
  }
  if (to.letter == 's') {
    Expected<std::string> text = stringAt(context, value.integer());
    if (!text)
      return text.takeError();
    return print("", text->c_str());
  }
  if (to.letter == 'c')
    return print("", int(value.integer() & 0xff));
  if (to.letter == 'p') {
    std::string format = to.flags + "s";
    int size = snprintf(buffer, sizeof buffer, format.c_str(), hexAddress(value.integer(), 1).c_str());
    return std::string(buffer, size_t(std::clamp(size, 0, int(sizeof buffer) - 1)));
  }
  if (to.letter == 'd' || to.letter == 'i') {
    // As `print` has it: what has no type is signed.
    Value number = value.type == ValueType::Word ? reinterpret(value.bits, ValueType::S32) : value;
    return print("ll", (long long)(number.integer()));
  }
  // The bits that are there, and no more.
  u64 bits = value.isFloat() ? value.integer() : value.bits;
  return print("ll", (unsigned long long)(bits));
}

Expected<std::string> formatPrintf(StringRef arguments, const WarpContext &context) {
  Expected<Printf> format = readPrintf(arguments.trim());
  if (!format)
    return format.takeError();
  std::string result = format->plain[0];
  for (size_t i = 0; i < format->conversions.size(); ++i) {
    Expected<Value> value = format->values[i].evaluate(context);
    if (!value)
      return value.takeError();
    Expected<std::string> text = convertOne(format->conversions[i], *value, context);
    if (!text)
      return text.takeError();
    result += *text + format->plain[i + 1];
  }
  return result;
}

Error checkPrintf(StringRef arguments) { return readPrintf(arguments.trim()).takeError(); }

} // namespace leno::dbg
