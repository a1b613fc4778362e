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
  ++(access.isStore ? stores : loads)[size_t(access.space)];
  if (access.space == MemoryAccess::Space::Global)
    (access.isStore ? bytesStored : bytesLoaded) += u64(access.bytes) * countOf(access.lanes);
}

void Statistics::push(const Warp &warp, const Token &, const StackAccess &) {
  ++pushes;
  deepestStack = std::max(deepestStack, warp.divergence().depth());
}
