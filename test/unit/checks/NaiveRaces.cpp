#include "test/unit/checks/NaiveRaces.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"

using namespace leno;
using namespace leno::test;

void NaiveRaces::learn(Clock &clock, const Clock &other) {
  if (clock.size() < other.size())
    clock.resize(other.size());
  for (size_t k = 0; k < other.size(); ++k)
    clock[k] = std::max(clock[k], other[k]);
}

unsigned NaiveRaces::firstLane(const Warp &warp) const {
  return (warp.cta().index().x * warps + warp.index()) * laneCount;
}

template <class F> static void each(LaneMask mask, F &&use) {
  for (unsigned lane = 0; lane < laneCount; ++lane)
    if (mask >> lane & 1)
      use(lane);
}

// Lanes that are active together learn from one another all that each has done and heard.
void NaiveRaces::instruction(const Warp &warp, const Op &op, LaneMask executing) {
  unsigned first = firstLane(warp);
  Lane together;
  each(warp.active, [&](unsigned k) {
    const Lane &lane = lanes[first + k];
    learn(together.knows, lane.knows);
    learn(together.ctaFence, lane.ctaFence);
    learn(together.wideFence, lane.wideFence);
    learn(together.ctaHeard, lane.ctaHeard);
    learn(together.wideHeard, lane.wideHeard);
  });
  if (op.semantic == Semantic::MEMBAR && executing) {
    isa::MEMBARMods mods;
    std::memcpy(&mods, op.mods, sizeof(mods));
    learn(together.knows, together.ctaHeard);
    if (mods.scope != isa::MemScope::CTA)
      learn(together.knows, together.wideHeard);
    together.ctaFence = together.knows;
    if (mods.scope != isa::MemScope::CTA)
      together.wideFence = together.knows;
  }
  ++step;
  // The steps of its lanes that are its own; all of them when the next one begins.
  each(warp.active, [&](unsigned k) { lanes[first + k] = together; });
  each(warp.active, [&](unsigned k) { ++lanes[first + k].knows[first + k]; });
}

void NaiveRaces::memory(const Warp &warp, const Op &op, const MemoryAccess &access) {
  bool isLock = op.semantic == Semantic::LDLK || op.semantic == Semantic::STUL ||
                op.semantic == Semantic::LDSLK || op.semantic == Semantic::STSUL;
  char kind = isLock || access.kind == MemoryAccess::Kind::Atomic ? 'a'
              : access.kind == MemoryAccess::Kind::Store          ? 's'
              : access.cache == isa::LoadCache::CV                ? 'o'
                                                                  : 'l';
  unsigned first = firstLane(warp), cta = warp.cta().index().x;
  unsigned place = access.space == MemorySpace::Shared ? cta : 0;
  each(isLock ? access.lanes & taken : access.lanes, [&](unsigned k) {
    u64 address = access.addresses[k];
    Access one{first + k,
               lanes[first + k].knows[first + k],
               lanes[first + k].knows,
               step,
               kind,
               access.bytes,
               address,
               warp.addressOf(op),
               {}};
    if (kind == 's')
      for (unsigned word = 0; word < std::max(1u, access.bytes / 4); ++word)
        one.value.push_back(reinterpret_cast<const u32 *>(warp.frame + op.d)[word * laneCount + k] &
                            (access.bytes == 1   ? 0xffu
                             : access.bytes == 2 ? 0xffffu
                                                 : 0xffffffffu));
    for (u64 word = address / 4; word <= (address + access.bytes - 1) / 4; ++word)
      accesses[{access.space, place, word}].push_back(one);
  });
  if (kind == 's')
    each(access.lanes, [&](unsigned k) {
      for (u64 word = access.addresses[k] / 4; word <= (access.addresses[k] + access.bytes - 1) / 4; ++word) {
        Flag &flag = flags[{access.space, place, word}];
        flag.storer = cta;
        flag.storedNear = lanes[first + k].ctaFence;
        flag.storedWide = lanes[first + k].wideFence;
      }
    });
  if (isLock || (kind != 'a' && kind != 'o'))
    return;
  for (bool says : {true, false})
    each(access.lanes, [&](unsigned k) {
      Lane &lane = lanes[first + k];
      for (u64 word = access.addresses[k] / 4; word <= (access.addresses[k] + access.bytes - 1) / 4; ++word) {
        Flag &flag = flags[{access.space, place, word}];
        if (!says) {
          learn(lane.ctaHeard, flag.ofCta[cta]);
          learn(lane.wideHeard, flag.wide);
          if (flag.storer == cta)
            learn(lane.ctaHeard, flag.storedNear);
          learn(lane.wideHeard, flag.storedWide);
        } else if (kind == 'a') {
          learn(flag.ofCta[cta], lane.ctaFence);
          learn(flag.wide, lane.wideFence);
        }
      }
    });
}

