#include "emu/memory/L2Traffic.h"
#include "asm/support/Assert.h"
#include "emu/warp/WarpState.h"

using namespace leno;

L2Traffic::L2Traffic(const MachineConfig &config, const PageTable *pages, L2Slices *shared)
    : pages(pages), shared(shared), lineBytes(config.l2.lineBytes),
      totals{decltype(Totals::sms)(config.sm.count), {}} {
  if (!shared)
    own.emplace(config);
}

L2Traffic::Counts &L2Traffic::Counts::operator+=(const Counts &other) {
  accesses += other.accesses;
  requests += other.requests;
  hits += other.hits;
  waitCycles += other.waitCycles;
  return *this;
}

L2Traffic::Totals &L2Traffic::Totals::operator+=(const Totals &other) {
  sms.resize(std::max(sms.size(), other.sms.size()));
  for (size_t sm = 0; sm < other.sms.size(); ++sm)
    for (unsigned sender = 0; sender < senders; ++sender)
      sms[sm][sender] += other.sms[sm][sender];
  host += other.host;
  return *this;
}

L2Traffic::Counts L2Traffic::Totals::of(Sender sender) const {
  Counts sum = sender == Host ? host : Counts();
  for (const auto &sm : sms)
    sum += sm[sender];
  return sum;
}

u64 L2Traffic::physicalOf(u64 address) {
  if (!pages)
    return address;
  u64 page = PageTable::pageOf(address);
  if (knownAt != pages->changes()) {
    known = {};
    knownAt = pages->changes();
  }
  Translation &entry = known[page / PageTable::pageBytes % known.size()];
  if (entry.page != page) {
    std::optional<u64> physical = pages->translate(page);
    LENO_ASSERT(physical, "an access that does not trap has no page");
    entry = {page, *physical};
  }
  return entry.physical + (address - page);
}

/// Natural alignment: no datum crosses a line. Neighbours come one after the other: look back first.
void L2Traffic::add(u64 physical, unsigned bytes) {
  u64 line = lineBytes.quotient(physical);
  auto same =
      std::find_if(requests.rbegin(), requests.rend(), [&](const Request &r) { return r.line == line; });
  Request &request = same == requests.rend() ? requests.emplace_back(Request{line, {}}) : *same;
  request.bytes.add(lineBytes.remainder(physical), bytes);
}

/// Bytes in a row, of an access that has asked for nothing so far.
void L2Traffic::addRow(u64 physical, u64 bytes) {
  for (u64 end = physical + bytes; physical < end;) {
    u64 line = lineBytes.quotient(physical), next = std::min((line + 1) * lineBytes, end);
    requests.push_back({line, ByteMask::range(lineBytes.remainder(physical), next - physical)});
    physical = next;
  }
}

/// The bytes that an access takes from the lowest lane's address on: when all lanes access that one, or lanes
/// in a row data in a row, within a page. Otherwise 0.
static u64 rowOf(const MemoryAccess &access) {
  unsigned first = unsigned(__builtin_ctz(access.lanes)), last = 31 - unsigned(__builtin_clz(access.lanes));
  u64 start = access.addresses[first], step = access.addresses[last] == start ? 0 : access.bytes;
  u64 bytes = step * (last - first) + access.bytes, differs = 0;
  if (PageTable::pageOf(start + bytes - 1) != PageTable::pageOf(start))
    return 0;
  if (step && access.lanes != (allLanes >> (31 - last) & allLanes << first)) // bytes between are nobody's
    return 0;
  if (access.lanes == allLanes) { // as vectors
    u64 used = step ? ~u64(0) : 0, shift = u64(__builtin_ctz(access.bytes));
    for (u64 lane = 0; lane < laneCount; ++lane)
      differs |= access.addresses[lane] ^ (start + (lane << shift & used));
  } else if (step)
    for (unsigned lane = first; lane <= last; ++lane)
      differs |= access.addresses[lane] ^ (start + step * (lane - first));
  else
    for (LaneMask left = access.lanes; left; left &= left - 1)
      differs |= access.addresses[__builtin_ctz(left)] ^ start;
  return differs ? 0 : bytes;
}

void L2Traffic::access(unsigned sm, const MemoryAccess &access, WarpClock &clock) {
  if (!access.lanes)
    return finish(sm, Global, access.kind, clock);
  if (u64 bytes = rowOf(access)) {
    addRow(physicalOf(access.addresses[__builtin_ctz(access.lanes)]), bytes);
    return finish(sm, Global, access.kind, clock);
  }
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
  if (access.lanes == allLanes && access.bytes == 4 &&
      std::equal(access.addresses + 1, access.addresses + laneCount, access.addresses)) {
    addRow(place + localOffset(0, u32(access.addresses[0])), rowBytes);
    return finish(sm, Local, access.kind, clock);
  }
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    for (unsigned done = 0; done < access.bytes; done += 4)
      add(place + localOffset(lane, u32(access.addresses[lane]) + done), std::min(access.bytes, 4u));
  }
  finish(sm, Local, access.kind, clock);
}

void L2Traffic::finish(unsigned sm, Sender sender, MemoryAccess::Kind kind, WarpClock &clock) {
  Counts &counts = totals.sms[sm][sender];
  u64 done = send(sm, counts, kind, clock.now());
  if (l2().takesTime() && kind != MemoryAccess::Kind::Store)
    counts.waitCycles += clock.waitUntil(done);
}

u64 L2Traffic::transaction(unsigned sm, u64 physical, u64 bytes, bool isWrite, u64 cycle) {
  for (u64 at = physical; at < physical + bytes; at += 8)
    add(at, 8);
  return send(sm, totals.sms[sm][Stack], isWrite ? MemoryAccess::Kind::Store : MemoryAccess::Kind::Load,
              cycle);
}

void L2Traffic::accessByHost(u64 address, u64 bytes, bool isWrite) {
  for (u64 at = address; at < address + bytes; at += 4)
    add(physicalOf(at), 4);
  send(l2().hostPort(), totals.host, isWrite ? MemoryAccess::Kind::Store : MemoryAccess::Kind::Load,
       l2().latest());
}

/// All requests of the access at hand; when the last is answered.
u64 L2Traffic::send(unsigned port, Counts &counts, MemoryAccess::Kind kind, u64 cycle) {
  L2Slices &to = l2();
  to.sends(cycle);
  ++counts.accesses;
  counts.requests += requests.size();
  u64 done = cycle;
  for (const Request &request : requests) {
    L2Slices::Answer answer = to.request(port, request.line, request.bytes, kind, cycle);
    counts.hits += answer.hit;
    done = std::max(done, answer.cycle);
  }
  requests.clear();
  return to.takesTime() ? done : cycle;
}
