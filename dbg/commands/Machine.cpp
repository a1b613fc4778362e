//===- Machine.cpp - info sms, barriers, locks, traps, caches, ... --------===//
#include "dbg/Focus.h"
#include "dbg/Interpreter.h"
#include "dbg/Text.h"
#include "emu/Cta.h"
#include "emu/StreamingMultiprocessor.h"
#include "runtime/MemoryReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

static void printOr(Interpreter &in, const Table &table, StringRef none) {
  if (table.empty())
    in.out << none << '\n';
  else
    table.print(in.out);
}

static Error multiprocessors(Interpreter &in, const Invocation &) {
  struct Row {
    unsigned ctas = 0, warps = 0, running = 0;
    u64 clock = 0;
  };
  std::map<unsigned, Row> rows;
  for (Cta *cta : in.session.grid().residentCtas()) {
    Row &row = rows[cta->multiprocessor().index()];
    ++row.ctas;
    row.warps += unsigned(cta->warps().size());
    row.clock = cta->multiprocessor().clock();
    for (const Warp *warp : cta->warps())
      row.running += !warp->exited();
  }
  const Warp *focused = in.session.focusedWarp();
  Table table({" ", "SM", "CTAs", "Warps", "Not exited", "Clock"});
  for (const auto &[number, row] : rows)
    table.row({focused && focused->cta().multiprocessor().index() == number ? "*" : " ",
               std::to_string(number), std::to_string(row.ctas), std::to_string(row.warps),
               std::to_string(row.running), std::to_string(row.clock)});
  printOr(in, table, "No SM has a cta.");
  return Error::success();
}

static Error barriers(Interpreter &in, const Invocation &) {
  Table table({"CTA", "Barrier", "Needs", "Arrived", "Waiting", "Missing"});
  for (Cta *cta : in.session.grid().residentCtas()) {
    u64 live = 0;
    for (const Warp *warp : cta->warps())
      live |= u64(!warp->exited()) << warp->index();
    for (unsigned number = 0; number < Cta::barrierCount; ++number) {
      const Barrier &barrier = cta->barrier(number);
      if (!barrier.arrived())
        continue;
      auto warps = [](u64 mask) {
        std::string text;
        for (; mask; mask &= mask - 1)
          text += (text.empty() ? "" : ",") + std::to_string(__builtin_ctzll(mask));
        return text.empty() ? std::string("-") : text;
      };
      table.row({describeIndex(cta->index()), std::to_string(number),
                 barrier.warpsNeeded() ? plural(barrier.warpsNeeded(), "warp") : "all warps",
                 warps(barrier.arrived()), warps(barrier.waiting()), warps(live & ~barrier.arrived())});
    }
  }
  printOr(in, table, "No warp has arrived at a barrier that is not complete.");
  return Error::success();
}

static Error locks(Interpreter &in, const Invocation &) {
  Table table({"Memory", "Address", "CTA", "Warp", "Lane"});
  auto add = [&](const std::string &memory, const LockTable &locks) {
    for (const auto &[address, holder] : locks.all())
      table.row({memory, hexAddress(address, 5), describeIndex(holder.warp->cta().index()),
                 std::to_string(holder.warp->index()), std::to_string(holder.lane)});
  };
  add("global", in.session.grid().locks());
  for (Cta *cta : in.session.grid().residentCtas())
    add("shared of " + describeIndex(cta->index()), cta->locks());
  printOr(in, table, "No lock is held.");
  return Error::success();
}

static Error traps(Interpreter &in, const Invocation &) {
  GridRun &grid = in.session.grid();
  if (!grid.trap()) {
    in.out << "No trap.\n";
    return Error::success();
  }
  const Trap &trap = *grid.trap();
  in.out << in.session.launch().describe(trap) << '\n'
         << formatv("cta {0} warp {1}, {2}\n", describeIndex(trap.cta), trap.warp, describeLanes(trap.lanes));
  if (in.session.isInstruction(trap.pc))
    in.printInstruction(trap.pc, in.session.here());
  return Error::success();
}

//===--- Memories ---------------------------------------------------------===//

static std::string wordAt(Interpreter &in, ArrayRef<uint8_t> bytes, u64 offset) {
  return in.format({ValueType::Word, support::endian::read32le(bytes.data() + offset)}, 0);
}

