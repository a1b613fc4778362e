//===- Breakpoints.h - Where to stop --------------------------------------===//
#pragma once

#include "dbg/Expression.h"
#include "dbg/Location.h"
#include <functional>
#include <memory>
#include <set>

namespace leno {
class Executable;
class Warp;
} // namespace leno

namespace leno::dbg {

/// What counts as an access to a watched place. Write: an instruction after which it has another value.
enum class WatchAccess : u8 { Write, Read, Any };
enum class Caught : u8 {
  Divergence,
  Reconvergence,
  Push,
  Pop,
  Spill,
  Restore,
  Barrier,
  Release,
  CtaStart,
  CtaEnd,
  Exit,
  Trap,
  Finding, ///< of any check, and of the one of that name
  Memory,
  Race,
  Init,
  Sync,
  // Of a device with contexts:
  ContextSwitch, ///< an SM changes hands: granted, saves, restores, drains
  ContextChange, ///< S4's event
  SmGranted,
  SmSaves,
  SmRestores,
  GridStart,
  GridEnd,
  PageFault,
  ContextEnd,
  Message, ///< the host begins to send one
  Reply,   ///< the host has taken one
  Last = Reply
};
/// "divergence", "cta-start": as users write it.
llvm::StringRef nameOf(Caught event);
/// It is the device's, of a context rather than a warp.
constexpr bool isOfContexts(Caught event) { return event >= Caught::ContextSwitch; }
/// A checker has found it.
constexpr bool isOfChecks(Caught event) { return event >= Caught::Finding && event <= Caught::Sync; }
std::optional<Caught> caughtNamed(llvm::StringRef name);
std::string namesOfCaught(bool withContexts = false);
/// Those of warps, and of contexts.
llvm::ArrayRef<llvm::StringLiteral> caughtEvents(bool withContexts = false);

/// Something that stops: a place in the code, a watched place of data or an event.
struct Breakpoint {
  enum Kind : u8 { Code, Watch, Catch } kind = Code;
  unsigned id = 0; ///< from 1, never used again
  Location location{};
  Place place{}; ///< Watch
  WatchAccess access = WatchAccess::Write;
  Caught caught = Caught::Divergence;
  std::string text{}; ///< Watch, Catch: what was asked for
  /// Code: in which context and program; null: in whatever runs.
  u32 context = 0;
  const Executable *program = nullptr;
  bool everywhere = false; ///< in every context that runs the program
  bool enabled = true;
  bool temporary = false; ///< gone after its first stop
  /// Stops only for the active lanes for which it is true.
  std::shared_ptr<const Expression> condition;
  bool conditionFailed = false; ///< it could not be computed: that has stopped once, and does so no more
  u64 hits = 0;
  u64 ignore = 0;                      ///< so many stops are passed over
  std::vector<std::string> commands{}; ///< to be executed at a stop
  bool isForeign = false;              ///< the commands came with a saved session
  u64 stopsLeft = 0;                   ///< disabled after so many more; 0: never
  std::string message{};               ///< of `dprintf`: what is printed instead of a stop
  /// Asked after the condition and `ignore`, forwards only: true goes on without a stop.
  std::function<bool(const Breakpoint &, Warp &)> passes{};
  bool neverStops = false; ///< it only tells: `passes` writes a line

  llvm::StringRef kindName() const;
  bool covers(u64 address) const;
};

/// The user's breakpoints, in the order of their numbers. Knows nothing of the machine: the session arms
/// them.
class Breakpoints {
public:
  Breakpoint &add(Location location, bool temporary, std::shared_ptr<const Expression> condition);
  /// Numbers it.
  Breakpoint &add(Breakpoint breakpoint);
  /// Null when there is none of that number.
  Breakpoint *find(unsigned id);
  const Breakpoint *find(unsigned id) const { return const_cast<Breakpoints *>(this)->find(id); }
  bool remove(unsigned id);
  void clear() { list.clear(); }
  /// Takes numbered ones, in place of what is there.
  void adopt(std::vector<Breakpoint> numbered);
  llvm::ArrayRef<Breakpoint> all() const { return list; }
  llvm::MutableArrayRef<Breakpoint> all() { return list; }

private:
  std::vector<Breakpoint> list;
  unsigned lastId = 0;
};

} // namespace leno::dbg
