#include "emu/memory/L2Traffic.h"
#include "emu/WarpState.h"
#include "isa/Assert.h"

using namespace leno;

static CacheShape shapeOf(const MachineConfig::L2 &config) {
  return {config.bytes, config.lineBytes, config.ways};
}

L2Traffic::L2Traffic(const MachineConfig &config, const PageTable *pages)
    : timed(config.timing.model == MachineConfig::Timing::Cycles), lineBytes(config.l2.lineBytes),
      l2Latency(config.l2.latency), memoryLatency(config.timing.memoryLatency), pages(pages),
      routes(unsigned(config.sm.count) + 1, unsigned(config.l2.slices), config.l2.lineBytes,
             timed ? config.l2.interval : 0),
      l2(config.l2.slices, L2Slice(shapeOf(config.l2), nullptr)), perSm(config.sm.count) {}

u64 L2Traffic::physicalOf(u64 address) const {
  if (!pages)
    return address;
  std::optional<u64> physical = pages->translate(address);
  LENO_ASSERT(physical, "an access that does not trap has no page");
  return *physical;
}

/// Natural alignment: no datum crosses a line. Neighbours come one after the other: look back first.
void L2Traffic::add(u64 physical, unsigned bytes) {
  u64 line = physical / lineBytes;
  auto same =
      std::find_if(requests.rbegin(), requests.rend(), [&](const Request &r) { return r.line == line; });
  Request &request = same == requests.rend() ? requests.emplace_back(Request{line, {}}) : *same;
  for (unsigned i = 0; i < bytes; ++i)
    request.bytes.set(physical % lineBytes + i);
}

void L2Traffic::access(unsigned sm, const MemoryAccess &access, WarpClock &clock) {
  u64 page = ~u64(0), physical = 0;
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    u64 address = access.addresses[__builtin_ctz(left)];
    if (PageTable::pageOf(address) != page) {
      page = PageTable::pageOf(address);
      physical = physicalOf(page);
    }
    add(physical + (address - page), access.bytes);
  }
  finish(sm, Global, access.kind, clock);
}

void L2Traffic::accessLocal(unsigned sm, u64 place, const MemoryAccess &access, WarpClock &clock) {
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    for (unsigned done = 0; done < access.bytes; done += 4)
      add(place + localOffset(lane, u32(access.addresses[lane]) + done), std::min(access.bytes, 4u));
  }
  finish(sm, Local, access.kind, clock);
}

void L2Traffic::finish(unsigned sm, Sender sender, MemoryAccess::Kind kind, WarpClock &clock) {
  Counts &counts = perSm[sm][sender];
  u64 done = send(sm, counts, kind, clock.now());
  if (timed && kind != MemoryAccess::Kind::Store)
    counts.waitCycles += clock.waitUntil(done);
}

u64 L2Traffic::transaction(unsigned sm, u64 physical, u64 bytes, bool isWrite, u64 cycle) {
  for (u64 at = physical; at < physical + bytes; at += 8)
    add(at, 8);
  return send(sm, perSm[sm][Stack], isWrite ? MemoryAccess::Kind::Store : MemoryAccess::Kind::Load, cycle);
}

void L2Traffic::accessByHost(u64 address, u64 bytes, bool isWrite) {
  for (u64 at = address; at < address + bytes; at += 4)
    add(physicalOf(at), 4);
  send(sms(), ofHost, isWrite ? MemoryAccess::Kind::Store : MemoryAccess::Kind::Load, latest);
}

/// All requests of the access at hand; when the last is answered.
u64 L2Traffic::send(unsigned port, Counts &counts, MemoryAccess::Kind kind, u64 cycle) {
  latest = std::max(latest, cycle);
  ++counts.accesses;
  u64 done = cycle;
  for (const Request &request : requests)
    done = std::max(done, send(port, counts, request, kind, cycle));
  requests.clear();
  return timed ? done : cycle;
}

u64 L2Traffic::send(unsigned port, Counts &counts, const Request &request, MemoryAccess::Kind kind,
                    u64 cycle) {
  u64 address = request.line * lineBytes;
  unsigned slice = routes.sliceOf(address);
  u64 within = routes.withinSlice(address) / lineBytes, start = routes.route(port, slice, cycle);
  // An atomic reads and writes in the slice: one request.
  bool hit = kind == MemoryAccess::Kind::Store ? l2[slice].store(within, request.bytes)
                                               : l2[slice].load(within, request.bytes);
  if (kind == MemoryAccess::Kind::Atomic)
    l2[slice].store(within, request.bytes);
  ++counts.requests;
  counts.hits += hit;
  // A store needs nothing from memory.
  return start + l2Latency + (hit || kind == MemoryAccess::Kind::Store ? 0 : memoryLatency);
}

u64 L2Traffic::requestsOf(unsigned number) const {
  u64 sum = 0;
  for (unsigned port = 0; port < routes.ports(); ++port)
    sum += routes.requestsOf(port, number);
  return sum;
}
