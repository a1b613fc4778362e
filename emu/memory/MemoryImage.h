//===- MemoryImage.h - A copy of bytes in shared pages --------------------===//
// Images taken one after another share the pages that have not changed, and
// pages of zeroes cost nothing.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <vector>

namespace leno {

class MemoryImage {
public:
  static constexpr size_t pageBytes = 4096;
  /// How many bytes live pages hold, over all images that count there.
  using Meter = std::shared_ptr<u64>;

  /// Copies `bytes`; pages equal to those of `before`, when there is one, are shared with it.
  void take(llvm::ArrayRef<uint8_t> bytes, const MemoryImage *before, const Meter &meter);
  /// Writes the copy over `bytes`, which has the size of what was taken. Pages that are the same stay
  /// untouched.
  void putBack(llvm::MutableArrayRef<uint8_t> bytes) const;
  size_t size() const { return total; }

private:
  struct Page {
    Page(llvm::ArrayRef<uint8_t> from, Meter meter);
    ~Page() { *meter -= bytes.size(); }
    Page(const Page &) = delete;
    Page &operator=(const Page &) = delete;
    std::vector<uint8_t> bytes;
    Meter meter;
  };
  std::vector<std::shared_ptr<const Page>> pages; ///< null: zeroes
  size_t total = 0;
};

} // namespace leno
