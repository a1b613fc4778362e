//===- Warp.cpp - info lanes, registers, predicates, cc, stack ------------===//
#include "dbg/Facts.h"
#include "dbg/Focus.h"
#include "dbg/Interpreter.h"
#include "dbg/Text.h"
#include "dbg/WarpText.h"
#include "emu/launch/GridRun.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

static constexpr unsigned lanesOfRow = 8;

static std::string hexMask(LaneMask mask) { return "0x" + utohexstr(mask, true, 8); }

static Error lanes(Interpreter &in, const Invocation &) {
  const Warp &warp = *in.session.focus().warp();
  Table table({" ", "Lane", "Thread", "State", "Why"});
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    LaneState state = describeLane(warp, lane);
    bool exists = warp.lanesLaunched() >> lane & 1;
    table.row({lane == in.session.focus().position().lane ? "*" : " ", std::to_string(lane),
               exists ? describeIndex(warp.thread(lane)) : "-", state.state, state.reason});
  }
  table.print(in.out);
  return Error::success();
}

/// "R4", "R4..R7", "R4-R7", a kernel's name for one or several; blanks or commas between.
static Expected<std::vector<unsigned>> parseRegisters(StringRef text, unsigned count,
                                                      const LaneContext &context) {
  std::vector<unsigned> result;
  SmallVector<StringRef, 8> parts;
  SplitString(text, parts, " \t,");
  auto number = [&](StringRef part) -> Expected<unsigned> {
    unsigned reg;
    if (!part.starts_with_insensitive("R") || part.drop_front().getAsInteger(10, reg) || reg >= count)
      return textError(text, columnIn(text, part),
                       "expected a register from R0 to R" + Twine(count - 1) + ", or a range such as R0..R3");
    return reg;
  };
  for (StringRef part : parts) {
    part.consume_front("$"); // gdb's way
    if (auto named = context.registersNamed(part); named && !named->isPredicate) {
      for (unsigned reg = named->first; reg < std::min(count, named->first + named->count); ++reg)
        result.push_back(reg);
      continue;
    }
    size_t dots = part.find("..");
    size_t dash = dots == StringRef::npos ? part.find('-') : dots;
    Expected<unsigned> first = number(part.take_front(dash));
    if (!first)
      return first.takeError();
    unsigned end = *first;
    if (dash != StringRef::npos) {
      Expected<unsigned> last = number(part.substr(dash + (dots == StringRef::npos ? 1 : 2)));
      if (!last)
        return last.takeError();
      end = *last;
    }
    for (unsigned reg = *first; reg <= end; ++reg)
      result.push_back(reg);
  }
  return result;
}

static void printRegisterTable(Interpreter &in, const Warp &warp, ArrayRef<unsigned> registers, char format) {
  in.out << "active: " << describeLanes(warp.active) << '\n';
  size_t width = 0;
  std::vector<std::array<std::string, laneCount>> cells;
  json::Array found;
  for (unsigned reg : registers) {
    auto &row = cells.emplace_back();
    json::Array lanes;
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      u32 bits = warp.readRegister(reg, lane);
      lanes.push_back(facts::hex(bits, 8));
      row[lane] = format == 'x' ? utohexstr(bits, true, 8) : in.format({ValueType::U32, bits}, format);
      width = std::max(width, row[lane].size());
    }
    found.push_back(json::Object{{"register", int64_t(reg)}, {"bits", std::move(lanes)}});
  }
  in.note({{"kind", "registers"}, {"active", facts::mask(warp.active)}, {"registers", std::move(found)}});
  for (size_t i = 0; i < registers.size(); ++i)
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      if (lane % lanesOfRow == 0)
        in.out << left_justify(lane ? "" : "R" + std::to_string(registers[i]), 5)
               << right_justify(formatv("{0}-{1}", lane, lane + lanesOfRow - 1).str(), 6);
      std::string cell = std::string(width - cells[i][lane].size() + 1, ' ') + cells[i][lane];
      in.out << (warp.active >> lane & 1 ? cell : in.dim(cell));
      if (lane % lanesOfRow == lanesOfRow - 1)
        in.out << '\n';
    }
}

