//===- MemoryImage.h - A copy of bytes in shared pages --------------------===//
// Images taken one after another share the pages that have not changed, and
// pages of zeroes cost nothing.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <memory>
#include <vector>

namespace leno {

class MemoryImage {
public:
  static constexpr size_t pageBytes = 4096;
  /// How many bytes live pages hold, over all images that count there.
  using Meter = std::shared_ptr<u64>;

  MemoryImage() = default;
  /// Of zeroes, for setPage.
  explicit MemoryImage(size_t bytes) : pages((bytes + pageBytes - 1) / pageBytes), total(bytes) {}

  /// Copies `bytes`; pages equal to those of `before`, when there is one, are shared with it.
  void take(llvm::ArrayRef<uint8_t> bytes, const MemoryImage *before, const Meter &meter);
  /// `bytes` are the whole of it.
  void setPage(size_t number, llvm::ArrayRef<uint8_t> bytes, const MemoryImage *before, const Meter &meter);
  size_t bytesOfPage(size_t number) const { return std::min(pageBytes, total - number * pageBytes); }
  /// Writes the copy over `bytes`, which has the size of what was taken. Pages that are the same stay
  /// untouched.
  void putBack(llvm::MutableArrayRef<uint8_t> bytes) const;
  size_t size() const { return total; }
  size_t pageCount() const { return pages.size(); }
  /// Its bytes; none: they are zeroes.
  llvm::ArrayRef<uint8_t> page(size_t number) const {
    return pages[number] ? llvm::ArrayRef(pages[number]->bytes) : llvm::ArrayRef<uint8_t>();
  }

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
