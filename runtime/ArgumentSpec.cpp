#include "runtime/ArgumentSpec.h"

#include "asm/FloatLiteral.h"
#include "asm/support/NearMiss.h"
#include "asm/support/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

char ArgumentError::ID = 0;

void ArgumentError::log(llvm::raw_ostream &os) const {
  os << message << "\n    " << value << "\n    ";
  // A caret counts characters: the continuation bytes of UTF-8 take no column.
  for (char c : StringRef(value).take_front(column))
    if ((c & 0xc0) != 0x80)
      os << ' ';
  os << '^';
}

namespace {

/// Global addresses have 40 bits (Architecture.md 8): no buffer can be larger.
constexpr uint64_t MaximumBufferBytes = uint64_t(1) << 40;

class ArgumentParser {
public:
  explicit ArgumentParser(StringRef value) : value(value) { spec.text = value.str(); }
  Expected<ArgumentSpec> parse();
  /// The whole value as one element.
  Expected<uint64_t> parseElement(ElementType type);
  /// The value behind NAME= as a scalar.
  Error parseAs(ElementType type, ArgumentSpec &untyped);

private:
  Error fail(StringRef at, const Twine &message) const {
    return llvm::make_error<ArgumentError>(value.str(), at.data() - value.data(), message.str());
  }

  Error parseScalar(StringRef number);
  Error parseNumber(StringRef number);
  Error parseInteger(StringRef number);
  Error parseFloat(StringRef number);
  Error parseKind(StringRef whole);
  void takeType(StringRef &rest);
  Error parseIn(StringRef file);
  Error parseOut(StringRef rest);
  Error parseInOut(StringRef rest);
  Error parseZero(StringRef rest, ArgumentSpec::Kind kind);
  Error parseShape(StringRef text);
  Error parseInput(StringRef file);
  Error parseOutput(StringRef file);

