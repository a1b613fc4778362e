//===- Machine.h - What runs [S0, S4] -------------------------------------===//
// A launch alone, or several contexts on one machine. It runs for a budget or
// one warp instruction at a time; stops are values; between two ticks all
// state can be looked at, kept and put back. Deterministic: what is submitted
// in the same cycles takes the same turns, however a run is cut into pieces.
//
// Who comes next is a policy.
// - Turns: a launch alone without the cycle model. Turns of many instructions,
//   SM after SM and warp after warp; nothing takes time.
// - Lockstep: a launch alone with it. The SMs run side by side; in each cycle
//   each issues one instruction of one ready warp, loose round robin.
// - Contexts: lockstep by cycles, each SM with the state of one context at a
//   time, or of several (contexts.perSm); front end and work distribution serve all contexts and go from one
//   to another in a cycle (device/Contexts.md). What programs compute depends on none of it.
//
//   std::unique_ptr<Machine> one = cantFail(Machine::create(device, program, spec));
//   Stop stop = one->run();
//
//   Machine several(config, engine);
//   Context *context = cantFail(several.createContext({.name = "a"}));
//   cantFail(several.submit(*context, Launch{&program, spec, {}, {}}));
//   several.run();
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/device/Allocation.h"
#include "emu/device/FrontEnd.h"
#include "emu/device/HostProcessor.h"

namespace leno {

enum class StopReason : u8 {
  Finished,   ///< nothing is left to do
  Trapped,    ///< at the fault; where only its CTA ended (endsCtaOnly), once the rest of the grid has
  Breakpoint, ///< before the operation at the warp's pc, or after a BPT
  Budget,     ///< the ticks asked for have passed
  Waiting,    ///< step: the warp cannot execute now; run: for another launch (ConstantUnit.h)
  Requested,  ///< an observer, or who hears of events, asked for it
  Cycle,      ///< the cycle asked for has come
  Stuck,      ///< contexts wait for semaphores that nobody will release
  Enough,     ///< as who runs it has said
};

struct Stop {
  StopReason reason;
  Warp *warp = nullptr; ///< whose breakpoint, trap or step it was; Budget, Requested: the last that ran
};

class Snapshot;

/// A machine at a moment, but for its contexts and its front end: a snapshot copies it whole (GridMoment).
struct MachineMoment {
  /// A place on an SM for the state of a context: whose it shall be, whose it is, and the part of a grid that
  /// is on it. A context has at most one on an SM.
  struct Slot {
    enum State : u8 { Ready, Saving, Restoring } state = Ready;
    Context *owner = nullptr, *holder = nullptr;
    StreamingMultiprocessor *part = nullptr; ///< of the holder's grid; null: it has no state
    u64 busyUntil = 0;                       ///< by a switch
    u64 quietUntil = 0; ///< no warp of it is ready before, unless one is stepped or wakeSms() says so
    u64 passedFrom = 0, passedUntil = 0; ///< cycles whose turns it has passed already
    u64 since = 0;      ///< it has had this part
    bool drains = false, rotates = false;
    u64 drainsUntil = 0; ///< contexts.switch=partial: then what is left is saved
  };
  /// With several contexts, what an SM has once for all of them.
  struct Sm {
    unsigned last = 0;    ///< the place that had a turn last
    u64 turnUntil = 0;    ///< without the cycle model: by that turn
    u64 storageUntil = 0; ///< its way to context storage is in use
    MemoryPort::Queue port{};
    std::optional<Units> units{}; ///< with units.model
  };

  Semaphores allSemaphores{};
  SharedModels models{};
  std::optional<HostProcessor> cpu{}; ///< with host.model=clock, of several contexts
  std::vector<Slot> slots;   ///< SM by SM
  std::vector<Sm> hardware{};
  u64 now = 0;
  bool changed = true; ///< in this cycle something happened that allocation or distribution depends on
  const Context *only = nullptr; ///< one at a time: who has the machine
  std::vector<bool> wasActive{}, wasFaulted{};
  u64 windowEnds, sliceEnds;
  u64 turn = 0; ///< of the last SM, when there are more contexts than SMs

