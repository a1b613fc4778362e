#include "emu/sm/Cta.h"
#include "asm/support/Assert.h"
#include "emu/launch/GridRun.h"
#include "llvm/Support/FormatVariadic.h"
#include <utility>

using namespace leno;
using llvm::formatv;

bool Cta::isPlainBarrier(const Op &op) {
  return op.semantic == Semantic::BAR_SYNC && op.extra == allWarps && op.guard == truePredicate &&
         !op.guardFlip && !(op.flags & Op::popSync) && op.a == frame::zeroRow * s32(rowBytes) &&
         u64(op.immediate) < barrierCount;
}

void Cta::resetBarriers() {
  for (u32 left = std::exchange(barriersMet, 0); left; left &= left - 1)
    barriers[__builtin_ctz(left)].reset();
}

void Cta::begin(Dim3 index, size_t warps, u32 sharedBytes) {
  LENO_ASSERT(warps > 0 && warps <= 64, "barriers keep a bit for each warp of a CTA");
  position = index;
  if (sharedBytes || !sharedRows.empty())
    sharedRows.assign((sharedBytes + rowBytes - 1) / rowBytes, Row());
  sharedSize = sharedBytes;
  sharedLocks = {};
  resetBarriers();
  liveWarps = ~u64(0) >> (64 - warps);
  abandoned = isStill = false;
}

void Cta::startAt(Warp &place, Dim3 index, unsigned warps, u32 sharedBytes) {
  begin(index, warps, sharedBytes);
  members.assign(warps, &place);
}

void Cta::spread(llvm::ArrayRef<Warp *> warps, const Lent &lent) {
  members.assign(warps.begin(), warps.end());
  liveWarps = lent.live;
  for (unsigned i = 0; i < members.size(); ++i) {
    if (i != lent.number || !lent.isAtWork)
      members[i]->start(*this, i);
    if (!(liveWarps >> i & 1)) {
      members[i]->status = WarpStatus::Exited;
      members[i]->active = 0;
    }
  }
}

void Cta::gather(Warp &place) {
  members.assign(members.size(), &place);
  liveWarps = ~u64(0) >> (64 - members.size());
  resetBarriers();
  isStill = false;
}

void Cta::hasArrived(Warp &warp, const Op &op) {
  const u32 number = u32(op.immediate);
  const LaneMask holding = warp.active & (warp.predicates[op.p] ^ (0 - LaneMask(op.flips & 1)));
  barriers[number].arrive(warp.index(), {BarrierOperation::Sync, 0, unsigned(__builtin_popcount(warp.active)),
                                         unsigned(__builtin_popcount(holding))});
  barriersMet |= u32(1) << number;
  warp.status = WarpStatus::AtBarrier;
  warp.barrierOp = &op;
  warp.barrierLanes = warp.active;
}

void Cta::start(Dim3 index, llvm::ArrayRef<Warp *> warps, u32 sharedBytes) {
  begin(index, warps.size(), sharedBytes);
  members.assign(warps.begin(), warps.end());
  run.noteStarted();
  run.tell(Observer::Life, [&](Observer &o) { o.ctaStart(*this); });
  for (unsigned i = 0; i < members.size(); ++i) {
    members[i]->start(*this, i);
    run.tell(Observer::Life, [&](Observer &o) { o.warpStart(*members[i]); });
  }
}

bool Cta::canGoOn(const Warp &after) const {
  bool anyLeft = false;
  for (size_t k = 1; k <= members.size(); ++k) {
    size_t i = after.index() + k; // warps take turns: the next one is likely to be ready
    WarpStatus status = members[i < members.size() ? i : i - members.size()]->status;
    if (status == WarpStatus::AtBarrier)
      anyLeft = true;
    else if (status != WarpStatus::Exited)
      return true;
  }
  return !anyLeft;
}

void Cta::releaseIfComplete(unsigned number) {
  Barrier &barrier = barriers[number];
  if (!barrier.isComplete(liveWarps))
    return;
  for (Warp *warp : members)
    if (barrier.waiting() >> warp->index() & 1)
      warp->passBarrier(barrier);
  barrier.reset();
  isStill = false;
  run.tell(Observer::Barriers, [&](Observer &o) { o.barrierRelease(*this, number); });
}

bool Cta::arrive(Warp &warp, const Op &op, unsigned number, const Barrier::Arrival &arrival) {
  barriers[number].arrive(warp.index(), arrival);
  barriersMet |= u32(1) << number;
  run.tell(Observer::Barriers, [&](Observer &o) { o.barrierArrive(warp, op, number, arrival.operation); });
  releaseIfComplete(number);
  return canGoOn(warp);
}

bool Cta::sharedIsStill(const Warp &reader, const Op &op) {
  if (isStill || run.mayStoreToSharedFrom(op))
    return isStill;
  isStill = llvm::all_of(members, [&](const Warp *warp) {
    return warp == &reader || warp->exited() || warp->status == WarpStatus::Trapped ||
           !run.mayStoreToSharedFrom(warp->status == WarpStatus::AtBarrier ? *warp->barrierOp : *warp->pc);
  });
  return isStill;
}

// A barrier that waits for all warps does not wait for those that are gone.
bool Cta::warpExited(Warp &warp) {
  liveWarps &= ~(u64(1) << warp.index());
  sm.leaveTurns(warp);
  run.tell(Observer::Life, [&](Observer &o) { o.warpExit(warp); });
  for (u32 left = barriersMet; left; left &= left - 1)
    releaseIfComplete(unsigned(__builtin_ctz(left)));
  if (finished())
    run.tell(Observer::Life, [&](Observer &o) { o.ctaEnd(*this); });
  return canGoOn(warp);
}

void Cta::abandon() {
  if (finished())
    return;
  abandoned = true;
  // Its warps will be others' soon; nobody could give these locks back.
  for (Warp *warp : members)
    if (warp->locksHeld)
      run.releaseLocksOf(*warp);
  for (Warp *warp : members)
    if (!warp->exited()) {
      warp->endStretch();
      warp->status = WarpStatus::Trapped;
    }
  run.tell(Observer::Life, [&](Observer &o) { o.ctaEnd(*this); });
}

bool Cta::hasWaiting() const {
  for (u32 met = barriersMet; met; met &= met - 1)
    if (waiting(unsigned(__builtin_ctz(met))))
      return true;
  return false;
}

std::string Cta::describeDeadlock() const {
  std::string text;
  auto list = [&](auto &&holds, const std::string &what) {
    std::string numbers;
    unsigned count = 0;
    for (const Warp *warp : members)
      if (holds(*warp)) {
        numbers += (count++ ? ", " : "") + std::to_string(warp->index());
      }
    if (count)
      text +=
          formatv("{0}warp{1} {2} {3}", text.empty() ? "" : "; ", count > 1 ? "s" : "", numbers, what).str();
  };
  for (unsigned number = 0; number < barrierCount; ++number) {
    const Barrier &barrier = barriers[number];
    std::string what = formatv("wait at barrier {0}", number);
    if (barrier.warpsNeeded())
      what += formatv(" for {0} warps in all", barrier.warpsNeeded()).str();
    list([&](const Warp &warp) { return barrier.waiting() >> warp.index() & 1; }, what);
    u64 passed = barrier.arrived() & ~barrier.waiting();
    list([&](const Warp &warp) { return passed >> warp.index() & 1; },
         formatv("arrived at barrier {0} and went on", number));
  }
  list([](const Warp &warp) { return warp.exited(); }, "have exited");
  return text + ": nobody is left to arrive";
}
