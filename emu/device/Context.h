//===- Context.h - One user of the device [S4] ----------------------------===//
// S4: a context has "a complete set of state"; several live on the device at
// once. Here: its own address space and constants, its pushbuffer, limits and
// priority, its storage for the state of SMs that work for others, and the
// counts of how it fared.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Device.h"
#include "emu/device/ContextStorage.h"
#include "emu/device/LaunchMessage.h"
#include "emu/device/Pushbuffer.h"

namespace leno {

struct ContextSpec {
  std::string name; ///< for messages; may be empty
  int priority = 0; ///< higher ones come first; both can change (Share)
  u64 sms = 0;      ///< its part of a static split; 0: an equal part of what the others leave
  u64 watchdog = 0; ///< cycles that a grid of it may take; 0: what contexts.watchdog says
  u64 stackDepth = 0; ///< S0: nesting limit of its launches; 0: warp.stackDepth
};

/// What became of a launch. Cycles of the device.
struct LaunchRecord {
  LaunchRecord(std::string kernel, u64 decoded) : kernel(std::move(kernel)), decoded(decoded) {}
  std::string kernel;
  u64 decoded;                ///< the front end took it
  std::optional<u64> started; ///< its first CTA went to an SM
  std::optional<u64> ended;   ///< also by a trap
  u64 instructions = 0;       ///< of warps
  bool trapped = false;
  /// Between decoding and the first CTA, its setup included.
  u64 startLatency() const { return started ? *started - decoded : 0; }
};

struct ContextCounts {
  u64 commands = 0;                        ///< taken by the front end
  u64 instructions = 0;                    ///< of warps
  u64 runCycles = 0;                       ///< in which it had a grid
  /// S4: in which its work, CTAs or saved state, waited for an SM, or a ready warp for another context's turn
  u64 blockedCycles = 0;
  u64 smCycles = 0;                        ///< of SMs that had its state, over all SMs
  u64 saves = 0, restores = 0, drains = 0; ///< of SMs that changed hands
  u64 savedBytes = 0, restoredBytes = 0;
  u64 switchCycles = 0; ///< of SMs, saving and restoring its state
  u64 pageFaults = 0;
  u64 slicesGained = 0, slicesLost = 0; ///< by rebalancing
  u64 constantWaits = 0;         ///< cycles in which constants, of a command or a launch, waited for SMs [S2]
  u64 constantBytes = 0;         ///< locked constants that SMs took to context storage, and back
  MemoryChain::AllCounts memory; ///< where it is modelled: of the grids that have ended
  CountTables units;             ///< with units.model: of these
};

/// How far the constant command is that is under way, with constants.model=caches.
struct ConstantProgress {
  u64 words = 0; ///< taken
  /// It waits, and did so when so many SMs had become inactive or come.
  std::optional<u64> waitsSince{};
  u64 cycle = 0; ///< since when it waits
};

/// A launch that has been taken and has not ended.
struct GridInFlight {
  std::shared_ptr<GridRun> run; ///< snapshots know it too: a grid that has ended can come back
  std::function<void(GridRun &)> whenEnded{};
  size_t record = 0; ///< which of the context's launches it is
  std::shared_ptr<const Program> code{};        ///< that a message brought
  std::optional<std::pair<u32, u64>> message{}; ///< it came in, to be replied to: channel and number
};

/// A context at a moment, but for its memory, its constants and what its grids are doing: a snapshot copies
/// it whole (GridMoment).
struct ContextMoment {
  Pushbuffer commands{};
  ContextStorage saved{};
  /// In the stream's order; several where launches overlap. Only the last has CTAs that are not out.
  std::vector<GridInFlight> flights{};
  LockTable locks{};               ///< of global memory
  std::optional<u64> takenUntil{}; ///< the front command is under way and takes effect then
  ConstantProgress constants{};
  LaunchReading reading{};
  TileMapping mapping{};
  ContextCounts count{};
  std::vector<LaunchRecord> records{};
  unsigned smsHeld = 0, smsOwned = 0;
  bool isBlocked = false;   ///< as of now
  u64 keptWaitingUntil = 0; ///< a warp of it was ready on an SM where another context had the turn
  u64 blockedInWindow = 0;
  u64 faultedUntil = 0; ///< a page of it is being mapped until then
  std::optional<Trap> fault{};
  std::string failure{};
  bool endIsTold = false;
  bool retired = false; ///< nobody will use it any more
  int rank = 0;              ///< its priority
  u64 asked = 0;             ///< SMs of a static split
  bool shareChanged = false; ///< and nothing has come of it yet
};

class Context : ContextMoment {
public:
  /// With what contexts of one device share (Device.h).
  Context(u32 id, ContextSpec spec, const MachineConfig &config, const Engine &engine,
          std::shared_ptr<PageFrames> frames, SharedModels *models)
      : number(id), spec(std::move(spec)),
        own(std::make_unique<Device>(config, engine, id, std::move(frames), models)), view(*own) {
    begin();
  }
  /// On a device that somebody else has: of a launch alone, or one that has joined.
  explicit Context(Device &device, ContextSpec spec = {})
      : number(device.contextId()), spec(std::move(spec)), view(device) {
    begin();
  }
  ~Context() { flights.clear(); } // their CTAs leave the constant caches, which are the device's
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  u32 id() const { return number; }
  const std::string &name() const { return spec.name; }
  int priority() const { return rank; }
  u64 smsAsked() const { return asked; }
  /// Its address space and constants. The host reads and writes them while none of its commands is under
  /// way; commands do it in their turn.
  Device &device() { return view; }
  const Device &device() const { return view; }
  AddressSpace &memory() { return view.memory(); }
  /// With constants.model=caches: what reads of constants have met, by SM.
  ConstantUnit *constantUnit() {
    return view.config().constants.model == MachineConfig::Constants::Caches ? &view.constantUnit() : nullptr;
  }

