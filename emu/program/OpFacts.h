//===- OpFacts.h - What an operation does, from the records ---------------===//
#pragma once
#include "emu/program/Op.h"
#include "isa/Facts.h"

namespace leno {

isa::Facts factsOf(const Op &op);
isa::Flow flowOf(Semantic semantic);

} // namespace leno
