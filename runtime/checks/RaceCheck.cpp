#include "runtime/checks/RaceCheck.h"
#include "emu/engine/CallPath.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using namespace leno::checks;
using llvm::formatv;
using Entry = ShadowMemory::Entry;

static bool isLock(const Op &op) {
  return op.semantic == Semantic::LDLK || op.semantic == Semantic::LDSLK || op.semantic == Semantic::STUL ||
         op.semantic == Semantic::STSUL;
}

static unsigned lowest(LaneMask lanes) { return unsigned(__builtin_ctz(lanes)); }

void RaceCheck::Strand::join(const Strand &other) {
  lanes |= other.lanes;
  knows.join(other.knows);
  for (unsigned wide : {0, 1}) {
    atFence[wide].join(other.atFence[wide]);
    heard[wide].join(other.heard[wide]);
  }
  announced.reset();
  for (const Flag &flag : other.flags)
    ask(flag);
}

void RaceCheck::Strand::ask(Flag flag) {
  Flag fresh = flag;
  for (Flag &place : flags)
    if (std::swap(place, flag); flag == fresh)
      return;
}

//===--- Grids, CTAs, warps -----------------------------------------------===//

RaceCheck::CtaKey RaceCheck::keyOf(const Cta &cta) {
  const GridRun &grid = cta.grid();
  return {grid.device().contextId(), grid.gridId(), grid.linear(cta.index())};
}

void RaceCheck::gridStart(const GridRun &grid) {
  if (llvm::all_of(grids, [](const Grid &one) { return one.ended || one.isHost; })) {
    shadow.clear();
    people.assign(1, {});
    grids.clear();
    ctas.clear();
    hosts.clear();
    words.clear();
    published.clear();
    paths.assign(1, {});
    pathNumbers.clear();
    shortCuts.clear();
  }
  u32 context = grid.device().contextId();
  grids.push_back({{context, grid.gridId()}, ++moments, 0});
  if (auto host = hosts.find(context); host != hosts.end())
    grids.back().knows = host->second.strands.front().knows;
}

void RaceCheck::gridEnd(const GridRun &grid) {
  for (Grid &one : grids)
    if (!one.ended && one.id == std::pair(grid.device().contextId(), grid.gridId()))
      one.ended = ++moments;
}

static u64 sharedPages(u32 ctaId) { return u64(1) << 63 | u64(ctaId) << 24; }
static u64 sharedWords(u32 ctaId) { return u64(1) << 63 | u64(ctaId) << 31; }

void RaceCheck::forget(const Cta &cta) {
  for (const Warp *warp : cta.warps())
    shortCuts.erase(warp);
}

void RaceCheck::ctaStart(const Cta &cta) {
  CtaState &state = stateOf(cta);
  state = CtaState();
  state.id = ++ctasSeen;
  forget(cta);
}

void RaceCheck::ctaEnd(const Cta &cta) {
  u32 id = stateOf(cta).id;
  shadow.drop(sharedPages(id), cta.grid().launch().sharedBytes);
  words.erase(words.lower_bound(sharedWords(id)), words.lower_bound(sharedWords(id + 1)));
  ctas.erase(keyOf(cta));
  forget(cta);
}

RaceCheck::WarpState &RaceCheck::stateOf(const Warp &warp) {
  WarpState *&known = shortCuts[&warp];
  if (known)
    return *known;
  const Cta &cta = warp.cta();
  CtaState &home = stateOf(cta);
  if (!home.id)
    home.id = ++ctasSeen;
  if (home.warps.empty())
    home.warps.resize(cta.warps().size());
  WarpState &state = home.warps[warp.index()];
  if (!state.id) {
    std::pair grid(cta.grid().device().contextId(), cta.grid().gridId());
    size_t which = grids.size();
    while (which > 0 && grids[which - 1].id != grid)
      --which;
    if (!which) { // it came in the middle of the grid
      grids.push_back({grid, ++moments, 0});
      which = grids.size();
    }
    state.id = u32(people.size());
    people.push_back({cta.index(), warp.index(), which - 1, home.id});
    state.strands.emplace_back().lanes = warp.lanesLaunched();
    state.strands.front().knows = grids[which - 1].knows;
    advance(state);
  }
  return *(known = &state);
}

