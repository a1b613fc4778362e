#include "emu/memory/HostInterface.h"

using namespace leno;

template <typename Part>
HostInterface::Result HostInterface::inPages(u64 address, size_t bytes, u64 cycle, const Part &part) {
  auto countAt = [&](size_t done) {
    return std::min<size_t>(bytes - done, PageTable::pageBytes - (address + done) % PageTable::pageBytes);
  };
  for (size_t done = 0; done < bytes; done += countAt(done))
    if (!pages.translate(address + done))
      return {cycle, address + done};
  u64 last = cycle;
  for (size_t done = 0, count; done < bytes; done += count) {
    count = countAt(done);
    last = std::max(last, part(*pages.translate(address + done), done, count));
  }
  return {last, std::nullopt};
}

HostInterface::Result HostInterface::read(u64 address, llvm::MutableArrayRef<u8> bytes, u64 cycle,
                                          MemorySide::Way way) {
  return inPages(address, bytes.size(), cycle, [&](u64 physical, size_t first, size_t count) {
    return memory.read(MemorySide::hostPort, physical, bytes.slice(first, count), cycle, way, link).cycle;
  });
}

HostInterface::Result HostInterface::write(u64 address, llvm::ArrayRef<u8> bytes, u64 cycle,
                                           MemorySide::Way way) {
  return inPages(address, bytes.size(), cycle, [&](u64 physical, size_t first, size_t count) {
    return memory.write(MemorySide::hostPort, physical, bytes.slice(first, count), cycle, way, link);
  });
}
