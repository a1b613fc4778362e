//===- Services.h - What handlers ask of the machine ----------------------===//
// The rare and the wordy, compiled once for every engine: traps, the stack,
// barriers, memory that is not where it was last time.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/memory/MemoryAccess.h"
#include "emu/warp/WarpState.h"

namespace leno::service {

using Space = MemorySpace;
using AccessKind = MemoryAccess::Kind;

/// Each returns what the handler shall return. `lanes` are those at fault.
const Op *misalignedAddress(WarpState &, const Op &, Space, LaneMask lanes, const u64 *addresses,
                            unsigned bytes);
const Op *invalidConstant(WarpState &, const Op &, LaneMask lanes, const u64 *addresses, unsigned bytes);
const Op *outOfShared(WarpState &, const Op &, LaneMask lanes, const u64 *addresses, unsigned bytes);
const Op *outOfLocal(WarpState &, const Op &, LaneMask lanes, const u64 *addresses, unsigned bytes);
const Op *brokenUniform(WarpState &, const Op &, LaneMask taken);

/// Host addresses of `lanes`' global accesses of `bytes` bytes. False: the
/// warp has trapped. Moves the warp's window to the allocation of the lowest lane.
bool resolveGlobal(WarpState &, const Op &, LaneMask lanes, const u64 *addresses, unsigned bytes,
                   unsigned char **hosts);
/// The same for generic addresses, each lane's in its own space. Word k of a local datum, `localLanes`,
/// stands k rows further on, of others k words. Tells of the access, as observeMemory.
bool resolveGeneric(WarpState &, const Op &, AccessKind, LaneMask lanes, const u64 *addresses, unsigned bytes,
                    unsigned char **hosts, LaneMask &localLanes);
/// The same for atomics and locks, of global or shared memory: judges alignment too.
bool resolveDirect(WarpState &, const Op &, Space, LaneMask lanes, const u64 *addresses, unsigned bytes,
                   unsigned char **hosts);
/// An access that does not trap: asks the models of memory how long it takes, and tells the observers.
void observeMemory(WarpState &, const Op &, Space, AccessKind, unsigned bytes, LaneMask lanes,
                   const u64 *addresses);

/// A locking instruction is one step for other host threads, its data included: it enters before it looks at
/// the locks and leaves when its data have moved.
void enterLocks(WarpState &, Space);
void leaveLocks(WarpState &, Space);
/// S1: the lanes that get the locks of their addresses, the lowest first.
LaneMask acquireLocks(WarpState &, const Op &, Space, LaneMask lanes, const u64 *addresses, unsigned bytes);
/// Gives locks back. False: a lane does not hold its own, and the warp has trapped.
bool releaseLocks(WarpState &, const Op &, Space, LaneMask lanes, const u64 *addresses, unsigned bytes);
/// True: one of the lanes that exit holds a lock, and the warp has trapped.
bool lockHeldAtExit(WarpState &, const Op &, LaneMask lanes);

/// What a special register holds: most are a ramp over the lanes, which an engine makes as it goes. Plain
/// data, for the reason of WarpState.h.
struct SpecialValues {
  u32 first, step; ///< lane i has first + i * step,
  bool isRamp;     ///< or else what stands in `each`
  u32 each[laneCount];
};
/// False: the warp waits for a fresh clock, or trapped.
bool specialRegister(WarpState &, const Op &, SpecialValues &);

const Op *diverge(WarpState &, const Op &, LaneMask taken);
/// BRX, JMX: the taken lanes go to the byte address that each has in `targets`.
const Op *branchIndirect(WarpState &, const Op &, LaneMask taken, const s64 *targets, bool uniform);
enum class Push : u8 { Sync, Brk, Cont, Ret };
const Op *push(WarpState &, const Op &, Push);
const Op *call(WarpState &, const Op &);
enum class Leave : u8 { Join, Brk, Cont, Ret, Exit };
/// Takes `lanes` out of A; `next` runs on with the others, or the stack unwinds.
const Op *leave(WarpState &, const Op &, LaneMask lanes, Leave, const Op *next);
/// Its last lanes have exited there.
const Op *retire(WarpState &, const Op &);
/// BAR: its number is `immediate` plus row a, its count what `extra` says.
const Op *barrier(WarpState &, const Op &, LaneMask lanes, BarrierOperation);
const Op *breakpointTrap(WarpState &, const Op &, LaneMask lanes);

/// Wrappers and traps that stand as an operation's handler.
const Op *popSync(WarpState &, const Op &);
const Op *setSync(WarpState &, const Op &);
/// First the constants come through their caches; if they cannot, the warp waits.
const Op *readConstants(WarpState &, const Op &);
/// The operation itself, or a wrapper of it.
inline Handler uncounted(const Op &op) {
  if (!(op.flags & (Op::readsConstants | Op::popSync | Op::setSync))) [[likely]]
    return op.inner;
  return op.flags & Op::readsConstants ? readConstants : op.flags & Op::popSync ? popSync : setSync;
}
/// The same that counts, as op.counting says.
Handler counted(const Op &op);
/// What the loop calls for an operation, were there no breakpoint.
inline Handler wrapped(const Op &op) {
  return op.counting == Counting::WithOthers ? uncounted(op) : counted(op);
}
/// It traps instead of doing anything.
bool isFaulty(const Op &op);
const Op *breakpoint(WarpState &, const Op &);
const Op *endOfProgram(WarpState &, const Op &);
const Op *illegalInstruction(WarpState &, const Op &);
const Op *misalignedRegister(WarpState &, const Op &);
const Op *misalignedConstant(WarpState &, const Op &);
const Op *badTarget(WarpState &, const Op &);
const Op *misalignedTarget(WarpState &, const Op &);
const Op *badConstantSource(WarpState &, const Op &);
/// MEMBAR, where CTAs run on several host threads or somebody wants to hear of it.
const Op *fence(WarpState &, const Op &);

} // namespace leno::service
