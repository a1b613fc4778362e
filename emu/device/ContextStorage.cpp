#include "emu/device/ContextStorage.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace leno;

namespace {

/// What an SM's own storage holds after another context has had it.
constexpr u8 worthless = 0xa5;

class Writer {
public:
  explicit Writer(std::vector<u8> &bytes) : bytes(bytes) {}
  void move(void *from, size_t count) {
    if (!count) // there may be no address then
      return;
    keep(from, count);
    std::memset(from, worthless, count);
  }
  template <class T> void keep(const T &value) { keep(&value, sizeof(T)); }

private:
  void keep(const void *from, size_t count) {
    const u8 *first = static_cast<const u8 *>(from);
    bytes.insert(bytes.end(), first, first + count);
  }
  std::vector<u8> &bytes;
};

class Reader {
public:
  explicit Reader(const std::vector<u8> &bytes) : next(bytes.data()) {}
  void move(void *to, size_t count) {
    if (!count)
      return;
    std::memcpy(to, next, count);
    next += count;
  }
  /// Of what only the storage's size depends on: it is as it was.
  template <class T> void keep(const T &value) {
    LENO_ASSERT(std::memcmp(&value, next, sizeof(T)) == 0, "a stored context has changed");
    next += sizeof(T);
  }
  const u8 *position() const { return next; }

private:
  const u8 *next;
};

/// One list of what a warp's state is, for both ways.
template <class Port> void moveWarp(Port &port, Warp &warp) {
  port.move(warp.frame, size_t(warp.registers()) * rowBytes);
  port.move(warp.predicates, truePredicate * sizeof(LaneMask));
  port.move(&warp.codes, sizeof(warp.codes));
  port.move(&warp.active, sizeof(warp.active));
  const DivergenceStack &stack = warp.divergence();
  for (Reason reason : {Reason::Brk, Reason::Cont, Reason::Ret, Reason::Exit})
    port.keep(stack.lanesWaiting(reason));
  for (size_t i = 0; i < stack.depth(); ++i)
    if (EntryPlace place = stack.placeOf(i); place != EntryPlace::Memory)
      port.keep(stack.at(i).pack());
}

u32 wordOf(const Warp &warp) { return u32(warp.addressOf(*warp.pc) / 8); }

} // namespace

u64 ContextStorage::store(StreamingMultiprocessor &part) {
  Image &image = images.emplace_back(Image{&part, {}});
  Writer writer(image.bytes);
  for (const auto &cta : part.residentCtas()) {
    for (Warp *warp : cta->warps()) {
      writer.keep(wordOf(*warp));
      warp->pc = nullptr;
      moveWarp(writer, *warp);
    }
    writer.move(cta->shared().data(), cta->shared().size());
  }
  return image.bytes.size();
}

u64 ContextStorage::restore(StreamingMultiprocessor *&part) {
  Image image = std::move(images.front());
  images.pop_front();
  part = image.part;
  Reader reader(image.bytes);
  for (const auto &cta : part->residentCtas()) {
    for (Warp *warp : cta->warps()) {
      u32 word;
      reader.move(&word, sizeof(word));
      warp->pc = warp->grid().opAt(word);
      moveWarp(reader, *warp);
    }
    reader.move(cta->shared().data(), cta->shared().size());
  }
  LENO_ASSERT(reader.position() == image.bytes.data() + image.bytes.size(), "a stored context has changed");
  return image.bytes.size();
}

u64 ContextStorage::bytes() const {
  u64 sum = 0;
  for (const Image &image : images)
    sum += image.bytes.size();
  return sum;
}

bool ContextStorage::holds(const StreamingMultiprocessor &part) const {
  return llvm::any_of(images, [&](const Image &image) { return image.part == &part; });
}

bool ContextStorage::holdsState(unsigned identity) const {
  return llvm::any_of(images, [&](const Image &image) { return image.part->identity() == identity; });
}

void ContextStorage::forget(const GridRun &grid) {
  llvm::erase_if(images, [&](const Image &image) { return &image.part->grid() == &grid; });
}
