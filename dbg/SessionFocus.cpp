// What a session looks at: a context, its launch and program, a warp; and their names.
#include "asm/support/Assert.h"
#include "dbg/Session.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "runtime/TrapText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

u32 Session::contextToBeginWith() const {
  for (u32 context = 0; context < work->contextCount(); ++context)
    if (!work->launches(context).empty())
      return context;
  LENO_ASSERT(false, "a session of contexts that launch nothing");
  return 0;
}

Session::Session(std::unique_ptr<runtime::Prepared> prepared) : work(std::move(prepared)) {
  where.context = contextToBeginWith();
}

/// Of several launches of a context that overlap the one in focus, while it is in flight.
GridRun *Session::gridOf(u32 context) const {
  GridRun *run = context == where.context ? work->run().grid(context, where.launch) : nullptr;
  return run ? run : work->run().grid(context);
}

GridRun *Session::gridIfAny() const { return gridOf(where.context); }

GridRun &Session::grid() const {
  GridRun *run = gridIfAny();
  LENO_ASSERT(run, "the grid of a context that runs none");
  return *run;
}

const runtime::Prepared::Launch *Session::launchIn(u32 context) const {
  if (const GridRun *run = gridOf(context))
    return &work->launchOf(*run);
  const runtime::Prepared::Launch *launch = work->current(context);
  return launch || work->launches(context).empty() ? launch : &work->launches(context).front();
}

LaunchInFocus Session::launchOf(u32 number) const {
  const runtime::Prepared::Launch *launch = launchIn(number);
  if (!launch) // one that launches nothing is never in focus
    return launchOf(where.context);
  return {*launch->executable, *launch->kernel, work->device(number), gridOf(number), launch->globalBase};
}

LaunchInFocus Session::launchOf(GridRun &grid) const {
  const runtime::Prepared::Launch &launch = work->launchOf(grid);
  return {*launch.executable, *launch.kernel, grid.device(), &grid, launch.globalBase};
}

const std::optional<Trap> &Session::trap() const {
  static const std::optional<Trap> none;
  return gridIfAny() ? grid().trap() : none;
}

std::string Session::describe(const Trap &trap) const { return runtime::describeTrap(executable(), trap); }

std::string Session::contextName(u32 number) const {
  const std::string &name = work->run().contexts()[number]->name();
  return name.empty() ? std::to_string(number) : name;
}

const Context *Session::trappedContext() const { return isAlone() ? nullptr : work->run().trapped(); }

Error Session::setContext(u32 number) {
  if (work->launches(number).empty())
    return createStringError("context '" + contextName(number) +
                             "' launches no kernel: there is nothing of it to look at");
  before.reset();
  focusOnContext(number);
  return Error::success();
}

void Session::setLaunch(const GridRun &grid) {
  if (&grid != gridIfAny()) {
    before.reset();
    where = {.context = grid.device().contextId()};
  }
  where.launch = grid.gridId();
}

void Session::focusOnContext(u32 number) {
  if (where.context != number)
    where = {.context = number};
  if (focusedWarp() || !gridIfAny() || current == SessionState::NotStarted)
    return;
  for (Cta *cta : grid().residentCtas())
    if (machine->isOnChip(*cta->warps()[0]))
      return focusOn(*cta->warps()[0]);
}

//===--- Warps and programs -------------------------------------------------===//

Cta *Session::findCta(u32 context, Dim3 index, u32 launch) const {
  GridRun *run = current == SessionState::NotStarted ? nullptr : machine->grid(context, launch);
  Cta *cta = run ? run->findCta(index) : nullptr;
  return cta && isOnChip(*cta) ? cta : nullptr;
}

Warp *Session::focusedWarp() const {
  GridRun *run = current == SessionState::NotStarted ? nullptr : gridIfAny();
  Cta *cta = run ? findCta(where.context, where.cta, run->gridId()) : nullptr;
  return cta && where.warp < cta->warps().size() ? cta->warps()[where.warp] : nullptr;
}

Error Session::setFocus(Dim3 index, unsigned warp, unsigned lane) {
  Dim3 size = grid().launch().grid;
  if (index.x >= size.x || index.y >= size.y || index.z >= size.z)
    return createStringError(formatv("there is no cta {0}: the grid is {1} x {2} x {3}", describeIndex(index),
                                     size.x, size.y, size.z));
  Cta *cta = grid().findCta(index);
  if (!cta)
    return createStringError(
        "cta " + describeIndex(index) +
        " does not run now: it has finished or has not started; `info ctas` shows those that do");
  if (warp >= cta->warps().size())
    return createStringError(
        formatv("there is no warp {0}: a cta has {1}", warp, plural(cta->warps().size(), "warp")));
  if (!machine->isOnChip(*cta->warps()[0]))
    return createStringError("the state of cta " + describeIndex(index) +
                             " is in context storage: it can be looked at once an SM has restored it");
  where = {index, warp, lane, where.context, where.launch};
  return Error::success();
}

size_t Session::remember(const Value &value) {
  user.history.push_back(value);
  return user.history.size();
}

bool Session::isInstruction(u64 address) const { return address % 8 == 0 && address < codeBytes(); }

std::string Session::instructionText(const Executable &program, u64 address) const {
  LENO_ASSERT(address % 8 == 0 && address / 8 < program.code().size(), "the text of what is no instruction");
  return decoder.print(program.code()[address / 8], address,
                       [&](u64 place) { return program.describe(place); });
}

std::vector<const Executable *> Session::programs() const {
  std::vector<const Executable *> all;
  for (u32 context = 0; context < work->contextCount(); ++context)
    for (const auto &launch : work->launches(context))
      if (!is_contained(all, launch.executable))
        all.push_back(launch.executable);
  return all;
}

u64 Session::endOf(const KernelInfo &kernel) const {
  if (kernel.bytes)
    return kernel.entry + kernel.bytes;
  // A file that does not say: up to the next function.
  for (const Symbol &symbol : executable().symbols())
    if (symbol.isFunction && symbol.address > kernel.entry)
      return symbol.address;
  return codeBytes();
}

std::optional<u64> Session::symbol(StringRef name) const {
  const Symbol *found = executable().symbol(name);
  return found ? std::optional(found->address) : std::nullopt;
}

std::vector<std::string> Session::symbols() const {
  std::vector<std::string> names;
  for (const Symbol &symbol : executable().symbols())
    names.push_back(symbol.name);
  return names;
}

std::vector<u64> Session::addressesOf(StringRef file, unsigned line) const {
  return executable().addressesOf(file, line);
}

std::optional<SourceLine> Session::hereLine() const {
  return executable().line(here().value_or(kernel().entry));
}

std::optional<u64> Session::here() const {
  Warp *warp = focusedWarp();
  return warp ? std::optional(warp->pcBytes()) : std::nullopt;
}

} // namespace leno::dbg
