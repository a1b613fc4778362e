// A session of several contexts on one device.
#include "dbg/Interrupt.h"
#include "dbg/Session.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

std::string Session::describe(const DeviceEvent &event) const {
  static constexpr StringLiteral whys[] = {"",
                                           "it has work",
                                           "it has work, and a higher priority",
                                           "it has no more work",
                                           "its slice has expired",
                                           "a page of it is missing",
                                           "its page is mapped"};
  std::string of = "context " + contextName(event.context);
  auto text = [&]() -> std::string {
    switch (event.kind) {
    case DeviceEvent::ContextChange:
      return event.why == DeviceEvent::SliceExpires
                 ? "a time slice has expired"
                 : "context change of " + of + ": " + whys[event.why].str();
    case DeviceEvent::SliceMoved:
      return formatv("an SM goes from context {0} to {1}", contextName(event.other), of);
    case DeviceEvent::SmGranted:
      return formatv("SM {0} is granted to {1}", event.sm, of);
    case DeviceEvent::SmSaves:
      return formatv("SM {0} saves {1} bytes of {2}", event.sm, event.amount, of);
    case DeviceEvent::SmRestores:
      return formatv("SM {0} restores {1} bytes of {2}", event.sm, event.amount, of);
    case DeviceEvent::SmDrains:
      return formatv("SM {0} takes no more ctas of {1}", event.sm, of);
    case DeviceEvent::GridStarts:
      return "a grid of " + of + " starts";
    case DeviceEvent::GridEnds:
      return "the grid of " + of + " ends";
    case DeviceEvent::PageFault:
      return formatv("page fault of {0} at {1:x}", of, event.amount);
    case DeviceEvent::ContextEnds:
      break;
    }
    return of + " ends: " + work->run().contexts()[event.context]->whyEnded();
  };
  return formatv("cycle {0}: {1}", event.cycle, text());
}

//===--- Breakpoints ------------------------------------------------------===//

namespace {

/// What no warp in focus executes.
class NamesOf : public ProgramNames {
public:
  explicit NamesOf(const Executable &program) : program(program) {}
  std::optional<u64> symbol(StringRef name) const override {
    const Symbol *found = program.symbol(name);
    return found ? std::optional(found->address) : std::nullopt;
  }
  std::vector<std::string> symbols() const override { return {}; }
  std::vector<u64> addressesOf(StringRef file, unsigned line) const override {
    return program.addressesOf(file, line);
  }
  std::vector<std::string> files() const override { return program.files(); }
  u64 codeBytes() const override { return program.code().size() * 8; }
  std::optional<SourceLine> hereLine() const override { return std::nullopt; }
  std::optional<u64> here() const override { return std::nullopt; }

private:
  const Executable &program;
};

} // namespace

Expected<Session::PlaceInCode> Session::findCode(StringRef text) {
  WarpContext names = context();
  Expected<Location> location = parseLocation(text, *this, names);
  if (location)
    return PlaceInCode{std::move(*location), &executable()};
  // A line alone is of the program in focus, and an address of any.
  if (text.empty() || isDigit(text[0]) || text[0] == '*')
    return location.takeError();
  for (const auto &launch : work->launches(where.context)) {
    if (launch.executable == &executable())
      continue;
    Expected<Location> found = parseLocation(text, NamesOf(*launch.executable), names);
    if (found) {
      consumeError(location.takeError());
      return PlaceInCode{std::move(*found), launch.executable};
    }
    consumeError(found.takeError());
  }
  return location.takeError();
}

Expected<Session::PlaceInCode> Session::findCode(StringRef text, const Executable &program) {
  if (&program == &executable())
    return findCode(text);
  Expected<Location> found = parseLocation(text, NamesOf(program), context());
  if (!found)
    return found.takeError();
  return PlaceInCode{std::move(*found), &program};
}

bool Session::isIn(const Breakpoint &point, const GridRun &grid) const {
  return !point.program || ((point.everywhere || point.context == grid.device().contextId()) &&
                            point.program == work->launchOf(grid).executable);
}

bool Session::isIn(const Breakpoint &point, const Warp &warp) const { return isIn(point, warp.grid()); }

bool Session::isArmed(const Warp &warp, u64 pc) const {
  return any_of(points.all(), [&](const Breakpoint &point) {
    return point.enabled && point.covers(pc) && isIn(point, warp);
  });
}

std::set<u64> Session::placesIn(const GridRun &grid) const {
  std::set<u64> result;
  for (const Breakpoint &point : points.all())
    if (point.enabled && isIn(point, grid))
      result.insert(point.location.addresses.begin(), point.location.addresses.end());
  return result;
}

std::optional<std::pair<u32, size_t>> Session::launchThatRuns(const Breakpoint &point) const {
  for (u32 context = 0; context < work->contextCount(); ++context)
    for (size_t i = 0; i < work->launches(context).size(); ++i)
      if (work->launches(context)[i].executable == point.program &&
          (point.everywhere || context == point.context))
        return std::pair(context, i);
  return std::nullopt;
}

//===--- Running ----------------------------------------------------------===//

namespace {

/// Stops when a context's first CTA is out.
class GridStart : public HistoryVisitor {
public:
  GridStart(Machine &machine, u32 context) : machine(machine), context(context) {
    machine.addObserver(*this);
  }
  ~GridStart() override { machine.removeObserver(*this); }
  GridStart(const GridStart &) = delete;
  GridStart &operator=(const GridStart &) = delete;

  bool seen = false;
  void deviceEvent(const DeviceEvent &event) override {
    if (event.kind != DeviceEvent::GridStarts || event.context != context)
      return;
    seen = true;
    machine.requestStop();
  }

private:
  Machine &machine;
  u32 context;
};

} // namespace

/// The others run meanwhile, and may stop first.
StopEvent Session::runToFirstGrid() {
  clearInterrupt();
  monitor->lookAgain();
  GridStart start(*machine, where.context);
  for (;;) {
    std::optional<StopEvent> event = afterTurns(history->run(slice));
    if (event)
      return *event;
    if (start.seen) {
      focusOnContext(where.context);
      return {StopEvent::Start};
    }
  }
}

} // namespace leno::dbg
