//===- Machine.cpp - info sms, barriers, locks, traps, shared -------------===//
#include "dbg/Facts.h"
#include "dbg/Interpreter.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

static Error multiprocessors(Interpreter &in, const Invocation &invocation) {
  if (!in.session.isAlone())
    return tellSmsOfContexts(in, invocation);
  struct Row {
    unsigned ctas = 0, warps = 0, running = 0;
    u64 clock = 0;
  };
  std::map<unsigned, Row> rows;
  for (Cta *cta : in.session.focus().grid().residentCtas()) {
    Row &row = rows[cta->multiprocessor().index()];
    ++row.ctas;
    row.warps += unsigned(cta->warps().size());
    row.clock = cta->multiprocessor().clock();
    for (const Warp *warp : cta->warps())
      row.running += !warp->exited();
  }
  const Warp *focused = in.session.focus().warp();
  Table table({" ", "SM", "CTAs", "Warps", "Not exited", "Clock"});
  for (const auto &[number, row] : rows)
    table.row({focused && focused->cta().multiprocessor().index() == number ? "*" : " ",
               std::to_string(number), std::to_string(row.ctas), std::to_string(row.warps),
               std::to_string(row.running), std::to_string(row.clock)});
  table.printOr(in.out, "No SM has a cta.");
  return Error::success();
}

static Error barriers(Interpreter &in, const Invocation &) {
  Table table({"CTA", "Barrier", "Needs", "Arrived", "Waiting", "Missing"});
  for (Cta *cta : in.session.focus().grid().residentCtas()) {
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
  table.printOr(in.out, "No warp has arrived at a barrier that is not complete.");
  return Error::success();
}

static Error locks(Interpreter &in, const Invocation &) {
  Table table({"Memory", "Address", "CTA", "Warp", "Lane"});
  auto add = [&](const std::string &memory, const LockTable &locks) {
    for (const auto &[address, holder] : locks.all())
      table.row({memory, hexAddress(address, 5), describeIndex(holder.warp->cta().index()),
                 std::to_string(holder.warp->index()), std::to_string(holder.lane)});
  };
  add("global", in.session.focus().grid().locks());
  for (Cta *cta : in.session.focus().grid().residentCtas())
    add("shared of " + describeIndex(cta->index()), cta->locks());
  table.printOr(in.out, "No lock is held.");
  return Error::success();
}

static Error traps(Interpreter &in, const Invocation &) {
  GridRun &grid = in.session.focus().grid();
  if (!grid.trap()) {
    in.note({{"kind", "trap"}});
    in.out << "No trap.\n";
    return Error::success();
  }
  const Trap &trap = *grid.trap();
  in.note({{"kind", "trap"}, {"trap", facts::trap(in, trap)}});
  in.out << in.session.focus().describe(trap) << '\n'
         << formatv("cta {0} warp {1}, {2}\n", describeIndex(trap.cta), trap.warp, describeLanes(trap.lanes));
  if (in.session.code().isInstruction(trap.pc))
    in.printInstruction(trap.pc, in.session.focus().pc());
  return Error::success();
}

//===--- Memories ---------------------------------------------------------===//

static Error shared(Interpreter &in, const Invocation &) {
  Cta &cta = in.session.focus().warp()->cta();
  const KernelInfo &kernel = in.session.focus().kernel();
  static constexpr u64 wordsShown = 4;
  Table table({"Variable", "Offset", "Bytes", "First words"});
  for (const SharedVariable &variable : kernel.shared) {
    std::string words;
    for (u64 i = 0; i < wordsShown && 4 * (i + 1) <= variable.bytes; ++i)
      words += (words.empty() ? "" : " ") +
               utohexstr(support::endian::read32le(cta.shared().data() + variable.offset + 4 * i), true, 8);
    table.row({variable.name, hexAddress(variable.offset, 2), std::to_string(variable.bytes),
               words.empty() ? "-" : words});
  }
  in.note({{"kind", "shared"},
           {"cta", facts::index(cta.index())},
           {"bytes", int64_t(cta.shared().size())},
           {"variables", facts::list(kernel.shared, [](const SharedVariable &variable) {
              return json::Object{{"name", facts::text(variable.name)},
                                  {"offset", int64_t(variable.offset)},
                                  {"bytes", int64_t(variable.bytes)}};
            })}});
  in.out << formatv("cta {0} has {1} of shared memory\n", describeIndex(cta.index()),
                    plural(cta.shared().size(), "byte"));
  if (!table.empty())
    table.print(in.out);
  return Error::success();
}

ArrayRef<Command> machineCommands() {
  constexpr unsigned needs = Command::NeedsLaunch | Command::NoArguments;
  static constexpr Command commands[] = {
      {"info sms", "", Command::Looking, needs | Command::AnyContext, "",
       "list the multiprocessors that have CTAs",
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
