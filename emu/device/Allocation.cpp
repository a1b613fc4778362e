#include "emu/device/Allocation.h"
#include <algorithm>
#include <numeric>

using namespace leno;

std::vector<unsigned> leno::staticSplit(llvm::ArrayRef<ContextDemand> contexts, Slices slices) {
  std::vector<unsigned> split(contexts.size(), 0);
  u64 asked = 0, others = 0, most = 0;
  for (const ContextDemand &context : contexts) {
    if (context.retired)
      continue;
    asked += context.asked;
    most = std::max(most, context.asked);
    others += context.asked == 0;
  }
  if (asked + others > slices.all() || most > slices.sms)
    return {};
  u64 rest = slices.all() - asked;
  for (size_t i = 0; i < contexts.size(); ++i) {
    if (contexts[i].retired)
      continue;
    if (contexts[i].asked) {
      split[i] = unsigned(contexts[i].asked);
      continue;
    }
    u64 part = std::min<u64>((rest + others - 1) / others, slices.sms);
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

bool leno::needsTurns(llvm::ArrayRef<ContextDemand> contexts, Slices slices) {
  return activeInOrder(contexts).size() > slices.all();
}

std::vector<unsigned> leno::splitByPriority(llvm::ArrayRef<ContextDemand> contexts, Slices slices, u64 turn) {
  std::vector<unsigned> split(contexts.size(), 0);
  std::vector<size_t> order = activeInOrder(contexts);
  if (order.size() > slices.all()) {
    unsigned last = slices.all() - 1;
    for (unsigned i = 0; i < last; ++i)
      split[order[i]] = 1;
    split[order[last + turn % (order.size() - last)]] += 1;
    return split;
  }
  // A context whose page is being mapped keeps what it occupies and leaves the rest to those who can run.
  unsigned rest = slices.all();
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
  for (auto first = order.begin(); rest > 0 && first != order.end();) {
    auto next = std::find_if(first, order.end(),
                             [&](size_t i) { return contexts[i].priority != contexts[*first].priority; });
    for (bool any = true; any && rest > 0;) {
      any = false;
      for (auto one = first; one != next && rest > 0; ++one)
        if (split[*one] < slices.sms) {
          ++split[*one];
          --rest;
          any = true;
        }
    }
    first = next;
  }
  return split;
}

std::optional<SliceMove> leno::rebalance(llvm::ArrayRef<ContextDemand> contexts, Slices slices,
                                         u64 threshold) {
  std::optional<SliceMove> best;
  u64 widest = threshold;
  for (size_t to = 0; to < contexts.size(); ++to)
    for (size_t from = 0; from < contexts.size(); ++from) {
      const ContextDemand &gains = contexts[to], &loses = contexts[from];
      if (!gains.active || !loses.active || gains.faulted || loses.faulted || loses.sms < 2 ||
          gains.sms >= slices.sms || gains.priority != loses.priority)
        continue;
      if (gains.blocked > loses.blocked && gains.blocked - loses.blocked > widest) {
        widest = gains.blocked - loses.blocked;
        best = SliceMove{from, to};
      }
    }
  return best;
}
