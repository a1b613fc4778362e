//===- L2Slice.h - One level 2 cache on the memory side -------------------===//
// S3: a slice belongs to a piece of memory, not to a core; no other slice ever
// holds its lines, so there is nothing to snoop. Write-back, write-allocate:
// a store that misses takes a line and fetches nothing, since each byte of a
// line is valid by itself; a load of bytes that are not fetches the line. The
// bytes are memory's (MemoryModel.h).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/memory/ByteMask.h"
#include "emu/memory/CacheArray.h"

namespace leno {

class L2Slice {
public:
  struct Counts {
    u64 readHits = 0, readMisses = 0, writeHits = 0, writeMisses = 0;
    u64 evictions = 0;  ///< lines that had to go
    u64 writeBacks = 0; ///< of them, those with bytes that memory did not have
    bool operator==(const Counts &) const = default;
  };

  explicit L2Slice(const CacheShape &shape) : bytesOfLine(shape.lineBytes), array(shape, Line()) {}

  /// Some bytes of the slice's line `number`. True: a hit.
  bool load(u64 number, const ByteMask &bytes);
  bool store(u64 number, const ByteMask &bytes);

  const Counts &counts() const { return counters; }
  void addTo(StateHash &hash) const {
    array.addTo(hash, [&](const Line &line) { line.valid.addTo(hash), line.dirty.addTo(hash); });
  }
  /// Its line n is the memory's line `first` + n * `step`.
  CacheView view(CacheView named, u64 first = 0, u64 step = 1) const {
    return array.view(named, [first, step, bytes = bytesOfLine](const Line &line, u64 number) {
      return CacheView::Line{.dirty = line.dirty.any(), .address = (first + number * step) * bytes};
    });
  }
  /// For inspection.
  bool holds(u64 number) const { return array.find(number) != nullptr; }

private:
  struct Line {
    ByteMask valid, dirty;
  };
  Line &place(u64 number);

  u64 bytesOfLine;
  CacheArray<Line> array;
  Counts counters;
};

} // namespace leno
