#include "emu/engine/ServiceWarp.h"
#include "emu/engine/Services.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"
#include <atomic>
#include <cstring>

using namespace leno;
using llvm::formatv;
using service::Space;

static constexpr u64 sharedWindow = AddressSpace::sharedWindow, localWindow = AddressSpace::localWindow,
                     windowBytes = AddressSpace::windowBytes;

/// S1, unified address mapping: where a generic address leads. CHOICE: what is in no window is global.
static Space spaceOf(u64 address) {
  return address - sharedWindow < windowBytes  ? Space::Shared
         : address - localWindow < windowBytes ? Space::Local
                                               : Space::Global;
}

//===--- Traps ------------------------------------------------------------===//

const Op *service::misalignedAddress(WarpState &state, const Op &op, Space space, LaneMask lanes,
                                     const u64 *addresses, unsigned bytes) {
  unsigned lane = lowest(lanes);
  u64 address = addresses[lane];
  return warpOf(state).trap(
      op, TrapKind::MisalignedAddress, lanes,
      formatv("lane {0} accesses {1} bytes at {2:x} of {3} memory, not a multiple of {1}", lane, bytes,
              address, nameOf(space == Space::Generic ? spaceOf(address) : space)),
      address);
}

const Op *service::invalidConstant(WarpState &state, const Op &op, LaneMask lanes, const u64 *addresses,
                                   unsigned bytes) {
  unsigned lane = lowest(lanes);
  return warpOf(state).trap(op, TrapKind::InvalidConstantAddress, lanes,
                            formatv("lane {0} reads {1} bytes at c[{2}][{3:x}]; the bank holds {4} bytes",
                                    lane, bytes, op.extra, addresses[lane], state.constants[op.extra].size),
                            addresses[lane]);
}

/// What is wrong with an address that `space` does not hold. `viaWindow`: how a generic address was written.
static std::string outsideOf(const Warp &warp, Space space, unsigned lane, u64 address, unsigned bytes,
                             bool viaWindow = false) {
  std::string start = formatv("lane {0} accesses {1} byte{2} at {3:x}{4}", lane, bytes, bytes == 1 ? "" : "s",
                              address, viaWindow ? formatv(", {0:x}", u32(address)).str() : "");
  if (space == Space::Shared)
    return start + formatv(" of shared memory; the CTA has {0} bytes of it", warp.shared.size).str();
  if (space == Space::Local)
    return start + formatv(" of local memory; a lane has {0} bytes of it", warp.local.size).str();
  start += " of global memory, " + warp.grid().device().memory().describe(address);
  if (Space other = spaceOf(address); other != Space::Global)
    start += formatv("; it is in the window of {0} memory, which LD and ST reach", nameOf(other)).str();
  return start;
}

static const Op *outOfRange(WarpState &state, const Op &op, Space space, LaneMask lanes, const u64 *addresses,
                            unsigned bytes, bool viaWindow = false) {
  Warp &warp = warpOf(state);
  unsigned lane = lowest(lanes);
  return warp.trap(op, TrapKind::AddressOutOfRange, lanes,
                   outsideOf(warp, space, lane, addresses[lane], bytes, viaWindow), addresses[lane]);
}

const Op *service::outOfShared(WarpState &state, const Op &op, LaneMask lanes, const u64 *addresses,
                               unsigned bytes) {
  return outOfRange(state, op, Space::Shared, lanes, addresses, bytes);
}

const Op *service::outOfLocal(WarpState &state, const Op &op, LaneMask lanes, const u64 *addresses,
                              unsigned bytes) {
  return outOfRange(state, op, Space::Local, lanes, addresses, bytes);
}

//===--- From addresses to the host ---------------------------------------===//

static bool isInside(const MemoryWindow &window, u64 address, unsigned bytes) {
  u64 offset = address - window.base;
  return offset < window.size && bytes <= window.size - offset;
}