  StringRef value;
  ArgumentSpec spec;
};

std::string rangeOf(const ElementInfo &element) {
  unsigned bits = element.size * 8;
  if (element.kind == ElementInfo::Unsigned)
    return "0.." + std::to_string(~uint64_t(0) >> (64 - bits));
  return std::to_string(INT64_MIN >> (64 - bits)) + ".." + std::to_string(INT64_MAX >> (64 - bits));
}

Error ArgumentParser::parseInteger(StringRef number) {
  const ElementInfo &element = info(*spec.type);
  ScannedInteger scanned = scanInteger(number);
  if (scanned.status == ScannedInteger::Malformed) {
    bool looksFloat = number.contains('.') && !number.empty();
    return fail(number.substr(scanned.column),
                looksFloat ? Twine(element.name) + " takes an integer; use f32 or f64 for a fraction"
                           : Twine(scanned.message));
  }
  bool isSigned = element.kind == ElementInfo::Signed;
  uint64_t most = (isSigned ? uint64_t(INT64_MAX) : ~uint64_t(0)) >> (64 - element.size * 8);
  if (scanned.negative)
    most = isSigned ? most + 1 : 0;
  if (scanned.status == ScannedInteger::TooLarge || scanned.magnitude > most)
    return fail(number, value + " does not fit: " + rangeOf(element));
  spec.bits = scanned.negative ? -scanned.magnitude : scanned.magnitude;
  spec.bits &= ~uint64_t(0) >> (64 - element.size * 8);
  return Error::success();
}

Error ArgumentParser::parseFloat(StringRef number) {
  const ElementInfo &element = info(*spec.type);
  FloatLiteral read = readFloat(number, *spec.type == ElementType::F64   ? llvm::APFloat::IEEEdouble()
                                        : *spec.type == ElementType::F32 ? llvm::APFloat::IEEEsingle()
                                                                         : llvm::APFloat::IEEEhalf());
  if (read.status == FloatLiteral::Malformed)
    return fail(number,
                read.message + (number.starts_with_insensitive("0x")
                                    ? "; to pass bits as they are use u" + std::to_string(element.size * 8)
                                    : ""));
  if (read.status != FloatLiteral::Ok)
    return fail(number, read.message);
  spec.bits = read.bits();
  return Error::success();
}

Error ArgumentParser::parseNumber(StringRef number) {
  switch (info(*spec.type).kind) {
  case ElementInfo::Unsigned:
  case ElementInfo::Signed:
    return parseInteger(number);
  case ElementInfo::Float:
    return parseFloat(number);
  case ElementInfo::Boolean:
    spec.bits = number == "1" || number.equals_insensitive("true");
    if (spec.bits || number == "0" || number.equals_insensitive("false"))
      return Error::success();
    return fail(number, "expected 0, 1, true or false");
  case ElementInfo::Complex:
    break;
  }
  return fail(number, "a complex number cannot be written here");
}

Error ArgumentParser::parseScalar(StringRef number) {
  if (parseParamType(info(*spec.type).name))
    return parseNumber(number);
  return fail(value, "a scalar cannot be " + Twine(info(*spec.type).name) +
                         ": use u8 i8 u16 i16 u32 i32 u64 i64 f32 or f64");
}

Error ArgumentParser::parseInput(StringRef file) {
  if (file.empty())
    return fail(file, "expected the name of a file to read");
  Error error = inputName(file).moveInto(spec.input);
  return error ? fail(file, llvm::toString(std::move(error))) : Error::success();
}

Error ArgumentParser::parseOutput(StringRef file) {
  if (file.empty())
    return fail(file, "expected the name of a file to write, or print:");
  Error error = outputName(file).moveInto(spec.output);
  return error ? fail(file, llvm::toString(std::move(error))) : Error::success();
}

/// "f32:" before a file.
void ArgumentParser::takeType(StringRef &rest) {
  auto [name, after] = rest.split(':');
  if (!rest.contains(':'))
    return;
  spec.type = elementTypeNamed(name);
  if (spec.type)
    rest = after;
}

Error ArgumentParser::parseIn(StringRef file) {
  spec.kind = ArgumentSpec::Kind::In;
  takeType(file);
  return parseInput(file);
}

/// "f32[1024,4]"
Error ArgumentParser::parseShape(StringRef text) {
  size_t bracket = std::min(text.find('['), text.size());
  StringRef name = text.take_front(bracket);
  std::optional<ElementType> type = elementTypeNamed(name);
  if (!type)
    return fail(name, "unknown element type '" + name + "': types are " + elementTypeNames());
  spec.type = *type;
  if (bracket == text.size())
    return fail(text.substr(bracket), "expected the shape in brackets, such as " + name + "[1024,4]");
  StringRef rest = text.substr(bracket + 1);
  for (;;) {
    StringRef number = rest.take_until([](char c) { return c == ',' || c == ']'; });
    ScannedInteger scanned = scanInteger(number);
    if (scanned.status == ScannedInteger::Malformed)
      return fail(number.substr(scanned.column),
                  number.empty() ? "expected a dimension, such as the 1024 of f32[1024,4]" : scanned.message);
    if (scanned.negative || scanned.status == ScannedInteger::TooLarge || scanned.magnitude == 0)
      return fail(number, "a dimension is at least 1 and fits 64 bits");
    if (spec.shape.size() == 64)
      return fail(number, "a shape has 64 dimensions at most");
    spec.shape.push_back(scanned.magnitude);
    rest = rest.substr(number.size());
    if (!rest.consume_front(","))
      break;
  }
  if (!rest.consume_front("]"))
    return fail(rest, "expected ']' after the shape");
  if (!rest.empty())
    return fail(rest, spec.kind == ArgumentSpec::Kind::Zero || spec.kind == ArgumentSpec::Kind::Shared
                          ? "expected nothing after the shape: what goes to a file is an out:"
                          : "expected ':' and a file after the shape");
  std::optional<uint64_t> bytes = byteCount(*spec.type, spec.shape);
  if (!bytes || *bytes > MaximumBufferBytes)
    return fail(text, text + " passes the 40-bit address space of the machine; use a smaller shape");
  return Error::success();
}

Error ArgumentParser::parseOut(StringRef rest) {
  spec.kind = ArgumentSpec::Kind::Out;
  size_t colon = rest.find(':');
  StringRef shape = rest.take_front(colon);
  // A file right after out: is the likeliest slip, and deserves better than "unknown element type".
  if (!shape.contains('[') && !elementTypeNamed(shape))
    return fail(rest, "expected the type and shape of the output, as in out:f32[1024,4]:" +
                          (shape.contains('.') ? shape : StringRef("FILE")));
  if (Error error = parseShape(shape))
    return error;
  if (colon == StringRef::npos)
    return fail(rest.substr(rest.size()), "expected ':' and the name of a file to write, or :print:");
  if (Error error = parseOutput(rest.substr(colon + 1)))
    return error;
  if (Error error = checkOutputFormat(spec.output.format, *spec.type, spec.shape))
    return fail(rest, llvm::toString(std::move(error)));
  return Error::success();
}

Error ArgumentParser::parseInOut(StringRef rest) {
  spec.kind = ArgumentSpec::Kind::InOut;
  takeType(rest);
  size_t colon = rest.find(':');
  if (colon != StringRef::npos && isFormatWord(rest.take_front(colon))) // the colon of "bin:a.dat"
    colon = rest.find(':', colon + 1);
  StringRef input = rest.take_front(colon);
  if (Error error = parseInput(input))
    return error;
  if (colon == StringRef::npos)
    return fail(rest.substr(rest.size()), "expected ':' and a second file, which the result is written to");
  return parseOutput(rest.substr(colon + 1));
}

Error ArgumentParser::parseZero(StringRef rest, ArgumentSpec::Kind kind) {
  spec.kind = kind;
  return parseShape(rest);
}

Error ArgumentParser::parseKind(StringRef whole) {
  size_t colon = whole.find(':');
  StringRef head = whole.take_front(colon);
  StringRef rest = colon == StringRef::npos ? whole.substr(whole.size()) : whole.substr(colon + 1);
  std::optional<ElementType> type = elementTypeNamed(head);
  bool isKind = head == "in" || head == "out" || head == "inout" || head == "zero" || head == "shared";
  if (colon == StringRef::npos && (type || isKind))
    return fail(rest, "expected ':' after '" + head + "', as in " +
                          (type               ? head + ":5"
                           : head == "in"     ? Twine("in:FILE")
                           : head == "out"    ? Twine("out:f32[1024,4]:FILE")
                           : head == "zero"   ? Twine("zero:f32[1024,4]")
                           : head == "shared" ? Twine("shared:f32[64]")
                                              : Twine("inout:FILE:FILE2"))
                              .str());
  if (type) {
    spec.type = *type;
    return parseScalar(rest);
  }
  if (head == "in")
    return parseIn(rest);
  if (head == "out")
    return parseOut(rest);
  if (head == "inout")
    return parseInOut(rest);
  if (head == "zero")
    return parseZero(rest, ArgumentSpec::Kind::Zero);
  if (head == "shared")
    return parseZero(rest, ArgumentSpec::Kind::Shared);
  if (looksLikeNumber(whole)) {
    spec.kind = ArgumentSpec::Kind::Untyped;
    return Error::success();
  }
  bool isFile = whole == "-" || bool(llvm::sys::path::has_extension(whole));
  return fail(whole,
              "expected a type and a value (u8 i8 u16 i16 u32 i32 u64 i64 f32 f64, as in u32:5), a number of "
              "the parameter's type, in:FILE, "
              "out:f32[1024,4]:FILE, inout:FILE:FILE2, zero:f32[1024,4] or shared:f32[64], with NAME= before "
              "it for the "
              "parameter of that name" +
                  (isFile ? "; to read that file write in:" + whole : Twine()).str());
}

/// The place of what follows "NAME=".
static size_t behindName(StringRef value) {
  size_t equals = value.find('=');
  StringRef name = value.take_front(equals);
  return equals == StringRef::npos || name.empty() || name.contains(':') ? 0 : equals + 1;
}

Expected<ArgumentSpec> ArgumentParser::parse() {
  size_t start = behindName(value);
  if (start)
    spec.parameter = value.take_front(start - 1).str();
  if (Error error = parseKind(value.substr(start)))
    return error;
  return std::move(spec);
}

Expected<uint64_t> ArgumentParser::parseElement(ElementType type) {
  spec.type = type;
  if (Error error = parseNumber(value))
    return error;
  return spec.bits;
}

Error ArgumentParser::parseAs(ElementType type, ArgumentSpec &untyped) {
  spec.type = type;
  if (Error error = parseScalar(value.substr(behindName(value))))
    return error;
  untyped.kind = ArgumentSpec::Kind::Scalar;
  untyped.type = type;
  untyped.bits = spec.bits;
  return Error::success();
}

} // namespace

