// What a checker has found: a mistake that a run shows, with the places of both sides.
#pragma once

#include "emu/Trap.h"
#include <optional>
#include <string>
#include <vector>

namespace leno::checks {

/// What lanes of a warp did, and where.
struct Action {
  std::string what;            ///< "store", "load", "atomic", "barrier", "lock": what a report calls it
  u64 pc = 0;                  ///< byte address of the instruction
  u64 launch = 0;              ///< another one than the finding's; 0: the same
  Dim3 cta{0, 0, 0};           ///< CTA index in the grid
  unsigned warp = 0;           ///< warp in the CTA
  LaneMask lanes = 0;          ///< lanes that did it
  bool isHost = false;         ///< the host did it: nothing above but `what` is meant
  std::vector<CallSite> calls; ///< the call path, the innermost first
  std::optional<u64> value;    ///< what was stored or loaded, of the lowest lane; as many bytes as it has
};

struct Finding {
  std::string check;                ///< "memory", "race", "init" or "sync"
  std::string kind;                 ///< a stable name, as "use-after-release": suppressions and JSON name it
  std::string text;                 ///< what is wrong, one sentence, lower-case, no final dot
  u64 launch = 0;                   ///< GridRun::gridId(): of its context, from 1
  u32 context = 0;                  ///< its number; 0 where there is one
  Action first;                     ///< who is told of: the later one of two
  std::optional<Action> second;     ///< who was there before
  std::optional<MemorySpace> space; ///< none: not about memory
  u64 address = 0;                  ///< in that space, of the lowest byte
  unsigned bytes = 0;               ///< how many there are at fault from there
  std::vector<std::string> notes;   ///< lines below: the buffer, the distance, where it was released
  u64 count = 1;                    ///< equal ones: the same kind at the same instructions
};

} // namespace leno::checks
