#include "dbg/Place.h"
#include "dbg/Change.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/Endian.h"

namespace leno::dbg {

bool Place::isOf(const GridRun &run) const {
  return run.device().contextId() == context && (!isOfCta() || launch == 0 || run.gridId() == launch);
}
bool Place::isOf(const Cta &other) const { return !isOfCta() || other.index() == cta; }
bool Place::isOf(const Warp &other) const {
  return isOf(other.grid()) && isOf(other.cta()) && (!isOfWarp() || other.index() == warp);
}

LaneMask Place::lanesThatTouch(const MemoryAccess &access, const Warp &by) const {
  if (kind != Memory || access.space != space || !isOf(by))
    return 0;
  LaneMask touching = 0;
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    u64 at = access.addresses[lane];
    if (at < address + bytes && address < at + access.bytes)
      touching |= LaneMask(1) << lane;
  }
  return space == MemorySpace::Local ? touching & lanes : touching;
}

std::string Place::describeChange(const std::vector<u64> &before, const std::vector<u64> &after) const {
  auto text = [&](u64 bits) {
    ValueType shown = kind == Predicate || kind == FlagBit ? ValueType::Bool : type;
    return formatValue(reinterpret(bits, shown), 0, [](u64 address) { return std::to_string(address); });
  };
  if (before.size() == 1)
    return text(before[0]) + " to " + text(after[0]);
  constexpr unsigned mostLanes = 4;
  std::string all;
  unsigned told = 0;
  size_t i = 0;
  for (LaneMask left = lanes; left; left &= left - 1, ++i) {
    if (before[i] == after[i])
      continue;
    if (told++ == mostLanes)
      return all + ", ...";
    all += (told > 1 ? ", lane " : "lane ") + std::to_string(__builtin_ctz(left)) + ": " + text(before[i]) +
           " to " + text(after[i]);
  }
  return all;
}

Place::Bits Place::read(const Machine &machine) const {
  uint8_t buffer[8] = {};
  if (kind == Memory && space == MemorySpace::Global) {
    if (llvm::Error error =
            machine.device(context).memory().peek(address, llvm::MutableArrayRef(buffer, bytes))) {
      consumeError(std::move(error));
      return std::nullopt;
    }
    return std::vector<u64>{llvm::support::endian::read64le(buffer)};
  }
  GridRun *run = machine.grid(context, launch);
  Cta *home = run && isOf(*run) ? run->findCta(cta) : nullptr;
  if (!home || (isOfWarp() && warp >= home->warps().size()))
    return std::nullopt;
  if (kind == Memory && space == MemorySpace::Shared) {
    if (address + bytes > home->shared().size())
      return std::nullopt;
    std::copy_n(home->shared().begin() + ptrdiff_t(address), bytes, buffer);
    return std::vector<u64>{llvm::support::endian::read64le(buffer)};
  }
  Warp &owner = *home->warps()[warp];
  std::vector<u64> values;
  for (LaneMask left = lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    u64 bits = 0;
    switch (kind) {
    case Register:
      for (unsigned i = 0; i < words; ++i)
        bits |= u64(owner.readRegister(number + i, lane)) << 32 * i;
      break;
    case Predicate:
      bits = owner.readPredicate(number, lane);
      break;
    case FlagBit:
      bits = flagOf(owner, Flag(number)) >> lane & 1;
      break;
    case Memory:
      for (unsigned i = 0; i < bytes; ++i)
        bits |= u64(*owner.localByte(lane, address + i)) << 8 * i;
      break;
    }
    values.push_back(bits);
  }
  return values;
}

} // namespace leno::dbg
