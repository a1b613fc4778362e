//===- CacheArray.h - The sets and ways that all caches are made of -------===//
// Tags and replacement alone: what a line holds and which lines may go is the
// cache's to say. Replacement is least recently used, first way first.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/StateHash.h"
#include "emu/memory/CacheView.h"
#include "emu/memory/Divisor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace leno {

struct CacheShape {
  u64 bytes, lineBytes, ways;
  u64 lines() const { return bytes / lineBytes; }
  u64 sets() const { return lines() / ways; }
  /// Fails when the sizes make no cache: `key` is the start of the keys' names ("constants.l1.").
  llvm::Error check(llvm::StringRef key) const;
};

/// What every line needs; a cache derives its own from it.
struct CacheLine {
  u64 number = 0; ///< the line's address in lines
  bool present = false;
  u64 lastUse = 0;
};

template <typename Line> class CacheArray {
public:
  CacheArray(const CacheShape &shape, const Line &empty)
      : sets(shape.sets()), ways(shape.ways), lines(shape.sets() * shape.ways, empty), recent(shape.sets()) {}

  /// The line if it is there, and it counts as used; or null.
  Line *use(u64 number) {
    u64 set = sets.remainder(number);
    Line *line = &lines[set * ways + recent[set]]; // more often than not the same again
    if (!(line->present && line->number == number)) {
      line = const_cast<Line *>(find(number));
      if (!line)
        return nullptr;
      recent[set] = u32(line - &lines[set * ways]);
    }
    line->lastUse = ++clock;
    return line;
  }
  /// The same, but nothing changes.
  const Line *find(u64 number) const {
    const Line *set = setOf(number);
    for (u64 way = 0; way < ways; ++way)
      if (set[way].present && set[way].number == number)
        return &set[way];
    return nullptr;
  }
  /// The way of its set that a new line would take: an empty one, or the least recently used of those that
  /// `mayGo` allows; null when there is none.
  template <typename MayGo> Line *victim(u64 number, const MayGo &mayGo) {
    Line *set = const_cast<Line *>(setOf(number)), *oldest = nullptr;
    for (u64 way = 0; way < ways; ++way) {
      Line &line = set[way];
      if (!line.present)
        return &line;
      if (mayGo(line) && (!oldest || line.lastUse < oldest->lastUse))
        oldest = &line;
    }
    return oldest;
  }

  /// The lines that are there, when they were used, and what `each` adds of a line.
  template <class Each> void addTo(StateHash &hash, const Each &each) const {
    hash.number(clock);
    for (const Line &line : lines)
      if (line.present) {
        hash.add(&line - lines.data(), line.number, line.lastUse);
        each(line);
      }
  }

  /// As `named`, which has no lines yet; `tell` says of a line what only its cache knows.
  template <class Tell> CacheView view(CacheView named, Tell tell) const {
    named.sets = sets;
    named.ways = ways;
    named.line = [this, tell](u64 set, u64 way) {
      const Line &line = lines[set * ways + way];
      CacheView::Line told = tell(line);
      told.present = line.present;
      told.lastUse = line.lastUse;
      return told;
    };
    return named;
  }

  auto begin() { return lines.begin(); }
  auto end() { return lines.end(); }
  auto begin() const { return lines.begin(); }
  auto end() const { return lines.end(); }

private:
  const Line *setOf(u64 number) const { return &lines[sets.remainder(number) * ways]; }

  Divisor sets;
  u64 ways, clock = 0;
  std::vector<Line> lines;
  std::vector<u32> recent; ///< by set: the way used last
};

} // namespace leno
