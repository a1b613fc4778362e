//===- DeviceMachine.h - A device that several contexts share -------------===//
#pragma once

#include "dbg/Machine.h"
#include "emu/device/DeviceSnapshot.h"
#include <functional>
#include <map>
#include <set>

namespace leno::dbg {

/// Grids come and go, and come back: observers and breakpoints are those of the machine, and put on every
/// grid.
class DeviceMachine final : public Machine {
public:
  /// `breakpoints`: the byte addresses in a grid of a context that stop.
  using Breakpoints = std::function<std::set<u64>(const Context &)>;
  DeviceMachine(DeviceRun &device, Breakpoints breakpoints);
  ~DeviceMachine() override;

  u64 ticks() const override { return device_.moments(); }
  Stop run(u64 budget) override;
  Stop step(Warp &warp) override { return device_.step(warp); }
  bool mustSettle() const override { return device_.mustSettle(); }
  DeviceRun::Position position() const override { return device_.position(); }
  void advanceTo(const DeviceRun::Position &position) override { device_.advanceTo(position); }
  bool trapped() const override { return device_.trapped(); }
  void requestStop() override;
  void addObserver(HistoryVisitor &observer) override;
  void removeObserver(HistoryVisitor &observer) override;
  GridRun *grid(u32 context) const override { return device_.contexts()[context]->grid(); }
  Device &device(u32 context) const override { return device_.contexts()[context]->device(); }
  bool isOnChip(const Warp &warp) const override { return device_.isOnChip(warp); }
  std::unique_ptr<Moment> snapshot(const Moment *before, const MemoryImage::Meter &meter) override;
  void restore(const Moment &moment) override;

  /// The breakpoints have changed.
  void arm();

private:
  struct Saved : Moment {
    std::unique_ptr<DeviceSnapshot> snapshot;
  };
  /// What a grid has got of what it shall have.
  struct Equipment {
    std::vector<HistoryVisitor *> observers;
    std::set<u64> breakpoints;
  };
  void equip(const Context &context, GridRun &grid);
  void equipAll();

  DeviceRun &device_;
  Breakpoints wanted;
  std::vector<HistoryVisitor *> observers;
  std::map<GridRun *, Equipment> equipment;
};

} // namespace leno::dbg
