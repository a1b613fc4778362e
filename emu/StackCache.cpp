#include "emu/StackCache.h"
#include "isa/Assert.h"
#include <algorithm>

using namespace leno;
using Config = MachineConfig::Stack;

StackCache::StackCache(const Config &config, StackRegion &region, MemoryPort &port, WarpClock &clock)
    : region(region), port(port), clock(clock), size(unsigned(config.entries)),
      setEntries(unsigned(config.setEntries)), granule(config.flags == Config::PerSet ? setEntries : 1),
      move(unsigned(config.moveEntries)), spillThreshold(unsigned(config.spillAbove())),
      restoreThreshold(unsigned(config.restoreAbove())),
      inReach(unsigned(config.setEntries * (1 + config.setsAhead))), up(config.direction == Config::Up),
      byThreshold(config.policy == Config::Threshold), slots(config.entries) {
  clear();
}

void StackCache::clear() {
  std::fill(slots.begin(), slots.end(), Slot());
  // The first push goes to the buffer's first slot, or growing down to its last.
  head = up ? size - 1 : 0;
  onChip = 0;
  total = spilled = 0;
  lastTransferEnds = 0;
}

unsigned StackCache::slotOf(size_t index) const {
  unsigned back = unsigned(total - 1 - index);
  if (up)
    return head >= back ? head - back : head + size - back;
  return head + back < size ? head + back : head + back - size;
}

/// Whether an entry from `first` on is in the slots that share their flags with `slot`.
bool StackCache::anyInGranule(unsigned slot, size_t first) const {
  for (size_t index = std::max(first, oldestOnChip()); index < total; ++index)
    if (slotOf(index) / granule == slot / granule)
      return true;
  return false;
}

u64 StackCache::at(size_t index) const {
  return index >= oldestOnChip() ? slots[slotOf(index)].bits : region.read(index);
}

EntryPlace StackCache::placeOf(size_t index) const {
  if (index < oldestOnChip())
    return EntryPlace::Memory;
  if (slots[slotOf(index)].arrives > clock.now())
    return EntryPlace::Arriving;
  return index < spilled ? EntryPlace::ChipAndMemory : EntryPlace::Chip;
}

// Entries, their flags, and a busy bit beside each pair of flags; head, count and spill pointer.
u64 StackCache::onChipBits(size_t nestingLimit) const {
  return u64(size) * 64 + size / granule * 3 + bitsFor(size - 1) + bitsFor(size) + bitsFor(nestingLimit);
}

//===--- Push and pop -----------------------------------------------------===//

void StackCache::push(u64 entry) {
  if (onChip + granule > size)
    makeRoom();
  if (granule > 1 && spilled == total) // the flag tells of all entries: a clean set is to be spilled again
    spilled -= total % setEntries;
  head = after(head);
  Slot &slot = slots[head];
  if (lastTransferEnds > clock.now())
    countWait(clock.waitUntil(std::max(slot.arrives, slot.leaves)), counts.pushWaits);
  slot.bits = entry;
  ++onChip;
  countPush();
  if (size_t due = spillDue())
    spill(due);
}

// S0: a clean entry stays valid until it is overwritten, which is now. Where a set shares its flags, all of
// it goes with its first entry.
void StackCache::makeRoom() {
  if (granule > 1 && !opensSet(total))
    return;
  onChip = size - granule;
  LENO_ASSERT(oldestOnChip() <= spilled, "a push meets an entry that was not spilled in time");
}

u64 StackCache::pop() {
  LENO_ASSERT(onChip > 0, "a pop finds no entry on chip: the restore was not started in time");
  Slot &slot = slots[head];
  if (lastTransferEnds > clock.now())
    countWait(clock.waitUntil(slot.arrives), counts.popWaits);
  u64 entry = slot.bits;
  --onChip;
  countPop();
  if (total < spilled) { // it was clean: it is popped from memory too, with nothing moved
    ++counts.cleanPops;
    spilled = total;
  }
  head = before(head);
  if (onChip < total)
    if (size_t due = restoreDue())
      restore(due);
  return entry;
}

//===--- Policies ---------------------------------------------------------===//

// Asked after a push: how many entries from the spill pointer on are to go out.
size_t StackCache::spillDue() const {
  size_t unspilled = total - spilled;
  if (byThreshold) {
    if (unspilled <= spillThreshold)
      return 0;
    // A set that shares its flags goes out when it is full.
    size_t whole = granule > 1 ? (total - 1) / setEntries * setEntries - spilled : unspilled;
    return std::min<size_t>(move, whole);
  }
  // S0: the push opened a set, and the next one, which the stack would overwrite after it, is valid and
  // dirty. With stack.setsAhead more than 1, any of the next ones.
  if (unspilled + inReach <= size + 1 || !opensSet(total - 1))
    return 0;
  return unspilled + inReach - size - 1;
}

// Asked after a pop that leaves entries off the chip: how many of them are to come in.
size_t StackCache::restoreDue() const {
  size_t below = oldestOnChip(), room = size - onChip;
  if (byThreshold) {
    if (room <= restoreThreshold)
      return 0;
    if (granule > 1) // whole sets; the head's, when it is partly used, has no room for another
      room = room / setEntries * setEntries;
    return std::min({size_t(move), below, room});
  }
  // S0: the pop emptied a set. The stack goes on in the set before; the one before that is "the next".
  if (onChip >= inReach || !opensSet(total))
    return 0;
  return std::min<size_t>(below, inReach - onChip);
}

//===--- Transfers --------------------------------------------------------===//

// S0: thread sets move, 256 bits in one transaction, not single entries.
void StackCache::spill(size_t count) {
  size_t first = spilled, last = first + count;
  u64 start = clock.now(), end = start;
  unsigned transactions = 0;
  for (size_t index = first; index < last; ++transactions) {
    u64 setEnds = port.write(start, clock.issued());
    end = std::max(end, setEnds);
    for (size_t setLast = std::min(last, index - index % setEntries + setEntries); index < setLast; ++index) {
      Slot &slot = slots[slotOf(index)];
      region.write(index, slot.bits);
      slot.leaves = setEnds;
    }
  }
  spilled = last;
  lastTransferEnds = std::max(lastTransferEnds, end);
  countTransfer({false, first, count, transactions, region.addressOf(first), start, end});
}

void StackCache::restore(size_t count) {
  size_t last = oldestOnChip(), first = last - count;
  u64 start = clock.now(), end = start;
  unsigned transactions = 0;
  // The newest first: they are popped first.
  for (size_t index = last; index > first; ++transactions) {
    u64 setEnds = port.read(start, clock.issued());
    end = std::max(end, setEnds);
    for (size_t setFirst = std::max(first, (index - 1) - (index - 1) % setEntries); index > setFirst;) {
      Slot &slot = slots[slotOf(--index)];
      slot.bits = region.read(index);
      // A slot whose old entry is still on its way out takes the new one after it.
      slot.arrives = std::max(slot.leaves, setEnds);
    }
  }
  onChip += unsigned(count);
  lastTransferEnds = std::max(lastTransferEnds, end);
  countTransfer({true, first, count, transactions, region.addressOf(first), start, end});
}