RaceCheck::Strand &RaceCheck::strandOf(WarpState &state, LaneMask lanes) {
  if (state.strands.front().lanes == lanes)
    return state.strands.front();
  std::vector<Strand> strands(1);
  for (Strand &strand : state.strands) {
    LaneMask rest = strand.lanes & ~lanes;
    if (rest != strand.lanes)
      strands.front().join(strand);
    if (rest) {
      strands.push_back(std::move(strand));
      strands.back().lanes = rest;
    }
  }
  strands.front().lanes = lanes;
  state.strands = std::move(strands);
  advance(state);
  return state.strands.front();
}

void RaceCheck::reconvergence(const Warp &warp, const Op &, const Token &, LaneMask lanes) {
  strandOf(stateOf(warp), lanes);
}

void RaceCheck::warpExit(const Warp &warp) {
  WarpState &state = stateOf(warp);
  CtaState &home = stateOf(warp.cta());
  for (const Strand &strand : state.strands)
    home.exited.join(strand.knows);
}

//===--- What orders ------------------------------------------------------===//

void RaceCheck::barrierArrive(const Warp &warp, const Op &op, unsigned barrier, BarrierOperation operation) {
  WarpState &state = stateOf(warp);
  Strand &strand = strandOf(state, warp.active);
  BarrierState &at = stateOf(warp.cta()).barriers[barrier];
  at.knows.join(strand.knows);
  at.countsAll = op.extra == allWarps;
  if (operation != BarrierOperation::Arrive)
    at.waiting.push_back({warp.index(), warp.active});
  advance(state);
}

void RaceCheck::barrierRelease(const Cta &cta, unsigned barrier) {
  CtaState &home = stateOf(cta);
  BarrierState at = std::exchange(home.barriers[barrier], {});
  if (at.countsAll)
    at.knows.join(home.exited);
  for (auto [warp, lanes] : at.waiting)
    for (Strand &strand : home.warps[warp].strands)
      if (strand.lanes & lanes)
        strand.knows.join(at.knows);
}

u64 RaceCheck::wordKey(const Warp &warp, const WarpState &state, MemorySpace space, u64 address) const {
  return (space == MemorySpace::Shared ? sharedWords(people[state.id].ctaId)
                                       : u64(warp.grid().device().contextId()) << 40) +
         address / 4;
}

void RaceCheck::lock(const Warp &, const Op &, const LockAccess &access) { taken = access.taken; }
void RaceCheck::unlock(const Warp &, const Op &, const LockAccess &access) { taken = access.lanes; }

// Each lane by itself: its lock orders its own access of this instruction, and all that follow.
void RaceCheck::lockedAccess(const Warp &warp, const Op &op, const MemoryAccess &access) {
  WarpState &state = stateOf(warp);
  Strand &strand = strandOf(state, warp.active);
  VectorClock before = strand.knows, after = before;
  bool unlocks = access.kind == MemoryAccess::Kind::Store;
  for (LaneMask left = access.lanes & taken; left; left &= left - 1) {
    MemoryAccess one = access;
    one.lanes = left & -left;
    auto eachLock = [&](auto &&use) {
      for (unsigned byte = 0; byte < access.bytes; byte += 4)
        use(words[wordKey(warp, state, access.space, access.addresses[lowest(left)] + byte)].lock);
    };
    strand.knows = before;
    if (unlocks)
      advance(state);
    else
      eachLock([&](const VectorClock &lock) { strand.knows.join(lock); });
    accessOf(warp, op, one, Doing::Atomic, false);
    if (unlocks)
      eachLock([&](VectorClock &lock) { lock.join(strand.knows); });
    after.join(strand.knows);
  }
  strand.knows = after;
  if (unlocks)
    advance(state);
}