/// By number: "acc", "m[2]"; of several names all.
static std::map<unsigned, std::string> namesOfRegisters(const KernelInfo &kernel) {
  std::map<unsigned, std::string> names;
  for (const RegisterName &name : kernel.names)
    for (unsigned i = 0; i < name.count && !name.isPredicate; ++i) {
      std::string &text = names[name.first + i];
      text += (text.empty() ? "" : ", ") + name.name;
      if (name.isRange)
        text += "[" + std::to_string(name.firstIndex + i) + "]";
    }
  return names;
}

static Error registers(Interpreter &in, const Invocation &invocation) {
  const Warp &warp = *in.session.focus().warp();
  Expected<char> format = formatLetter(invocation);
  if (!format)
    return format.takeError();
  if (!invocation.arguments.empty()) {
    std::string others;
    bool pc = false, predicates = false;
    for (StringRef word : split(invocation.arguments, ' ')) {
      word = word.trim(" \t,");
      StringRef name = word;
      name.consume_front("$");
      bool isPredicate = name.size() == 2 && name[0] == 'P' && isDigit(name[1]);
      if (is_contained({"pc", "rip", "eip", "ip"}, name))
        pc = true;
      else if (isPredicate)
        predicates = true;
      else // the columns of a mistake stay
        (others += others.empty() ? "" : " ") += word;
    }
    if (pc) {
      in.out << "pc  " << hexAddress(warp.pcBytes()) << " <" << in.describePlace(warp.pcBytes()) << ">\n";
      in.note({{"kind", "places"}, {"places", json::Array{facts::place(in, warp.pcBytes())}}});
    }
    if (predicates)
      if (Error error = in.executeCommand("info predicates"))
        return error;
    if (StringRef(others).trim().empty())
      return Error::success();
    Expected<std::vector<unsigned>> chosen =
        parseRegisters(pc || predicates ? StringRef(others) : invocation.arguments, warp.registers(),
                       in.session.focus().context());
    if (!chosen)
      return chosen.takeError();
    printRegisterTable(in, warp, *chosen, *format ? *format : 'x');
    return Error::success();
  }
  unsigned lane = in.session.focus().position().lane;
  in.out << formatv("lane {0}, thread {1}, {2}\n", lane, describeIndex(warp.thread(lane)),
                    describeLane(warp, lane).state);
  std::map<unsigned, std::string> names = namesOfRegisters(in.session.focus().kernel());
  std::vector<std::string> header = {"Register", "Hex", "Signed", "Float"};
  if (!names.empty())
    header.push_back("Name");
  Table table(header);
  for (unsigned reg = 0; reg < warp.registers(); ++reg) {
    Value value{ValueType::U32, warp.readRegister(reg, lane)};
    std::vector<std::string> row = {"R" + std::to_string(reg), in.format(value, 'x'), in.format(value, 'd'),
                                    in.format(value, 'f')};
    if (!names.empty())
      row.push_back(names[reg]);
    table.row(row);
  }
  table.print(in.out);
  return Error::success();
}

static Error predicates(Interpreter &in, const Invocation &) {
  const Warp &warp = *in.session.focus().warp();
  unsigned lane = in.session.focus().position().lane;
  Table table({"Predicate", formatv("Lane {0}", lane), "Mask", "Lanes"});
  for (unsigned i = 0; i < truePredicate; ++i)
    table.row({"P" + std::to_string(i), warp.readPredicate(i, lane) ? "true" : "false",
               hexMask(warp.predicates[i]), laneRanges(warp.predicates[i])});
  table.print(in.out);
  return Error::success();
}

static Error conditionCodes(Interpreter &in, const Invocation &) {
  const Warp &warp = *in.session.focus().warp();
  unsigned lane = in.session.focus().position().lane;
  Table table({"Flag", formatv("Lane {0}", lane), "Mask", "Lanes"});
  for (auto [name, mask] : {std::pair<const char *, LaneMask>("OF", warp.codes.overflow),
                            {"CF", warp.codes.carry},
                            {"SF", warp.codes.sign},
                            {"ZF", warp.codes.zero}})
    table.row({name, mask >> lane & 1 ? "1" : "0", hexMask(mask), laneRanges(mask)});
  table.print(in.out);
  return Error::success();
}

