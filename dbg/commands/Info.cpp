//===- Info.cpp - info kernels, launch, ctas, warps -----------------------===//
#include "dbg/Facts.h"
#include "dbg/InfoWarps.h"
#include "dbg/Text.h"
#include "dbg/WarpText.h"
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

static Error kernels(Interpreter &in, const Invocation &) {
  Table table({" ", "Kernel", "Entry", "Instructions", "Registers", "Shared", "Parameters"});
  const KernelInfo &current = in.session.focus().kernel();
  for (const KernelInfo &kernel : in.session.focus().executable().kernels()) {
    std::string params;
    for (const KernelParam &param : kernel.params)
      params += (params.empty() ? "" : ", ") + (param.typeText() + " " + param.name);
    table.row({kernel.name == current.name ? "*" : " ", kernel.name, hexAddress(kernel.entry),
               std::to_string((in.session.code().endOf(kernel) - kernel.entry) / 8),
               std::to_string(kernel.registers), std::to_string(kernel.sharedBytes),
               params.empty() ? "-" : params});
  }
  table.print(in.out);
  return Error::success();
}

static Error launch(Interpreter &in, const Invocation &) {
  if (!in.session.focus().gridIfAny())
    return createStringError("the context runs no kernel now: `info contexts` shows what each does");
  GridRun &grid = in.session.focus().grid();
  const LaunchSpec &spec = grid.launch();
  const KernelInfo &kernel = in.session.focus().kernel();
  auto size = [](Dim3 d) { return formatv("{0} x {1} x {2}", d.x, d.y, d.z).str(); };
  static constexpr StringLiteral states[] = {"not started", "stopped", "finished", "trapped"};
  const MachineConfig &machine = in.session.focus().device().config();
  json::Array params;
  in.out << formatv("kernel {0}, grid {1} ({2}), block {3} ({4})\n", kernel.name, size(spec.grid),
                    plural(spec.grid.count(), "cta"), size(spec.block), plural(spec.block.count(), "thread"));
  for (const KernelParam &param : kernel.params) {
    Expected<std::optional<Value>> value = in.session.focus().context().named(param.name);
    if (!value)
      return value.takeError();
    in.out << formatv("  {0} {1} = {2}", param.typeText(), param.name,
                      in.format(**value, param.type == ParamType::Ptr ? 'x' : '\0'));
    json::Object one = facts::value(in, **value);
    one["name"] = facts::text(param.name);
    one["type"] = param.typeText();
    if (const auto *buffer = param.type == ParamType::Ptr
                                 ? in.session.focus().device().memory().find((*value)->integer())
                                 : nullptr) {
      in.out << ", " << plural(buffer->window.size, "byte");
      one["bytes"] = int64_t(buffer->window.size);
    }
    params.push_back(std::move(one));
    in.out << '\n';
  }
  in.note({{"kind", "launch"},
           {"kernel", facts::text(kernel.name)},
           {"grid", facts::index(spec.grid)},
           {"block", facts::index(spec.block)},
           {"parameters", std::move(params)},
           {"sms", int64_t(machine.sm.count)},
           {"warpsOfSm", int64_t(machine.sm.warps)},
           {"engine", in.session.focus().device().engine().name},
           {"state", states[unsigned(in.session.state())]},
           {"instructions", int64_t(grid.instructions())}});
  in.out << formatv("machine: {0} SMs of {1}, engine {2}\n", machine.sm.count,
                    plural(machine.sm.warps, "warp"), in.session.focus().device().engine().name);
  in.out << formatv("{0}, {1} executed\n", states[unsigned(in.session.state())],
                    plural(grid.instructions(), "warp instruction"));
  return Error::success();
}

static Error ctas(Interpreter &in, const Invocation &) {
  GridRun &grid = in.session.focus().grid();
  Table table({" ", "CTA", "SM", "Running", "At barrier", "Exited"});
  for (Cta *cta : grid.residentCtas()) {
    if (!in.session.focus().isOnChip(*cta)) {
      table.row({" ", describeIndex(cta->index()), "saved", "-", "-", "-"});
      continue;
    }
    unsigned counts[3] = {};
    for (const Warp *warp : cta->warps())
      ++counts[warp->exited() ? 2 : warp->status == WarpStatus::AtBarrier ? 1 : 0];
    table.row({cta->index() == in.session.focus().position().cta ? "*" : " ", describeIndex(cta->index()),
               std::to_string(cta->multiprocessor().index()), std::to_string(counts[0]),
               std::to_string(counts[1]), std::to_string(counts[2])});
  }
  if (!table.empty())
    table.print(in.out);
  in.note({{"kind", "ctas"},
           {"started", int64_t(grid.ctasStarted())},
           {"ctas", int64_t(grid.launch().grid.count())}});
  in.out << formatv("{0} of {1} started\n", grid.ctasStarted(), plural(grid.launch().grid.count(), "cta"));
  return Error::success();
}

ArrayRef<Command> infoCommands() {
  static constexpr Command commands[] = {
      {"info kernels", "", Command::Looking, Command::NoArguments, "", "list the program's kernels",
       "The kernel of the launch is marked.\n\n(leno) info kernels", kernels},
      {"info launch", "", Command::Looking, Command::NoArguments, "",
       "show the launch: sizes, parameters, machine", "(leno) info launch", launch},
      {"info ctas", "", Command::Looking, Command::NeedsLaunch | Command::NoArguments, "",
       "list the CTAs that run now",
       "The SM, and how many warps run, wait at a barrier and have exited. The focused CTA is "
       "marked.\n\n(leno) info ctas",
       ctas},
      {"info warps", "", Command::Looking, Command::NeedsLaunch | Command::Repeats, "[FILTER...]",
       "list the warps of the CTAs that run now",
       "PC, source line, active lanes as a mask and in numbers, depth of the divergence stack, state. The "
       "focused "
       "warp is\n"
       "marked. Warps that are alike share a row. An empty line shows the next rows, `all` shows every row. "
       "Filters: "
       "running,\n"
       "barrier, exited, trapped, waiting; cta X[,Y[,Z]]; sm NUMBER; at LOCATION; and last, if CONDITION: "
       "true for an "
       "active lane.\n"
       "\n"
       "(leno) info warps barrier",
       infoWarps},
  };
  return commands;
}

} // namespace leno::dbg
