//===- PageTable.h - Virtual to physical addresses ------------------------===//
// S3: the host interface "performs memory address translation to convert
// virtual addresses provided by CPUs into physical memory addresses". Pages of
// 4 KiB in 40 bits of virtual address (Architecture.md 8). What is not mapped has
// no physical address: a fault, a value. Pages mapped together are one run,
// so that a large buffer costs as little as a small one.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include <map>
#include <mutex>
#include <optional>

namespace leno {

class PageTable {
public:
  static constexpr u64 pageBytes = 4096;
  static constexpr u64 endAddress = u64(1) << 40;
  static constexpr u64 pageOf(u64 address) { return address / pageBytes * pageBytes; }

  /// `count` pages in a row; both addresses are multiples of `pageBytes`. False, and nothing is mapped, when
  /// a virtual one is past 40 bits or mapped already.
  bool map(u64 virtualPage, u64 physicalPage, u64 count = 1);
  /// False: one of them is not mapped, or they were not mapped together; nothing is changed then.
  bool unmap(u64 virtualPage, u64 count = 1);
  std::optional<u64> translate(u64 address) const;
  size_t pages() const { return mapped; }
  /// How often it has changed: who remembers a translation asks whether it still holds.
  u64 changes() const { return changed; }

private:
  struct Run {
    u64 physical, count; ///< in pages
  };
  /// The run that has the virtual page, or the end.
  std::map<u64, Run>::const_iterator runOf(u64 page) const;

  std::map<u64, Run> runs; ///< by the number of the first virtual page
  u64 mapped = 0, changed = 0;
};

/// The physical pages of the device's memory. Contexts share it, and so no two of them a page.
class PageFrames {
public:
  /// `count` pages in a row, the lowest that are free; their address. Nothing: none are left below 40 bits.
  std::optional<u64> take(u64 count);
  void giveBack(u64 physicalPage, u64 count);

private:
  std::mutex mutex;         ///< contexts allocate from several host threads
  std::map<u64, u64> taken; ///< first page and count of each run
};

} // namespace leno