void NaiveRaces::barrierArrive(const Warp &warp, const Op &op, unsigned barrier, BarrierOperation how) {
  Meeting &meeting = meetings[{warp.cta().index().x, barrier}];
  meeting.all = op.extra == allWarps;
  each(warp.active, [&](unsigned k) {
    learn(meeting.knows, lanes[firstLane(warp) + k].knows);
    if (how != BarrierOperation::Arrive)
      meeting.waiting.push_back(firstLane(warp) + k);
  });
}

void NaiveRaces::barrierRelease(const Cta &cta, unsigned barrier) {
  Meeting meeting = std::exchange(meetings[{cta.index().x, barrier}], {});
  if (meeting.all)
    learn(meeting.knows, gone[cta.index().x]);
  for (unsigned lane : meeting.waiting)
    learn(lanes[lane].knows, meeting.knows);
}

void NaiveRaces::warpExit(const Warp &warp) {
  each(warp.lanesLaunched(),
       [&](unsigned k) { learn(gone[warp.cta().index().x], lanes[firstLane(warp) + k].knows); });
}

void NaiveRaces::lock(const Warp &warp, const Op &, const LockAccess &access) {
  taken = access.taken;
  unsigned place = access.space == MemorySpace::Shared ? warp.cta().index().x : 0;
  each(taken, [&](unsigned k) {
    for (unsigned byte = 0; byte < access.bytes; byte += 4)
      learn(lanes[firstLane(warp) + k].knows, locks[{access.space, place, access.addresses[k] + byte}]);
  });
}

void NaiveRaces::unlock(const Warp &warp, const Op &, const LockAccess &access) {
  taken = access.taken;
  unsigned place = access.space == MemorySpace::Shared ? warp.cta().index().x : 0;
  each(access.lanes, [&](unsigned k) {
    for (unsigned byte = 0; byte < access.bytes; byte += 4)
      learn(locks[{access.space, place, access.addresses[k] + byte}], lanes[firstLane(warp) + k].knows);
  });
}

std::map<NaiveRaces::Byte, std::set<NaiveRaces::Pair>> NaiveRaces::races() const {
  std::map<Byte, std::set<Pair>> result;
  for (const auto &[word, list] : accesses)
    for (size_t b = 0; b < list.size(); ++b)
      for (size_t a = 0; a < b; ++a) {
        const Access &old = list[a], &now = list[b];
        bool isOne = old.step == now.step;
        std::string kinds{old.kind, now.kind};
        bool polls = kinds.find('o') != std::string::npos;
        bool conflict = (kinds.find('s') != std::string::npos && !polls) || kinds == "al" || kinds == "la";
        if (!conflict || (isOne && (old.value == now.value || old.address != now.address)))
          continue;
        if (!isOne && now.knows[old.lane] >= old.when)
          continue;
        auto [space, place, number] = word;
        for (u64 byte = number * 4; byte < number * 4 + 4; ++byte)
          if (byte >= old.address && byte < old.address + old.bytes && byte >= now.address &&
              byte < now.address + now.bytes)
            result[{space, place, byte}].insert({now.pc, old.pc});
      }
  return result;
}
