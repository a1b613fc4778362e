// What the host does to memory while grids run.
#include "runtime/checks/RaceCheck.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using namespace leno::checks;
using llvm::formatv;
using Entry = ShadowMemory::Entry;

void RaceCheck::host(const HostEvent &event) {
  bool isMessage = event.isMessage;
  auto runs = [&](const Grid &grid) { return grid.id.first == event.context && !grid.ended && !grid.isHost; };
  bool writes = event.kind == HostEvent::Writes;
  if ((!writes && event.kind != HostEvent::Reads) || llvm::none_of(grids, runs))
    return;
  WarpState &state = hosts[event.context];
  if (!state.id) {
    grids.push_back({{event.context, 0}, 0, 0, {}, true});
    state.id = u32(people.size());
    people.push_back({{}, 0, grids.size() - 1, 0});
    state.strands.emplace_back();
  }
  grids[people[state.id].grid].begun = ++moments;
  advance(state);
  Strand &strand = state.strands.front();
  Entry now;
  now.warp = state.id, now.time = state.time, now.op = ~u32(0);
  Doing doing = isMessage ? (writes ? Doing::Atomic : Doing::Ordering) : writes ? Doing::Store : Doing::Load;
  now.doing = u32(doing);
  auto fate = [&](const Entry &before) { return fateOf(strand, state, doing, before); };
  auto tell = [&](const Entry &now, const Entry &before, u64 address, unsigned bytes, bool) {
    hostFound(event.context, now, before, address, bytes);
  };
  ++accesses;
  u64 memory = u64(event.context) << 32, firstWord = u64(event.context) << 40;
  for (u64 at = event.address, end = event.address + event.bytes; at < end;) {
    unsigned bytes = at % 4 == 0 && end - at >= 4 ? 4 : 1;
    std::array<u64, laneCount> addresses;
    LaneMask lanes = 0;
    for (unsigned lane = 0; lane < laneCount && at + bytes <= end; ++lane, at += bytes) {
      addresses[lane] = at;
      lanes |= LaneMask(1) << lane;
      if (isMessage && writes) // it has fenced before
        words[firstWord + at / 4].all.join(strand.knows);
      if (isMessage && !writes) {
        if (auto found = words.find(firstWord + at / 4); found != words.end())
          strand.knows.join(found->second.all);
        if (auto found = published.find(firstWord + at / 4); found != published.end())
          strand.knows.join(found->second->all);
      }
      if (bytes == 1 && (at + 1) % 4 == 0) {
        ++at;
        break;
      }
    }
    now.shift = bytes == 4 ? 2 : 0;
    lost += !shadow.access(memory, addresses.data(), lanes, lanes == allLanes, now, racingWith(doing), fate,
                           tell);
  }
}

void RaceCheck::hostFound(u32 context, const Entry &now, const Entry &before, u64 address, unsigned bytes) {
  std::string kind = formatv("{0}-after-{1}", nameOf(Doing(now.doing)), nameOf(Doing(before.doing)));
  u64 otherPc = before.op * u64(8);
  if (findings.counts(kind, 0, otherPc, accesses))
    return;
  Finding finding;
  finding.check = "race";
  finding.kind = kind;
  finding.text = formatv(
      "{0} at {1:x} of global memory by the host, and nothing orders it behind the {2} of a launch that runs",
      nameOf(Doing(now.doing)), address, nameOf(Doing(before.doing)));
  finding.context = context;
  finding.launch = grids[people[before.warp].grid].id.second;
  finding.first = actionOf(now, address);
  finding.second = actionOf(before, address);
  finding.space = MemorySpace::Global;
  finding.address = address;
  finding.bytes = bytes;
  findings.add(std::move(finding), accesses);
}
