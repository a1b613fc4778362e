#include "runtime/profile/Footprint.h"

#include <algorithm>
#include <bit>

namespace leno::profile {

// Most accesses are in some order: their loops are vectors. What is in no order is sorted.

namespace {
/// The addresses of an access; a lane that takes no part has that of a neighbour, which changes no count.
struct Addresses {
  explicit Addresses(const MemoryAccess &access) : of(access.addresses) {
    if (access.lanes == allLanes)
      return;
    u64 last = access.addresses[std::countr_zero(access.lanes)];
    for (unsigned lane = 0; lane < laneCount; ++lane)
      filled[lane] = last = access.lanes >> lane & 1 ? access.addresses[lane] : last;
    of = filled;
  }
  const u64 *of;
  u64 filled[laneCount];
};
} // namespace

/// How many different ones there are.
static unsigned distinct(u64 *numbers, unsigned count) {
  if (!std::is_sorted(numbers, numbers + count))
    std::sort(numbers, numbers + count);
  return unsigned(std::unique(numbers, numbers + count) - numbers);
}

/// How many pieces of 2^shift bytes the addresses touch, when no lane's is before that of the
/// lane before it. Otherwise 0.
static unsigned ascendingPieces(const u64 *addresses, unsigned shift) {
  u64 changes = 0, descends = 0;
  for (unsigned lane = 1; lane < laneCount; ++lane) {
    const u64 step = (addresses[lane] >> shift) - (addresses[lane - 1] >> shift);
    descends |= step;
    changes += (0 - step) >> 63; // 1 when it goes up
  }
  return descends >> 63 ? 0 : unsigned(changes + 1);
}

static constexpr unsigned mostWords = laneCount * 16 / 4; ///< of an access of 16 bytes each

Footprint footprintOf(const MemoryAccess &access) {
  if (!access.lanes)
    return {};
  const bool isLocal = access.space == MemorySpace::Local;
  if (!isLocal) {
    const Addresses all(access);
    if (const unsigned sectors = ascendingPieces(all.of, std::countr_zero(sectorBytes)))
      return {sectors, ascendingPieces(all.of, std::countr_zero(lineBytes))};
  }
  u64 sectors[mostWords], lines[mostWords];
  unsigned count = 0;
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    const unsigned lane = unsigned(std::countr_zero(left));
    const u64 address = access.addresses[lane];
    if (!isLocal) { // natural alignment: no datum crosses a sector
      sectors[count] = address / sectorBytes;
      lines[count++] = address / lineBytes;
      continue;
    }
    for (u64 word = u32(address) / 4; word <= (u64(u32(address)) + access.bytes - 1) / 4; ++word) {
      sectors[count] = word * (lineBytes / sectorBytes) + lane * 4 / sectorBytes;
      lines[count++] = word;
    }
  }
  return {distinct(sectors, count), distinct(lines, count)};
}

/// All lanes' words lie among as many in a row as there are banks: no bank has two of them.
static bool fitBanks(const u64 *addresses) {
  s32 least = s32(u32(addresses[0]) / bankBytes), most = least;
  for (unsigned lane = 1; lane < laneCount; ++lane) {
    const s32 word = s32(u32(addresses[lane]) / bankBytes);
    least = std::min(least, word);
    most = std::max(most, word);
  }
  return most - least < s32(bankCount);
}

BankUse bankUseOf(const MemoryAccess &access) {
  if (!access.lanes)
    return {};
  if (access.bytes <= bankBytes && fitBanks(Addresses(access).of))
    return {1, 0};
  u64 words[mostWords];
  unsigned count = 0;
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    const u64 address = u32(access.addresses[std::countr_zero(left)]);
    for (u64 word = address / bankBytes; word <= (address + access.bytes - 1) / bankBytes; ++word)
      words[count++] = word;
  }
  count = distinct(words, count);
  unsigned ofBank[bankCount] = {}, most = 0;
  for (unsigned i = 0; i < count; ++i)
    most = std::max(most, ++ofBank[words[i] % bankCount]);
  return {most, most - unsigned((count + bankCount - 1) / bankCount)};
}

} // namespace leno::profile
