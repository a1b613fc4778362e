//===- Constants.cpp - info constants: banks, words, and where they are ---===//
#include "dbg/ConstantReport.h"
#include "dbg/Facts.h"
#include "dbg/Focus.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

namespace {

/// "c[1][0x08]"
std::string nameOfWord(unsigned bank, u64 offset) {
  return formatv("c[{0}][{1}]", bank, hexAddress(offset, 2));
}

u64 protocolOf(Interpreter &in) {
  return in.session.focus().grid().device().config().constants.caches.protocol;
}

/// Of the focused warp.
std::optional<unsigned> focusedSm(Interpreter &in) {
  const Warp *warp = in.session.focus().warp();
  return warp ? std::optional(warp->multiprocessor().index()) : std::nullopt;
}

/// A table of words; with constants.model=caches also of where each is.
class Words {
public:
  Words(Interpreter &in, std::vector<std::string> header)
      : unit(in.session.focus().grid().constantUnit()), protocol(protocolOf(in)), sm(focusedSm(in)),
        table(withPlaces(std::move(header))) {}
  void row(unsigned bank, u64 offset, std::vector<std::string> cells) {
    if (unit) {
      ConstantWordState state = unit->stateOf(bank, u32(offset));
      for (std::string &cell : cellsOfConstant(state, protocol, sm))
        cells.push_back(std::move(cell));
      json::Object word = factsOf(state, protocol);
      word["place"] = nameOfWord(bank, offset);
      words.push_back(std::move(word));
    }
    table.row(std::move(cells));
  }
  void rowOfSeveral(std::vector<std::string> cells) { table.row(std::move(cells)); }
  void print(Interpreter &in) {
    table.printOr(in.out, "The bank is empty.");
    if (unit)
      in.note({{"kind", "constants"}, {"words", std::move(words)}});
  }

private:
  std::vector<std::string> withPlaces(std::vector<std::string> header) const {
    if (unit)
      for (std::string &column : columnsOfConstants(protocol))
        header.push_back(std::move(column));
    return header;
  }
  const ConstantUnit *unit;
  u64 protocol;
  std::optional<unsigned> sm;
  Table table;
  json::Array words; ///< for programs
};

} // namespace

static std::string wordAt(Interpreter &in, ArrayRef<uint8_t> bytes, u64 offset) {
  return in.format({ValueType::Word, support::endian::read32le(bytes.data() + offset)}, 0);
}

static Error bank(Interpreter &in, unsigned number) {
  ArrayRef<uint8_t> bytes = in.session.focus().grid().constants().bank(number);
  Words words(in, {"Place", "Value"});
  for (u64 offset = 0; offset + 4 <= bytes.size(); offset += 4)
    words.row(number, offset, {nameOfWord(number, offset), wordAt(in, bytes, offset)});
  words.print(in);
  return Error::success();
}

/// "c[1][first+4]": the bank, and the offset of its word.
static Expected<std::pair<unsigned, u64>> parseWord(Interpreter &in, StringRef text) {
  Expected<Expression> expression = Expression::parse(text);
  if (!expression)
    return expression.takeError();
  Expected<std::pair<unsigned, u64>> place = expression->constantPlace(in.session.focus().context());
  if (!place)
    return place.takeError();
  auto [bank, offset] = *place;
  u64 bytes = in.session.focus().grid().constants().bank(bank).size();
  if (offset >= bytes || bytes - offset / 4 * 4 < 4)
    return textError(text, 0,
                     formatv("there is no such word: bank {0} has {1}", bank, plural(bytes, "byte")).str());
  return std::pair(bank, offset / 4 * 4);
}

static Error oneWord(Interpreter &in, StringRef text) {
  Expected<std::pair<unsigned, u64>> place = parseWord(in, text);
  if (!place)
    return place.takeError();
  auto [bank, offset] = *place;
  ArrayRef<uint8_t> bytes = in.session.focus().grid().constants().bank(bank);
  std::string name = nameOfWord(bank, offset);
  in.out << name << " = " << wordAt(in, bytes, offset) << '\n';
  json::Object found;
  if (const ConstantUnit *unit = in.session.focus().grid().constantUnit()) {
    ConstantWordState state = unit->stateOf(bank, u32(offset));
    printConstant(in.out, state, protocolOf(in), focusedSm(in));
    found = factsOf(state, protocolOf(in));
  } else {
    in.out << "no caches of constants (constants.model=none): every SM reads the launch's own\n";
  }
  found["kind"] = "constant";
  found["place"] = name;
  found["bank"] = int64_t(bank);
  found["offset"] = facts::hex(offset);
  found["bits"] = facts::hex(support::endian::read32le(bytes.data() + offset), 8);
  in.note(std::move(found));
  return Error::success();
}

/// The launch's sizes and parameters; how large the other banks are.
static Error overview(Interpreter &in) {
  const ConstantBanks &banks = in.session.focus().grid().constants();
  Words words(in, {"Place", "Name", "Value"});
  ArrayRef<uint8_t> first = banks.bank(0);
  for (auto [name, offset] : {std::pair<const char *, u32>("block x", bank0::blockDim),
                              {"block y", bank0::blockDim + 4},
                              {"block z", bank0::blockDim + 8},
                              {"grid x", bank0::gridDim},
                              {"grid y", bank0::gridDim + 4},
                              {"grid z", bank0::gridDim + 8},
                              {"grid id", bank0::gridId},
                              {"shared bytes", bank0::sharedBytes}})
    words.row(
        0, offset,
        {nameOfWord(0, offset), name, std::to_string(support::endian::read32le(first.data() + offset))});
  for (const KernelParam &param : in.session.focus().kernel().params) {
    Expected<std::optional<Value>> value = in.session.focus().context().named(param.name);
    if (!value)
      return value.takeError();
    words.row(0, param.offset,
              {nameOfWord(0, param.offset), param.typeText() + " " + param.name,
               in.format(**value, param.type == ParamType::Ptr ? 'x' : '\0')});
  }
  for (unsigned bank = 1; bank < ConstantBanks::count; ++bank)
    if (size_t bytes = banks.bank(bank).size())
      words.rowOfSeveral({formatv("c[{0}]", bank), "-", plural(bytes, "byte")});
  words.print(in);
  return Error::success();
}

static Error constants(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  if (text.empty())
    return overview(in);
  if (text.starts_with("c"))
    return oneWord(in, text);
  Expected<unsigned> number = parseNumber(text, ConstantBanks::count - 1, "a constant bank");
  return number ? bank(in, *number) : number.takeError();
}

ArrayRef<Command> constantCommands() {
  static constexpr Command commands[] = {
      {"info constants", "", Command::Looking, Command::NeedsLaunch, "[BANK | c[BANK][OFFSET]]",
       "show the constants, and where their caches hold them",
       "Without arguments the launch's sizes and parameters in bank 0 and the bytes of the others; with BANK "
       "all its words.\n"
       "With constants.model=caches each word says how the L1 of the focused warp's SM holds it (valid; "
       "under protocol A\n"
       "locked and dirty, until the L2 has it), which SMs have it, how the L2 does, and under protocol B the "
       "tags of its\n"
       "older values in the backup and how many newer ones wait before the L2. c[BANK][OFFSET] is one word "
       "with its value\n"
       "at each of these places, and their versions.\n"
       "\n"
       "(leno) info constants c[0][x]",
       constants},
  };
  return commands;
}

} // namespace leno::dbg
