#include "emu/Cta.h"
#include "emu/GridRun.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using llvm::formatv;

Cta::Cta(GridRun &run, StreamingMultiprocessor &sm, Dim3 index, std::vector<Warp *> warps, u32 sharedBytes)
    : run(run), sm(sm), position(index), members(std::move(warps)),
      sharedRows((sharedBytes + rowBytes - 1) / rowBytes), sharedSize(sharedBytes) {
  run.tell([&](Observer &o) { o.ctaStart(*this); });
  for (unsigned i = 0; i < members.size(); ++i) {
    members[i]->start(*this, i);
    run.tell([&](Observer &o) { o.warpStart(*members[i]); });
  }
}

bool Cta::canGoOn() const {
  bool anyLeft = false;
  for (const Warp *warp : members) {
    if (warp->status == WarpStatus::AtBarrier)
      anyLeft = true;
    else if (warp->status != WarpStatus::Exited)
      return true;
  }
  return !anyLeft;
}

bool Cta::releaseIfComplete(unsigned number) {
  Barrier &barrier = barriers[number];
  unsigned needed = barrier.warpsNeeded ? barrier.warpsNeeded : unsigned(members.size() - exitedWarps);
  if (!barrier.arrived || unsigned(__builtin_popcountll(barrier.arrived)) < needed)
    return false;
  for (Warp *warp : members)
    if (barrier.arrived >> warp->index() & 1)
      warp->status = WarpStatus::Ready;
  barrier = {};
  run.tell([&](Observer &o) { o.barrierRelease(*this, number); });
  return true;
}

bool Cta::arrive(Warp &warp, unsigned number, unsigned warpsNeeded) {
  Barrier &barrier = barriers[number];
  barrier.arrived |= u64(1) << warp.index();
  barrier.warpsNeeded = warpsNeeded;
  run.tell([&](Observer &o) { o.barrierArrive(warp, number); });
  releaseIfComplete(number);
  return canGoOn();
}

// A barrier that waits for all warps does not wait for those that are gone.
bool Cta::warpExited(Warp &warp) {
  ++exitedWarps;
  run.tell([&](Observer &o) { o.warpExit(warp); });
  for (unsigned number = 0; number < barrierCount; ++number)
    if (!barriers[number].warpsNeeded)
      releaseIfComplete(number);
  if (finished())
    run.tell([&](Observer &o) { o.ctaEnd(*this); });
  return canGoOn();
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
    if (!barrier.arrived)
      continue;
    std::string what = formatv("wait at barrier {0}", number);
    if (barrier.warpsNeeded)
      what += formatv(" for {0} warps in all", barrier.warpsNeeded).str();
    list([&](const Warp &warp) { return barrier.arrived >> warp.index() & 1; }, what);
  }
  list([](const Warp &warp) { return warp.exited(); }, "have exited");
  return text + ": nobody is left to arrive";
}
