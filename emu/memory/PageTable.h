//===- PageTable.h - Virtual to physical addresses ------------------------===//
// S3: the host interface "performs memory address translation to convert
// virtual addresses provided by CPUs into physical memory addresses". Pages of
// 4 KiB in 40 bits of virtual address (machine.md 8). What is not mapped has
// no physical address: a fault, a value.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Lanes.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace leno {

class PageTable {
public:
  static constexpr u64 pageBytes = 4096;
  static constexpr u64 endAddress = u64(1) << 40;

  /// One page; both addresses are multiples of `pageBytes`. False when the virtual one is past 40 bits or
  /// mapped already.
  bool map(u64 virtualPage, u64 physicalPage);
  bool unmap(u64 virtualPage);
  std::optional<u64> translate(u64 address) const;
  size_t pages() const { return entries.size(); }

private:
  llvm::DenseMap<u64, u64> entries; ///< by page number
};

} // namespace leno
