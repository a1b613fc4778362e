//===- Breakpoints.h - Where to stop --------------------------------------===//
#pragma once

#include "dbg/Expression.h"
#include "dbg/Location.h"
#include <memory>
#include <set>

namespace leno::dbg {

struct Breakpoint {
  unsigned id = 0; ///< from 1, never used again
  Location location;
  bool enabled = true;
  bool temporary = false; ///< gone after its first stop
  /// Stops only for the active lanes for which it is true.
  std::shared_ptr<const Expression> condition;
  u64 hits = 0;

  bool covers(u64 address) const;
};

/// The user's breakpoints, in the order of their numbers. Knows nothing of the machine: the session arms
/// addresses().
class Breakpoints {
public:
  Breakpoint &add(Location location, bool temporary, std::shared_ptr<const Expression> condition);
  /// Null when there is none of that number.
  Breakpoint *find(unsigned id);
  bool remove(unsigned id);
  void clear() { list.clear(); }
  llvm::ArrayRef<Breakpoint> all() const { return list; }
  llvm::MutableArrayRef<Breakpoint> all() { return list; }
  /// Where an enabled breakpoint is.
  std::set<u64> addresses() const;

private:
  std::vector<Breakpoint> list;
  unsigned lastId = 0;
};

} // namespace leno::dbg
