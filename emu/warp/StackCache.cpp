#include "emu/warp/StackCache.h"
#include "asm/support/Assert.h"
#include "emu/MachineKey.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <bit>
#include <cstring>

using namespace leno;
using namespace llvm;

//===--- Its keys ---------------------------------------------------------===//

ArrayRef<MachineKey> MachineConfig::Stack::keys() {
  static constexpr MachineKey rows[] = {
      {"stack.model", MachineKey::Choice, 0, 2, "", "where a warp's divergence stack is kept",
       [](MachineConfig &c) -> uint64_t & { return c.stack.model; }, "chip|cache|memory"},
      {"stack.entries", MachineKey::Integer, 2, 1024, "entries", "of the stack cache, for each warp",
       [](MachineConfig &c) -> uint64_t & { return c.stack.entries; }},
      {"stack.setEntries", MachineKey::Integer, 1, 1024, "entries", "of a thread set: one memory transaction",
       [](MachineConfig &c) -> uint64_t & { return c.stack.setEntries; }},
      {"stack.policy", MachineKey::Choice, 0, 1, "", "when the stack cache spills and restores",
       [](MachineConfig &c) -> uint64_t & { return c.stack.policy; }, "threshold|set-boundary"},
      {"stack.flags", MachineKey::Choice, 0, 1, "", "what has a valid and a dirty flag of its own",
       [](MachineConfig &c) -> uint64_t & { return c.stack.flags; }, "entry|set"},
      {"stack.direction", MachineKey::Choice, 0, 1, "", "in which the stack cache's buffer grows",
       [](MachineConfig &c) -> uint64_t & { return c.stack.direction; }, "up|down"},
      {"stack.spillThreshold", MachineKey::Integer, 0, 1023, "entries",
       "more dirty entries than this are spilled; half: of stack.entries",
       [](MachineConfig &c) -> uint64_t & { return c.stack.spillThreshold; }, "half"},
      {"stack.restoreThreshold", MachineKey::Integer, 0, 1023, "entries",
       "more invalid entries than this are restored; quarter: of stack.entries",
       [](MachineConfig &c) -> uint64_t & { return c.stack.restoreThreshold; }, "quarter"},
      {"stack.moveEntries", MachineKey::Integer, 1, 1023, "entries",
       "moved by a spill or restore by threshold",
       [](MachineConfig &c) -> uint64_t & { return c.stack.moveEntries; }},
      {"stack.setsAhead", MachineKey::Integer, 1, 1023, "sets",
       "that set-boundary keeps ready beside the one in use",
       [](MachineConfig &c) -> uint64_t & { return c.stack.setsAhead; }},
      {"stack.restored", MachineKey::Choice, 0, 1, "",
       "restored entries are in memory still, or are taken from there and spilled again",
       [](MachineConfig &c) -> uint64_t & { return c.stack.restored; }, "clean|dirty"},
  };
  return rows;
}

Error MachineConfig::Stack::check() const {
  auto fail = [](auto &&...arguments) { return createStringError(formatv(arguments...)); };
  MachineConfig whole;
  whole.stack = *this;
  if (Error error = checkLimits(keys(), whole))
    return error;
  if (setEntries > entries)
    return fail("the machine's stack.setEntries is {0}; it must be from 1 to stack.entries, {1}", setEntries,
                entries);
  bool bySets = policy == SetBoundary || flags == PerSet;
  const char *why = policy == SetBoundary ? "the policy set-boundary" : "a pair of flags for each set";
  if (bySets && (entries % setEntries != 0 || entries < 2 * setEntries))
    return fail("{0} needs two or more whole sets on chip: stack.entries is {1}, stack.setEntries {2}", why,
                entries, setEntries);
  if (policy == SetBoundary) {
    if (setsAhead > entries / setEntries - 1)
      return fail("stack.setsAhead is {0}; with {1} sets on chip it must be from 1 to {2}", setsAhead,
                  entries / setEntries, entries / setEntries - 1);
    return Error::success();
  }
  if (spillAbove() >= entries || restoreAbove() >= entries)
    return fail(
        "stack.spillThreshold and stack.restoreThreshold are {0} and {1}; with {2} stack.entries they can be "
        "{3} at most",
        spillAbove(), restoreAbove(), entries, entries - 1);
  // S0: N is at least one and less than the number of entries on chip.
  if (moveEntries >= entries)
    return fail("stack.moveEntries is {0}; it must be from 1 to {1}, less than stack.entries", moveEntries,
                entries - 1);
  if (flags == PerSet && moveEntries % setEntries != 0)
    return fail("stack.moveEntries is {0}; with a pair of flags for each set it must be a multiple of "
                "stack.setEntries, {1}",
                moveEntries, setEntries);
  return Error::success();
}

//===--- The cache --------------------------------------------------------===//
using Config = MachineConfig::Stack;

StackCache::StackCache(const Config &config, StackRegion &region, MemoryPort &port, WarpClock &clock)
    : region(region), port(port), clock(clock), size(unsigned(config.entries)),
      setEntries(unsigned(config.setEntries)), granule(config.flags == Config::PerSet ? setEntries : 1),
      setShift(std::has_single_bit(setEntries) ? std::countr_zero(setEntries) : -1),
      move(unsigned(config.moveEntries)), spillThreshold(unsigned(config.spillAbove())),
      restoreThreshold(unsigned(config.restoreAbove())),
      inReach(unsigned(config.setEntries * (1 + config.setsAhead))), up(config.direction == Config::Up),
      byThreshold(config.policy == Config::Threshold), restoresDirty(config.restored == Config::Dirty),
      slots(config.entries), transits(config.entries) {
  clear();
}

