//===- DeviceRun.h - Several contexts on one device, at once [S4] ---------===//
// All SMs in lockstep by cycles, each with the state of one context at a time;
// front end and work distribution serve all contexts and go from one to
// another in a cycle. Deterministic: what is submitted in the same cycles
// takes the same cycles. What programs compute depends on none of it.
//
//   DeviceRun device(config, engine);
//   Context *context = cantFail(device.createContext({.name = "a"}));
//   cantFail(device.submit(*context, Launch{&program, spec, {}, {}}));
//   device.run();
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/device/Allocation.h"
#include "emu/device/FrontEnd.h"

namespace leno {

/// What the device does about contexts, for tests, traces and people.
struct DeviceEvent {
  enum Kind : u8 {
    ContextChange, ///< S4's context changing event; `why` says which
    SliceMoved,    ///< rebalancing: one SM from context `other` to `context`
    SmGranted,     ///< an SM begins to work for the context
    SmSaves,       ///< its state goes to context storage: `amount` bytes
    SmRestores,    ///< comes back, on this SM
    SmDrains,      ///< it takes no more CTAs of the context
    GridStarts,    ///< the first CTA is out
    GridEnds,
    PageFault,   ///< `amount` is the page's address
    ContextEnds, ///< by a fault or a kill
  } kind;
  enum Why : u8 {
    None,
    ContextArrives,
    PriorityArrives,
    ContextIdles,
    SliceExpires,
    Fault,
    FaultServed
  } why = None;
  u64 cycle = 0;
  u32 context = 0;
  u32 other = 0;
  unsigned sm = 0;
  u64 amount = 0;
};

struct DeviceStop {
  enum Reason : u8 {
    Idle,  ///< every pushbuffer is empty and nothing runs
    Cycle, ///< the cycle asked for has come
    Stuck, ///< contexts wait for semaphores that nobody will release
    Enough, ///< as who runs it has said
    // For who looks in between, a debugger:
    Budget,     ///< the moments asked for have passed
    Breakpoint, ///< as StopReason
    Trapped,    ///< a warp of a grid with a debugger; its context ends when the device goes on
    Requested,  ///< an observer or who hears of events asked for it
  } reason;
  Warp *warp = nullptr; ///< whose breakpoint or trap it was; Budget, Requested: the last that ran
};

class DeviceSnapshot;

/// A device at a moment, but for its contexts and its front end: a snapshot copies it whole (GridMoment).
struct DeviceMoment {
  /// An SM of the device: whose it shall be, whose it is, and the part of a grid that is on it.
  struct Slot {
    enum State : u8 { Ready, Saving, Restoring } state = Ready;
    Context *owner = nullptr, *holder = nullptr;
    StreamingMultiprocessor *part = nullptr; ///< of the holder's grid; null: it has no state
    u64 busyUntil = 0;                       ///< by a switch, or without the cycle model by a turn
    u64 since = 0;                           ///< it has had this part
    bool drains = false, rotates = false;
  };

  Semaphores allSemaphores{};
  std::optional<L2Slices> l2{}; ///< that the contexts share
  std::vector<Slot> slots;
  u64 now = 0;
  bool changed = true; ///< in this cycle something happened that allocation or distribution depends on
  const Context *only = nullptr; ///< one at a time: who has the machine
  std::vector<bool> wasActive{}, wasFaulted{};
  u64 windowEnds, sliceEnds;
  u64 turn = 0; ///< of the last SM, when there are more contexts than SMs

  // How far it is in the cycle, for runs in pieces (DeviceSteps.cpp).
  u64 passed = 0; ///< moments
  bool begun = false;
  size_t nextSlot = 0; ///< begun: SMs before it have had their turn
  struct Turn {
    Warp *warp = nullptr; ///< null: none is under way
    u64 done = 0, left = 0;
  } current{};
  Context *unsettled = nullptr; ///< whose grid has finished CTAs, or a trap, that nothing came of yet
};

class DeviceRun : DeviceMoment {
public:
  using Slot = DeviceMoment::Slot;
  /// `config` has been checked.
  DeviceRun(const MachineConfig &config, const Engine &engine);
  ~DeviceRun();

  const MachineConfig &config() const { return settings; }
  /// Fails when a static split has no SM left for it. The context lives as long as the device.
  llvm::Expected<Context *> createContext(ContextSpec spec);
  FrontEnd::Contexts contexts() const { return all; }
  Semaphores &semaphores() { return allSemaphores; }

  /// Appends to the context's pushbuffer; runs nothing. Fails on a launch that the machine cannot hold and
  /// on a context that has ended.
  llvm::Error submit(Context &context, Command command);
  /// Runs until nothing is left to do, up to `cycle`, or until `enough`, which is asked before each cycle in
  /// which something can happen.
  DeviceStop run(u64 cycle = ~u64(0), llvm::function_ref<bool()> enough = {});