static Error constants(Interpreter &in, const Invocation &invocation) {
  const ConstantBanks &banks = in.session.grid().constants();
  if (!invocation.arguments.empty()) {
    Expected<unsigned> bank = parseNumber(invocation.arguments, ConstantBanks::count - 1, "a constant bank");
    if (!bank)
      return bank.takeError();
    ArrayRef<uint8_t> bytes = banks.bank(*bank);
    Table table({"Place", "Value"});
    for (u64 offset = 0; offset + 4 <= bytes.size(); offset += 4)
      table.row({formatv("c[{0}][{1}]", *bank, hexAddress(offset, 2)), wordAt(in, bytes, offset)});
    printOr(in, table, "The bank is empty.");
    return Error::success();
  }
  Table table({"Place", "Name", "Value"});
  ArrayRef<uint8_t> first = banks.bank(0);
  for (auto [name, offset] : {std::pair<const char *, u32>("block x", bank0::blockDim),
                              {"block y", bank0::blockDim + 4},
                              {"block z", bank0::blockDim + 8},
                              {"grid x", bank0::gridDim},
                              {"grid y", bank0::gridDim + 4},
                              {"grid z", bank0::gridDim + 8},
                              {"grid id", bank0::gridId},
                              {"shared bytes", bank0::sharedBytes}})
    table.row({"c[0][" + hexAddress(offset, 2) + "]", name,
               std::to_string(support::endian::read32le(first.data() + offset))});
  for (const KernelParam &param : in.session.launch().kernel().params) {
    Expected<std::optional<Value>> value = in.session.context().named(param.name);
    if (!value)
      return value.takeError();
    table.row({"c[0][" + hexAddress(param.offset, 2) + "]",
               (paramTypeName(param.type) + " " + param.name).str(),
               in.format(**value, param.type == ParamType::Ptr ? 'x' : '\0')});
  }
  for (unsigned bank = 1; bank < ConstantBanks::count; ++bank)
    if (size_t bytes = banks.bank(bank).size())
      table.row({formatv("c[{0}]", bank), "-", plural(bytes, "byte")});
  table.print(in.out);
  return Error::success();
}

static Error shared(Interpreter &in, const Invocation &) {
  Cta &cta = in.session.focusedWarp()->cta();
  static constexpr u64 wordsShown = 4;
  Table table({"Variable", "Offset", "Bytes", "First words"});
  for (const SharedVariable &variable : in.session.launch().kernel().shared) {
    std::string words;
    for (u64 i = 0; i < wordsShown && 4 * (i + 1) <= variable.bytes; ++i)
      words += (words.empty() ? "" : " ") +
               utohexstr(support::endian::read32le(cta.shared().data() + variable.offset + 4 * i), true, 8);
    table.row({variable.name, hexAddress(variable.offset, 2), std::to_string(variable.bytes),
               words.empty() ? "-" : words});
  }
  in.out << formatv("cta {0} has {1} of shared memory\n", describeIndex(cta.index()),
                    plural(cta.shared().size(), "byte"));
  if (!table.empty())
    table.print(in.out);
  return Error::success();
}

static Error caches(Interpreter &in, const Invocation &) {
  GridRun &grid = in.session.grid();
  StackCounters stacks = grid.stackCounters();
  static constexpr StringLiteral models[] = {"on chip", "in a stack cache", "in memory"};
  const MachineConfig &config = grid.device().config();
  in.out << formatv("stacks {0}: pushes {1}, pops {2}, deepest {3}\n", models[config.stack.model],
                    stacks.pushes, stacks.pops, stacks.deepest);
  if (config.stack.model != MachineConfig::Stack::Chip)
    in.out << formatv("  entries spilled {0}, restored {1}; transactions {2}; cycles waited {3}\n",
                      stacks.spills.entries, stacks.restores.entries,
                      stacks.spills.transactions + stacks.restores.transactions, stacks.stallCycles);
  if (const L2Traffic *traffic = grid.globalTraffic())
    runtime::printMemory(in.out, *traffic);
  else
    in.out << "L2 slices: none (l2.model=off)\n";
  if (const ConstantUnit *constants = grid.constantUnit())
    runtime::printConstants(in.out, *constants);
  return Error::success();
}

ArrayRef<Command> machineCommands() {
  constexpr unsigned needs = Command::NeedsLaunch | Command::NoArguments;
  static constexpr Command commands[] = {
      {"info sms", "", Command::Looking, needs, "", "list the multiprocessors that have CTAs",
       "How many CTAs and warps each has, how many of these have not exited, and its clock.\n"
       "\n"
       "(leno) info sms",
       multiprocessors},
      {"info barriers", "", Command::Looking, needs, "", "list the barriers where warps have arrived",
       "For each CTA that runs: how many warps the barrier needs, which have arrived, which of them wait "
       "(those of "
       "BAR.ARV have\n"
       "gone on), and which are missing.\n"
       "\n"
       "(leno) info barriers",
       barriers},
      {"info locks", "", Command::Looking, needs, "", "list the locks that lanes hold",
       "The flag of each word that LDLK or LDSLK has locked and nobody has given back, and who holds it.\n"
       "\n"
       "(leno) info locks",
       locks},
      {"info traps", "", Command::Looking, needs, "", "show the trap that ended the launch",
       "What happened, where, and the lanes at fault.\n"
       "\n"
       "(leno) info traps",
       traps},
      {"info caches", "", Command::Looking, needs, "", "show what the caches have counted",
       "Of the stacks: pushes, pops, what was spilled and restored. With l2.model=slices what each slice and "
       "each SM "
       "counted,\n"
       "with constants.model=caches what the reads of constants met.\n"
       "\n"
       "(leno) info caches",
       caches},
      {"info constants", "", Command::Looking, Command::NeedsLaunch, "[BANK]", "show the constant banks",
       "Without BANK the launch's sizes and parameters in bank 0 and the bytes of the others; with it all "
       "its "
       "words.\n"
       "\n"
       "(leno) info constants",
       constants},
      {"info shared", "", Command::Looking, Command::NeedsWarp | Command::NoArguments, "",
       "show the shared variables of the focused CTA",
       "Where each stands, its size and its first words; `x shared:OFFSET` shows more.\n"
       "\n"
       "(leno) info shared",
       shared},
  };
  return commands;
}

} // namespace leno::dbg
