#include "dbg/Breakpoints.h"
#include "llvm/ADT/STLExtras.h"

namespace leno::dbg {

bool Breakpoint::covers(u64 address) const { return llvm::is_contained(location.addresses, address); }

Breakpoint &Breakpoints::add(Location location, bool temporary, std::shared_ptr<const Expression> condition) {
  Breakpoint breakpoint;
  breakpoint.id = ++lastId;
  breakpoint.location = std::move(location);
  breakpoint.temporary = temporary;
  breakpoint.condition = std::move(condition);
  return list.emplace_back(std::move(breakpoint));
}

Breakpoint *Breakpoints::find(unsigned id) {
  auto it = llvm::find_if(list, [&](const Breakpoint &b) { return b.id == id; });
  return it == list.end() ? nullptr : &*it;
}

bool Breakpoints::remove(unsigned id) {
  return std::erase_if(list, [&](const Breakpoint &b) { return b.id == id; }) != 0;
}

std::set<u64> Breakpoints::addresses() const {
  std::set<u64> result;
  for (const Breakpoint &breakpoint : list)
    if (breakpoint.enabled)
      result.insert(breakpoint.location.addresses.begin(), breakpoint.location.addresses.end());
  return result;
}

} // namespace leno::dbg
