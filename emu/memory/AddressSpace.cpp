#include "emu/memory/AddressSpace.h"
#include "asm/support/Assert.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>

using namespace leno;
using namespace llvm;

static constexpr u64 hostAlignment = 256;

AddressSpace::~AddressSpace() {
  for (const auto &[base, allocation] : byBase)
    unmap(allocation);
}

void AddressSpace::unmap(const Allocation &allocation) {
  frames->giveBack(*table.translate(allocation.window.base) & ~PlaceBits::all, allocation.pages());
  if (!allocation.isPlaced)
    table.unmap(allocation.window.base, allocation.pages());
  else // not mapped together
    for (u64 i = 0; i < allocation.pages(); ++i)
      table.unmap(allocation.window.base + i * pageBytes);
}

void AddressSpace::setPlace(u64 address, u64 bytes, MemoryPlace place) {
  auto owner = std::prev(byBase.upper_bound(address));
  owner->second.isPlaced = true;
  for (u64 page = PageTable::pageOf(address); page < address + bytes; page += pageBytes) {
    u64 physical = *table.translate(page) & ~PlaceBits::all;
    table.unmap(page);
    table.map(page, physical | PlaceBits::of(place));
  }
}

void AddressSpace::Owned::Free::operator()(void *p) const { std::free(p); }

Error AddressSpace::checkRoom(u64 bytes, StringRef name) const {
  if (bytes == 0)
    return createStringError("cannot allocate 0 bytes for '" + name + "'");
  if (bytes > limit - allocated)
    return createStringError(
        formatv("no room for the {0} bytes of '{1}': {2} of the {3} bytes of global memory are taken; "
                "raise memory.bytes",
                bytes, name, allocated, limit));
  return Error::success();
}

Expected<u64> AddressSpace::allocate(u64 bytes, StringRef name) {
  if (Error error = checkRoom(bytes, name))
    return std::move(error);
  // The first hole that leaves a guard page on both sides: memory given back is used again.
  u64 base = firstAddress;
  for (const auto &[start, allocation] : byBase) {
    if (alignTo(base + bytes, pageBytes) + pageBytes <= start)
      break;
    base = alignTo(allocation.end(), pageBytes) + pageBytes;
  }
  if (Error error = allocateAt(base, bytes, name))
    return std::move(error);
  return base;
}

Error AddressSpace::allocateAt(u64 base, u64 bytes, StringRef name) {
  if (Error error = checkRoom(bytes, name))
    return error;
  if (bytes > endAddress || base > endAddress - bytes)
    return createStringError(
        formatv("no room for the {0} bytes of '{1}' in the 40-bit address space", bytes, name));
  // A guard page on either side.
  auto above = byBase.lower_bound(base);
  bool isFree =
      base >= firstAddress && base % pageBytes == 0 &&
      (above == byBase.end() || alignTo(base + bytes, pageBytes) + pageBytes <= above->first) &&
      (above == byBase.begin() || alignTo(std::prev(above)->second.end(), pageBytes) + pageBytes <= base);
  if (!isFree)
    return createStringError(formatv("'{0}' cannot be at {1:x}", name, base));
  void *host = nullptr;
  if (posix_memalign(&host, hostAlignment, alignTo(bytes, hostAlignment)) != 0)
    return createStringError(formatv("the host has no memory for the {0} bytes of '{1}'", bytes, name));
  std::memset(host, 0, bytes);
  Owned owned;
  owned.name = name.str();
  owned.window = {base, bytes, static_cast<unsigned char *>(host)};
  owned.bytes.reset(static_cast<unsigned char *>(host));
  std::optional<u64> physical = frames->take(owned.pages());
  if (!physical)
    return createStringError(
        formatv("no room for the {0} bytes of '{1}': the device's pages are taken", bytes, name));
  bool isMapped = table.map(base, *physical, owned.pages());
  LENO_ASSERT(isMapped, "an allocation gets pages that another has");
  byBase.emplace(base, std::move(owned));
  allocated += bytes;
  tell(HostEvent::Allocates, base, bytes, name);
  return Error::success();
}

