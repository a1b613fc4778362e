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
  } reason;
};

class DeviceRun {
public:
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
  /// Runs until nothing is left to do, or up to `cycle`.
  DeviceStop run(u64 cycle = ~u64(0));
  /// Ends a context: its grid traps TIMEOUT, the rest of its stream is gone.
  void kill(Context &context, std::string why);

  u64 cycle() const { return now; }
  /// Hears of everything from now on.
  std::function<void(const DeviceEvent &)> onEvent;
  const FrontEnd &frontEnd() const { return decoder; }
  /// With l2.model=slices, once there is a context: the slices that they share; else null.
  const L2Slices *l2Slices() const { return l2 ? &*l2 : nullptr; }

private:
  /// An SM of the device: whose it shall be, whose it is, and the part of a grid that is on it.
  struct Slot {
    enum State : u8 { Ready, Saving, Restoring } state = Ready;
    Context *owner = nullptr, *holder = nullptr;
    StreamingMultiprocessor *part = nullptr; ///< of the holder's grid; null: it has no state
    u64 busyUntil = 0;                       ///< by a switch, or without the cycle model by a turn
    u64 since = 0;                           ///< it has had this part
    bool drains = false, rotates = false;
  };

  // What happens in a cycle, in this order (DeviceRun.cpp).
  void noteFaults(Context &context);
  void serveFaults();
  void watch();
  void endWindow();
  void endTimeSlice();
  void moveSlots();
  void distribute();
  void issue();
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
  StreamingMultiprocessor *freePart(const Context &context, unsigned preferred) const;
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
    if (onEvent)
      onEvent(event);
  }
  unsigned numberOf(const Slot &slot) const { return unsigned(&slot - slots.data()); }

  std::shared_ptr<PageFrames> frames = std::make_shared<PageFrames>(); ///< none is in two contexts
  std::optional<L2Slices> l2;
  MachineConfig settings;
  const Engine &engine;
  Semaphores allSemaphores;
  std::vector<std::unique_ptr<Context>> all;
  FrontEnd decoder;
  std::vector<Slot> slots;
  u64 now = 0;
  bool changed = true; ///< in this cycle something happened that allocation or distribution depends on
  const Context *only = nullptr; ///< one at a time: who has the machine
  std::vector<bool> wasActive, wasFaulted;
  u64 windowEnds, sliceEnds;
  u64 turn = 0; ///< of the last SM, when there are more contexts than SMs
};

} // namespace leno