void StackCache::clear() {
  std::fill(transits.begin(), transits.end(), Transit());
  // The first push goes to the buffer's first slot, or growing down to its last.
  head = size - 1;
  onChip = 0;
  total = spilled = 0;
  lastTransferEnds = 0;
}

unsigned StackCache::slotOf(size_t index) const {
  unsigned back = unsigned(total - 1 - index);
  return head >= back ? head - back : head + size - back;
}

/// Whether an entry from `first` on is in the slots that share their flags with `slot`.
bool StackCache::anyInGranule(unsigned slot, size_t first) const {
  for (size_t index = std::max(first, oldestOnChip()); index < total; ++index)
    if (slotOf(index) / granule == slot / granule)
      return true;
  return false;
}

u64 StackCache::at(size_t index) const {
  return index >= oldestOnChip() ? slots[slotOf(index)] : region.read(index);
}

EntryPlace StackCache::placeOf(size_t index) const {
  if (index < oldestOnChip())
    return EntryPlace::Memory;
  if (transits[slotOf(index)].arrives > clock.now())
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
    spilled -= inSet(total);
  head = after(head);
  if (isUnderWay()) [[unlikely]]
    countWait(clock.waitUntil(std::max(transits[head].arrives, transits[head].leaves)), counts.pushWaits);
  slots[head] = entry;
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
  size_t oldest = total - (size - granule);
  // A policy spills after pushes alone: restored entries that are dirty can have filled the buffer since.
  if (restoresDirty && spilled < oldest)
    spill(std::max(oldest - spilled, std::min<size_t>(byThreshold ? move : setEntries, total - spilled)));
  onChip = size - granule;
  LENO_ASSERT(oldest <= spilled, "a push meets an entry that was not spilled in time");
}

u64 StackCache::pop() {
  LENO_ASSERT(onChip > 0, "a pop finds no entry on chip: the restore was not started in time");
  if (isUnderWay()) [[unlikely]]
    countWait(clock.waitUntil(transits[head].arrives), counts.popWaits);
  u64 entry = slots[head];
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
    size_t whole = granule > 1 ? setOf(total - 1) * setEntries - spilled : unspilled;
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
      room = setOf(room) * setEntries;
    return std::min({size_t(move), below, room});
  }
  // S0: the pop emptied a set. The stack goes on in the set before; the one before that is "the next".
  if (onChip >= inReach || !opensSet(total))
    return 0;
  return std::min<size_t>(below, inReach - onChip);
}

//===--- Transfers --------------------------------------------------------===//

/// Most transfers are one set of four entries.
static void copy(u64 *to, const u64 *from, size_t count) {
  if (count == 4)
    std::memcpy(to, from, 4 * sizeof(u64));
  else
    std::memcpy(to, from, count * sizeof(u64));
}

[[gnu::noinline]] void StackCache::spill(size_t count) {
  size_t first = spilled;
  u64 *memory = region.forWriting(first, count);
  unsigned slot = slotOf(first);
  size_t toEnd = std::min<size_t>(count, size - slot);
  copy(memory, &slots[slot], toEnd);
  if (toEnd < count)
    copy(memory + toEnd, &slots[0], count - toEnd);
  spilled = first + count;
  countTransfer(false, setsOf(first, count), count);
  u64 end = port.matters() ? timeSpill(first, count) : 0;
  if (hasListener())
    tell({false, first, count, setsOf(first, count), region.addressOf(first), clock.now(), end});
}

[[gnu::noinline]] void StackCache::restore(size_t count) {
  size_t first = oldestOnChip() - count;
  const u64 *memory = region.forReading(first, count);
  unsigned slot = slotOf(first);
  size_t toEnd = std::min<size_t>(count, size - slot);
  copy(&slots[slot], memory, toEnd);
  if (toEnd < count)
    copy(&slots[0], memory + toEnd, count - toEnd);
  onChip += unsigned(count);
  // S0: a restore pops entries from memory, and may clear their dirty flags. Where it does not, memory has
  // none of what is on chip any more.
  if (restoresDirty)
    spilled = first;
  countTransfer(true, setsOf(first, count), count);
  u64 end = port.matters() ? timeRestore(first, count) : 0;
  if (hasListener())
    tell({true, first, count, setsOf(first, count), region.addressOf(first), clock.now(), end});
}

// S0: thread sets move, 256 bits in one transaction, not single entries.
u64 StackCache::timeSpill(size_t first, size_t count) {
  u64 setEnds = 0;
  for (size_t index = first; index < first + count; ++index) {
    if (index == first || opensSet(index)) {
      size_t end = std::min(first + count, (setOf(index) + 1) * setEntries);
      setEnds = port.write(clock.now(), clock.issued(), region.addressOf(index),
                           (end - index) * StackRegion::entryBytes);
      lastTransferEnds = std::max(lastTransferEnds, setEnds);
    }
    transits[slotOf(index)].leaves = setEnds;
  }
  return setEnds;
}

u64 StackCache::timeRestore(size_t first, size_t count) {
  u64 setEnds = 0;
  // The newest first: they are popped first.
  for (size_t index = first + count; index-- > first;) {
    if (index + 1 == first + count || opensSet(index + 1)) {
      size_t begin = std::max(first, setOf(index) * setEntries);
      setEnds = port.read(clock.now(), clock.issued(), region.addressOf(begin),
                          (index + 1 - begin) * StackRegion::entryBytes);
      lastTransferEnds = std::max(lastTransferEnds, setEnds);
    }
    // A slot whose old entry is still on its way out takes the new one after it.
    Transit &transit = transits[slotOf(index)];
    transit.arrives = std::max(transit.leaves, setEnds);
  }
  return setEnds;
}
