//===- L2Slice.h - One level 2 cache on the memory side -------------------===//
// S3: a slice belongs to a piece of memory, not to a core; no other slice ever
// holds its lines, so there is nothing to snoop. Write-back, write-allocate:
// a store that misses takes a line and fetches nothing, since each byte of a
// line is valid by itself; a load of bytes that are not fetches the line.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/memory/ByteMask.h"
#include "emu/memory/CacheArray.h"
#include "emu/memory/Dram.h"

namespace leno {

class L2Slice {
public:
  struct Counts {
    u64 readHits = 0, readMisses = 0, writeHits = 0, writeMisses = 0;
    u64 evictions = 0;  ///< lines that had to go
    u64 writeBacks = 0; ///< of them, those with bytes that memory did not have
    bool operator==(const Counts &) const = default;
  };
  using ByteMask = leno::ByteMask;

  /// `dram` lies behind it and must live longer; null: a slice that counts and holds no bytes.
  L2Slice(const CacheShape &shape, Dram *dram);

  /// Both stay within a line. True: a hit.
  bool read(u64 address, llvm::MutableArrayRef<u8> bytes);
  bool write(u64 address, llvm::ArrayRef<u8> bytes);
  /// The same for some bytes of a line, and none of them moved.
  bool load(u64 line, const ByteMask &bytes) { return find(line, bytes, false).second; }
  bool store(u64 line, const ByteMask &bytes) { return find(line, bytes, true).second; }
  /// Everything goes to memory; the lines stay, clean.
  void flush();

  const Counts &counts() const { return counters; }
  u64 lineBytes() const { return bytesOfLine; }
  /// Its lines, without their bytes: those are memory's.
  void addTo(StateHash &hash) const {
    array.addTo(hash, [&](const Line &line) { line.valid.addTo(hash), line.dirty.addTo(hash); });
  }
  /// Its line n is the memory's line `first` + n * `step`.
  CacheView view(CacheView named, u64 first = 0, u64 step = 1) const {
    return array.view(named, [first, step, bytes = bytesOfLine](const Line &line) {
      return CacheView::Line{.dirty = line.dirty.any(), .address = (first + line.number * step) * bytes};
    });
  }
  /// For inspection.
  bool holds(u64 address) const { return array.find(address / bytesOfLine) != nullptr; }

private:
  struct Line : CacheLine {
    ByteMask valid, dirty;
    std::vector<u8> bytes;
  };
  std::pair<Line *, bool> find(u64 number, const ByteMask &bytes, bool isStore);
  Line &place(u64 number);
  void fetch(Line &line);
  void writeBack(Line &line);
  ByteMask maskOf(u64 address, size_t count) const;

  u64 bytesOfLine;
  Dram *dram;
  CacheArray<Line> array;
  Counts counters;
};

} // namespace leno