  const ConstantUnit *constantUnit() const { return view.constantUnitInUse(); }

  /// For StateHash.
  const ContextMoment &moment() const { return *this; }
  /// Commands that have not been taken yet.
  const Pushbuffer &pushbuffer() const { return commands; }
  /// Launches in progress, in the order of the stream.
  llvm::ArrayRef<GridInFlight> grids() const { return flights; }
  /// The one of that number (GridRun::gridId), or null.
  GridRun *grid(u32 launch) const {
    auto found = llvm::find_if(flights, [&](const auto &one) { return one.run->gridId() == launch; });
    return found == flights.end() ? nullptr : found->run.get();
  }
  /// Of these one that stands at a trap, else the oldest, or null.
  GridRun *grid() const {
    for (const GridInFlight &one : flights)
      if (one.run->isHalted())
        return one.run.get();
    return flights.empty() ? nullptr : flights.front().run.get();
  }
  const ContextStorage &storage() const { return saved; }
  const ContextCounts &counts() const { return count; }
  bool hasMemoryModels() const { return MemoryChain::setting(view.config()); }
  /// Where memory is modelled: what it has sent there, by the SM it was sent from.
  MemoryChain::AllCounts memoryCounts() const {
    MemoryChain::AllCounts sum = count.memory;
    for (const GridInFlight &one : flights)
      if (const MemoryChain *now = std::as_const(*one.run).memoryChain())
        sum += now->counts();
    return sum;
  }
  /// With units.model: what it has executed on them.
  CountTables unitTables() const {
    CountTables sum = count.units;
    for (const GridInFlight &one : flights)
      sum += one.run->unitTables();
    return sum;
  }
  const std::vector<LaunchRecord> &launches() const { return records; }
  /// SMs that have its state now, and that it shall have.
  unsigned sms() const { return smsHeld; }
  unsigned smsGranted() const { return smsOwned; }

  /// It has commands, or launches in progress.
  bool isBusy() const { return alive() && !(flights.empty() && !takenUntil && commands.empty()); }
  /// False after a fault or a kill: the rest of its stream is gone, and the other contexts go on.
  bool alive() const { return failure.empty(); }
  /// Why not, in words; empty while it is alive.
  const std::string &whyEnded() const { return failure; }
  const std::optional<Trap> &trap() const { return fault; }

private:
  void begin() {
    rank = spec.priority;
    asked = spec.sms;
    view.setNestingLimit(spec.stackDepth);
  }
  u64 cyclesAllowed() const { return spec.watchdog ? spec.watchdog : view.config().contexts.watchdog; }
  /// Whose CTAs go out; null: none is in flight.
  GridRun *youngest() const { return flights.empty() ? nullptr : flights.back().run.get(); }

  friend class FrontEnd;
  friend class Machine;

  u32 number;
  ContextSpec spec;
  std::unique_ptr<Device> own; ///< with several contexts
  Device &view;
};

} // namespace leno
