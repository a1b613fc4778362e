#include "emu/launch/PhasedCtas.h"
#include "emu/launch/GridRun.h"
#include <algorithm>
#include <cstddef>
#include <cstring>

using namespace leno;

PhasedCtas::PhasedCtas(GridRun &grid)
    : grid(grid), mostOfSm(occupancyOf(grid.device().config().sm, grid.needs()).ctas),
      below(8 + grid.poolWords().size()), sms(grid.sms().size()) {
  static_assert(frame::sinkRow == -8);
}

bool PhasedCtas::isPossible() { return grid.runsPhases(); }

/// To all SMs that have room; of the last CTAs that parts of a grid share, one.
bool PhasedCtas::fill() {
  if (grid.takesOne())
    return take(0);
  for (bool handedOut = true; handedOut;) {
    handedOut = false;
    for (size_t i = 0; i < sms.size(); ++i)
      handedOut |= sms[i].ctas.size() < mostOfSm && take(i);
  }
  return count;
}

/// The next CTA, in place of one that has ended. False: there is none.
bool PhasedCtas::take(size_t number, std::unique_ptr<Resident> &&its) {
  std::optional<Dim3> index = grid.takeCta();
  if (!index)
    return false;
  if (!its) {
    const unsigned warps = grid.needs().warps;
    const size_t rows = below + grid.registers();
    its = std::make_unique<Resident>();
    std::tie(its->cta, its->place) = grid.sms()[number]->lend();
    its->words.resize(warps);
    its->next.resize(warps);
    its->executed.resize(warps);
    its->frames = std::make_unique<Row[]>(rows * warps);
    for (unsigned i = 0; i < warps; ++i) {
      Row *zero = &its->frames[rows * i + below];
      its->words[i].frame = reinterpret_cast<unsigned char *>(zero);
      for (size_t k = 0; k < grid.poolWords().size(); ++k)
        std::fill_n(zero[frame::firstPoolRow - s64(k)].lane, laneCount, grid.poolWords()[k]);
    }
    begin(*its, *index);
    its->place->start(*its->cta, 0);
  } else
    begin(*its, *index);
  its->place->shared = its->cta->sharedWindow();
  sms[number].ctas.push_back(std::move(its));
  ++count;
  return true;
}

/// As Warp::start would have them.
void PhasedCtas::begin(Resident &its, Dim3 index) {
  const CtaNeeds &needs = grid.needs();
  its.cta->startAt(*its.place, index, needs.warps, u32(needs.sharedBytes));
  its.live = ~u64(0) >> (64 - needs.warps);
  its.waiting = 0;
  for (unsigned i = 0; i < needs.warps; ++i) {
    unsigned char *frame = its.words[i].frame;
    std::memset(frame, 0, size_t(grid.registers()) * rowBytes);
    its.words[i] = {frame, allLanes, {}, {}};
    its.words[i].predicates[truePredicate] = allLanes;
    its.next[i] = u32(grid.launch().entry / 8);
    its.executed[i] = 0;
  }
}

/// It goes on at its place.
void PhasedCtas::restore(const Resident &its, Warp &warp) {
  const unsigned i = warp.index();
  const compiled::WarpWords &words = its.words[i];
  std::memcpy(warp.frame, words.frame, size_t(grid.registers()) * rowBytes);
  std::copy_n(words.predicates, 9, warp.predicates);
  warp.codes = words.codes;
  warp.instructions = its.executed[i];
}

void PhasedCtas::makeReal(Resident &its, unsigned warp) {
  its.place->start(*its.cta, warp);
  restore(its, *its.place);
}

/// Up to a barrier, the warp's end or what can't go on so.
Tier::Phase PhasedCtas::runPiece(Resident &its, unsigned warp, u64 budget) {
  Warp &place = *its.place;
  compiled::WarpWords &words = its.words[warp];
  Tier::Phase phase = grid.runPhase(place, words, its.next[warp], budget);
  const bool isReal = phase.end == Tier::PhaseEnd::Left;
  if (isReal) {
    makeReal(its, warp);
    phase = grid.goOnInPhase(place, budget);
  }
  if (phase.end != Tier::PhaseEnd::Barrier)
    return phase;
  const Op *barrier = grid.opAt(phase.at);
  if (its.waiting && its.barrier->immediate != barrier->immediate) { // what comes of that the barriers know
    if (!isReal)
      makeReal(its, warp);
    place.pc = barrier;
    phase.end = Tier::PhaseEnd::Left;
    return phase;
  }
  its.barrier = barrier;
  its.next[warp] = u32(phase.at + 1);
  ++phase.instructions;
  grid.executedBarrier(phase.at);
  if (isReal) {
    std::memcpy(words.frame, place.frame, size_t(grid.registers()) * rowBytes);
    std::copy_n(place.predicates, 9, words.predicates);
    words.codes = place.codes;
  }
  return phase;
}

