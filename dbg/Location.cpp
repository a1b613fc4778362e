#include "dbg/Location.h"

#include "asm/support/NearMiss.h"
#include "asm/support/Numbers.h"
#include "dbg/Expression.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg {

/// Blank and comment lines between a line and the next instruction; what is farther apart is a mistake.
static constexpr unsigned linesToLookAhead = 32;

static std::optional<u64> parseNumber(StringRef text) {
  ScannedInteger scanned = scanInteger(text);
  if (scanned.status != ScannedInteger::Ok || scanned.negative)
    return std::nullopt;
  return scanned.magnitude;
}

static std::string suggestion(StringRef name, const std::vector<std::string> &names) {
  NearMiss near(name, unsigned(name.size()) / 3 + 1);
  for (const std::string &candidate : names)
    near.consider(candidate, candidate);
  return near.hint();
}

namespace {

class LocationParser {
public:
  LocationParser(StringRef whole, const ProgramNames &names, const LaneContext &context)
      : whole(whole), names(names), context(context) {}

  Expected<Location> parse() {
    StringRef text = whole.trim();
    if (text.empty())
      return here();
    if (text.starts_with("*"))
      return address(text.drop_front());
    // A line's number is decimal.
    if (text.starts_with("$") || text.starts_with_insensitive("0x"))
      return address(text);
    if ((text.starts_with("+") || text.starts_with("-")) && names.hereLine())
      return lineFromHere(text);
    if (isDigit(text[0])) {
      std::optional<SourceLine> current = names.hereLine();
      return line(current ? current->file : "", text);
    }
    // The last colon, for a file's name may hold one.
    if (size_t colon = text.rfind(':'); colon != StringRef::npos)
      return line(text.take_front(colon), text.substr(colon + 1));
    return label(text);
  }

private:
  Error fail(StringRef part, const Twine &message) {
    return textError(whole, columnIn(whole, part), message);
  }
  Expected<Location> checked(StringRef part, u64 address) {
    if (address % 8)
      return fail(part, "0x" + Twine::utohexstr(address) +
                            " is not the address of an instruction: they are multiples "
                            "of 8");
    if (address >= names.codeBytes())
      return fail(part, "0x" + Twine::utohexstr(address) + " is outside of the program, which ends at 0x" +
                            Twine::utohexstr(names.codeBytes()));
    return Location{{address}, whole.trim().str()};
  }

  Expected<Location> here() {
    std::optional<u64> pc = names.here();
    if (!pc)
      return fail(whole, "no warp is in focus: name a label, file:line or *address");
    return Location{{*pc}, "*0x" + utohexstr(*pc, /*LowerCase=*/true)};
  }

  Expected<Location> address(StringRef text) {
    Expected<Expression> expression = Expression::parse(text);
    if (!expression)
      return expression.takeError();
    Expected<Value> value = expression->evaluate(context);
    if (!value)
      return value.takeError();
    if (value->isFloat())
      return fail(text, "an address is an integer, not a float");
    Expected<u64> address = expression->address(context);
    return address ? checked(text, *address) : address.takeError();
  }

  Expected<Location> lineFromHere(StringRef text) {
    std::optional<u64> distance = parseNumber(text.drop_front());
    SourceLine here = *names.hereLine();
    u64 number = here.line + (text.starts_with("+") ? distance.value_or(0) : 0 - distance.value_or(0));
    if (!distance || s64(number) <= 0 || number > 0x7fffffff)
      return fail(text, "expected how many lines before or after this one");
    Expected<Location> found = line(here.file, std::to_string(number));
    if (!found)
      return handleErrors(found.takeError(),
                          [&](const TextError &error) { return fail(text, error.message); });
    // As it is meant here, wherever the warp stands later.
    found->text = (sys::path::filename(here.file) + ":" + std::to_string(number)).str();
    return found;
  }

  Expected<Location> line(StringRef file, StringRef text) {
    std::optional<u64> number = parseNumber(text);
    if (!number || *number == 0 || *number > 0x7fffffff)
      return fail(text, "expected a line number");
    if (names.files().empty())
      return fail(whole,
                  "the program has no line information: assemble it with -g, or name a label or *address");
    bool known = file.empty();
    for (const std::string &candidate : names.files())
      known |= candidate == file || sys::path::filename(candidate) == file;
    if (!known) {
      std::vector<std::string> base;
      for (const std::string &candidate : names.files())
        base.push_back(sys::path::filename(candidate).str());
      return fail(file, "no source file '" + file + "' is in the program" + suggestion(file, base));
    }
    for (unsigned ahead = 0; ahead < linesToLookAhead; ++ahead) {
      std::vector<u64> addresses = names.addressesOf(file, unsigned(*number) + ahead);
      if (!addresses.empty())
        return Location{std::move(addresses), whole.trim().str(), unsigned(*number) + ahead};
    }
    return fail(text, "line " + Twine(*number) + " has no instruction, and none follows it");
  }

  Expected<Location> label(StringRef text) {
    if (std::optional<u64> found = names.symbol(text))
      return checked(text, *found);
    size_t sign = text.rfind('+');
    StringRef name = text.take_front(sign).rtrim();
    std::optional<u64> base = names.symbol(name);
    if (!base)
      return fail(text, "there is no label '" + name + "'" + suggestion(name, names.symbols()));
    StringRef offset = text.substr(sign + 1).ltrim();
    std::optional<u64> bytes = parseNumber(offset);
    if (!bytes)
      return fail(offset, "expected an offset in bytes after '+'");
    return checked(text, *base + *bytes);
  }

  StringRef whole;
  const ProgramNames &names;
  const LaneContext &context;
};

} // namespace

Expected<Location> parseLocation(StringRef text, const ProgramNames &names, const LaneContext &context) {
  return LocationParser(text, names, context).parse();
}

} // namespace leno::dbg