  // To stop in between, and go back. A moment is an executed warp instruction, the beginning of a cycle in
  // which something happens to contexts, or what comes of CTAs that have ended. However a run is cut into
  // pieces, the same moments follow.
  /// As run(), but for `count` moments at most. Stops at breakpoints, and at traps of grids with a debugger.
  DeviceStop runMoments(u64 count);
  u64 moments() const { return passed; }
  /// One instruction of one warp that is on an SM; time stands still for all others. Waiting: nothing has
  /// changed, because it cannot execute now. What came of the end of CTAs must be settled before.
  Stop step(Warp &warp);
  /// Where it stands between two moments: time can have gone on since the one that passed last.
  struct Position {
    u64 cycle = 0;
    bool begun = false;
    size_t slot = 0;
    bool chosen = false; ///< whose turn it is there
    bool operator==(const Position &) const = default;
  };
  Position position() const { return {now, begun, nextSlot, current.warp != nullptr}; }
  /// To where it stood between these two moments before, in the same past.
  void advanceTo(const Position &position);
  /// What comes of CTAs or a grid that have ended is still to be done: it is the next moment.
  bool mustSettle() const { return unsettled; }
  /// Of a context whose grid has trapped and which has not ended yet; else null.
  const Context *trapped() const;
  /// The warp's registers, masks and PC are what they say, not kept in context storage.
  bool isOnChip(const Warp &warp) const;
  /// For observers and who hears of events: the run returns after the moment that passes now.
  void requestStop() { stopRequested = true; }
  /// The device as it stands while nothing runs. Shares with `before` what has not changed (GridRun).
  std::unique_ptr<DeviceSnapshot> snapshot(const DeviceSnapshot *before,
                                           const std::shared_ptr<u64> &meter) const;
  /// Back, or on, to a snapshot of this very device. Grids that had ended are there again, with whatever
  /// observers and breakpoints they had.
  void restore(const DeviceSnapshot &snapshot);

  /// Ends a context: its grid traps TIMEOUT, the rest of its stream is gone.
  void kill(Context &context, std::string why);

  /// The host has no more use for a context: it ends, and its memory and its part of a static split go.
  void retire(Context &context);
  /// It has nothing left to do, or has ended.
  static bool isDone(const Context &context);

  u64 cycle() const { return now; }
  /// Hears of everything from now on.
  std::function<void(const DeviceEvent &)> onEvent;
  /// After each moment that is no instruction.
  std::function<void()> onMoment;
  const FrontEnd &frontEnd() const { return decoder; }
  /// With l2.model=slices, once there is a context: the slices that they share; else null.
  const L2Slices *l2Slices() const { return l2 ? &*l2 : nullptr; }
  FrontEnd &frontEnd() { return decoder; }
  /// The SMs as they are now.
  llvm::ArrayRef<Slot> sms() const { return slots; }

private:
  // A cycle, in pieces (DeviceSteps.cpp).
  DeviceStop runOn(u64 until, u64 last, llvm::function_ref<bool()> enough);
  bool beginCycle();
  bool endCycle(u64 until);
  void executed(Context &context, u64 count, bool inTurn);
  bool chooseTurn();
  std::optional<DeviceStop> turnOf(Slot &slot, u64 most);
  void settle();
  void endMoment();

  // What happens in a cycle, in this order (DeviceRun.cpp).
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

  // Allocation (SlotMoves.cpp).
  std::vector<ContextDemand> demands() const;
  void noticeChanges();
  bool othersCanRun(const Context &context) const;
  void grant(llvm::ArrayRef<unsigned> shares);
  void chooseOne(bool expired);
  void leave(Slot &slot);
  void enter(Slot &slot);
  bool hasState(const Slot &slot) const { return slot.part && !slot.part->residentCtas().empty(); }
  StreamingMultiprocessor *freePart(Context &context, unsigned number) const;
  u64 takeConstants(Context &context, const StreamingMultiprocessor &part);
  u64 leaveL1(Context &context, unsigned state);
  u64 exchangeConstants(const Slot &slot);
  u64 storageCycles(u64 bytes) const;

  /// The cycle by which its grid has to end; 0: it may take any time.
  u64 watchdogOf(const Context &context) const;
  void endGrid(Context &context);
  void endContext(Context &context, std::string why);
  void tellEnd(Context &context);
  void forget(Context &context);
  bool isShared() const { return settings.contexts.allocation != MachineConfig::Contexts::One; }
  void tell(DeviceEvent event) {
    event.cycle = now;
    told = true;
    if (onEvent)
      onEvent(event);
  }
  unsigned numberOf(const Slot &slot) const { return unsigned(&slot - slots.data()); }

  std::shared_ptr<PageFrames> frames = std::make_shared<PageFrames>(); ///< none is in two contexts
  MachineConfig settings;
  const Engine &engine;
  std::vector<std::unique_ptr<Context>> all;
  FrontEnd decoder;
  bool stopRequested = false;
  bool told = false; ///< of events, since the cycle's beginning
};

} // namespace leno
