#include "emu/program/OpFacts.h"
#include "isa/Modifiers.h"
#include <cstddef>
#include <cstring>
#include <iterator>

using namespace leno;
using isa::FactRow, isa::Flow, isa::Lock;

#define GET_LENO_SEMANTIC_FACTS
#include "isa/LenoFacts.inc"
static_assert(std::size(factRows) == size_t(Semantic::count));

isa::Facts leno::factsOf(const Op &op) {
  isa::Facts facts = factRows[size_t(op.semantic)].with(
      [&](int at) { return u64(at == specialRegisterPlace ? op.extra : op.mods[at]); });
  if (op.flags & Op::popSync)
    facts.traps |= joinTraps;
  return facts;
}

Flow leno::flowOf(Semantic semantic) { return factRows[size_t(semantic)].flow; }

BranchMods leno::branchModsOf(const Op &op) {
  auto of = [&](auto mods) {
    std::memcpy(&mods, op.mods, sizeof(mods));
    return BranchMods{bool(mods.U), mods.test != isa::CCTest::T};
  };
  return op.semantic == Semantic::BRA ? of(isa::BRAMods()) : of(isa::JMPMods());
}
