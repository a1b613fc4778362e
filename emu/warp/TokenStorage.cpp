#include "emu/warp/TokenStorage.h"
#include <bit>

using namespace leno;

const char *leno::entryPlaceName(EntryPlace place) {
  static constexpr const char *names[] = {"chip", "chip and memory", "arriving", "memory"};
  return names[unsigned(place)];
}

StackCounters::Transfers &StackCounters::Transfers::operator+=(const Transfers &other) {
  count += other.count;
  transactions += other.transactions;
  entries += other.entries;
  return *this;
}

StackCounters &StackCounters::operator+=(const StackCounters &other) {
  pushes += other.pushes;
  pops += other.pops;
  cleanPops += other.cleanPops;
  pushWaits += other.pushWaits;
  popWaits += other.popWaits;
  stallCycles += other.stallCycles;
  spills += other.spills;
  restores += other.restores;
  deepest = std::max(deepest, other.deepest);
  return *this;
}

unsigned leno::bitsFor(u64 most) { return unsigned(std::bit_width(most)); }

u64 OnChipStorage::onChipBits(size_t nestingLimit) const { return nestingLimit * 64 + bitsFor(nestingLimit); }

// The pointer to the top, and a register for the entry that comes or goes.
u64 InMemoryStorage::onChipBits(size_t nestingLimit) const { return bitsFor(nestingLimit) + 64; }

void InMemoryStorage::push(u64 entry) {
  u64 start = clock.now(),
      end = port.write(start, clock.issued(), region.addressOf(total), StackRegion::entryBytes);
  region.write(total, entry);
  countTransfer(false, 1, 1);
  if (hasListener())
    tell({false, total, 1, 1, region.addressOf(total), start, end});
  countPush();
  countWait(clock.waitUntil(end), counts.pushWaits);
}

u64 InMemoryStorage::pop() {
  countPop();
  u64 start = clock.now(),
      end = port.read(start, clock.issued(), region.addressOf(total), StackRegion::entryBytes);
  countTransfer(true, 1, 1);
  if (hasListener())
    tell({true, total, 1, 1, region.addressOf(total), start, end});
  countWait(clock.waitUntil(end), counts.popWaits);
  return region.read(total);
}
