// Lock flags of global and of shared memory [S1].
#include "emu/engine/ServiceWarp.h"
#include "emu/engine/Services.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"
#include <mutex>

using namespace leno;
using llvm::formatv;
using service::Space;

static LockTable &locksOf(Warp &warp, Space space) {
  return space == Space::Shared ? warp.cta().locks() : warp.grid().locks();
}

void service::enterLocks(WarpState &state, Space space) {
  if (std::mutex *mutex = warpOf(state).grid().lockMutex(); mutex && space == Space::Global)
    mutex->lock();
}

void service::leaveLocks(WarpState &state, Space space) {
  if (std::mutex *mutex = warpOf(state).grid().lockMutex(); mutex && space == Space::Global)
    mutex->unlock();
}

LaneMask service::acquireLocks(WarpState &state, const Op &op, Space space, LaneMask lanes,
                               const u64 *addresses, unsigned bytes) {
  Warp &warp = warpOf(state);
  LaneMask acquired = 0;
  for (LaneMask left = lanes; left; left &= left - 1) // the lowest lane that wants a lock gets it
    if (unsigned lane = lowest(left); locksOf(warp, space).acquire(addresses[lane], bytes, {&warp, lane})) {
      acquired |= LaneMask(1) << lane;
      warp.locksHeld += bytes / 4;
    }
  warp.grid().tell(Observer::Locks,
                   [&](Observer &o) { o.lock(warp, op, {space, bytes, lanes, acquired, addresses}); });
  return acquired;
}

bool service::releaseLocks(WarpState &state, const Op &op, Space space, LaneMask lanes, const u64 *addresses,
                           unsigned bytes) {
  Warp &warp = warpOf(state);
  LockTable &locks = locksOf(warp, space);
  LaneMask bad = 0;
  // Two lanes cannot hold one flag, so judging all first judges as if one went after the other.
  for (LaneMask left = lanes; left; left &= left - 1)
    if (unsigned lane = lowest(left); !locks.holds(addresses[lane], bytes, {&warp, lane}))
      bad |= LaneMask(1) << lane;
  if (bad) {
    unsigned lane = lowest(bad);
    const LockTable::Holder *holder = locks.holder(addresses[lane], bytes);
    std::string who = "nobody holds it";
    if (holder) {
      Dim3 cta = holder->warp->cta().index();
      who =
          formatv("lane {0} of warp {1} of CTA ({2},{3},{4}) holds {5}", holder->lane, holder->warp->index(),
                  cta.x, cta.y, cta.z, *holder == LockTable::Holder{&warp, lane} ? "half of it" : "it");
    }
    warp.trap(op, TrapKind::IllegalOperand, bad,
              formatv("lane {0} unlocks {1} bytes at {2:x} of {3} memory without holding the lock: {4}", lane,
                      bytes, addresses[lane], nameOf(space), who),
              addresses[lane]);
    return false;
  }
  for (LaneMask left = lanes; left; left &= left - 1)
    locks.release(addresses[lowest(left)], bytes);
  warp.locksHeld -= unsigned(__builtin_popcount(lanes)) * (bytes / 4);
  warp.grid().tell(Observer::Locks,
                   [&](Observer &o) { o.unlock(warp, op, {space, bytes, lanes, lanes, addresses}); });
  return true;
}

bool service::lockHeldAtExit(WarpState &state, const Op &op, LaneMask lanes) {
  Warp &warp = warpOf(state);
  LaneMask holding = 0;
  std::string text;
  std::optional<u64> first;
  unsigned told = 0;
  enterLocks(state, Space::Global);
  for (Space space : {Space::Global, Space::Shared})
    for (auto [address, lane] : locksOf(warp, space).heldBy(&warp, lanes)) {
      holding |= LaneMask(1) << lane;
      if (!first)
        first = address;
      if (told++ < 8)
        text += formatv("{0}lane {1} holds the lock of {2:x} of {3} memory", told > 1 ? ", " : "", lane,
                        address, nameOf(space));
    }
  leaveLocks(state, Space::Global);
  if (!holding)
    return false;
  if (told > 8)
    text += formatv(", and {0} more", told - 8);
  warp.trap(op, TrapKind::LockHeldAtExit, holding, text, first);
  return true;
}
