#include "emu/memory/PageTable.h"
#include "asm/support/Assert.h"

using namespace leno;

static constexpr u64 endPage = PageTable::endAddress / PageTable::pageBytes;

std::map<u64, PageTable::Run>::const_iterator PageTable::runOf(u64 page) const {
  auto above = runs.upper_bound(page);
  if (above == runs.begin())
    return runs.end();
  auto run = std::prev(above);
  return page - run->first < run->second.count ? run : runs.end();
}

bool PageTable::map(u64 virtualPage, u64 physicalPage, u64 count) {
  LENO_ASSERT(virtualPage % pageBytes == 0 && physicalPage % pageBytes == 0 && count > 0,
              "a page starts at a multiple of 4 KiB");
  u64 first = virtualPage / pageBytes;
  auto next = runs.lower_bound(first);
  if (count > endPage || first > endPage - count || runOf(first) != runs.end() ||
      (next != runs.end() && next->first - first < count))
    return false;
  runs.emplace(first, Run{physicalPage / pageBytes, count});
  mapped += count;
  ++changed;
  return true;
}

bool PageTable::unmap(u64 virtualPage, u64 count) {
  u64 first = virtualPage / pageBytes;
  auto found = runOf(first);
  if (found == runs.end() || count > found->second.count - (first - found->first))
    return false;
  auto [start, run] = *found;
  runs.erase(found);
  u64 before = first - start, after = run.count - before - count;
  if (before)
    runs.emplace(start, Run{run.physical, before});
  if (after)
    runs.emplace(first + count, Run{run.physical + before + count, after});
  mapped -= count;
  ++changed;
  return true;
}

std::optional<u64> PageTable::translate(u64 address) const {
  u64 page = address / pageBytes;
  auto run = runOf(page);
  if (run == runs.end())
    return std::nullopt;
  return (run->second.physical + page - run->first) * pageBytes + address % pageBytes;
}

std::optional<u64> PageFrames::take(u64 count) {
  std::lock_guard lock(mutex);
  u64 first = 0;
  for (auto [start, size] : taken) {
    if (start - first >= count)
      break;
    first = start + size;
  }
  if (count > endPage || first > endPage - count)
    return std::nullopt;
  taken.emplace(first, count);
  return first * PageTable::pageBytes;
}

void PageFrames::giveBack(u64 physicalPage, u64 count) {
  std::lock_guard lock(mutex);
  auto run = taken.find(physicalPage / PageTable::pageBytes);
  LENO_ASSERT(run != taken.end() && run->second == count, "pages are given back that were not taken so");
  taken.erase(run);
}