void RaceCheck::fence(const Warp &warp, const Op &op, LaneMask) {
  WarpState &state = stateOf(warp);
  Strand &strand = strandOf(state, warp.active);
  isa::MEMBARMods mods;
  std::memcpy(&mods, op.mods, sizeof(mods));
  unsigned widest = mods.scope == isa::MemScope::CTA ? 0 : 1;
  for (unsigned wide = 0; wide <= widest; ++wide)
    strand.knows.join(strand.heard[wide]);
  for (unsigned wide = 0; wide <= widest; ++wide)
    strand.atFence[wide] = strand.knows;
  strand.announced.reset();
  advance(state);
}

RaceCheck::Published &RaceCheck::publishedIn(const Warp &warp, MemorySpace space) {
  return space == MemorySpace::Shared ? ctas.at(keyOf(warp.cta())).published : published;
}

/// A store: it announces what was before the last MEMBAR, or nothing.
void RaceCheck::publish(const Warp &warp, WarpState &state, const MemoryAccess &access) {
  Strand &strand = state.strands.front();
  Published &there = publishedIn(warp, access.space);
  bool says = !strand.atFence[0].empty();
  if (!says && there.empty())
    return;
  if (says && !strand.announced)
    strand.announced =
        std::make_shared<Announced>(people[state.id].ctaId, strand.atFence[0], strand.atFence[1]);
  for (LaneMask left = access.lanes; left; left &= left - 1)
    for (unsigned byte = 0; byte < std::max(access.bytes, 4u); byte += 4) {
      u64 key = wordKey(warp, state, access.space, access.addresses[lowest(left)] + byte);
      if (says)
        there[key] = strand.announced;
      else
        there.erase(key);
    }
}

/// An atomic, or a load that orders.
void RaceCheck::announce(const Warp &warp, WarpState &state, const MemoryAccess &access) {
  Strand &strand = state.strands.front();
  bool says = access.kind == MemoryAccess::Kind::Atomic && !strand.atFence[0].empty();
  Published &stored = publishedIn(warp, access.space);
  if (!says && words.empty() && stored.empty()) {
    strand.ask({access.space, access.addresses[lowest(access.lanes)] & ~u64(3)});
    return;
  }
  u32 cta = people[state.id].ctaId;
  u64 before = ~u64(0);
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    u64 address = access.addresses[lowest(left)];
    if (std::exchange(before, address) == address)
      continue;
    strand.ask({access.space, address & ~u64(3)});
    for (unsigned byte = 0; byte < std::max(access.bytes, 4u); byte += 4) {
      u64 key = wordKey(warp, state, access.space, address + byte);
      if (auto said = stored.find(key); said != stored.end()) {
        if (said->second->cta == cta)
          strand.heard[0].join(said->second->near);
        strand.heard[1].join(said->second->all);
      }
      auto found = says ? words.try_emplace(key).first : words.find(key);
      if (found == words.end())
        continue;
      Word &word = found->second;
      if (says) {
        word.ofCta[cta].join(strand.atFence[0]);
        word.all.join(strand.atFence[1]);
      }
      if (auto near = word.ofCta.find(cta); near != word.ofCta.end())
        strand.heard[0].join(near->second);
      strand.heard[1].join(word.all);
    }
  }
}

//===--- Accesses ---------------------------------------------------------===//

bool RaceCheck::isOrdered(const Strand &strand, const WarpState &state, const Entry &entry) const {
  if ((entry.warp == state.id && entry.time == state.time) || strand.knows.covers(entry.warp, entry.time))
    return true;
  size_t its = people[entry.warp].grid, here = people[state.id].grid;
  return its != here && grids[its].ended && grids[its].ended < grids[here].begun;
}

/// All lanes access, each `stride` bytes behind the one before.
static bool isEven(const MemoryAccess &access, u64 stride) {
  u64 differ = allLanes ^ access.lanes;
  for (unsigned lane = 0; lane < laneCount; ++lane)
    differ |= access.addresses[lane] ^ (access.addresses[0] + lane * stride);
  return !differ;
}

