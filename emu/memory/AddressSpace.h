//===- AddressSpace.h - One context's global memory -----------------------===//
// Architecture.md 8: 40-bit virtual addresses, paged. Every allocation has exact
// byte bounds, pages of its own and an unmapped guard page on either side, so
// the smallest overrun traps.
// CHOICE: addresses start at 64 KiB, so that null and small offsets of it trap
// and 32-bit address registers reach all of a small program's memory.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/memory/HostEvent.h"
#include "emu/memory/MemoryPlace.h"
#include "emu/memory/PageTable.h"
#include "emu/warp/WarpState.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace leno {

class AddressSpace {
public:
  static constexpr u64 firstAddress = 0x10000;
  /// S1, unified address mapping: the windows of generic addresses at the top of the 40 bits (CHOICE), 4 GiB
  /// each, so that the low word of a generic address is the address in its space. Global memory ends below
  /// them.
  static constexpr u64 windowBytes = u64(1) << 32;
  static constexpr u64 localWindow = (u64(1) << 40) - 2 * windowBytes;
  static constexpr u64 sharedWindow = (u64(1) << 40) - windowBytes;
  static constexpr u64 endAddress = localWindow;

  static constexpr u64 pageBytes = PageTable::pageBytes;

  struct Allocation {
    std::string name;
    MemoryWindow window;
    bool isOnDemand = false; ///< its pages are mapped when they are first touched
    bool isPlaced = false;   ///< some of its pages are
    u64 end() const { return window.base + window.size; }
    u64 pages() const { return (window.size + PageTable::pageBytes - 1) / PageTable::pageBytes; }
  };

  /// `frames`: the physical pages that all address spaces of a device share.
  explicit AddressSpace(std::shared_ptr<PageFrames> frames = std::make_shared<PageFrames>())
      : frames(std::move(frames)) {}
  ~AddressSpace();

  /// What a context may allocate in all.
  void setLimit(u64 bytes) { limit = bytes; }
  /// A zeroed allocation of exactly `bytes` bytes, at the start of a page. Fails for 0 bytes, past the limit
  /// and when host memory or the 40-bit space is used up.
  llvm::Expected<u64> allocate(u64 bytes, llvm::StringRef name);
  /// The same at the place that it had in another address space.
  llvm::Error allocateAt(u64 base, u64 bytes, llvm::StringRef name);
  /// The same, whose pages the driver maps when the device first accesses them (S4: page faults). The host
  /// reads and writes it at any time; that maps nothing.
  llvm::Expected<u64> allocateOnDemand(u64 bytes, llvm::StringRef name);
  /// Where pages of an allocation are, from that of `address` on.
  void setPlace(u64 address, u64 bytes, MemoryPlace place);
  /// Fails unless `address` is the base of an allocation.
  llvm::Error release(u64 address);
  /// How often that has been done: windows that are kept may be of no allocation any more.
  u64 releases() const { return released; }

  /// The allocation that holds all of [address, address + bytes), or null.
  const Allocation *find(u64 address, u64 bytes = 1) const;
  /// The allocation that lies closest to an address that is in none, or null.
  const Allocation *nearest(u64 address) const;
  const PageTable &pageTable() const { return table; }
  /// Where `address` lies in words for people: `16 bytes past the end of 'x' (4096 bytes at 0x10000); page
  /// 0x11000 is not mapped`.
  std::string describe(u64 address) const;

  /// Host access, checked: fails outside of one allocation. `isMessage`: of a word of a channel.
  llvm::Error read(u64 address, llvm::MutableArrayRef<uint8_t> bytes, bool isMessage = false) const;
  llvm::Error write(u64 address, llvm::ArrayRef<uint8_t> bytes, bool isMessage = false);
  /// A read of which nobody is told: by those who look at the machine.
  llvm::Error peek(u64 address, llvm::MutableArrayRef<uint8_t> bytes) const;
  /// Told of what the host does; unset, nobody is.
  std::function<void(const HostEvent &)> onHost;

  /// The device accesses an address of an allocation on demand in `cycle`. The page is mapped, or being
  /// mapped, or begins to be: that takes `latency` cycles. Returns the cycle from which on it can be
  /// accessed.
  u64 touchPage(const Allocation &allocation, u64 address, u64 cycle, u64 latency);
  /// The part of an allocation on demand that is in the page of `address`.
  static MemoryWindow pageWindow(const Allocation &allocation, u64 address);
  struct PageFault {
    u64 page;     ///< its address
    u64 mappedAt; ///< cycle
  };
  /// Those since the last call.
  std::vector<PageFault> takeFaults() { return std::exchange(faults, {}); }
  /// When each page of allocations on demand was mapped, by its address.
  using Pages = std::map<u64, u64>;
  const Pages &pages() const { return mapped; }
  void setPages(Pages pages) { mapped = std::move(pages); }

  u64 bytesAllocated() const { return allocated; }
  /// By base address.
  const auto &allocations() const { return byBase; }

private:
  void tell(HostEvent::Kind kind, u64 address, u64 bytes, std::string_view name = {},
            bool isMessage = false) const {
    if (onHost) [[unlikely]]
      onHost({kind, address, bytes, 0, name, isMessage});
  }
  void unmap(const Allocation &allocation);
  llvm::Error checkRoom(u64 bytes, llvm::StringRef name) const;
  struct Owned : Allocation {
    struct Free {
      void operator()(void *p) const;
    };
    std::unique_ptr<unsigned char, Free> bytes;
  };
  std::shared_ptr<PageFrames> frames;
  PageTable table;
  std::map<u64, Owned> byBase;
  Pages mapped;
  std::vector<PageFault> faults;
  u64 allocated = 0, released = 0;
  u64 limit = endAddress;
};

} // namespace leno
