//===- ShadowMemory.h - Who has accessed each byte last --------------------===//
// Pages for what is touched only, with a number for each word, or for each byte
// once a narrower access comes: its history, the accesses that a later one can
// still race with. Neighbours that neighbouring lanes access share one: an access
// tells its lane by its address.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <vector>

namespace leno::checks {

/// Ordering: a load that asks memory itself (.cv).
enum class Doing : u8 { Load, Ordering, Store, Atomic };

constexpr const char *nameOf(Doing doing) {
  constexpr const char *names[] = {"load", "load", "store", "atomic"};
  return names[unsigned(doing)];
}
constexpr bool conflict(Doing a, Doing b) {
  if (a == Doing::Store || b == Doing::Store)
    return a != Doing::Ordering && b != Doing::Ordering;
  return (a == Doing::Atomic && b == Doing::Load) || (a == Doing::Load && b == Doing::Atomic);
}
/// A bit for each that conflicts with it.
constexpr unsigned racingWith(Doing doing) {
  unsigned kinds = 0;
  for (Doing other : {Doing::Load, Doing::Ordering, Doing::Store, Doing::Atomic})
    kinds |= unsigned(conflict(doing, other)) << unsigned(other);
  return kinds;
}
/// What races with `old` races with `now` as well, or comes after both.
constexpr bool stands(Doing now, Doing old) {
  return now == old || now == Doing::Store || old == Doing::Ordering;
}

class ShadowMemory {
public:
  static constexpr unsigned callsBits = 22;
  struct Entry {
    u32 warp = 0, time = 0;
    u32 op = 0;                ///< the instruction, in words
    u32 calls : callsBits = 0; ///< the call path's number
    u32 doing : 2 = 0;         ///< Doing
    u32 shift : 3 = 0;         ///< its bytes of each lane, as a power of two
    u32 skew : 5 = 0;          ///< of lanes against addresses
    bool operator==(const Entry &) const = default;
    bool writes() const { return Doing(doing) == Doing::Store || Doing(doing) == Doing::Atomic; }
    void setLane(unsigned lane, u64 address) { skew = u32((lane - (address >> shift)) % laneCount); }
    unsigned laneAt(u64 address) const { return unsigned((address >> shift) + skew) % laneCount; }
  };
  /// What becomes of an access when another one comes. Those that race have been told, and go.
  enum class Fate : u8 { Stays, Goes, Races };

  explicit ShadowMemory(u64 limit, u64 most = 0) : limit(limit), most(most) {}

  /// Lanes access `1 << now.shift` bytes each of a memory which begins at `key` << pageBits; `now` without
  /// its skew. `fate(entry)` is asked of all accesses there that are of a kind in `races`, a bit for each
  /// Doing, and may be asked of others; `tell(now, entry, address, bytes)` of those that race. False: no room
  /// to keep all of it.
  template <class Fates, class Tells>
  bool access(u64 key, const u64 *addresses, LaneMask lanes, bool areConsecutive, Entry now, unsigned races,
              Fates &&fate, Tells &&tell) {
    if (living >= collectAt)
      collect();
    Step last;
    bool isAll = true;
    u64 before = ~u64(0);
    for (LaneMask left = lanes; left; left &= left - 1) {
      unsigned lane = unsigned(__builtin_ctz(left));
      u64 address = addresses[lane];
      if (std::exchange(before, address) == address)
        continue;
      unsigned bytes = 1u << now.shift;
      Page *page = pageOf(key + (address >> pageBits), bytes < 4);
      if (!page) {
        isAll = false;
        continue;
      }
      now.setLane(lane, address);
      Number *cell = &page->cells[address % pageBytes >> page->shift], *end = cell + (bytes >> page->shift);
      // All lanes at once, where all that they touch has the same history.
      if (areConsecutive && lane == 0 && address % pageBytes + laneCount * bytes <= pageBytes)
        if (Number *last = cell + (laneCount * bytes >> page->shift); areEqual(cell, last))
          end = last, left = 1;
      for (; cell != end; ++cell, address += 1u << page->shift) {
        if (last.from != *cell || last.skew != now.skew) {
          bool isLatest = true;
          auto judge = [&](const Entry &entry) {
            Fate is = fate(entry);
            if (is == Fate::Races)
              tell(now, entry, address, 1u << page->shift, isLatest);
            isLatest &= !entry.writes();
            return is;
          };
          last = step(*cell, now, races, judge);
          isAll &= !last.isLost;
        }
        *cell = last.to;
        if (last.isTold)
          last = {};
      }
    }
    return isAll;
  }