ShadowMemory::Fate RaceCheck::fateOf(const Strand &strand, const WarpState &state, Doing doing,
                                     const Entry &before) const {
  using Fate = ShadowMemory::Fate;
  Doing old = Doing(before.doing);
  if (isOrdered(strand, state, before))
    return stands(doing, old) ? Fate::Goes : Fate::Stays;
  return conflict(doing, old) ? Fate::Races : Fate::Stays;
}

void RaceCheck::memory(const Warp &warp, const Op &op, const MemoryAccess &access) {
  if (access.space != MemorySpace::Global && access.space != MemorySpace::Shared)
    return;
  ++accesses;
  if (isLock(op))
    return lockedAccess(warp, op, access);
  WarpState &state = stateOf(warp);
  strandOf(state, warp.active);
  Doing doing = access.kind == MemoryAccess::Kind::Atomic  ? Doing::Atomic
                : access.kind == MemoryAccess::Kind::Store ? Doing::Store
                : access.cache == isa::LoadCache::CV       ? Doing::Ordering
                                                           : Doing::Load;
  bool areConsecutive = isEven(access, access.bytes);
  if (doing == Doing::Store && !areConsecutive)
    compareLanes(warp, op, state, access);
  accessOf(warp, op, access, doing, areConsecutive);
  if (doing == Doing::Store)
    publish(warp, state, access);
  if (doing == Doing::Atomic || doing == Doing::Ordering)
    announce(warp, state, access);
}

/// The number of the calls that a warp is in.
u32 RaceCheck::pathOf(const Warp &warp, WarpState &state) {
  const DivergenceStack &stack = warp.divergence();
  size_t known = 0;
  bool isKnown = true;
  for (size_t k = 0, depth = stack.depth(); k < depth; ++k) {
    Token token = stack.at(k);
    if (token.type != TokenType::Call)
      continue;
    if (isKnown && known < state.path.size() && state.path[known] == token.pc) {
      ++known;
      continue;
    }
    if (std::exchange(isKnown, false))
      state.path.resize(known);
    state.path.push_back(token.pc);
  }
  if (isKnown && known == state.path.size())
    return state.pathNumber;
  if (isKnown)
    state.path.resize(known);
  auto [at, isNew] = pathNumbers.try_emplace(state.path, u32(paths.size()));
  if (isNew && (paths.size() >> ShadowMemory::callsBits || state.path.empty()))
    at->second = 0;
  else if (isNew)
    paths.push_back(callPath(warp));
  return state.pathNumber = at->second;
}

u64 RaceCheck::pagesOf(const Warp &warp, MemorySpace space) const {
  return space == MemorySpace::Shared ? sharedPages(ctas.at(keyOf(warp.cta())).id)
                                      : u64(warp.grid().device().contextId()) << 32;
}

void RaceCheck::accessOf(const Warp &warp, const Op &op, const MemoryAccess &access, Doing doing,
                         bool areConsecutive) {
  WarpState &state = stateOf(warp);
  const Strand &strand = state.strands.front();
  Entry now;
  now.warp = state.id, now.time = state.time, now.op = u32(warp.addressOf(op) / 8);
  now.calls = pathOf(warp, state), now.doing = u32(doing), now.shift = u32(llvm::countr_zero(access.bytes));
  auto fate = [&](const Entry &before) { return fateOf(strand, state, doing, before); };
  auto tell = [&](const Entry &now, const Entry &before, u64 address, unsigned bytes, bool isLatest) {
    found(warp, op, access, now, before, address, bytes, isLatest);
  };
  LaneMask lanes = isEven(access, 0) ? 1 : access.lanes;
  lost += !shadow.access(pagesOf(warp, access.space), access.addresses, lanes, areConsecutive, now,
                         racingWith(doing), fate, tell);
}

