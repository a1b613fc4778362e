//===- WarpContext.h - A session's warp as expressions see it -------------===//
#pragma once

#include "dbg/Change.h"
#include "dbg/LaneContext.h"
#include "emu/Warp.h"
#include <vector>

namespace leno::runtime {
class PreparedLaunch;
}

namespace leno::dbg {

class Timeline;

/// One lane of a warp, or (without a warp) the program's names and its memory alone.
class WarpContext : public LaneContext {
public:
  /// `timeline` makes the changes; null: nothing can be changed yet.
  WarpContext(runtime::PreparedLaunch &launch, Warp *warp, unsigned lane, llvm::ArrayRef<Value> history,
              Timeline *timeline)
      : launch(launch), warp(warp), focusedLane(lane), history(history), timeline(timeline) {}

  unsigned lane() const override { return focusedLane; }
  llvm::Expected<LaneMask> activeMask() const override;
  llvm::Expected<u32> readRegister(unsigned reg, unsigned lane) const override;
  llvm::Expected<LaneMask> readPredicate(unsigned predicate) const override;
  llvm::Expected<LaneMask> readFlag(Flag flag) const override;
  llvm::Expected<std::optional<Value>> variable(llvm::StringRef name, unsigned lane) const override;
  llvm::Expected<std::optional<Value>> special(llvm::StringRef name, unsigned lane) const override;
  llvm::Expected<std::optional<Value>> named(llvm::StringRef name) const override;
  llvm::Error read(MemorySpace space, unsigned bank, u64 address, unsigned lane,
                   llvm::MutableArrayRef<uint8_t> bytes) const override;
  llvm::Error writeRegister(unsigned reg, unsigned lane, u32 value) override;
  llvm::Error writePredicate(unsigned predicate, LaneMask mask) override;
  llvm::Error writeFlag(Flag flag, LaneMask mask) override;
  llvm::Error write(MemorySpace space, u64 address, unsigned lane, llvm::ArrayRef<uint8_t> bytes) override;

private:
  llvm::Error needWarp() const;
  llvm::Error needLocal(u64 address, size_t bytes) const;
  llvm::Expected<llvm::MutableArrayRef<unsigned char>> sharedBytes(u64 address, size_t bytes) const;

  /// Makes a change, of the warp if it is of one.
  llvm::Error perform(Change change);

  runtime::PreparedLaunch &launch;
  Warp *warp;
  unsigned focusedLane;
  llvm::ArrayRef<Value> history; ///< $1, $2, ...
  Timeline *timeline;
};

} // namespace leno::dbg