  /// Asked of the accesses of a word or byte, the latest first.
  template <class F> bool anyOf(u64 key, u64 address, F &&is) const {
    auto page = pages.find(key + (address >> pageBits));
    if (page == pages.end())
      return false;
    for (Number at = page->second.cells[address % pageBytes >> page->second.shift]; at; at = all[at].older)
      if (is(all[at].newest))
        return true;
    return false;
  }
  /// Forgets a memory's pages.
  void drop(u64 key, u64 bytes);
  void clear() { *this = ShadowMemory(limit, most); }
  /// That it has taken, at its largest.
  u64 mostBytes() const { return most; }
  void setLimit(u64 bytes) { limit = bytes; }

  static constexpr unsigned pageBits = 9;
  static constexpr u64 pageBytes = u64(1) << pageBits;

private:
  using Number = u32; ///< of a history; 0 is the empty one
  /// A list that shares what is older.
  struct History {
    Entry newest;
    Number older = 0;
    u32 count = 0;
    u32 pruneAt = 0;
    u8 kinds = 0; ///< a bit for each Doing in it
  };
  static_assert(sizeof(History) == 32);
  struct Page {
    unsigned shift = 2; ///< bytes of a cell, as a power of two
    std::vector<Number> cells;
  };
  /// What an access makes of a history.
  struct Step {
    Number from = ~0u, to = 0;
    u8 skew = 0;
    bool isTold = false, isLost = false;
  };

  template <class Judge> Step step(Number from, const Entry &now, unsigned races, Judge &&judge) {
    Step step{from, from, now.skew};
    if (!from) {
      step.isLost = !extend(step.to, now);
      return step;
    }
    // Nothing new where one of the same time and kind is among the latest; the last store counts.
    unsigned looked = 0;
    for (Number at = from; at && looked < 8; at = all[at].older, ++looked)
      if (const Entry &entry = all[at].newest; entry.time == now.time && entry.warp == now.warp &&
                                               entry.doing == now.doing &&
                                               (Doing(now.doing) != Doing::Store || entry == now))
        return step;
    // With none of the others it can race: that some are no longer needed matters to their number alone.
    const History &old = all[from];
    if (old.kinds & races || old.count < 3 || old.count >= old.pruneAt) {
      llvm::SmallVector<Entry, 8> stay;
      Number rest = from; // what is older than the last that goes
      size_t newer = 0;   // of those that stay
      for (Number at = from; at; at = all[at].older) {
        Fate is = judge(all[at].newest);
        step.isTold |= is == Fate::Races;
        if (is == Fate::Stays)
          stay.push_back(all[at].newest);
        else
          rest = all[at].older, newer = stay.size();
      }
      step.to = rest;
      while (newer > 0)
        step.isLost |= !extend(step.to, stay[--newer]);
      if (step.to)
        all[step.to].pruneAt = u32(2 * stay.size() + 8);
    }
    step.isLost |= !extend(step.to, now);
    return step;
  }

  /// `history` with one more. False: no room, and it stays as it is.
  bool extend(Number &history, const Entry &now);
  static bool areEqual(const Number *first, const Number *end) {
    Number differ = 0;
    for (const Number *at = first; at != end; ++at)
      differ |= *at ^ *first;
    return !differ;
  }
  Page *pageOf(u64 number, bool byByte) {
    return number == lastPage.number && (!byByte || !lastPage.page->shift) ? lastPage.page
                                                                           : findPage(number, byByte);
  }
  Page *findPage(u64 number, bool byByte);
  bool take(u64 more);
  /// Frees the histories that no cell has.
  void collect();

  static constexpr size_t leastToCollect = 1 << 13;
  u64 limit, most, used = 0;
  llvm::DenseMap<u64, Page> pages;
  std::vector<History> all{1};
  std::array<Number, 1024> lately{}; ///< histories made lately, by hash: equal ones are found again
  Number unused = 0;                 ///< a list of those that are free, by `older`; they count nothing
  size_t living = 0, kept = 0, collectAt = leastToCollect; ///< now, after the last collection, at the next
  /// A short cut, which is of no use to a copy.
  struct Last {
    u64 number = ~u64(0);
    Page *page = nullptr;
    Last() = default;
    Last(const Last &) {}
    Last &operator=(const Last &) {
      number = ~u64(0);
      return *this;
    }
  } lastPage;
};

} // namespace leno::checks
