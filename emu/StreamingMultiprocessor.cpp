#include "emu/StreamingMultiprocessor.h"
#include "emu/GridRun.h"
#include <algorithm>
#include <limits>

using namespace leno;

Cta &StreamingMultiprocessor::start(Dim3 ctaIndex, unsigned count, u32 sharedBytes) {
  std::vector<Warp *> members;
  for (unsigned i = 0; i < count; ++i) {
    if (freeWarps.empty()) {
      if (made == warps.size())
        warps.push_back(std::make_unique<Warp>(run, *this, unsigned(made)));
      freeWarps.push_back(warps[made++].get());
    }
    members.push_back(freeWarps.back());
    freeWarps.pop_back();
  }
  running.insert(running.end(), members.begin(), members.end());
  resident += count;
  sharedFree -= sharedBytes;
  ctas.push_back(std::make_unique<Cta>(run, *this, ctaIndex, std::move(members), sharedBytes));
  if (constants) {
    constants->launchOn(number, cycles);
    for (Warp *warp : ctas.back()->warps())
      warp->readyAt = constants->readyFrom(number);
  }
  return *ctas.back();
}

void StreamingMultiprocessor::retireFinished() {
  for (auto &cta : ctas) {
    if (!cta->finished())
      continue;
    for (Warp *warp : cta->warps()) {
      auto it = std::find(running.begin(), running.end(), warp);
      if (size_t(it - running.begin()) < turn)
        --turn;
      running.erase(it);
      freeWarps.push_back(warp);
    }
    resident -= unsigned(cta->warps().size());
    sharedFree += cta->shared().size();
    if (constants)
      constants->retire(number, cycles);
    cta.reset();
  }
  std::erase(ctas, nullptr);
}

void StreamingMultiprocessor::release() {
  for (size_t i = 0; constants && i < ctas.size(); ++i)
    constants->retire(number, cycles);
  ctas.clear();
}

StackCounters StreamingMultiprocessor::stackCounters() const {
  StackCounters sum;
  for (size_t i = 0; i < made; ++i)
    sum += warps[i]->tokens().counters();
  return sum;
}

Warp *StreamingMultiprocessor::nextReady(u64 cycle) {
  for (size_t tried = 0; tried < running.size(); ++tried) {
    if (turn >= running.size())
      turn = 0;
    Warp *warp = running[turn++];
    if (warp->status == WarpStatus::Ready && warp->readyAt <= cycle)
      return warp;
  }
  return nullptr;
}

u64 StreamingMultiprocessor::readyFrom() const {
  u64 first = std::numeric_limits<u64>::max();
  for (const Warp *warp : running)
    if (warp->status == WarpStatus::Ready)
      first = std::min(first, warp->readyAt);
  return first;
}

bool StreamingMultiprocessor::hasUnfinishedWarps() const {
  return std::any_of(running.begin(), running.end(), [](const Warp *warp) { return !warp->exited(); });
}
