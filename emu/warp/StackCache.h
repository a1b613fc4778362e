//===- StackCache.h - The top of a warp's stack on chip -------------------===//
// S0: a circular buffer of N entries of 64 bits for one thread group, with a
// head pointer, a count, a spill pointer, and valid and dirty flags. Entries
// are spilled to memory before the room is needed and restored before they
// are popped, beside execution; an access waits only for an entry that is
// still under way. Spilled bits are really moved.
//
//   push  stores at head +1 (or -1), count +1, valid and dirty. If a spill is
//         due, n entries go out and become clean: still valid, so that they
//         can be popped without a restore until they are overwritten.
//   pop   takes the entry at the head, invalid now, count -1. A clean one is
//         also taken off the memory's part: the spill pointer follows. If a
//         restore is due, entries come in, valid and clean.
//
// When a spill or a restore is due is the policy's to say (StackPolicy).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/warp/TokenStorage.h"

namespace leno {

class StackCache final : public TokenStorage {
public:
  /// `config` has been checked. All must live longer.
  StackCache(const MachineConfig::Stack &config, StackRegion &region, MemoryPort &port, WarpClock &clock);

  void push(u64 entry) override;
  u64 pop() override;
  u64 at(size_t index) const override;
  EntryPlace placeOf(size_t index) const override;
  void clear() override;
  u64 onChipBits(size_t nestingLimit) const override;
  std::unique_ptr<TokenStorage> clone() const override { return std::make_unique<StackCache>(*this); }

  void addTo(StateHash &hash) const override {
    hash.add(head, onChip, spilled, lastTransferEnds);
    for (const Transit &transit : transits)
      hash.add(transit.arrives, transit.leaves);
  }

  // The hardware's registers, for inspection.
  size_t capacity() const { return size; }
  unsigned headSlot() const { return shown(head); }
  /// S0: how many entries of the stack the chip holds, those still arriving included.
  unsigned entriesOnChip() const { return onChip; }
  /// Entries that are in memory: the next one to be spilled goes there.
  size_t spillPointer() const { return spilled; }
  /// The flags of a slot, or of the set it is in.
  bool isValid(unsigned slot) const { return anyInGranule(shown(slot), oldestOnChip()); }
  bool isDirty(unsigned slot) const { return anyInGranule(shown(slot), spilled); }

private:
  /// What is under way of a slot.
  struct Transit {
    u64 arrives = 0; ///< a restore of it is done then
    u64 leaves = 0;  ///< a spill of it is done then
  };
  /// A buffer that grows down is the mirror image of one that grows up: only the slots' numbers differ.
  unsigned shown(unsigned slot) const { return up ? slot : size - 1 - slot; }
  unsigned after(unsigned slot) const { return slot + 1 == size ? 0 : slot + 1; }
  unsigned before(unsigned slot) const { return slot ? slot - 1 : size - 1; }
  /// Of an entry on chip, or of the place where it would be: less than `size` entries below the top.
  unsigned slotOf(size_t index) const;
  size_t oldestOnChip() const { return total - onChip; }
  size_t setOf(size_t index) const { return setShift < 0 ? index / setEntries : index >> setShift; }
  size_t inSet(size_t index) const { return index - setOf(index) * setEntries; }
  bool opensSet(size_t index) const { return inSet(index) == 0; }
  unsigned setsOf(size_t first, size_t count) const {
    return unsigned(setOf(first + count - 1) - setOf(first)) + 1;
  }
  bool anyInGranule(unsigned slot, size_t first) const;
  void makeRoom();
  bool isUnderWay() const { return lastTransferEnds > clock.now(); }
  size_t spillDue() const;
  size_t restoreDue() const;
  void spill(size_t count);
  void restore(size_t count);
  u64 timeSpill(size_t first, size_t count);
  u64 timeRestore(size_t first, size_t count);

  StackRegion &region;
  MemoryPort &port;
  WarpClock &clock;
  const unsigned size, setEntries, granule; ///< granule: entries that share a pair of flags
  const int setShift;                       ///< of a number of entries that is a power of two; else -1
  const unsigned move, spillThreshold, restoreThreshold;
  const unsigned inReach; ///< entries of the set in use and of those that set-boundary keeps ready
  const bool up, byThreshold, restoresDirty;

  // The flags follow from these pointers: an entry is valid when it is on chip, and dirty from the spill
  // pointer on; a set's flags are those of any of its entries. The unit tests hold them against S0's words.
  std::vector<u64> slots;
  std::vector<Transit> transits; ///< of each slot
  unsigned head;
  unsigned onChip = 0;
  size_t spilled = 0;
  u64 lastTransferEnds = 0; ///< nothing is under way then
};

} // namespace leno
