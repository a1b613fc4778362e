//===- ShadowMemory.h - Who has accessed each byte last --------------------===//
// Pages for what is touched only, with a cell for each word, or for each byte
// once a narrower access comes. A cell keeps those accesses that a later one can
// still race with: one or two in it, more of them beside.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace leno::checks {

/// Ordering: a load that asks memory itself (.cv).
enum class Doing : u8 { Load, Ordering, Store, Atomic };

class ShadowMemory {
public:
  struct Entry {
    u32 warp = 0; ///< 0: none
    u32 time = 0;
    u32 op : 25 = 0; ///< the instruction, in words
    u32 lane : 5 = 0;
    u32 doing : 2 = 0; ///< Doing
  };
  class Cell {
  public:
    Entry near[2];

  private:
    friend ShadowMemory;
    bool isFar() const { return near[0].warp == farMark; }
  };
  static_assert(sizeof(Cell) == 24);

  explicit ShadowMemory(u64 limit) : limit(limit) {}

  /// Cells of [address, address + bytes) of a memory, which begins at `key` << pageBits; an access lies in
  /// one page. False: no room for them.
  template <class F> bool forCells(u64 key, u64 address, unsigned bytes, F &&use) {
    Page *page = pageOf(key + (address >> pageBits), bytes < 4);
    if (!page)
      return false;
    unsigned shift = page->isByByte ? 0 : 2;
    size_t first = (address & (pageBytes - 1)) >> shift;
    for (size_t k = first; k < first + (bytes >> shift); ++k)
      use(page->cells[k], 1u << shift, k - first);
    return true;
  }

  /// One more access; those go for which `goes` holds, which is asked of all that are of a kind in `races`, a
  /// bit for each Doing. Nothing where the cell has one of the same time and kind. False: no room for all of
  /// them; some have gone.
  template <class F> bool add(Cell &cell, const Entry &now, unsigned races, F &&goes) {
    auto isThis = [&](const Entry &entry) {
      return entry.time == now.time && entry.warp == now.warp && entry.doing == now.doing;
    };
    if (!cell.isFar()) {
      if (isThis(cell.near[0]) || isThis(cell.near[1]))
        return true;
      Entry kept[3];
      unsigned count = 0;
      for (const Entry &entry : cell.near)
        if (entry.warp && !goes(entry))
          kept[count++] = entry;
      kept[count++] = now;
      if (count == 3)
        return moveFar(cell, kept);
      cell.near[0] = kept[0], cell.near[1] = kept[1];
      return true;
    }
    Far &list = far[cell.near[0].time];
    Part &mine = list.parts[writes(now)];
    for (size_t k = mine.entries.size(), checked = 0; k-- > 0 && checked < 8; ++checked)
      if (isThis(mine.entries[k]))
        return true;
    for (Part &part : list.parts) {
      // With none of them it can race: that some are no longer needed matters to their number alone.
      if (!(part.kinds & races) && part.entries.size() < part.pruneAt)
        continue;
      llvm::erase_if(part.entries, goes);
      part.kinds = 0;
      for (const Entry &entry : part.entries)
        part.kinds |= 1u << entry.doing;
      part.pruneAt = u32(2 * part.entries.size() + 8);
    }
    return push(mine, now);
  }

  /// Forgets a memory's pages.
  void drop(u64 key, u64 bytes);
  void clear() { *this = ShadowMemory(limit); }
  u64 bytes() const { return used; }
  void setLimit(u64 bytes) { limit = bytes; }

  static constexpr unsigned pageBits = 9;
  static constexpr u64 pageBytes = u64(1) << pageBits;

private:
  static constexpr u32 farMark = ~u32(0);
  struct Page {
    bool isByByte = false;
    std::vector<Cell> cells;
  };
  Page *pageOf(u64 number, bool byByte) {
    return number == lastPage.number && (!byByte || lastPage.page->isByByte) ? lastPage.page
                                                                             : findPage(number, byByte);
  }
  Page *findPage(u64 number, bool byByte);
  struct Part {
    std::vector<Entry> entries;
    u32 kinds = 0; ///< a bit for each Doing among them
    u32 pruneAt = 8;
  };
  /// Of a cell with more than two: loads, and what writes, since loads race with those alone.
  struct Far {
    Part parts[2];
  };
  static bool writes(const Entry &entry) {
    return Doing(entry.doing) == Doing::Store || Doing(entry.doing) == Doing::Atomic;
  }
  bool push(Part &part, const Entry &now);
  bool moveFar(Cell &cell, llvm::ArrayRef<Entry> entries);
  void free(Cell &cell);

  u64 limit, used = 0;
  llvm::DenseMap<u64, Page> pages;
  std::vector<Far> far;
  std::vector<u32> unusedFar;
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