Expected<u64> AddressSpace::allocateOnDemand(u64 bytes, StringRef name) {
  Expected<u64> base = allocate(bytes, name);
  if (base)
    byBase.at(*base).isOnDemand = true;
  return base;
}

u64 AddressSpace::touchPage(const Allocation &allocation, u64 address, u64 cycle, u64 latency) {
  auto [page, isNew] = mapped.try_emplace(PageTable::pageOf(address), cycle + latency);
  if (isNew)
    faults.push_back({page->first, page->second});
  return page->second;
}

MemoryWindow AddressSpace::pageWindow(const Allocation &allocation, u64 address) {
  const MemoryWindow &all = allocation.window;
  u64 first = PageTable::pageOf(address), end = std::min(first + pageBytes, allocation.end());
  return {first, end - first, all.host + (first - all.base)};
}

Error AddressSpace::release(u64 address) {
  auto it = byBase.find(address);
  if (it == byBase.end())
    return createStringError(formatv("{0:x} is not the start of an allocation", address));
  tell(HostEvent::Releases, address, it->second.window.size, it->second.name);
  allocated -= it->second.window.size;
  ++released;
  mapped.erase(mapped.lower_bound(address), mapped.lower_bound(it->second.end()));
  unmap(it->second);
  byBase.erase(it);
  return Error::success();
}

const AddressSpace::Allocation *AddressSpace::find(u64 address, u64 bytes) const {
  auto it = byBase.upper_bound(address);
  if (it == byBase.begin())
    return nullptr;
  const Allocation &candidate = std::prev(it)->second;
  u64 offset = address - candidate.window.base;
  if (offset >= candidate.window.size || bytes > candidate.window.size - offset)
    return nullptr;
  return &candidate;
}

const AddressSpace::Allocation *AddressSpace::nearest(u64 address) const {
  auto above = byBase.upper_bound(address);
  const Allocation *high = above == byBase.end() ? nullptr : &above->second;
  const Allocation *low = above == byBase.begin() ? nullptr : &std::prev(above)->second;
  if (!low || !high)
    return low ? low : high;
  u64 pastLow = address >= low->end() ? address - low->end() : 0;
  return pastLow <= high->window.base - address ? low : high;
}

std::string AddressSpace::describe(u64 address) const {
  const Allocation *near = nearest(address);
  if (!near)
    return "nothing is allocated";
  auto bytes = [](u64 count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); };
  std::string what = formatv("'{0}' ({1} at {2:x})", near->name, bytes(near->window.size), near->window.base);
  if (!table.translate(address))
    what += formatv("; page {0:x} is not mapped", PageTable::pageOf(address)).str();
  if (address < near->window.base)
    return bytes(near->window.base - address) + " before " + what;
  if (address < near->end())
    return bytes(near->end() - address) + " before the end of " + what;
  if (address == near->end())
    return "just past the end of " + what;
  return bytes(address - near->end()) + " past the end of " + what;
}

static Error outside(const AddressSpace &memory, u64 address, u64 bytes) {
  return createStringError(formatv("the {0} bytes at {1:x} are not inside one allocation: {2}", bytes,
                                   address, memory.describe(address)));
}

Error AddressSpace::read(u64 address, MutableArrayRef<uint8_t> bytes, bool isMessage) const {
  Error error = peek(address, bytes);
  if (!error)
    tell(HostEvent::Reads, address, bytes.size(), {}, isMessage);
  return error;
}

Error AddressSpace::peek(u64 address, MutableArrayRef<uint8_t> bytes) const {
  if (bytes.empty())
    return Error::success();
  const Allocation *allocation = find(address, bytes.size());
  if (!allocation)
    return outside(*this, address, bytes.size());
  std::memcpy(bytes.data(), allocation->window.host + (address - allocation->window.base), bytes.size());
  return Error::success();
}

Error AddressSpace::write(u64 address, ArrayRef<uint8_t> bytes, bool isMessage) {
  if (bytes.empty())
    return Error::success();
  const Allocation *allocation = find(address, bytes.size());
  if (!allocation)
    return outside(*this, address, bytes.size());
  std::memcpy(allocation->window.host + (address - allocation->window.base), bytes.data(), bytes.size());
  tell(HostEvent::Writes, address, bytes.size(), {}, isMessage);
  return Error::success();
}
