//===- HostInterface.h - The CPU's way to the slices ----------------------===//
// S3: "read and write accesses from CPUs pass through host interface which
// performs memory address translation"; it sends them through the crossbar as
// any core would, so that a message lands in a slice. An address that is not
// mapped stops the access before anything is changed.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/memory/MemorySide.h"
#include "emu/memory/PageTable.h"

namespace leno {

class HostInterface {
public:
  /// `link`: cycles from the CPU to the other side and back (S3: T). Both must live longer.
  HostInterface(MemorySide &memory, const PageTable &pages, u64 link)
      : memory(memory), pages(pages), link(link) {}

  struct Result {
    u64 cycle;                ///< when the access is complete
    std::optional<u64> fault; ///< the first address that is not mapped; nothing was done then
  };
  Result read(u64 address, llvm::MutableArrayRef<u8> bytes, u64 cycle,
              MemorySide::Way way = MemorySide::Way::ThroughL2);
  Result write(u64 address, llvm::ArrayRef<u8> bytes, u64 cycle,
               MemorySide::Way way = MemorySide::Way::ThroughL2);

private:
  template <typename Part> Result inPages(u64 address, size_t bytes, u64 cycle, const Part &part);

  MemorySide &memory;
  const PageTable &pages;
  u64 link;
};

} // namespace leno
