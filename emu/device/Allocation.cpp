#include "emu/device/Allocation.h"
#include <algorithm>
#include <numeric>

using namespace leno;

std::vector<unsigned> leno::staticSplit(llvm::ArrayRef<ContextDemand> contexts, unsigned sms) {
  std::vector<unsigned> split(contexts.size(), 0);
  u64 asked = 0, others = 0;
  for (const ContextDemand &context : contexts) {
    if (context.retired)
      continue;
    asked += context.asked;
    others += context.asked == 0;
  }
  if (asked + others > sms)
    return {};
  u64 rest = sms - asked;
  for (size_t i = 0; i < contexts.size(); ++i) {
    if (contexts[i].retired)
      continue;
    if (contexts[i].asked) {
      split[i] = unsigned(contexts[i].asked);
      continue;
    }
    u64 part = (rest + others - 1) / others;
    split[i] = unsigned(part);
    rest -= part;
    --others;
  }
  return split;
}

/// The active ones, the highest priority first, those of smaller number first among equals.
static std::vector<size_t> activeInOrder(llvm::ArrayRef<ContextDemand> contexts) {
  std::vector<size_t> order;
  for (size_t i = 0; i < contexts.size(); ++i)
    if (contexts[i].active)
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return contexts[a].priority > contexts[b].priority; });
  return order;
}

bool leno::needsTurns(llvm::ArrayRef<ContextDemand> contexts, unsigned sms) {
  return activeInOrder(contexts).size() > sms;
}

std::vector<unsigned> leno::splitByPriority(llvm::ArrayRef<ContextDemand> contexts, unsigned sms, u64 turn) {
  std::vector<unsigned> split(contexts.size(), 0);
  std::vector<size_t> order = activeInOrder(contexts);
  if (order.size() > sms) {
    for (unsigned i = 0; i + 1 < sms; ++i)
      split[order[i]] = 1;
    u64 sharing = order.size() - (sms - 1);
    split[order[sms - 1 + turn % sharing]] += 1;
    return split;
  }
  // A context whose page is being mapped keeps what it occupies and leaves the rest to those who can run.
  unsigned rest = sms;
  bool othersCanRun = std::any_of(order.begin(), order.end(), [&](size_t i) { return !contexts[i].faulted; });
  if (othersCanRun)
    std::erase_if(order, [&](size_t i) {
      if (!contexts[i].faulted)
        return false;
      split[i] = std::min(contexts[i].occupied, contexts[i].sms);
      rest -= split[i];
      return true;
    });
  // It can occupy all of them: the others then wait for the first that runs empty.
  for (size_t i : order)
    if (rest > 0) {
      split[i] = 1;
      --rest;
    }
  auto top = std::find_if(order.begin(), order.end(),
                          [&](size_t i) { return contexts[i].priority != contexts[order.front()].priority; });
  for (size_t first = 0, count = size_t(top - order.begin()); rest > 0 && count > 0; --rest)
    ++split[order[first++ % count]];
  return split;
}

std::optional<SliceMove> leno::rebalance(llvm::ArrayRef<ContextDemand> contexts, u64 threshold) {
  std::optional<SliceMove> best;
  u64 widest = threshold;
  for (size_t to = 0; to < contexts.size(); ++to)
    for (size_t from = 0; from < contexts.size(); ++from) {
      const ContextDemand &gains = contexts[to], &loses = contexts[from];
      if (!gains.active || !loses.active || gains.faulted || loses.faulted || loses.sms < 2 ||
          gains.priority != loses.priority)
        continue;
      if (gains.blocked > loses.blocked && gains.blocked - loses.blocked > widest) {
        widest = gains.blocked - loses.blocked;
        best = SliceMove{from, to};
      }
    }
  return best;
}