/// What a lane stores: 4 bytes of it.
static u32 storedWord(const Warp &warp, const Op &op, unsigned bytes, unsigned lane, unsigned word) {
  u32 value = reinterpret_cast<const u32 *>(warp.frame + op.d)[word * laneCount + lane];
  return bytes < 4 ? value & ((1u << 8 * bytes) - 1) : value;
}

/// Of what a lane stores, the bytes at `address`, 8 at most.
static u64 storedAt(const Warp &warp, const Op &op, const MemoryAccess &access, unsigned lane, u64 address,
                    unsigned bytes) {
  u64 value = 0, offset = address - access.addresses[lane];
  for (u64 byte = 0; byte < std::min(bytes, 8u); ++byte) {
    u32 word = storedWord(warp, op, access.bytes, lane, unsigned(offset + byte) / 4);
    value |= u64(word >> 8 * ((offset + byte) % 4) & 255) << 8 * byte;
  }
  return value;
}

void RaceCheck::compareLanes(const Warp &warp, const Op &op, const WarpState &state,
                             const MemoryAccess &access) {
  llvm::SmallVector<std::pair<u64, unsigned>, laneCount> lanes;
  bool areApart = true; // each behind the one before
  u64 end = 0;
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    u64 address = access.addresses[lowest(left)];
    areApart &= std::exchange(end, address + 1) <= address;
  }
  if (areApart)
    return;
  for (LaneMask left = access.lanes; left; left &= left - 1)
    lanes.push_back({access.addresses[lowest(left)], lowest(left)});
  llvm::sort(lanes);
  for (size_t k = 1; k < lanes.size(); ++k) {
    auto [address, lane] = lanes[k];
    auto [other, before] = lanes[k - 1];
    bool differ = false;
    for (unsigned word = 0; word < std::max(1u, access.bytes / 4); ++word)
      differ |=
          storedWord(warp, op, access.bytes, lane, word) != storedWord(warp, op, access.bytes, before, word);
    if (address != other || !differ)
      continue;
    Entry now;
    now.warp = state.id, now.time = state.time;
    now.op = u32(warp.addressOf(op) / 8), now.doing = u32(Doing::Store);
    Entry old = now;
    now.setLane(lane, address), old.setLane(before, address);
    found(warp, op, access, now, old, address, access.bytes, false);
  }
}

/// Where a word that both have used as a flag would order them, but for a MEMBAR.
std::string RaceCheck::whatIsMissing(const Warp &warp, const Entry &before) {
  const WarpState &state = ctas.at(keyOf(warp.cta())).warps[warp.index()];
  const Who &here = people[state.id], &there = people[before.warp];
  const char *scope = here.ctaId == there.ctaId ? "MEMBAR.CTA" : "MEMBAR.GL";
  for (const Flag &flag : state.strands.front().flags) {
    auto tells = [&](const Entry &entry) {
      return entry.warp == before.warp && entry.time >= before.time && entry.writes();
    };
    if (flag.address == ~u64(0) || !shadow.anyOf(pagesOf(warp, flag.space), flag.address, tells))
      continue;
    std::string text = formatv("the flag at {0:x} of {1} memory ", flag.address, nameOf(flag.space));
    const char *what = nameOf(Doing(before.doing));
    u64 key = wordKey(warp, state, flag.space, flag.address);
    auto found = words.find(key);
    auto announces = [&](const VectorClock &clock) { return clock.covers(before.warp, before.time); };
    auto stored = publishedIn(warp, flag.space).find(key);
    bool isNear = false, isWide = false; // who is told
    if (stored != publishedIn(warp, flag.space).end()) {
      isNear = announces(stored->second->near);
      isWide = announces(stored->second->all);
    }
    if (found != words.end()) {
      auto near = found->second.ofCta.find(there.ctaId);
      isNear |= near != found->second.ofCta.end() && announces(near->second);
      isWide |= announces(found->second.all);
    }
    if (isWide || (isNear && here.ctaId == there.ctaId))
      return text + formatv("announces the {0}, and no {1} follows where it was asked", what, scope).str();
    if (isNear)
      return text + formatv("announces the {0} in its CTA alone: MEMBAR.GL is needed for others", what).str();
    return text + formatv("does not announce the {0}: no {1} is between them", what, scope).str();
  }
  return "";
}

