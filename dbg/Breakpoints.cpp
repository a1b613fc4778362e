#include "dbg/Breakpoints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace leno::dbg {

static constexpr llvm::StringLiteral caughtNames[] = {"divergence", "reconvergence", "push",      "pop",
                                                      "spill",      "restore",       "barrier",   "release",
                                                      "cta-start",  "cta-end",       "warp-exit", "trap"};

llvm::StringRef nameOf(Caught event) { return caughtNames[unsigned(event)]; }

std::optional<Caught> caughtNamed(llvm::StringRef name) {
  auto found = llvm::find(caughtNames, name);
  return found == std::end(caughtNames) ? std::nullopt : std::optional(Caught(found - caughtNames));
}

llvm::ArrayRef<llvm::StringLiteral> caughtEvents() { return caughtNames; }
std::string namesOfCaught() { return llvm::join(std::begin(caughtNames), std::end(caughtNames), ", "); }

llvm::StringRef Breakpoint::kindName() const {
  static constexpr llvm::StringLiteral watches[] = {"watch", "read watch", "access watch"};
  if (kind == Watch)
    return watches[unsigned(access)];
  return kind == Catch ? "catch" : temporary ? "temporary" : "breakpoint";
}

bool Breakpoint::covers(u64 address) const { return llvm::is_contained(location.addresses, address); }

Breakpoint &Breakpoints::add(Location location, bool temporary, std::shared_ptr<const Expression> condition) {
  Breakpoint breakpoint;
  breakpoint.location = std::move(location);
  breakpoint.temporary = temporary;
  breakpoint.condition = std::move(condition);
  return add(std::move(breakpoint));
}

Breakpoint &Breakpoints::add(Breakpoint breakpoint) {
  breakpoint.id = ++lastId;
  return list.emplace_back(std::move(breakpoint));
}

Breakpoint *Breakpoints::find(unsigned id) {
  auto it = llvm::find_if(list, [&](const Breakpoint &b) { return b.id == id; });
  return it == list.end() ? nullptr : &*it;
}

bool Breakpoints::remove(unsigned id) {
  return std::erase_if(list, [&](const Breakpoint &b) { return b.id == id; }) != 0;
}

void Breakpoints::adopt(std::vector<Breakpoint> numbered) {
  list = std::move(numbered);
  for (const Breakpoint &point : list)
    lastId = std::max(lastId, point.id);
}

std::set<u64> Breakpoints::addresses() const {
  std::set<u64> result;
  for (const Breakpoint &breakpoint : list)
    if (breakpoint.enabled)
      result.insert(breakpoint.location.addresses.begin(), breakpoint.location.addresses.end());
  return result;
}

} // namespace leno::dbg
