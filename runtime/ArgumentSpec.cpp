#include "runtime/ArgumentSpec.h"

#include "asm/FloatLiteral.h"
#include "runtime/Numbers.h"

#include "llvm/ADT/StringExtras.h"

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

/// Global addresses have 40 bits (machine.md section 8): no buffer can be larger.
constexpr uint64_t MaximumBufferBytes = uint64_t(1) << 40;

class ArgumentParser {
public:
  explicit ArgumentParser(StringRef value) : value(value) { spec.text = value.str(); }
  Expected<ArgumentSpec> parse();

private:
  Error fail(StringRef at, const Twine &message) const {
    return llvm::make_error<ArgumentError>(value.str(), at.data() - value.data(), message.str());
  }

  Error parseScalar(StringRef number);
  Error parseInteger(StringRef number);
  Error parseFloat(StringRef number);
  Error parseIn(StringRef file);
  Error parseOut(StringRef rest);
  Error parseInOut(StringRef rest);
  Error parseZero(StringRef rest);
  Error parseShape(StringRef text);
  Error checkInput(StringRef file) const;
  Error checkOutput(StringRef file) const;

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
  const ElementInfo &element = info(spec.type);
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
  bool wide = spec.type == ElementType::F64;
  FloatLiteral read = readFloat(number, wide ? llvm::APFloat::IEEEdouble() : llvm::APFloat::IEEEsingle());
  if (read.status == FloatLiteral::Malformed)
    return fail(number,
                read.message + (number.starts_with_insensitive("0x")
                                    ? "; to pass bits as they are use " + std::string(wide ? "u64" : "u32")
                                    : ""));
  if (read.status != FloatLiteral::Ok)
    return fail(number, read.message);
  spec.bits = read.bits();
  return Error::success();
}

Error ArgumentParser::parseScalar(StringRef number) {
  switch (info(spec.type).kind) {
  case ElementInfo::Unsigned:
  case ElementInfo::Signed:
    return parseInteger(number);
  case ElementInfo::Float:
    if (spec.type != ElementType::F16)
      return parseFloat(number);
    break;
  case ElementInfo::Boolean:
    break;
  }
  return fail(value, "a scalar cannot be " + Twine(info(spec.type).name) +
                         ": use u8 i8 u16 i16 u32 i32 u64 i64 f32 or f64");
}

Error ArgumentParser::checkInput(StringRef file) const {
  if (file.empty())
    return fail(file, "expected the name of a file to read");
  Expected<FileFormat> format = inputFormat(file);
  if (!format)
    return fail(file, llvm::toString(format.takeError()));
  if (*format == FileFormat::Print)
    return fail(file, "print: is an output; an input needs a file");
  return Error::success();
}

Error ArgumentParser::checkOutput(StringRef file) const {
  if (file.empty())
    return fail(file, "expected the name of a file to write, or print:");
  Expected<FileFormat> format = fileFormat(file);
  if (!format)
    return fail(file, llvm::toString(format.takeError()));
  return Error::success();
}

Error ArgumentParser::parseIn(StringRef file) {
  spec.kind = ArgumentSpec::Kind::In;
  spec.inputFile = file.str();
  return checkInput(file);
}

/// "f32[1024,4]"
Error ArgumentParser::parseShape(StringRef text) {
  size_t bracket = std::min(text.find('['), text.size());
  StringRef name = text.take_front(bracket);
  std::optional<ElementType> type = elementTypeNamed(name);
  if (!type)
    return fail(name,
                "unknown element type '" + name + "': use u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64 or bool");
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
    return fail(rest, spec.kind == ArgumentSpec::Kind::Zero
                          ? "expected nothing after the shape: what goes to a file is an out:"
                          : "expected ':' and a file after the shape");
  std::optional<uint64_t> bytes = byteCount(spec.type, spec.shape);
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
  StringRef file = rest.substr(colon + 1);
  spec.outputFile = file.str();
  if (Error error = checkOutput(file))
    return error;
  if (Error error = checkOutputFormat(file, spec.type, spec.shape))
    return fail(rest, llvm::toString(std::move(error)));
  return Error::success();
}

Error ArgumentParser::parseInOut(StringRef rest) {
  spec.kind = ArgumentSpec::Kind::InOut;
  size_t colon = rest.find(':');
  StringRef input = rest.take_front(colon);
  if (Error error = checkInput(input))
    return error;
  if (colon == StringRef::npos)
    return fail(rest.substr(rest.size()), "expected ':' and a second file, which the result is written to");
  StringRef output = rest.substr(colon + 1);
  spec.inputFile = input.str();
  spec.outputFile = output.str();
  return checkOutput(output);
}

Error ArgumentParser::parseZero(StringRef rest) {
  spec.kind = ArgumentSpec::Kind::Zero;
  return parseShape(rest);
}

Expected<ArgumentSpec> ArgumentParser::parse() {
  size_t colon = value.find(':');
  StringRef head = value.take_front(colon);
  StringRef rest = colon == StringRef::npos ? value.substr(value.size()) : value.substr(colon + 1);
  std::optional<ElementType> type = elementTypeNamed(head);
  Error error = Error::success();
  if (colon == StringRef::npos &&
      (type || head == "in" || head == "out" || head == "inout" || head == "zero"))
    error = fail(rest, "expected ':' after '" + head + "', as in " +
                           (type             ? head + ":5"
                            : head == "in"   ? Twine("in:FILE")
                            : head == "out"  ? Twine("out:f32[1024,4]:FILE")
                            : head == "zero" ? Twine("zero:f32[1024,4]")
                                             : Twine("inout:FILE:FILE2"))
                               .str());
  else if (type) {
    spec.type = *type;
    error = parseScalar(rest);
  } else if (head == "in")
    error = parseIn(rest);
  else if (head == "out")
    error = parseOut(rest);
  else if (head == "inout")
    error = parseInOut(rest);
  else if (head == "zero")
    error = parseZero(rest);
  else
    error = fail(value,
                 "expected a type and a value (u8 i8 u16 i16 u32 i32 u64 i64 f32 f64, as in u32:5), in:FILE, "
                 "out:f32[1024,4]:FILE, inout:FILE:FILE2 or zero:f32[1024,4]");
  if (error)
    return error;
  return std::move(spec);
}

} // namespace

Expected<ArgumentSpec> parseArgument(StringRef value) { return ArgumentParser(value).parse(); }

} // namespace leno::runtime