/// Who comes to a barrier last goes on at once.
Tier::PhaseEnd PhasedCtas::takeTurn(Resident &its, unsigned warp, u64 turn, u64 &executed) {
  const u64 bit = u64(1) << warp;
  its.place->startAgain(warp);
  for (executed = 0;;) {
    const Tier::Phase phase = runPiece(its, warp, turn - executed);
    executed += phase.instructions;
    its.executed[warp] += phase.instructions;
    grid.executedAt(sm, phase.instructions);
    if (phase.end == Tier::PhaseEnd::Ended)
      its.live &= ~bit;
    else if (phase.end == Tier::PhaseEnd::Barrier)
      its.waiting |= bit;
    else {
      its.place->instructions = its.executed[warp];
      return phase.end;
    }
    const bool isComplete = its.waiting == its.live;
    if (isComplete)
      its.waiting = 0;
    if (phase.end == Tier::PhaseEnd::Ended || !isComplete || executed == turn)
      return phase.end;
  }
}

/// The next warp that does not wait, of those behind and then those of the other CTAs.
PhasedCtas::Resident &PhasedCtas::choose(Sm &at, unsigned &warp) {
  for (;;) {
    if (at.current >= at.ctas.size())
      at.current = 0;
    Resident &its = *at.ctas[at.current];
    if (const u64 ready = its.live & ~its.waiting & at.behind) {
      warp = unsigned(__builtin_ctzll(ready));
      at.behind = ~u64(0) << warp << 1;
      return its;
    }
    ++at.current;
    at.behind = ~u64(0);
  }
}

/// All warps of the CTA that had the last turn have exited.
void PhasedCtas::endCta(Sm &at) {
  std::unique_ptr<Resident> spare = std::move(at.ctas[at.current]);
  at.ctas.erase(at.ctas.begin() + s64(at.current));
  at.behind = ~u64(0);
  --count;
  const size_t number = size_t(&at - sms.data());
  if (grid.takesOne() || !take(number, std::move(spare)))
    grid.sms()[number]->giveBack(std::move(spare->cta), *spare->place);
}

WholeTurns::Ran PhasedCtas::run(u64 most, u64 turn) {
  Ran ran;
  while (ran.ticks + turn < most && (count || fill())) {
    Sm &at = sms[sm];
    if (!at.ctas.empty()) {
      unsigned warp;
      Resident &its = choose(at, warp);
      u64 executed;
      const Tier::PhaseEnd end = takeTurn(its, warp, turn, executed);
      ran.ticks += executed;
      if (end == Tier::PhaseEnd::Left) {
        atWork = &its;
        warpAtWork = warp;
        ran.stays = its.place;
        ran.ofTurn = executed;
        break;
      }
      if (!its.live) {
        ++ran.ticks;
        endCta(at);
      }
    }
    sm = sm + 1 < sms.size() ? sm + 1 : 0;
  }
  return ran;
}

size_t PhasedCtas::settle() {
  for (size_t i = 0; i < sms.size(); ++i) {
    StreamingMultiprocessor &its = *grid.sms()[i];
    size_t turn = 0;
    for (size_t k = 0; k < sms[i].ctas.size(); ++k) {
      Resident &each = *sms[i].ctas[k];
      const bool isHere = atWork == &each;
      if (k <= sms[i].current)
        turn += size_t(__builtin_popcountll(k < sms[i].current ? each.live : each.live & ~sms[i].behind));
      const unsigned number = isHere ? warpAtWork : unsigned(__builtin_ctzll(each.live));
      Cta &cta = its.adopt(std::move(each.cta), *each.place, {number, each.live, isHere});
      for (Warp *warp : cta.warps()) {
        const unsigned index = warp->index();
        if (warp->exited() || (isHere && index == warpAtWork))
          continue;
        restore(each, *warp);
        warp->pc = grid.opAt(each.next[index]);
        if (each.waiting >> index & 1)
          cta.hasArrived(*warp, *grid.opAt(each.next[index] - 1));
      }
    }
    its.goOnAt(turn);
  }
  const size_t next = count ? (sm + (atWork != nullptr)) % sms.size() : 0;
  sms.clear();
  count = 0;
  return next;
}
