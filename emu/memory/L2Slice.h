//===- L2Slice.h - One level 2 cache on the memory side -------------------===//
// S3: a slice belongs to a piece of memory, not to a core; no other slice ever
// holds its lines, so there is nothing to snoop. Write-back, write-allocate:
// a store that misses takes a line and fetches nothing, since each byte of a
// line is valid by itself; a load of bytes that are not fetches the line.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/CacheArray.h"
#include "emu/memory/Dram.h"
#include <bitset>

namespace leno {

class L2Slice {
public:
  struct Counts {
    u64 readHits = 0, readMisses = 0, writeHits = 0, writeMisses = 0;
    u64 evictions = 0;  ///< lines that had to go
    u64 writeBacks = 0; ///< of them, those with bytes that memory did not have
    bool operator==(const Counts &) const = default;
  };
  static constexpr u64 mostLineBytes = 256;

  /// `dram` lies behind it and must live longer.
  L2Slice(const CacheShape &shape, Dram &dram);

  /// Both stay within a line. True: a hit.
  bool read(u64 address, llvm::MutableArrayRef<u8> bytes);
  bool write(u64 address, llvm::ArrayRef<u8> bytes);
  /// Everything goes to memory; the lines stay, clean.
  void flush();

  const Counts &counts() const { return counters; }
  u64 lineBytes() const { return bytesOfLine; }
  /// For inspection.
  bool holds(u64 address) const { return array.find(address / bytesOfLine) != nullptr; }

private:
  using ByteMask = std::bitset<mostLineBytes>;
  struct Line : CacheLine {
    ByteMask valid, dirty;
    std::vector<u8> bytes;
  };
  Line &place(u64 address);
  void writeBack(Line &line);
  ByteMask maskOf(u64 address, size_t count) const;

  u64 bytesOfLine;
  Dram &dram;
  CacheArray<Line> array;
  Counts counters;
};

} // namespace leno
