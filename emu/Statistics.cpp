#include "emu/Statistics.h"
#include "emu/Warp.h"
#include <algorithm>

using namespace leno;

static unsigned countOf(LaneMask lanes) { return unsigned(__builtin_popcount(lanes)); }

void Statistics::instructionDone(const Warp &, const Op &op, LaneMask executing) {
  ++warpInstructions;
  laneOperations += countOf(executing);
  ++bySemantic[size_t(op.semantic)];
  branches += op.semantic == Semantic::BRA || op.semantic == Semantic::JMP || op.semantic == Semantic::BRX ||
              op.semantic == Semantic::JMX;
  discards += op.semantic == Semantic::KIL ? countOf(executing) : 0;
}

void Statistics::memory(const Warp &, const MemoryAccess &access) {
  using Kind = MemoryAccess::Kind;
  ++(access.kind == Kind::Load ? loads : access.kind == Kind::Store ? stores : atomics)[size_t(access.space)];
  if (access.space != MemoryAccess::Space::Global)
    return;
  u64 bytes = u64(access.bytes) * countOf(access.lanes);
  if (access.kind != Kind::Store)
    bytesLoaded += bytes;
  if (access.kind != Kind::Load)
    bytesStored += bytes;
}

void Statistics::push(const Warp &warp, const Token &, const StackAccess &) {
  ++pushes;
  deepestStack = std::max(deepestStack, warp.divergence().depth());
}
