#include "dbg/DeviceMachine.h"
#include "isa/Assert.h"

namespace leno::dbg {

namespace {

/// What grids have instead of the observers themselves: a grid that comes back may remember observers that
/// are gone, and this one is not.
class Relay : public HistoryVisitor {
public:
  std::vector<HistoryVisitor *> all;

  void gridStart(const GridRun &grid) override { tell(&Observer::gridStart, grid); }
  void gridEnd(const GridRun &grid) override { tell(&Observer::gridEnd, grid); }
  void ctaStart(const Cta &cta) override { tell(&Observer::ctaStart, cta); }
  void ctaEnd(const Cta &cta) override { tell(&Observer::ctaEnd, cta); }
  void warpStart(const Warp &warp) override { tell(&Observer::warpStart, warp); }
  void warpExit(const Warp &warp) override { tell(&Observer::warpExit, warp); }
  void instruction(const Warp &warp, const Op &op, LaneMask lanes) override {
    tell(&Observer::instruction, warp, op, lanes);
  }
  void instructionDone(const Warp &warp, const Op &op, LaneMask lanes) override {
    tell(&Observer::instructionDone, warp, op, lanes);
  }
  void memory(const Warp &warp, const MemoryAccess &access) override {
    tell(&Observer::memory, warp, access);
  }
  void constantAccess(const Warp &warp, const ConstantAccess &access) override {
    tell(&Observer::constantAccess, warp, access);
  }
  void divergence(const Warp &warp, LaneMask taken, LaneMask notTaken) override {
    tell(&Observer::divergence, warp, taken, notTaken);
  }
  void reconvergence(const Warp &warp, const Token &token, LaneMask lanes) override {
    tell(&Observer::reconvergence, warp, token, lanes);
  }
  void push(const Warp &warp, const Token &token, const StackAccess &access) override {
    tell(&Observer::push, warp, token, access);
  }
  void pop(const Warp &warp, const Token &token, const StackAccess &access) override {
    tell(&Observer::pop, warp, token, access);
  }
  void stackTransfer(const Warp &warp, const StackTransfer &transfer) override {
    tell(&Observer::stackTransfer, warp, transfer);
  }
  void stackWait(const Warp &warp, u64 cycles) override { tell(&Observer::stackWait, warp, cycles); }
  void barrierArrive(const Warp &warp, unsigned barrier) override {
    tell(&Observer::barrierArrive, warp, barrier);
  }
  void barrierRelease(const Cta &cta, unsigned barrier) override {
    tell(&Observer::barrierRelease, cta, barrier);
  }
  void trap(const Trap &trap) override { tell(&Observer::trap, trap); }
  void deviceEvent(const DeviceEvent &event) override { tell(&HistoryVisitor::deviceEvent, event); }
  void momentPassed() override { tell(&HistoryVisitor::momentPassed); }

private:
  template <class Class, class... As, class... Bs> void tell(void (Class::*what)(As...), Bs &&...with) {
    for (HistoryVisitor *one : all)
      (one->*what)(with...);
  }
};

} // namespace

// The first of `observers` is the relay, the only one that grids and the device know.
static Relay &relayOf(llvm::ArrayRef<HistoryVisitor *> observers) {
  return static_cast<Relay &>(*observers.front());
}

DeviceMachine::DeviceMachine(DeviceRun &device, Breakpoints breakpoints)
    : device_(device), wanted(std::move(breakpoints)), observers{new Relay} {
  Relay *relay = &relayOf(observers);
  device.onEvent = [relay](const DeviceEvent &event) { relay->deviceEvent(event); };
  device.onMoment = [relay] { relay->momentPassed(); };
  device.frontEnd().onLaunch = [this](Context &context, GridRun &grid) {
    equipment[&grid] = {}; // another one may have been at its address
    grid.setDebugger(true);
    equip(context, grid);
  };
}

DeviceMachine::~DeviceMachine() {
  relayOf(observers).all.clear();
  equipAll();
  device_.onEvent = nullptr;
  device_.onMoment = nullptr;
  device_.frontEnd().onLaunch = nullptr;
  delete observers.front();
}

Stop DeviceMachine::run(u64 budget) {
  DeviceStop stop = device_.runMoments(budget);
  switch (stop.reason) {
  case DeviceStop::Idle:
  case DeviceStop::Stuck:
    return {StopReason::Finished, nullptr};
  case DeviceStop::Breakpoint:
    return {StopReason::Breakpoint, stop.warp};
  case DeviceStop::Trapped:
    return {StopReason::Trapped, stop.warp};
  case DeviceStop::Requested:
    return {StopReason::Requested, stop.warp};
  case DeviceStop::Budget:
    return {StopReason::Budget, stop.warp};
  case DeviceStop::Cycle:
  case DeviceStop::Enough:
    break;
  }
  LENO_ASSERT(false, "a run for moments ends for another reason");
  return {StopReason::Budget, nullptr};
}

void DeviceMachine::requestStop() {
  device_.requestStop();
  // The turn under way ends too.
  for (const auto &context : device_.contexts())
    if (GridRun *grid = context->grid())
      grid->requestStop();
}

//===--- What grids have --------------------------------------------------===//

void DeviceMachine::equip(const Context &context, GridRun &grid) {
  Equipment &has = equipment[&grid];
  Relay &relay = relayOf(observers);
  if (has.observers.empty() != relay.all.empty()) {
    relay.all.empty() ? grid.removeObserver(relay) : grid.addObserver(relay);
    has.observers = relay.all.empty() ? std::vector<HistoryVisitor *>() : observers;
  }
  std::set<u64> shall = wanted(context);
  for (u64 address : has.breakpoints)
    if (!shall.count(address))
      grid.setBreakpoint(address, false);
  for (u64 address : shall)
    if (!has.breakpoints.count(address))
      grid.setBreakpoint(address, true);
  has.breakpoints = std::move(shall);
}

void DeviceMachine::equipAll() {
  for (const auto &context : device_.contexts())
    if (GridRun *grid = context->grid())
      equip(*context, *grid);
}

void DeviceMachine::addObserver(HistoryVisitor &observer) {
  relayOf(observers).all.push_back(&observer);
  equipAll();
}

void DeviceMachine::removeObserver(HistoryVisitor &observer) {
  std::erase(relayOf(observers).all, &observer);
  equipAll();
}

void DeviceMachine::arm() { equipAll(); }

//===--- Snapshots --------------------------------------------------------===//

std::unique_ptr<Machine::Moment> DeviceMachine::snapshot(const Moment *before,
                                                         const MemoryImage::Meter &meter) {
  auto saved = std::make_unique<Saved>();
  saved->snapshot =
      device_.snapshot(before ? static_cast<const Saved *>(before)->snapshot.get() : nullptr, meter);
  return saved;
}

void DeviceMachine::restore(const Moment &moment) {
  device_.restore(*static_cast<const Saved &>(moment).snapshot);
  equipAll(); // grids that have come back
}

} // namespace leno::dbg
