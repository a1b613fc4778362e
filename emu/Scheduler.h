//===- Scheduler.h - Which warp runs next ---------------------------------===//
// Architecture.md 11. Two schedulers, both deterministic: turns of many
// instructions, for speed, and the cycle model, for comparing designs.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/StreamingMultiprocessor.h"
#include "llvm/ADT/ArrayRef.h"

namespace leno {

/// What the cycle model counts of a grid. A cycle of an SM that has warps is either issued or idle.
struct CycleCounts {
  u64 cycles = 0; ///< from the grid's start to its end
  u64 issued = 0; ///< warp instructions
  u64 idle = 0;   ///< cycles in which an SM had unfinished warps and none of them was ready, over all SMs
};

class alignas(hostLines) Scheduler {
public:
  using Multiprocessors = llvm::ArrayRef<std::unique_ptr<StreamingMultiprocessor>>;
  struct Turn {
    Warp *warp; ///< null: no warp can run
    u64 instructions;
  };

  virtual ~Scheduler() = default;
  /// Whose turn it is and how long it lasts; the same until that warp has run.
  virtual Turn next(Multiprocessors sms) = 0;
  /// `warp` is about to execute, in its turn or because a debugger steps it.
  virtual void issue(Warp &warp) = 0;
  /// It has executed `count` instructions.
  virtual void ran(Warp &warp, u64 count) = 0;
  /// Warps may be ready that were not: CTAs have come, or what warps waited for.
  virtual void warpsChanged() {}
  virtual std::optional<CycleCounts> counts() const { return std::nullopt; }
  virtual std::unique_ptr<Scheduler> clone() const = 0;

  static std::unique_ptr<Scheduler> create(const MachineConfig &config);
};

/// Turns of `quantum` instructions, SM after SM and warp after warp; nothing takes time.
class TurnScheduler final : public Scheduler {
public:
  explicit TurnScheduler(u64 quantum) : quantum(quantum) {}
  Turn next(Multiprocessors sms) override;
  void issue(Warp &) override {}
  void ran(Warp &warp, u64 count) override;
  std::unique_ptr<Scheduler> clone() const override { return std::make_unique<TurnScheduler>(*this); }

private:
  u64 quantum;
  size_t smTurn = 0;
  Turn current{nullptr, 0};
};

/// The SMs run side by side; in each cycle each issues one instruction of one ready warp, loose round robin.
/// A warp is ready again in the next cycle, or after what its instruction had to wait for.
class CycleScheduler final : public Scheduler {
public:
  Turn next(Multiprocessors sms) override;
  void issue(Warp &warp) override;
  void ran(Warp &warp, u64 count) override;
  void warpsChanged() override { quietUntil.clear(); }
  std::optional<CycleCounts> counts() const override;
  std::unique_ptr<Scheduler> clone() const override { return std::make_unique<CycleScheduler>(*this); }

private:
  bool endCycle(Multiprocessors sms);

  u64 cycle = 0;
  u64 issuedInCycle = 0;
  size_t smTurn = 0; ///< SMs before it are done with this cycle
  Warp *current = nullptr;
  std::vector<u64>
      quietUntil; ///< by SM: no warp of it is ready before, unless warpsChanged or one is stepped
  CycleCounts total;
};

} // namespace leno
