#include "runtime/checks/ShadowMemory.h"
#include "llvm/ADT/BitVector.h"

using namespace leno;
using namespace leno::checks;

bool ShadowMemory::take(u64 more) {
  if (used + more > limit)
    return false;
  used += more;
  most = std::max(most, used);
  return true;
}

ShadowMemory::Page *ShadowMemory::findPage(u64 number, bool byByte) {
  lastPage = {};
  auto found = pages.find(number);
  unsigned shift = byByte ? 0 : 2;
  if (found == pages.end()) {
    if (!take(sizeof(Number) * (pageBytes >> shift)))
      return nullptr;
    found = pages.try_emplace(number).first;
    found->second.shift = shift;
    found->second.cells.resize(pageBytes >> shift);
  }
  Page &page = found->second;
  if (byByte && page.shift) {
    if (!take(sizeof(Number) * (pageBytes - (pageBytes >> page.shift))))
      return nullptr;
    std::vector<Number> bytes(pageBytes);
    for (size_t k = 0; k < pageBytes; ++k)
      bytes[k] = page.cells[k >> page.shift];
    page.cells = std::move(bytes);
    page.shift = 0;
  }
  lastPage.number = number;
  lastPage.page = &page;
  return &page;
}

bool ShadowMemory::extend(Number &history, const Entry &now) {
  u32 hash = ((history * 0x9e3779b1 ^ now.warp) * 0x9e3779b1 ^ now.time ^ now.op) * 0x9e3779b1;
  Number &recent = lately[(hash >> 16 ^ now.skew ^ now.doing << 5) % lately.size()];
  if (const History &it = all[recent]; recent && it.older == history && it.newest == now) {
    history = recent;
    return true;
  }
  Number fresh = unused;
  if (fresh)
    unused = all[fresh].older;
  else {
    if (all.size() == all.capacity()) {
      if (!take(all.capacity() * sizeof(History))) {
        // What is free by now may be gathered before the next access.
        collectAt = std::min(collectAt, kept + kept / 2 + 1024);
        return false;
      }
      all.reserve(2 * all.capacity());
    }
    fresh = Number(all.size());
    all.emplace_back();
  }
  const History &old = all[history];
  all[fresh] = {now, history, old.count + 1, std::max(old.pruneAt, 8u), u8(old.kinds | 1u << now.doing)};
  ++living;
  history = recent = fresh;
  return true;
}

void ShadowMemory::collect() {
  llvm::BitVector isUsed(unsigned(all.size()));
  isUsed.set(0);
  u64 cells = 0;
  for (const auto &[number, page] : pages) {
    cells += page.cells.size();
    for (Number at : page.cells)
      for (; !isUsed[at]; at = all[at].older)
        isUsed.set(at);
  }
  unused = 0;
  living = 0;
  for (Number k = Number(all.size()) - 1; k > 0; --k)
    if (isUsed[k]) {
      ++living;
    } else {
      all[k] = {};
      all[k].older = std::exchange(unused, k);
    }
  lately = {};
  kept = living;
  collectAt = 2 * living + cells / 4 + leastToCollect;
}

void ShadowMemory::drop(u64 key, u64 bytes) {
  lastPage = {};
  for (u64 number = key; number < key + (bytes + pageBytes - 1) / pageBytes; ++number)
    if (auto found = pages.find(number); found != pages.end()) {
      used -= found->second.cells.size() * sizeof(Number);
      pages.erase(found);
    }
}
