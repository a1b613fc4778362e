#include "emu/launch/WorkDistributor.h"
#include "asm/support/Assert.h"

using namespace leno;

std::optional<Dim3> WorkDistributor::take() {
  if (empty())
    return std::nullopt;
  u64 number = shared ? shared->nextCta.fetch_add(1, std::memory_order_relaxed) : next++;
  if (number >= grid.count()) // another part took the last one
    return std::nullopt;
  return indexOf(number);
}

bool WorkDistributor::handOut(StreamingMultiprocessor &sm) {
  std::optional<Dim3> index = sm.hasRoom(needs) ? take() : std::nullopt;
  if (index)
    sm.start(*index, needs);
  return index.has_value();
}

void WorkDistributor::distribute(llvm::ArrayRef<std::unique_ptr<StreamingMultiprocessor>> sms) {
  for (bool handedOut = true; handedOut && !empty();) {
    handedOut = false;
    for (const auto &sm : sms)
      handedOut |= handOut(*sm);
  }
}

void WorkDistributor::distribute(llvm::ArrayRef<StreamingMultiprocessor *> sms) {
  bool remembers = !out.empty();
  if (remembers && cursors.size() != sms.size())
    cursors.assign(sms.size(), 0);
  for (bool handedOut = true; handedOut && !empty();) {
    handedOut = false;
    for (size_t rank = 0; rank < sms.size(); ++rank)
      if (sms[rank])
        handedOut |= remembers ? handOutMapped(*sms[rank], rank, sms.size()) : handOut(*sms[rank]);
  }
}

bool WorkDistributor::handOutMapped(StreamingMultiprocessor &sm, size_t rank, size_t sms) {
  if (empty() || !sm.hasRoom(needs))
    return false;
  u64 &cursor = cursors[rank];
  auto isItsOwn = [&](u64 number) {
    Dim3 index{u32(number % grid.x), u32(number / grid.x % grid.y), 0};
    return !out[number] && (!mapping || mapping.smOf(index, sms) == rank);
  };
  while (cursor < grid.count() && !isItsOwn(cursor))
    ++cursor;
  if (cursor == grid.count())
    return false;
  out[cursor] = true;
  ++next;
  sm.start(indexOf(cursor), needs);
  return true;
}

void WorkDistributor::setMapping(TileMapping tiles) {
  LENO_ASSERT(!shared, "parts of a grid on several host threads have no mapping");
  mapping = tiles;
  cursors.clear();
  if (mapping && out.empty()) {
    out.assign(grid.count(), false);
    std::fill_n(out.begin(), next, true);
  }
}
