//===- TokenStorage.h - Where a warp's thread execution data is kept ------===//
// The divergence stack's algorithm knows nothing of chips and memories. Three
// storages can stand below it: all entries on chip and all in memory, S0's
// two baselines, and between them S0's stack cache (StackCache.h).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/sm/Timing.h"
#include "emu/warp/StackRegion.h"
#include <memory>
#include <vector>

namespace leno {

/// Where an entry is now.
enum class EntryPlace : u8 {
  Chip,          ///< valid and dirty: nowhere else
  ChipAndMemory, ///< valid and clean: it can be popped, or overwritten, with no transfer
  Arriving,      ///< its restore is under way
  Memory,        ///< spilled, and no longer on chip
};

/// "chip", "chip and memory", "arriving", "memory".
const char *entryPlaceName(EntryPlace place);

/// Entries on their way between chip and memory: one spill or restore.
struct StackTransfer {
  bool isRestore;
  size_t first, count;   ///< entries, 0 the oldest
  unsigned transactions; ///< of a thread set each
  u64 address;           ///< of the first entry in the warp's region
  u64 start, end;        ///< cycles: asked for, and all of it done
};

/// What S0's hardware would count. Exact, and the same with and without the cycle model but for the waits.
struct StackCounters {
  struct Transfers {
    u64 count = 0, transactions = 0, entries = 0;
    u64 bytes() const { return entries * StackRegion::entryBytes; }
    Transfers &operator+=(const Transfers &other);
    bool operator==(const Transfers &) const = default;
  };
  u64 pushes = 0, pops = 0;
  u64 cleanPops = 0;               ///< of entries on chip that were in memory too: nothing is moved
  u64 pushWaits = 0, popWaits = 0; ///< accesses that had to wait
  u64 stallCycles = 0;
  Transfers spills, restores;
  u64 deepest = 0;

  StackCounters &operator+=(const StackCounters &other); ///< of several warps: sums, and the deepest of all
  bool operator==(const StackCounters &) const = default;
};

/// Hears of what a storage does beside pushing and popping.
class StackListener {
public:
  virtual void stackTransfer(const StackTransfer &) = 0;
  virtual void stackWait(u64 cycles) = 0;

protected:
  ~StackListener() = default;
};

class alignas(hostLines) TokenStorage {
public:
  virtual ~TokenStorage() = default;
  virtual void push(u64 entry) = 0;
  virtual u64 pop() = 0;
  size_t depth() const { return total; }
  /// For inspection: entry 0 is the oldest. Not an access of the machine.
  virtual u64 at(size_t index) const = 0;
  virtual EntryPlace placeOf(size_t index) const = 0;
  /// Forgets the entries, for the next warp in this place; not the counts.
  virtual void clear() = 0;
  /// Bits of storage on the chip for stacks of up to `nestingLimit` entries: entries, flags and pointers.
  virtual u64 onChipBits(size_t nestingLimit) const = 0;
  /// What entries, their places and the counts do not tell.
  virtual void addTo(StateHash &) const {}
  /// Another with the same entries and counts, over the same memory.
  virtual std::unique_ptr<TokenStorage> clone() const = 0;

  // For a tier that keeps the upper entries with itself while a warp runs.
  /// The newest entry changes hands, and comes back: neither is a pop or a push of the warp's.
  u64 take() {
    u64 entry = pop();
    --counts.pops;
    return entry;
  }
  void giveBack(u64 entry) {
    push(entry);
    --counts.pushes;
  }
  /// What was done with entries in the meantime, and how many the whole stack then had at most.
  void count(u64 pushes, u64 pops, u64 most) {
    counts.pushes += pushes;
    counts.pops += pops;
    counts.deepest = std::max(counts.deepest, most);
  }

  const StackCounters &counters() const { return counts; }
  /// Null: nobody listens.
  void setListener(StackListener *listener) { ears = listener; }

protected:
  /// Of an entry that is in place.
  void countPush() {
    ++total;
    ++counts.pushes;
    if (total > counts.deepest)
      counts.deepest = total;
  }
  /// Of an entry that is gone.
  void countPop() {
    --total;
    ++counts.pops;
  }
  void countWait(u64 cycles, u64 &waits) {
    if (cycles == 0)
      return;
    ++waits;
    counts.stallCycles += cycles;
    if (ears)
      ears->stackWait(cycles);
  }
  void countTransfer(bool isRestore, unsigned transactions, size_t entries) {
    StackCounters::Transfers &sum = isRestore ? counts.restores : counts.spills;
    ++sum.count;
    sum.transactions += transactions;
    sum.entries += entries;
  }
  bool hasListener() const { return ears; }
  void tell(const StackTransfer &transfer) { ears->stackTransfer(transfer); }

  StackCounters counts;
  size_t total = 0; ///< entries

private:
  StackListener *ears = nullptr;
};

/// Bits that tell 0 to `most` apart.
unsigned bitsFor(u64 most);

/// The whole stack on chip, S0's first baseline: no access ever waits.
class OnChipStorage final : public TokenStorage {
public:
  void push(u64 entry) override {
    entries.push_back(entry);
    countPush();
  }
  u64 pop() override {
    u64 entry = entries.back();
    entries.pop_back();
    countPop();
    return entry;
  }
  u64 at(size_t index) const override { return entries[index]; }
  EntryPlace placeOf(size_t) const override { return EntryPlace::Chip; }
  void clear() override {
    entries.clear();
    total = 0;
  }
  u64 onChipBits(size_t nestingLimit) const override;
  std::unique_ptr<TokenStorage> clone() const override { return std::make_unique<OnChipStorage>(*this); }

private:
  std::vector<u64> entries;
};

/// The whole stack in memory, S0's second baseline: every push writes and every pop reads one entry, and the
/// warp waits for each.
class InMemoryStorage final : public TokenStorage {
public:
  InMemoryStorage(StackRegion &region, MemoryPort &port, WarpClock &clock)
      : region(region), port(port), clock(clock) {}

  void push(u64 entry) override;
  u64 pop() override;
  u64 at(size_t index) const override { return region.read(index); }
  EntryPlace placeOf(size_t) const override { return EntryPlace::Memory; }
  void clear() override { total = 0; }
  u64 onChipBits(size_t nestingLimit) const override;
  std::unique_ptr<TokenStorage> clone() const override { return std::make_unique<InMemoryStorage>(*this); }

private:
  StackRegion &region;
  MemoryPort &port;
  WarpClock &clock;
};

} // namespace leno