  // How far it is in the cycle, for runs in pieces.
  u64 passed = 0; ///< ticks
  bool begun = false;
  size_t nextSm = 0; ///< begun: SMs before it have had their turn
  struct Turn {
    Warp *warp = nullptr; ///< null: none is under way
    u64 done = 0, left = 0;
  } current{};
  Context *unsettled = nullptr; ///< whose grid has finished CTAs, or a trap, that nothing came of yet
};

class alignas(hostLines) Machine final : MachineMoment, ConstantListener {
public:
  using Slot = MachineMoment::Slot;
  /// For several contexts. `config` has been checked. `frames`: none is in two of them.
  Machine(const MachineConfig &config, const Engine &engine,
          std::shared_ptr<PageFrames> frames = std::make_shared<PageFrames>());
  /// A launch alone on `device`, or a part of one. Fails as GridRun::create does.
  static llvm::Expected<std::unique_ptr<Machine>> create(Device &device, const Program &program,
                                                         const LaunchSpec &spec, const GridPart &part = {});
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  // A tick is an executed warp instruction, what comes of CTAs that have ended while the grid goes on, or,
  // with several contexts, the beginning of a cycle in which something happens to them. However a run is cut
  // into pieces, the same ticks follow.
  /// Until nothing is left to do, or so many ticks have passed. Stops at breakpoints, at the trap of a
  /// launch alone and, with a debugger, of any.
  Stop run(u64 ticks = ~u64(0));
  /// With several contexts: up to `cycle`, or until `enough`, which is asked before each cycle in which
  /// something can happen.
  Stop runUntil(u64 cycle, llvm::function_ref<bool()> enough = {});
  /// One instruction of one warp that is on an SM, a breakpoint at its pc notwithstanding; with several
  /// contexts time stands still for all others, and what came of the end of CTAs must be settled before.
  /// Waiting: nothing has changed, because it cannot execute now.
  Stop step(Warp &warp);
  /// A launch alone: hands out the first CTAs, so that their warps can be looked at; run and step do it
  /// themselves. False: its constants wait for another launch on the device.
  bool start();
  /// Does what comes of CTAs that have ended, as running on does first. False: nothing is left to run.
  bool settle();
  /// That is the next tick.
  bool mustSettle() const { return lone ? lone->mustSettle() : unsettled != nullptr; }
  u64 ticks() const { return passed; }
  /// For StateHash.
  const MachineMoment &moment() const { return *this; }
  /// Where it stands between two ticks: time can have gone on since the one that passed last. Of a launch
  /// alone always the same.
  struct Position {
    u64 cycle = 0;
    bool begun = false;
    size_t sm = 0;
    bool chosen = false; ///< whose turn it is there
    bool operator==(const Position &) const = default;
  };
  Position position() const {
    return lone ? Position() : Position{now, begun, nextSm, current.warp != nullptr};
  }
  /// To where it stood between these two ticks before, in the same past. False: it never stands there.
  bool advanceTo(const Position &position);

  /// Of the context whose grid stands at a trap; else null. With several contexts it ends when the machine
  /// goes on.
  const Context *trapped() const;
  /// That a context runs now; null: none. Of several, where launches overlap, one that stands at a trap, else
  /// the oldest; `launch`: the one of that number (GridRun::gridId), and 0 is any.
  GridRun *grid(u32 context = 0, u32 launch = 0) const {
    const Context &its = *all[lone ? 0 : context];
    return launch && !lone ? its.grid(launch) : its.grid();
  }
  Device &device(u32 context = 0) const { return all[lone ? 0 : context]->device(); }
  /// The warp's registers, masks and PC are what they say, not kept in context storage.
  bool isOnChip(const Warp &warp) const;

