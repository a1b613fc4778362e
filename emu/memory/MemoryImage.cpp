#include "emu/memory/MemoryImage.h"
#include "asm/support/Assert.h"
#include <cstring>

using namespace leno;
using llvm::ArrayRef;

MemoryImage::Page::Page(ArrayRef<uint8_t> from, Meter counter) : bytes(from), meter(std::move(counter)) {
  *meter += bytes.size();
}

static bool isZero(ArrayRef<uint8_t> bytes) {
  // Equal to itself one byte on: all bytes are as the first.
  return bytes.empty() ||
         (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

void MemoryImage::take(ArrayRef<uint8_t> bytes, const MemoryImage *before, const Meter &meter) {
  *this = MemoryImage(bytes.size());
  for (size_t i = 0; i < pages.size(); ++i)
    setPage(i, bytes.slice(i * pageBytes, bytesOfPage(i)), before, meter);
}

void MemoryImage::setPage(size_t number, ArrayRef<uint8_t> bytes, const MemoryImage *before,
                          const Meter &meter) {
  LENO_ASSERT(bytes.size() == bytesOfPage(number), "a page of an image is set in part");
  if (before && before->total == total && before->pages[number] &&
      ArrayRef(before->pages[number]->bytes) == bytes)
    pages[number] = before->pages[number];
  else if (!isZero(bytes))
    pages[number] = std::make_shared<Page>(bytes, meter);
}

void MemoryImage::putBack(llvm::MutableArrayRef<uint8_t> bytes) const {
  LENO_ASSERT(bytes.size() == total, "an image is put back where it was not taken");
  for (size_t i = 0; i < pages.size(); ++i) {
    llvm::MutableArrayRef<uint8_t> page = bytes.slice(i * pageBytes, bytesOfPage(i));
    if (!pages[i] && !isZero(page))
      std::memset(page.data(), 0, page.size());
    else if (pages[i] && ArrayRef(pages[i]->bytes) != ArrayRef<uint8_t>(page))
      std::memcpy(page.data(), pages[i]->bytes.data(), page.size());
  }
}
