//===- Machine.h - What a session runs ------------------------------------===//
// A grid that has the device to itself, or a device that several contexts share. The timeline needs no more
// of it: ticks, runs that stop, snapshots. A tick is an executed warp instruction or what comes of CTAs that
// have ended; on a shared device also the beginning of a cycle in which something happens to contexts
// (DeviceRun.h).
//===----------------------------------------------------------------------===//
#pragma once

#include "emu/Snapshot.h"
#include "emu/device/DeviceRun.h"

namespace leno::dbg {

struct Change;

/// Hears of what happens, also while a stretch of the past is executed again.
class HistoryVisitor : public Observer {
public:
  virtual void changeByUser(const Change &) {}
  /// Of a device with contexts, in the middle of the tick that it belongs to.
  virtual void deviceEvent(const DeviceEvent &) {}
  /// A tick that is no instruction has passed.
  virtual void momentPassed() {}
};

class Machine {
public:
  virtual ~Machine() = default;
  Machine() = default;
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  /// Executed so far.
  virtual u64 ticks() const = 0;
  /// For so many ticks at most. Finished: nothing is left that can run.
  virtual Stop run(u64 budget) = 0;
  /// One instruction of one warp; Waiting when it cannot execute now.
  virtual Stop step(Warp &warp) = 0;
  /// What comes of CTAs that have ended is the next tick.
  virtual bool mustSettle() const = 0;
  /// Where it stands between two ticks: DeviceRun::Position.
  virtual DeviceRun::Position position() const { return {}; }
  virtual void advanceTo(const DeviceRun::Position &) {}
  /// It stands at a trap.
  virtual bool trapped() const = 0;
  virtual void requestStop() = 0;
  virtual void addObserver(HistoryVisitor &observer) = 0;
  virtual void removeObserver(HistoryVisitor &observer) = 0;

  /// That a context runs now; null: none.
  virtual GridRun *grid(u32 context) const = 0;
  virtual Device &device(u32 context) const = 0;
  /// What a warp's registers and PC say is true; of one whose SM's state is in context storage it is not.
  virtual bool isOnChip(const Warp &) const { return true; }

  class Moment {
  public:
    virtual ~Moment() = default;
  };
  /// As GridRun's.
  virtual std::unique_ptr<Moment> snapshot(const Moment *before, const MemoryImage::Meter &meter) = 0;
  virtual void restore(const Moment &moment) = 0;
};

/// A grid that has the device to itself.
class GridMachine final : public Machine {
public:
  explicit GridMachine(GridRun &run) : run_(run) {}

  u64 ticks() const override { return run_.moments(); }
  Stop run(u64 budget) override { return run_.run(budget); }
  Stop step(Warp &warp) override { return run_.step(warp); }
  bool mustSettle() const override { return run_.mustSettle(); }
  bool trapped() const override { return run_.trap().has_value(); }
  void requestStop() override { run_.requestStop(); }
  void addObserver(HistoryVisitor &observer) override { run_.addObserver(observer); }
  void removeObserver(HistoryVisitor &observer) override { run_.removeObserver(observer); }
  GridRun *grid(u32) const override { return &run_; }
  Device &device(u32) const override { return run_.device(); }
  std::unique_ptr<Moment> snapshot(const Moment *before, const MemoryImage::Meter &meter) override {
    auto saved = std::make_unique<Saved>();
    saved->snapshot =
        run_.snapshot(before ? static_cast<const Saved *>(before)->snapshot.get() : nullptr, meter);
    return saved;
  }
  void restore(const Moment &moment) override { run_.restore(*static_cast<const Saved &>(moment).snapshot); }

private:
  struct Saved : Moment {
    std::unique_ptr<Snapshot> snapshot;
  };
  GridRun &run_;
};

} // namespace leno::dbg
