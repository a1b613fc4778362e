#include "dbg/Breakpoints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace leno::dbg {

static constexpr llvm::StringLiteral caughtNames[] = {
    "divergence",     "reconvergence", "push",      "pop",         "spill",      "restore",
    "barrier",        "release",       "cta-start", "cta-end",     "warp-exit",  "trap",
    "finding",        "memory",        "race",      "init",        "sync",       "context-switch",
    "context-change", "sm-granted",    "sm-saves",  "sm-restores", "grid-start", "grid-end",
    "page-fault",     "context-end",   "message",   "reply"};
static_assert(std::size(caughtNames) == size_t(Caught::Last) + 1);

llvm::StringRef nameOf(Caught event) { return caughtNames[unsigned(event)]; }

std::optional<Caught> caughtNamed(llvm::StringRef name) {
  auto found = llvm::find(caughtNames, name);
  return found == std::end(caughtNames) ? std::nullopt : std::optional(Caught(found - caughtNames));
}

llvm::ArrayRef<llvm::StringLiteral> caughtEvents(bool withContexts) {
  llvm::ArrayRef<llvm::StringLiteral> all = caughtNames;
  return withContexts ? all : all.take_front(size_t(Caught::ContextSwitch));
}
std::string namesOfCaught(bool withContexts) { return llvm::join(caughtEvents(withContexts), ", "); }

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

} // namespace leno::dbg
