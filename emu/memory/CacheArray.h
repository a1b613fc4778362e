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

/// A `Line` is what a cache keeps of a line. Which lines are there and when they were used is kept apart from
/// that, a set's in a row: looking for one of many ways touches little of the host's memory.
template <typename Line> class CacheArray {
public:
  CacheArray(const CacheShape &shape, const Line &empty)
      : sets(shape.sets()), ways(shape.ways), numbers(shape.sets() * shape.ways, nothing),
        lastUses(numbers.size()), lines(numbers.size(), empty), recent(shape.sets()) {}

  /// The line if it is there, and it counts as used; or null.
  Line *use(u64 number) {
    u64 set = sets.remainder(number), at = set * ways + recent[set]; // more often than not the same again
    if (numbers[at] != number) {
      at = indexOf(number);
      if (at == nothing)
        return nullptr;
      recent[set] = u32(at - set * ways);
    }
    lastUses[at] = ++clock;
    return &lines[at];
  }
  /// The same, but nothing changes.
  const Line *find(u64 number) const {
    u64 at = indexOf(number);
    return at == nothing ? nullptr : &lines[at];
  }
  /// The way of its set that a new line would take: an empty one, or the least recently used of those that
  /// `mayGo` allows; null when there is none.
  template <typename MayGo> Line *victim(u64 number, const MayGo &mayGo) {
    u64 first = sets.remainder(number) * ways, oldest = nothing;
    for (u64 at = first; at < first + ways; ++at)
      if (numbers[at] == nothing)
        return &lines[at];
    for (u64 at = first; at < first + ways; ++at)
      if ((oldest == nothing || lastUses[at] < lastUses[oldest]) && mayGo(lines[at]))
        oldest = at;
    return oldest == nothing ? nullptr : &lines[oldest];
  }
  Line *victim(u64 number) {
    return victim(number, [](const Line &) { return true; });
  }
  /// `victim` is the line `number` now, and counts as used.
  Line &put(Line &victim, u64 number) {
    u64 at = u64(&victim - lines.data()), set = sets.remainder(number);
    numbers[at] = number;
    lastUses[at] = ++clock;
    recent[set] = u32(at - set * ways);
    return victim;
  }
  void drop(Line &line) { numbers[u64(&line - lines.data())] = nothing; }
  /// The line's address in lines; `nothing`: it is not there.
  static constexpr u64 nothing = ~u64(0);
  u64 numberOf(const Line &line) const { return numbers[u64(&line - lines.data())]; }

  /// Calls each(line, number) for those that are there.
  template <class Each> void forEach(const Each &each) {
    for (Line &line : lines)
      if (u64 number = numberOf(line); number != nothing)
        each(line, number);
  }
  template <class Each> void forEach(const Each &each) const {
    const_cast<CacheArray &>(*this).forEach([&](const Line &line, u64 number) { each(line, number); });
  }
  /// The lines that are there, when they were used, and what `each` adds of a line.
  template <class Each> void addTo(StateHash &hash, const Each &each) const {
    hash.number(clock);
    forEach([&](const Line &line, u64 number) {
      u64 at = u64(&line - lines.data());
      hash.add(at, number, lastUses[at]);
      each(line);
    });
  }

  /// As `named`, which has no lines yet; `tell(line, number)` says of one that is there what only its cache
  /// knows.
  template <class Tell> CacheView view(CacheView named, Tell tell) const {
    named.sets = sets;
    named.ways = ways;
    named.line = [this, tell](u64 set, u64 way) {
      u64 at = set * ways + way;
      if (numbers[at] == nothing)
        return CacheView::Line();
      CacheView::Line told = tell(lines[at], numbers[at]);
      told.present = true;
      told.lastUse = lastUses[at];
      return told;
    };
    return named;
  }

private:
  u64 indexOf(u64 number) const {
    u64 first = sets.remainder(number) * ways;
    for (u64 at = first; at < first + ways; ++at)
      if (numbers[at] == number)
        return at;
    return nothing;
  }

  Divisor sets;
  u64 ways, clock = 0;
  std::vector<u64> numbers, lastUses; ///< by set and way
  std::vector<Line> lines;
  std::vector<u32> recent; ///< by set: the way used last
};

} // namespace leno
