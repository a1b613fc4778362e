#include "emu/sm/LockTable.h"

using namespace leno;

static constexpr u64 wordOf(u64 address) { return address & ~u64(3); }

const LockTable::Holder *LockTable::holder(u64 address, unsigned bytes) const {
  auto it = flags.lower_bound(wordOf(address));
  return it != flags.end() && it->first - wordOf(address) < bytes ? &it->second : nullptr;
}

bool LockTable::acquire(u64 address, unsigned bytes, Holder holder) {
  if (this->holder(address, bytes))
    return false;
  for (unsigned at = 0; at < bytes; at += 4)
    flags.emplace(wordOf(address) + at, holder);
  return true;
}

bool LockTable::holds(u64 address, unsigned bytes, Holder holder) const {
  for (unsigned at = 0; at < bytes; at += 4) {
    auto it = flags.find(wordOf(address) + at);
    if (it == flags.end() || it->second != holder)
      return false;
  }
  return true;
}

void LockTable::release(u64 address, unsigned bytes) {
  for (unsigned at = 0; at < bytes; at += 4)
    flags.erase(wordOf(address) + at);
}

void LockTable::releaseAll(const Warp *warp) {
  std::erase_if(flags, [&](const auto &entry) { return entry.second.warp == warp; });
}

llvm::SmallVector<std::pair<u64, unsigned>> LockTable::heldBy(const Warp *warp, LaneMask lanes) const {
  llvm::SmallVector<std::pair<u64, unsigned>> held;
  for (const auto &[address, holder] : flags)
    if (holder.warp == warp && lanes >> holder.lane & 1)
      held.push_back({address, holder.lane});
  return held;
}
