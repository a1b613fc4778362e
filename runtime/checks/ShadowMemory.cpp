#include "runtime/checks/ShadowMemory.h"

using namespace leno;
using namespace leno::checks;

ShadowMemory::Page *ShadowMemory::findPage(u64 number, bool byByte) {
  lastPage = {};
  auto found = pages.find(number);
  if (found == pages.end()) {
    u64 size = sizeof(Cell) * (byByte ? pageBytes : pageBytes / 4);
    if (used + size > limit)
      return nullptr;
    used += size;
    found = pages.try_emplace(number).first;
    found->second.isByByte = byByte;
    found->second.cells.resize(size / sizeof(Cell));
  }
  Page &page = found->second;
  if (!byByte || page.isByByte) {
    lastPage.number = number;
    lastPage.page = &page;
    return &page;
  }
  u64 more = sizeof(Cell) * (pageBytes - pageBytes / 4);
  if (used + more > limit)
    return nullptr;
  used += more;
  std::vector<Cell> words = std::exchange(page.cells, std::vector<Cell>(pageBytes));
  page.isByByte = true;
  bool isAll = true;
  for (size_t k = 0; k < words.size(); ++k) {
    std::vector<Entry> entries;
    if (words[k].isFar())
      for (const Part &part : far[words[k].near[0].time].parts)
        llvm::append_range(entries, part.entries);
    for (size_t byte = 0; byte < 4; ++byte)
      if (entries.empty())
        page.cells[4 * k + byte] = words[k];
      else
        isAll &= moveFar(page.cells[4 * k + byte], entries);
    free(words[k]);
  }
  return isAll ? &page : nullptr;
}

bool ShadowMemory::moveFar(Cell &cell, llvm::ArrayRef<Entry> entries) {
  if (used + entries.size() * sizeof(Entry) > limit) {
    cell = {};
    llvm::copy(entries.take_back(std::min<size_t>(2, entries.size())), cell.near);
    return false;
  }
  u32 index = u32(far.size());
  if (unusedFar.empty())
    far.emplace_back();
  else {
    index = unusedFar.back();
    unusedFar.pop_back();
  }
  cell = {};
  cell.near[0].warp = farMark;
  cell.near[0].time = index;
  bool isAll = true;
  for (const Entry &entry : entries)
    isAll &= push(far[index].parts[writes(entry)], entry);
  return isAll;
}

/// False: the oldest went for it.
bool ShadowMemory::push(Part &part, const Entry &now) {
  std::vector<Entry> &entries = part.entries;
  part.kinds |= 1u << now.doing;
  if (entries.size() == entries.capacity()) {
    u64 more = std::max<u64>(entries.size(), 1) * sizeof(Entry);
    if (used + more > limit && !entries.empty()) {
      entries.erase(entries.begin());
      entries.push_back(now);
      return false;
    }
    used -= entries.capacity() * sizeof(Entry);
    entries.reserve(std::max<size_t>(2 * entries.size(), 2));
    used += entries.capacity() * sizeof(Entry);
  }
  entries.push_back(now);
  return used <= limit;
}

void ShadowMemory::free(Cell &cell) {
  if (cell.isFar()) {
    Far &kept = far[cell.near[0].time];
    for (const Part &part : kept.parts)
      used -= part.entries.capacity() * sizeof(Entry);
    kept = Far(); // with its memory
    unusedFar.push_back(cell.near[0].time);
  }
  cell = {};
}

void ShadowMemory::drop(u64 key, u64 bytes) {
  lastPage = {};
  for (u64 number = key; number < key + (bytes + pageBytes - 1) / pageBytes; ++number)
    if (auto found = pages.find(number); found != pages.end()) {
      for (Cell &cell : found->second.cells)
        free(cell);
      used -= found->second.cells.size() * sizeof(Cell);
      pages.erase(found);
    }
}