  /// Hears of what happens from now on, to all grids, and must live until it is removed or the machine ends.
  void addObserver(Observer &observer);
  void removeObserver(Observer &observer);
  /// For observers: the run returns after the tick that passes now.
  void requestStop() { watchers.stopRequested = true; }
  void setDebugger(bool attached) { watchers.debugger = attached; }
  /// Who runs it looks at no warp where it stops without a debugger: then launches by the cycle model run
  /// much faster, and run() may return a few ticks before it has to.
  void setRunsAhead(bool on) { watchers.runAhead = on; }
  /// Which byte addresses stop in a grid; asked now, when a grid begins and when one comes back.
  void setBreakpoints(std::function<std::set<u64>(const GridRun &)> wanted);

  /// The machine as it stands while nothing runs, its memory included. Pages that are as in `before` are
  /// shared with it, and `meter` counts the bytes that are not.
  std::unique_ptr<Snapshot> snapshot(const Snapshot *before, const std::shared_ptr<u64> &meter) const;
  /// Back, or on, to a snapshot of this very machine; grids that had ended are there again. Those who observe
  /// now know again what they knew then, or when they came (Observer::save); breakpoints stay as they are.
  void restore(const Snapshot &snapshot);

  // Several contexts.
  const MachineConfig &config() const { return settings; }
  /// Fails when a static split has no SM left for it. The context lives as long as the machine. `joining`: a
  /// device with the machine's frames that has had launches alone; it lives longer.
  llvm::Expected<Context *> createContext(ContextSpec spec, Device *joining = nullptr);
  FrontEnd::Contexts contexts() const { return all; }
  Semaphores &semaphores() { return allSemaphores; }
  /// Appends to the context's pushbuffer; runs nothing. Fails on a launch that the machine cannot hold and
  /// on a context that has ended.
  llvm::Error submit(Context &context, Command command);
  /// Ends a context: its grid traps TIMEOUT, the rest of its stream is gone.
  void kill(Context &context, std::string why);
  /// Gives it another priority or part of a static split, whatever runs: SMs change hands from the next cycle
  /// on. Fails, and changes nothing, when there are not so many SMs, and for a context that has ended.
  llvm::Error share(Context &context, const Share &share);
  llvm::Error checkShare(const Context &context, const Share &share) const;
  /// The host has no more use for a context: it ends, and its memory and its part of a static split go.
  void retire(Context &context);
  /// It has nothing left to do, or has ended.
  static bool isDone(const Context &context);
  u64 cycle() const { return now; }
  /// With host.model=clock; else null. Programs and their steps are given to it between two cycles.
  HostProcessor *host() { return cpu ? &*cpu : nullptr; }
  const HostProcessor *host() const { return cpu ? &*cpu : nullptr; }
  /// Hears of everything from now on, before observers do.
  std::function<void(const DeviceEvent &)> onEvent;
  const FrontEnd &frontEnd() const { return decoder; }
  /// What contexts share of the models of memory, once there is one; else nothing.
  const SharedModels &sharedModels() const { return models; }
  /// The SMs' places as they are now, `placesPerSm` of each SM.
  llvm::ArrayRef<Slot> places() const { return slots; }
  unsigned placesPerSm() const { return perSm; }

private:
  enum class Policy : u8 { Turns, Lockstep, Contexts };
  Machine(Device &device, Policy policy);

  // A run (Machine.cpp).
  Stop runOn(u64 until, u64 last, llvm::function_ref<bool()> enough);
  Stop end(Warp *ran);
  bool hasToSettle();
  void settleNow();
  template <Policy policy> bool chooseTurn();
  bool chooseAmongSms();
  template <Policy policy> bool chooseFrom(Slot &slot);
  bool passTurns(Slot &slot, Warp &first);
  void takeBackTurns();
  bool chooseAmongPlaces(size_t sm);
  template <Policy policy> bool chooseOn(size_t sm);
  void noteKeptWaiting(u64 until);
  bool takeTurns(u64 last, Warp *&ran, GridRun::Turned &turned);
  void chooseNext();
  void goOnInPhases(Warp *&ran);
  std::optional<Stop> takeWholeTurns(u64 last, Warp *&ran);
  template <Policy policy> GridRun::Turned takeTurn(u64 most);
  template <Policy policy> bool takeTurns(u64 last, Warp *&ran, GridRun::Turned &turned);
  std::optional<Stop> afterTurn(Warp &warp, GridRun::Turned turned);
  void noteExecuted(Context &context, u64 count);
  void endMoment();
  void wakeSms();
  Context &contextOf(const GridRun &grid) const { return *all[lone ? 0 : grid.device().contextId()]; }
  void arm(GridRun &grid) const;

