#include "emu/StackCache.h"
#include "isa/Assert.h"
#include <algorithm>

using namespace leno;
using Config = MachineConfig::Stack;

StackCache::StackCache(const Config &config, StackRegion &region, MemoryPort &port, WarpClock &clock)
    : region(region), port(port), clock(clock), setEntries(unsigned(config.setEntries)),
      granule(config.flags == Config::PerSet ? setEntries : 1), move(unsigned(config.moveEntries)),
      spillThreshold(unsigned(config.spillAbove())), restoreThreshold(unsigned(config.restoreAbove())),
      up(config.direction == Config::Up), byThreshold(config.policy == Config::Threshold),
      slots(config.entries), valid(config.entries / granule), dirty(config.entries / granule) {
  clear();
}

void StackCache::clear() {
  std::fill(slots.begin(), slots.end(), Slot());
  std::fill(valid.begin(), valid.end(), 0);
  std::fill(dirty.begin(), dirty.end(), 0);
  // The first push goes to the buffer's first slot, or growing down to its last.
  head = up ? unsigned(slots.size() - 1) : 0;
  onChip = 0;
  total = spilled = 0;
}

unsigned StackCache::slotOf(size_t index) const {
  unsigned back = unsigned((total - 1 - index) % slots.size()), size = unsigned(slots.size());
  return up ? before(head, back) : (head + back) % size;
}

u64 StackCache::at(size_t index) const {
  return index >= oldestOnChip() ? slots[slotOf(index)].bits : region.read(index);
}

EntryPlace StackCache::placeOf(size_t index) const {
  if (index < oldestOnChip())
    return EntryPlace::Memory;
  const Slot &slot = slots[slotOf(index)];
  if (slot.arriving && slot.busyUntil > clock.now())
    return EntryPlace::Arriving;
  return index < spilled ? EntryPlace::ChipAndMemory : EntryPlace::Chip;
}

// Entries, their flags, and a busy bit beside each pair of flags; head, count and spill pointer.
u64 StackCache::onChipBits(size_t nestingLimit) const {
  return slots.size() * 64 + valid.size() * 3 + bitsFor(slots.size() - 1) + bitsFor(slots.size()) +
         bitsFor(nestingLimit);
}

//===--- Push and pop -----------------------------------------------------===//

void StackCache::push(u64 entry) {
  unsigned slot = after(head);
  makeRoom(slot);
  bool joinsCleanSet = granule > 1 && !opensSet(total) && !isDirty(slot);
  if (joinsCleanSet) // the flag tells of all its entries: those in memory are to be spilled again
    spilled = std::min(spilled, total - total % setEntries);
  slots[slot] = {entry, slots[slot].busyUntil, false};
  head = slot;
  ++total;
  ++onChip;
  valid[slot / granule] = dirty[slot / granule] = 1;
  countPush(total);
  if (size_t due = spillDue())
    spill(due);
}

// S0: a clean entry stays valid until it is overwritten, which is now.
void StackCache::makeRoom(unsigned slot) {
  if (granule > 1 ? opensSet(total) && isValid(slot) : onChip == slots.size()) {
    LENO_ASSERT(!isDirty(slot), "a push meets an entry that was not spilled in time");
    // Flags of a set: with its first entry all of them go.
    onChip = std::min(onChip, unsigned(slots.size()) - granule);
  }
  countWait(clock.waitUntil(slots[slot].busyUntil), counts.pushWaits);
}

u64 StackCache::pop() {
  LENO_ASSERT(onChip > 0, "a pop finds no entry on chip: the restore was not started in time");
  Slot &slot = slots[head];
  if (slot.arriving)
    countWait(clock.waitUntil(slot.busyUntil), counts.popWaits);
  slot.arriving = false;
  u64 entry = slot.bits;
  ++counts.pops;
  --total;
  --onChip;
  if (total < spilled) { // it was clean: it is popped from memory too, with nothing moved
    ++counts.cleanPops;
    spilled = total;
  }
  if (granule == 1 || opensSet(total))
    valid[head / granule] = dirty[head / granule] = 0;
  head = up ? before(head, 1) : (head + 1 == slots.size() ? 0 : head + 1);
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
  // dirty.
  size_t opened = total - 1;
  if (!opensSet(opened) || opened + setEntries < slots.size())
    return 0;
  size_t nextSetEnds = opened + 2 * setEntries - slots.size();
  return nextSetEnds > spilled ? nextSetEnds - spilled : 0;
}

// Asked after a pop: how many entries below those on chip are to come in.
size_t StackCache::restoreDue() const {
  size_t below = oldestOnChip(), room = slots.size() - onChip;
  if (below == 0)
    return 0;
  if (byThreshold) {
    if (room <= restoreThreshold)
      return 0;
    if (granule > 1) // whole sets; the head's, when it is partly used, has no room for another
      room = room / setEntries * setEntries;
    return std::min({size_t(move), below, room});
  }
  // S0: the pop emptied a set. The stack goes on in the set before; the one before that is "the next".
  if (!opensSet(total))
    return 0;
  size_t wanted = total > 2 * setEntries ? total - 2 * setEntries : 0;
  return below > wanted ? below - wanted : 0;
}

//===--- Transfers --------------------------------------------------------===//

void StackCache::setFlags(size_t first, size_t count, bool isValid, bool isDirty) {
  for (size_t index = first; index < first + count; ++index) {
    unsigned flag = slotOf(index) / granule;
    valid[flag] = isValid;
    dirty[flag] = isDirty;
  }
}

// S0: thread sets move, 256 bits in one transaction, not single entries.
void StackCache::spill(size_t count) {
  size_t first = spilled;
  u64 start = clock.now(), end = start, setEnd = start;
  unsigned transactions = 0;
  for (size_t index = first; index < first + count; ++index) {
    Slot &slot = slots[slotOf(index)];
    if (index == first || opensSet(index)) {
      setEnd = port.write(start, clock.issued());
      end = std::max(end, setEnd);
      ++transactions;
    }
    region.write(index, slot.bits);
    slot.busyUntil = std::max(slot.busyUntil, setEnd);
  }
  setFlags(first, count, true, false);
  spilled = first + count;
  countTransfer({false, first, count, transactions, region.addressOf(first), start, end});
}

void StackCache::restore(size_t count) {
  size_t first = oldestOnChip() - count;
  u64 start = clock.now(), end = start, setEnd = start;
  unsigned transactions = 0;
  // The newest first: they are popped first.
  for (size_t index = first + count; index-- > first;) {
    Slot &slot = slots[slotOf(index)];
    if (index == first + count - 1 || opensSet(index + 1)) {
      setEnd = port.read(start, clock.issued());
      end = std::max(end, setEnd);
      ++transactions;
    }
    slot.bits = region.read(index);
    // A slot whose old entry is still on its way out takes the new one after it.
    slot.busyUntil = std::max(slot.busyUntil, setEnd);
    slot.arriving = true;
  }
  setFlags(first, count, true, false);
  onChip += unsigned(count);
  countTransfer({true, first, count, transactions, region.addressOf(first), start, end});
}
