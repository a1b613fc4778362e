#include "emu/sm/Barrier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using llvm::formatv;

static const char *nameOf(BarrierOperation operation) {
  static constexpr const char *names[] = {"BAR.SYNC", "BAR.ARV", "BAR.RED.POPC", "BAR.RED.AND", "BAR.RED.OR"};
  return names[unsigned(operation)];
}

/// SYNC and ARV meet at one barrier, each reduction only its like (PTX leaves a mixture undefined).
static BarrierOperation kindOf(BarrierOperation operation) {
  return operation == BarrierOperation::Arrive ? BarrierOperation::Sync : operation;
}

static std::string countText(unsigned warps) {
  return warps ? formatv("count {0}", warps * laneCount).str() : "no count";
}

std::string Barrier::refusal(unsigned warp, const Arrival &arrival) const {
  if (!here)
    return "";
  if (here >> warp & 1)
    return "the warp has arrived there before, and it is not complete yet";
  if (kindOf(arrival.operation) != common)
    return formatv("{0} does not meet the {1} that others have arrived with", nameOf(arrival.operation),
                   nameOf(common));
  if (arrival.warpsNeeded != needed)
    return formatv("others have arrived with {1}, not {0}", countText(arrival.warpsNeeded),
                   countText(needed));
  return "";
}

void Barrier::arrive(unsigned warp, const Arrival &arrival) {
  u64 bit = u64(1) << warp;
  here |= bit;
  if (arrival.operation == BarrierOperation::Arrive)
    passed |= bit;
  needed = arrival.warpsNeeded;
  common = kindOf(arrival.operation);
  lanes += arrival.lanes;
  holding += arrival.holding;
}

bool Barrier::isComplete(u64 live) const {
  return here && (needed ? unsigned(__builtin_popcountll(here)) >= needed : !(live & ~here));
}

u32 Barrier::result() const {
  switch (common) {
  case BarrierOperation::And:
    return holding == lanes;
  case BarrierOperation::Or:
    return holding != 0;
  default:
    return holding;
  }
}