static Error stack(Interpreter &in, const Invocation &) {
  const Warp &warp = *in.session.focus().warp();
  const DivergenceStack &stack = warp.divergence();
  in.note({{"kind", "stack"}, {"depth", int64_t(stack.depth())}, {"deepest", int64_t(stack.maxDepth())}});
  if (stack.depth() == 0) {
    in.out << formatv("The stack is empty; it was {0} deep at most.\n", stack.maxDepth());
    return Error::success();
  }
  std::vector<LaneMask> waiting = lanesWaitingFor(warp);
  // Where entries are is worth a column only where they can be in several places.
  bool showPlaces = warp.grid().device().config().stack.model != MachineConfig::Stack::Chip;
  std::vector<std::string> header = {"Entry", "Type", "PC", "Line", "Mask", "Waiting"};
  if (showPlaces)
    header.push_back("Held");
  Table table(header);
  for (size_t i = stack.depth(); i-- > 0;) {
    Token token = stack.at(i);
    std::string line = in.describeLine(u64(token.pc) * 8);
    std::vector<std::string> row = {
        std::to_string(i),         tokenTypeName(token.type), in.session.code().describe(u64(token.pc) * 8),
        line.empty() ? "-" : line, hexMask(token.mask),       laneRanges(waiting[i])};
    if (showPlaces)
      row.push_back(entryPlaceName(stack.placeOf(i)));
    table.row(row);
  }
  table.print(in.out);
  in.out << formatv("depth {0}, {1} at most\n", stack.depth(), stack.maxDepth());
  if (showPlaces) {
    const StackCounters &counts = warp.tokens().counters();
    in.out << formatv("entries spilled: {0}, restored: {1}; cycles waited: {2}\n", counts.spills.entries,
                      counts.restores.entries, counts.stallCycles);
  }
  return Error::success();
}

ArrayRef<Command> warpCommands() {
  constexpr unsigned needs = Command::NeedsWarp | Command::NoArguments;
  static constexpr Command commands[] = {
      {"info lanes", "", Command::Looking, needs, "", "list the lanes of the focused warp",
       "Each lane's thread, whether it is active, inactive (it waits for the other side of a branch), "
       "waiting (with the\n"
       "reason BRK, CONT or RET), exited (by EXIT, or ended by KIL), or has no thread; and the stack entry "
       "that it "
       "waits for.\n"
       "\n"
       "(leno) info lanes",
       lanes},
      {"info registers", "all", Command::Looking, Command::NeedsWarp | Command::TakesFormat,
       "[R0 R4..R7 NAME]", "show registers of a lane, or chosen ones of all lanes",
       "Without registers, all those of the focused lane, with the kernel's names for them. With registers "
       "or names, "
       "each over\n"
       "the 32 lanes, eight to a line; on a terminal lanes that are not active are dimmed. Formats: x d u f "
       "t.\n"
       "\n"
       "(leno) info registers/d R0 R2..R3",
       registers},
      {"info predicates", "", Command::Looking, needs, "", "show P0 to P6 of the focused warp",
       "(leno) info predicates", predicates},
      {"info cc", "", Command::Looking, needs, "", "show the condition codes of the focused warp",
       "(leno) info cc", conditionCodes},
      {"info stack", "", Command::Looking, needs, "", "show the divergence stack of the focused warp",
       "The newest entry first: its number, type, where its lanes go on, its mask, and the lanes that wait "
       "for it now.\n"
       "With stack.model=cache or memory also where it is held: chip (nowhere else), chip and memory "
       "(spilled, "
       "and still on\n"
       "chip), arriving (its restore is under way), memory.\n"
       "\n"
       "(leno) info stack",
       stack},
  };
  return commands;
}

} // namespace leno::dbg