Expected<uint64_t> parseElement(ElementType type, StringRef text) {
  return ArgumentParser(text).parseElement(type);
}

bool looksLikeNumber(StringRef text) {
  StringRef digits = text.ltrim("+-");
  return digits.size() + 1 >= text.size() && !digits.empty() &&
         (llvm::isDigit(digits[0]) || (digits[0] == '.' && digits.size() > 1 && llvm::isDigit(digits[1])) ||
          digits.equals_insensitive("inf") || digits.equals_insensitive("nan"));
}

Error ArgumentSpec::takeType(const KernelParam &param) {
  std::optional<ElementType> of = elementTypeNamed(paramTypeName(param.type));
  if (kind != Kind::Untyped || !of)
    return Error::success();
  return llvm::handleErrors(ArgumentParser(text).parseAs(*of, *this), [&](const ArgumentError &mistake) {
    return llvm::make_error<ArgumentError>(mistake.value, mistake.column,
                                           "parameter '" + param.name + "' is " +
                                               withArticle(info(*of).name) + ": " + mistake.message);
  });
}

void ArgumentSpec::noteFiles(RunFiles &files) const {
  bool isPrinted = output.format == FileFormat::Print;
  if (isInput() && isOutput() && !isPrinted)
    return files.rewrites(input.path, output.path);
  if (isInput())
    files.reads(input.path);
  if (isOutput())
    files.writes(isPrinted ? "-" : output.path);
}

