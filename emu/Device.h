//===- Device.h - The machine and its configuration -----------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/Trap.h"
#include "emu/constants/ConstantBanks.h"
#include "emu/constants/ConstantUnit.h"
#include "emu/engine/Engine.h"
#include "emu/memory/AddressSpace.h"
#include "emu/memory/MemoryModel.h"
#include "emu/memory/MessageTraffic.h"
#include "emu/warp/StackRegion.h"

namespace leno {

class ConstantListener;
class Observer;

/// One context's view of the machine: its memory, its constants.
class Device {
public:
  /// What contexts of one device share: `frames`, so that none has a physical page of another, and the models
  /// of memory; null: each launch has its own.
  Device(MachineConfig config, const Engine &engine, u32 contextId = 0,
         std::shared_ptr<PageFrames> frames = std::make_shared<PageFrames>(), SharedModels *models = nullptr)
      : settings(config), theEngine(&engine), context(contextId), models(models), space(std::move(frames)) {
    space.setLimit(config.memory.bytes);
  }

  const MachineConfig &config() const { return settings; }
  const Engine &engine() const { return *theEngine; }
  AddressSpace &memory() { return space; }
  const AddressSpace &memory() const { return space; }
  /// With host.model=clock: what messages are under way, and what they took.
  MessageTraffic &messages() { return traffic; }
  const MessageTraffic &messages() const { return traffic; }
  /// c[1..15] as the host set them; bank 0 is made for each launch.
  ConstantBanks &constants() { return banks; }
  /// The driver's memory for the spilled stack entries of a warp's place on an SM. Launches alone have the
  /// same addresses, as each has a machine of its own.
  StackRegion stackRegion(unsigned sm, unsigned place) const;
  /// S0: the driver's limit of nesting levels for this context; warp.stackDepth unless one is set, and no more.
  u64 nestingLimit() const { return nesting ? nesting : settings.warp.stackDepth; }
  void setNestingLimit(u64 entries) { nesting = entries; }
  /// The constant caches, for constants.model=caches and a configuration that has been checked.
  ConstantUnit &constantUnit();
  /// Null before they are used.
  const ConstantUnit *constantUnitInUse() const { return caches ? &*caches : nullptr; }
  /// Hears of what the protocol of the constant caches does (ConstantProtocol.h), until another does or,
  /// null, nobody; of one machine's launch alone.
  void setConstantListener(ConstantListener *listener);
  u32 contextId() const { return context; }
  /// It has had launches alone, none of which is left, and becomes the view of a context of several: with a
  /// number and the models that they share. What its constant caches had met is forgotten.
  void join(u32 contextId, SharedModels *models);
  /// Where this context's stacks and local memory begin: above the guests' 40 bits, each context's apart.
  u64 driverMemory() const { return context * MemoryRequest::contextBytes; }
  SharedModels *sharedModels() const { return models; }
  u32 nextGridId() { return ++grids; }
  /// Hears of what the host does to its memory from now on (Observer::host), and must live until it is
  /// removed. A machine does so with its observers; who is added here, too, hears of it once.
  void addObserver(Observer &observer);
  void removeObserver(Observer &observer);

  // For Snapshot.
  struct Saved;
  void save(Saved &saved, const Saved *before, const std::shared_ptr<u64> &meter) const;
  /// `saved` is of this device, with the same allocations.
  void restore(const Saved &saved);

private:
  MachineConfig settings;
  const Engine *theEngine;
  u32 context;
  SharedModels *models;
  AddressSpace space;
  MessageTraffic traffic;
  ConstantBanks banks;
  std::optional<ConstantUnit> caches;
  ConstantListener *constantListener = nullptr;
  u64 nesting = 0;
  u32 grids = 0;
  std::vector<Observer *> observers; ///< of the host; one that was added twice twice
};

} // namespace leno