Action RaceCheck::actionOf(const Entry &entry, u64 address) const {
  Action action;
  action.what = nameOf(Doing(entry.doing));
  if (isHost(entry.warp)) {
    action.what += " by the host";
    action.isHost = true;
    return action;
  }
  action.pc = entry.op * u64(8);
  action.cta = people[entry.warp].cta;
  action.warp = people[entry.warp].warp;
  action.lanes = LaneMask(1) << entry.laneAt(address);
  action.calls = paths[entry.calls];
  return action;
}

void RaceCheck::found(const Warp &warp, const Op &op, const MemoryAccess &access, const Entry &now,
                      const Entry &before, u64 address, unsigned bytes, bool isLatest) {
  const Who &here = people[now.warp], &there = people[before.warp];
  u64 pc = now.op * u64(8), otherPc = before.op * u64(8);
  if (onRace)
    onRace({access.space, address, bytes, pc, otherPc, here.cta});
  bool isOne = now.warp == before.warp && now.time == before.time;
  std::string kind =
      isOne ? "lanes-of-a-store"
            : formatv("{0}-after-{1}", nameOf(Doing(now.doing)), nameOf(Doing(before.doing))).str();
  if (findings.counts(kind, pc, otherPc, accesses))
    return;
  Finding finding;
  finding.check = "race";
  finding.kind = kind;
  auto where = nameOf(access.space);
  finding.text =
      isOne ? formatv("lanes {0} and {1} store different values at {2:x} of {3} memory in one instruction",
                      before.laneAt(address), now.laneAt(address), address, where)
                  .str()
            : formatv("{0} at {1:x} of {2} memory, and nothing orders it behind the {3}{4}",
                      nameOf(Doing(now.doing)), address, where, nameOf(Doing(before.doing)),
                      isHost(before.warp)         ? " of the host"
                      : now.warp == before.warp   ? " of other lanes of its warp, on another path"
                      : here.ctaId == there.ctaId ? " of another warp of its CTA"
                      : here.grid == there.grid   ? " of another CTA"
                                                  : " of another launch")
                  .str();
  finding.launch = warp.grid().gridId();
  finding.context = warp.grid().device().contextId();
  finding.first = actionOf(now, address);
  finding.first.calls = callPath(warp);
  finding.second = actionOf(before, address);
  if (here.grid != there.grid && !isHost(before.warp))
    finding.second->launch = grids[there.grid].id.second;
  if (isOne)
    finding.second->calls = finding.first.calls;
  bool stores = Doing(now.doing) == Doing::Store;
  if (stores)
    finding.first.value = storedAt(warp, op, access, now.laneAt(address), address, bytes);
  if (isOne)
    finding.second->value = storedAt(warp, op, access, before.laneAt(address), address, bytes);
  else if (Doing(now.doing) != Doing::Atomic || isLatest) {
    // Nothing has moved yet: what is there is what a load gets, and what the latest store has left.
    std::optional<u64> there = valueAt(warp, access.space, address, bytes);
    if (!stores && Doing(now.doing) != Doing::Atomic)
      finding.first.value = there;
    if (isLatest && Doing(before.doing) != Doing::Atomic)
      finding.second->value = there;
  }
  if (std::string note = whatIsMissing(warp, before); !isOne && !note.empty())
    finding.notes.push_back(note);
  finding.space = access.space;
  finding.address = address;
  finding.bytes = bytes;
  findings.add(std::move(finding), accesses);
}

std::string RaceCheck::limits() const {
  if (!lost)
    return "";
  return formatv("warp accesses not followed to the end: {0}, because the shadow memory was full", lost);
}