/// S4: the page of an allocation on demand. The warp waits until the driver has mapped it.
static MemoryWindow pageOf(Warp &warp, const AddressSpace::Allocation &allocation, u64 address) {
  Device &device = warp.grid().device();
  WarpClock &clock = warp.time();
  clock.waitUntil(
      device.memory().touchPage(allocation, address, clock.now(), device.config().device.faultCycles));
  return AddressSpace::pageWindow(allocation, address);
}

/// Host addresses of global accesses; the lanes for which there are none. Moves the warp's window to the
/// allocation of the lowest lane: the next access is likely there again.
static LaneMask findGlobal(Warp &warp, LaneMask lanes, const u64 *addresses, unsigned bytes,
                           unsigned char **hosts) {
  const AddressSpace &memory = warp.grid().device().memory();
  LaneMask bad = 0;
  MemoryWindow window{};
  for (LaneMask left = lanes; left; left &= left - 1) {
    unsigned lane = lowest(left);
    if (!isInside(window, addresses[lane], bytes)) {
      const AddressSpace::Allocation *found = memory.find(addresses[lane], bytes);
      if (!found) {
        bad |= LaneMask(1) << lane;
        continue;
      }
      MemoryWindow reached = found->isOnDemand ? pageOf(warp, *found, addresses[lane]) : found->window;
      if (!window.size && warp.global.base != reached.base) {
        warp.otherGlobal = warp.global;
        warp.global = reached;
      }
      window = reached;
    }
    hosts[lane] = window.host + (addresses[lane] - window.base);
  }
  return bad;
}

static LaneMask findShared(Warp &warp, LaneMask lanes, const u64 *addresses, unsigned bytes,
                           unsigned char **hosts) {
  LaneMask bad = 0;
  for (LaneMask left = lanes; left; left &= left - 1) {
    unsigned lane = lowest(left);
    u32 address = u32(addresses[lane]); // the low word of a generic one
    if (isInside(warp.shared, address, bytes))
      hosts[lane] = warp.shared.host + address;
    else
      bad |= LaneMask(1) << lane;
  }
  return bad;
}

static LaneMask findLocal(Warp &warp, LaneMask lanes, const u64 *addresses, unsigned bytes,
                          unsigned char **hosts) {
  LaneMask bad = 0;
  for (LaneMask left = lanes; left; left &= left - 1) {
    unsigned lane = lowest(left);
    u32 address = u32(addresses[lane]);
    if (isInside(warp.local, address, bytes))
      hosts[lane] = warp.localByte(lane, address);
    else
      bad |= LaneMask(1) << lane;
  }
  return bad;
}

bool service::resolveGlobal(WarpState &state, const Op &op, LaneMask lanes, const u64 *addresses,
                            unsigned bytes, unsigned char **hosts) {
  LaneMask bad = findGlobal(warpOf(state), lanes, addresses, bytes, hosts);
  if (bad)
    outOfRange(state, op, Space::Global, bad, addresses, bytes);
  return !bad;
}

bool service::resolveGeneric(WarpState &state, const Op &op, AccessKind kind, LaneMask lanes,
                             const u64 *addresses, unsigned bytes, unsigned char **hosts,
                             LaneMask &localLanes) {
  Warp &warp = warpOf(state);
  LaneMask in[4] = {}; // by Space
  for (LaneMask left = lanes; left; left &= left - 1)
    in[unsigned(spaceOf(addresses[lowest(left)]))] |= left & -left;
  localLanes = in[unsigned(Space::Local)];
  LaneMask sharedLanes = in[unsigned(Space::Shared)], globalLanes = in[unsigned(Space::Global)];
  LaneMask bad = findGlobal(warp, globalLanes, addresses, bytes, hosts) |
                 findShared(warp, sharedLanes, addresses, bytes, hosts) |
                 findLocal(warp, localLanes, addresses, bytes, hosts);
  if (bad) {
    Space space = spaceOf(addresses[lowest(bad)]);
    outOfRange(state, op, space, bad, addresses, bytes, space != Space::Global);
    return false;
  }
  if (!(canBeWatched && warp.genericWatched) && !warp.memoryModelled)
    return true;
  u64 inSpace[laneCount];
  for (Space space : {Space::Global, Space::Shared, Space::Local})
    if (LaneMask some = in[unsigned(space)]) {
      for (unsigned lane = 0; lane < laneCount; ++lane)
        inSpace[lane] = space == Space::Global ? addresses[lane] : u32(addresses[lane]);
      observeMemory(state, op, space, kind, bytes, some, inSpace);
    }
  return true;
}

