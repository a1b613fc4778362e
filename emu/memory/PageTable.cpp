#include "emu/memory/PageTable.h"
#include "isa/Assert.h"

using namespace leno;

bool PageTable::map(u64 virtualPage, u64 physicalPage) {
  LENO_ASSERT(virtualPage % pageBytes == 0 && physicalPage % pageBytes == 0,
              "a page starts at a multiple of 4 KiB");
  return virtualPage < endAddress &&
         entries.try_emplace(virtualPage / pageBytes, physicalPage / pageBytes).second;
}

bool PageTable::unmap(u64 virtualPage) { return entries.erase(virtualPage / pageBytes); }

std::optional<u64> PageTable::translate(u64 address) const {
  auto entry = entries.find(address / pageBytes);
  if (address >= endAddress || entry == entries.end())
    return std::nullopt;
  return entry->second * pageBytes + address % pageBytes;
}
