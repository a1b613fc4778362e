#include "emu/launch/PhasedCtas.h"
#include "emu/launch/GridRun.h"

using namespace leno;

PhasedCtas::PhasedCtas(GridRun &grid)
    : grid(grid), mostOfSm(occupancyOf(grid.device().config().sm, grid.needs()).ctas), sms(grid.sms().size()),
      sm(sms.size() - 1) {}

bool PhasedCtas::isPossible() { return grid.runsPhases(); }

/// To all SMs that have room; of the last CTAs that parts of a grid share, one.
bool PhasedCtas::fill() {
  for (size_t i = 0; i < sms.size(); ++i) // they go on behind the last turn
    sms[i].turns = i <= sm;
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
bool PhasedCtas::take(size_t number, std::unique_ptr<PhasedCta> &&its) {
  std::optional<Dim3> index = grid.takeCta();
  if (!index)
    return false;
  if (!its)
    its = std::make_unique<PhasedCta>(grid, *grid.sms()[number]);
  its->begin(*index);
  sms[number].ctas.push_back(std::move(its));
  ++count;
  return true;
}

static u64 behindOf(unsigned warp) { return ~u64(0) << warp << 1; }

/// The SM whose turn is next: they take turns in their order.
size_t PhasedCtas::next() const {
  size_t first = sms.size();
  for (size_t i = 0; i < sms.size(); ++i)
    if (!sms[i].ctas.empty() && (first == sms.size() || sms[i].turns < sms[first].turns))
      first = i;
  return first;
}

/// That of the next warp that does not wait, of those behind and then those of the other CTAs.
PhasedCta &PhasedCtas::choose(Sm &at) {
  for (;;) {
    if (at.current >= at.ctas.size())
      at.current = 0;
    PhasedCta &its = *at.ctas[at.current];
    if (its.ready() & at.behind)
      return its;
    ++at.current;
    at.behind = ~u64(0);
  }
}

/// Turns that nobody else can tell the time of, before those of other SMs. False: there are none.
bool PhasedCtas::pass(PhasedCta &its, Sm &at, Ran &ran) {
  if (!its.pass(at.behind, at.passed))
    return false;
  const PhasedCta::Passed &passed = at.passed;
  at.behindBefore = std::exchange(at.behind, behindOf(63 - unsigned(__builtin_clzll(passed.warps))));
  at.turns += u64(__builtin_popcountll(passed.warps));
  grid.executedTurn(passed.instructions);
  ran.ticks += passed.instructions;
  return true;
}

/// An SM has had only so many turns.
void PhasedCtas::takeBack(size_t number, u64 turns, Ran &ran) {
  Sm &at = sms[number];
  if (at.ctas.empty() || at.turns <= turns)
    return;
  u64 those = at.passed.warps; // the last ones
  at.behind = at.behindBefore;
  for (u64 kept = u64(__builtin_popcountll(those)) - (at.turns - turns); kept; --kept, those &= those - 1)
    at.behind = behindOf(unsigned(__builtin_ctzll(those)));
  at.turns = turns;
  const u64 instructions = at.ctas[at.current]->takeBack(at.passed, those);
  grid.executedTurn(0 - instructions);
  ran.ticks -= instructions;
}

/// All warps of the CTA that had the last turn have exited.
void PhasedCtas::endCta(Sm &at) {
  std::unique_ptr<PhasedCta> spare = std::move(at.ctas[at.current]);
  at.ctas.erase(at.ctas.begin() + s64(at.current));
  at.behind = ~u64(0);
  --count;
  const size_t number = size_t(&at - sms.data());
  if (grid.takesOne() || !take(number, std::move(spare)))
    spare->giveBack();
}

WholeTurns::Ran PhasedCtas::run(u64 most, u64 turn) {
  Ran ran;
  const u64 margin = (sms.size() + 2) * 64 * (turn + 1); // for all to have as many turns before the end
  while (ran.ticks + turn < most && (count || fill())) {
    sm = next();
    Sm &at = sms[sm];
    PhasedCta &its = choose(at);
    if (its.hasPassing() && most - ran.ticks > margin && pass(its, at, ran))
      continue;
    const unsigned warp = unsigned(__builtin_ctzll(its.ready() & at.behind));
    at.behind = behindOf(warp);
    ++at.turns;
    u64 executed;
    const Tier::PhaseEnd end = its.takeTurn(warp, turn, executed);
    grid.executedTurn(executed);
    ran.ticks += executed;
    if (end == Tier::PhaseEnd::Left) {
      for (size_t i = 0; i < sms.size(); ++i)
        takeBack(i, at.turns - (i > sm), ran);
      atWork = &its;
      warpAtWork = warp;
      ran.stays = &its.place();
      ran.ofTurn = executed;
      break;
    }
    if (!its.live()) {
      ++ran.ticks;
      endCta(at);
    }
  }
  return ran;
}

size_t PhasedCtas::settle() {
  for (size_t i = 0; i < sms.size(); ++i) {
    StreamingMultiprocessor &its = *grid.sms()[i];
    size_t turn = 0;
    for (size_t k = 0; k < sms[i].ctas.size(); ++k) {
      PhasedCta &each = *sms[i].ctas[k];
      if (k <= sms[i].current)
        turn += size_t(__builtin_popcountll(k < sms[i].current ? each.live() : each.live() & ~sms[i].behind));
      each.settle(atWork == &each ? std::optional(warpAtWork) : std::nullopt);
    }
    its.goOnAt(turn);
  }
  const size_t first = count ? next() : 0;
  sms.clear();
  count = 0;
  return first;
}