GivenArgument ArgumentSpec::given() const {
  GivenArgument given{GivenArgument::Buffer, type, text};
  if (kind == Kind::Scalar)
    given.kind = GivenArgument::Scalar;
  if (kind == Kind::Shared)
    given = {GivenArgument::Scalar, ElementType::U32, text};
  if (kind == Kind::Untyped)
    given.kind = GivenArgument::Untyped;
  return given;
}

Expected<std::vector<size_t>> orderArguments(const KernelInfo &kernel, ArrayRef<StringRef> names) {
  constexpr size_t None = ~size_t(0);
  std::vector<size_t> order(kernel.params.size(), None);
  auto wrong = [&](const Twine &message) {
    return llvm::createStringError("kernel " + signature(kernel) + " " + message);
  };
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty())
      continue;
    auto param = llvm::find_if(kernel.params, [&](const KernelParam &p) { return p.name == names[i]; });
    if (param == kernel.params.end()) {
      NearMiss near(names[i], 3);
      for (const KernelParam &known : kernel.params)
        near.consider(known.name, known.name);
      return wrong("has no parameter '" + names[i] + "'" + near.hint());
    }
    size_t &place = order[size_t(param - kernel.params.begin())];
    if (place != None)
      return wrong("is given its parameter '" + names[i] + "' twice");
    place = i;
  }
  // The others fill what is left; too many or too few of them is told where arguments are checked.
  size_t next = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty())
      continue;
    while (next < order.size() && order[next] != None)
      ++next;
    if (next == order.size())
      return wrong("takes " + Twine(order.size()) + (order.size() == 1 ? " argument" : " arguments") +
                   ", not " + Twine(names.size()));
    order[next] = i;
  }
  for (size_t i = 0; i < order.size(); ++i)
    if (order[i] == None)
      return wrong("takes " + Twine(order.size()) + (order.size() == 1 ? " argument" : " arguments") +
                   ", not " + Twine(names.size()) + "; the first one missing is '" + kernel.params[i].name +
                   "', " + withArticle(kernel.params[i].typeText()));
  return order;
}

Expected<ArgumentSpec> parseArgument(StringRef value) { return ArgumentParser(value).parse(); }

} // namespace leno::runtime