bool service::resolveDirect(WarpState &state, const Op &op, Space space, LaneMask lanes, const u64 *addresses,
                            unsigned bytes, unsigned char **hosts) {
  LaneMask bad = 0;
  for (LaneMask left = lanes; left; left &= left - 1)
    if (addresses[lowest(left)] % bytes != 0)
      bad |= left & -left;
  if (bad) {
    misalignedAddress(state, op, space, bad, addresses, bytes);
    return false;
  }
  Warp &warp = warpOf(state);
  bad = space == Space::Shared ? findShared(warp, lanes, addresses, bytes, hosts)
                               : findGlobal(warp, lanes, addresses, bytes, hosts);
  if (bad) {
    outOfRange(state, op, space, bad, addresses, bytes);
    return false;
  }
  return true;
}

/// Of LDG and LD, which alone have a cache operator.
static isa::LoadCache cacheOf(const Op &op) {
  auto of = [&](auto mods) {
    std::memcpy(&mods, op.mods, sizeof(mods));
    return mods.cache;
  };
  return op.semantic == Semantic::LDG  ? of(isa::LDGMods())
         : op.semantic == Semantic::LD ? of(isa::LDMods())
                                       : isa::LoadCache::CA;
}

static void accessGlobal(MemoryChain &chain, Warp &warp, unsigned sm, const MemoryAccess &access) {
  chain.access(sm, access, warp.time());
  if (const MemoryChain::Placed *times = chain.placed()) [[unlikely]]
    warp.grid().accessPlaced(access, *times);
}

void service::observeMemory(WarpState &state, const Op &op, Space space, AccessKind kind, unsigned bytes,
                            LaneMask lanes, const u64 *addresses) {
  MemoryAccess access{space, kind, bytes, lanes, addresses, cacheOf(op)};
  Warp &warp = warpOf(state);
  if (MemoryChain *chain = warp.grid().memoryChain()) {
    unsigned sm = warp.multiprocessor().index();
    if (space == Space::Global)
      accessGlobal(*chain, warp, sm, access);
    else if (space == Space::Local)
      chain->accessLocal(sm, warp.grid().physicalOf(warp.local), access, warp.time());
  }
  bool isGeneric = op.semantic == Semantic::LD || op.semantic == Semantic::ST;
  Observer::Interest to = isGeneric                    ? Observer::GenericMemory
                          : kind == AccessKind::Atomic ? Observer::Atomics
                                                       : Observer::Memory;
  warp.grid().tell(to, [&](Observer &o) { o.memory(warp, op, access); });
}

//===--- Constants and fences ---------------------------------------------===//

const Op *service::readConstants(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  if (warp.executing(op) && !warp.grid().constantCaches()->read(warp, op)) {
    state.status = WarpStatus::AwaitsConstants;
    state.pc = &op;
    return nullptr;
  }
  return op.flags & Op::popSync   ? popSync(state, op)
         : op.flags & Op::setSync ? setSync(state, op)
                                  : op.inner(state, op);
}

const Op *service::fence(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  if (warp.grid().lockMutex())
    std::atomic_thread_fence(std::memory_order_seq_cst);
  LaneMask lanes = warp.executing(op);
  if (const MemoryChain *chain = warp.grid().memoryChain(); chain && lanes)
    warp.time().waitUntil(chain->landed(warp.multiprocessor().index()));
  if (lanes)
    warp.grid().tell(Observer::Fences, [&](Observer &o) { o.fence(warp, op, lanes); });
  return &op + 1;
}
