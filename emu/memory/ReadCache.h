//===- ReadCache.h - A cache of what is read as a whole -------------------===//
// Tags and times: a line that was asked for is there when it comes, and who
// wants it before waits for the same answer.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/memory/CacheArray.h"
#include "emu/memory/MemoryModel.h"
#include "emu/memory/PageTable.h"

namespace leno {

class ReadCache {
public:
  explicit ReadCache(const CacheShape &shape) : lines(shape, Line()) {}

  struct Counts {
    u64 hits = 0, misses = 0, evictions = 0;
  };
  /// The line `number`, for who asks in `cycle`. What is not there is asked for once that is known:
  /// `fill(cycle + latency)` says in which cycle it comes.
  template <class Fill> MemoryAnswer read(u64 number, u64 cycle, u64 latency, const Fill &fill) {
    return read(number, cycle, latency, {count.hits, count.misses, count.evictions}, fill);
  }
  /// The same, and who asks counts.
  struct Counters {
    u64 &hits, &misses, &evictions;
  };
  template <class Fill>
  MemoryAnswer read(u64 number, u64 cycle, u64 latency, Counters count, const Fill &fill) {
    if (const Line *line = lines.use(number)) {
      ++count.hits;
      return {std::max(cycle + latency, line->since), true};
    }
    ++count.misses;
    Line &line = *lines.victim(number);
    count.evictions += lines.numberOf(line) != lines.nothing;
    line.since = fill(cycle + latency);
    lines.put(line, number);
    return {line.since, false};
  }
  /// Whether the line is there, which counts as a use.
  bool touch(u64 number) { return lines.use(number); }
  void drop(u64 number) {
    if (Line *line = lines.use(number))
      lines.drop(*line);
  }
  /// Those from one number on, below another.
  void drop(u64 first, u64 end) {
    lines.forEach([&](Line &line, u64 number) {
      if (number >= first && number < end)
        lines.drop(line);
    });
  }
  const Counts &counts() const { return count; }
  void addTo(StateHash &hash) const {
    lines.addTo(hash, [&](const Line &line) { hash.number(line.since); });
  }
  CacheView view(CacheView named) const {
    return lines.view(named, [bytes = named.lineBytes](const Line &line, u64 number) {
      return CacheView::Line{.address = number * bytes, .since = line.since};
    });
  }
  /// Of one whose lines are found by MemoryRequest::addressInContext.
  CacheView viewInContexts(CacheView named) const {
    return lines.view(named, [bytes = named.lineBytes](const Line &line, u64 number) {
      u64 address = number * bytes, context = address / MemoryRequest::contextBytes;
      u64 own = address % MemoryRequest::contextBytes;
      return CacheView::Line{
          .address = own < PageTable::endAddress ? own : address, .context = context, .since = line.since};
    });
  }

private:
  struct Line {
    u64 since = 0; ///< the cycle in which it has come, or comes
  };
  CacheArray<Line> lines;
  Counts count;
};

} // namespace leno