  // What happens in a cycle, in this order (device/Cycle.cpp).
  bool beginCycle();
  bool endCycle(u64 until);
  bool endLoneCycle();
  u64 busySms() const;
  void noteFaults(Context &context);
  void serveFaults();
  void watch();
  void endWindow();
  void endTimeSlice();
  void moveSlots();
  void distribute();
  void account(u64 cycles);
  u64 nextCycle() const;
  bool idle() const;

  // Allocation (device/SlotMoves.cpp).
  std::vector<ContextDemand> demands() const;
  void noticeChanges();
  bool othersCanRun(const Context &context) const;
  void grant(llvm::ArrayRef<unsigned> shares);
  void chooseOne(bool expired);
  void leave(Slot &slot);
  void enter(Slot &slot);
  bool hasState(const Slot &slot) const { return slot.part && !slot.part->residentCtas().empty(); }
  Slices slices() const { return {unsigned(slots.size() / perSm), perSm}; }
  /// Those of the SM that the place is on.
  llvm::ArrayRef<Slot> placesBeside(const Slot &slot) const {
    return llvm::ArrayRef(slots).slice(numberOf(slot) * perSm, perSm);
  }
  bool ownsPlaceBeside(const Slot &slot, const Context &context) const;
  Slot *exchange(Slot &slot, Context &context);
  u64 busyUntil(const Slot &slot) const;
  u64 useStorage(const Slot &slot, u64 bytes);
  void bringOn(Slot &slot, StreamingMultiprocessor &part);
  bool wantsRoom(const Slot &slot) const;
  SmRoom roomBeside(const Slot &slot) const;
  SmRoom roomFor(const Slot &slot, const CtaNeeds &needs) const;
  StreamingMultiprocessor *freePart(Context &context, unsigned number) const;
  u64 takeConstants(Context &context, const StreamingMultiprocessor &part);
  u64 leaveL1(Context &context, unsigned state);
  u64 exchangeConstants(const Slot &slot);
  u64 storageCycles(u64 bytes) const;

  /// The cycle by which its grid has to end; 0: it may take any time.
  u64 watchdogOf(const Context &context) const;
  bool giveTo(Slot &slot, GridRun &grid);
  void retireFinished(Context &context);
  void endGrid(Context &context, size_t which);
  void endContext(Context &context, std::string why);
  void tellEnd(Context &context);
  void forget(Context &context, size_t which);
  bool isShared() const { return settings.contexts.allocation != MachineConfig::Contexts::One; }
  void tell(DeviceEvent event);
  void constantEvent(const ConstantEvent &event) override;
  void hearOfConstants();
  /// Of its SM.
  unsigned numberOf(const Slot &slot) const { return unsigned(&slot - slots.data()) / perSm; }

  Watchers watchers;
  std::vector<Observer *> hostObservers; ///< of these, those who are the devices' too
  std::function<std::set<u64>(const GridRun &)> breakpoints;
  std::shared_ptr<PageFrames> frames; ///< none is in two contexts
  MachineConfig settings;
  const Engine &engine;
  Policy policy;
  u64 turnLength; ///< in instructions
  unsigned perSm = 1; ///< places of an SM
  std::vector<std::unique_ptr<Context>> all;
  GridRun *lone = nullptr; ///< of a launch alone; its context is the only one
  FrontEnd decoder;
  u64 runEnds = 0;    ///< by this tick
  bool told = false;  ///< of events, since the cycle's beginning
  bool hears = false; ///< somebody wants to know of constants
};

} // namespace leno
