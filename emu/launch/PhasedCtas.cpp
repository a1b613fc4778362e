#include "emu/launch/PhasedCtas.h"
#include "emu/launch/GridRun.h"

using namespace leno;

PhasedCtas::PhasedCtas(GridRun &grid)
    : grid(grid), mostOfSm(occupancyOf(grid.device().config().sm, grid.needs()).ctas), sms(grid.sms().size()),
      sm(sms.size() - 1) {}

PhasedCtas::PhasedCtas(GridRun &grid, size_t next) : PhasedCtas(grid) {
  sm = (next + sms.size() - 1) % sms.size();
  begin();
  for (size_t i = 0; i < sms.size(); ++i) {
    StreamingMultiprocessor &from = *grid.sms()[i];
    Sm &to = sms[i];
    const Warp *behind = from.nextInOrder();
    const Cta *its = behind ? &behind->cta() : nullptr;
    to.current = from.residentCtas().size();
    if (behind)
      to.behind = ~u64(0) << behind->index();
    while (!from.residentCtas().empty()) {
      if (from.residentCtas().front().get() == its)
        to.current = to.ctas.size();
      to.ctas.push_back(std::make_unique<PhasedCta>(grid, from, from.withdraw()));
      ++count;
    }
  }
}

bool PhasedCtas::isPossible() { return grid.runsPhases(); }

/// They go on behind the last turn.
void PhasedCtas::begin() {
  for (size_t i = 0; i < sms.size(); ++i)
    sms[i].turns = i <= sm;
}

/// To all SMs that have room; of the last CTAs that parts of a grid share, one.
bool PhasedCtas::fill() {
  begin();
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

/// The SM whose turn is next: they take turns in their order.
size_t PhasedCtas::next() const {
  if (const size_t behind = sm + 1; behind < sms.size() && !sms[behind].ctas.empty() &&
                                    sms[behind].turns + 1 == sms[sm].turns && sms[sm].visited.empty())
    return behind;
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

/// Turns that nobody else can tell the time of, before those of other SMs: of all CTAs, or of the one whose
/// turn is next. False: there are none.
bool PhasedCtas::visit(Sm &at, Ran &ran) {
  constexpr unsigned most = 8; // times: enough to be cheap, and soon counted where other CTAs have none
  const size_t all = at.ctas.size();
  unsigned times = at.behind == ~u64(0) ? at.ctas[at.current]->visits(most) : 0;
  if (!times)
    return false;
  for (size_t i = 1; i < all && times; ++i)
    times = at.ctas[(at.current + i) % all]->visits(times);
  const size_t count = times ? all : 1;
  at.first = at.current;
  at.turnsBefore = at.turns;
  at.visited.clear();
  for (size_t i = 0; i < count; ++i) {
    at.visited.push_back(at.ctas[(at.first + i) % all]->visit(std::max(times, 1u)));
    at.turns += at.visited.back().turns;
    note(at.visited.back().instructions, ran);
  }
  at.current += count % all;
  return true;
}

void PhasedCtas::note(u64 instructions, Ran &ran) {
  grid.executedTurn(instructions);
  ran.ticks += instructions;
}

Tier::PhaseEnd PhasedCtas::takeTurn(Sm &at, u64 turn, Ran &ran) {
  PhasedCta &its = choose(at);
  const unsigned warp = unsigned(__builtin_ctzll(its.ready() & at.behind));
  at.behind = ~u64(0) << warp << 1;
  ++at.turns;
  at.visited.clear();
  const Tier::PhaseEnd end = its.takeTurn(warp, turn, ran.ofTurn);
  note(ran.ofTurn, ran);
  return end;
}

/// The last visits of an SM have not been.
void PhasedCtas::takeBack(Sm &at, Ran &ran) {
  for (size_t i = 0; i < at.visited.size(); ++i) {
    at.ctas[(at.first + i) % at.ctas.size()]->takeBack(at.visited[i]);
    note(0 - at.visited[i].instructions, ran);
  }
  at.visited.clear();
  at.current = at.first;
  at.behind = ~u64(0);
  at.turns = at.turnsBefore;
}

/// No SM has had turns but those before the next one of that SM, which has had so many.
void PhasedCtas::takeBack(size_t next, u64 turns, u64 turn, Ran &ran) {
  for (size_t i = 0; i < sms.size(); ++i) {
    Sm &at = sms[i];
    const u64 had = turns + (i < next);
    if (at.ctas.empty() || at.turns <= had)
      continue;
    for (takeBack(at, ran); at.turns < had;)
      takeTurn(at, turn, ran);
  }
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
  bool visits = true;
  while (ran.ticks + turn < most && !grid.mayChange() && (count || fill())) {
    sm = next();
    Sm &at = sms[sm];
    PhasedCta &its = choose(at);
    if (visits && visit(at, ran)) {
      visits = ran.ticks + turn < most;
      if (!visits)
        takeBack(at, ran);
      continue;
    }
    if (takeTurn(at, turn, ran) == Tier::PhaseEnd::Left) {
      atWork = &its;
      ran.stays = &its.place();
      const u64 ofTurn = ran.ofTurn;
      takeBack(sm + 1, at.turns - 1, turn, ran);
      ran.ofTurn = ofTurn;
      return ran;
    }
    if (!its.live()) {
      ++ran.ticks;
      endCta(at);
    }
  }
  if (count)
    takeBack(next(), sms[next()].turns, turn, ran);
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
      each.settle(atWork == &each ? std::optional(each.place().index()) : std::nullopt);
    }
    its.goOnAt(turn);
  }
  const size_t first = count ? next() : 0;
  sms.clear();
  count = 0;
  return first;
}
