//===- FactNames.h - The words of facts: flows, spaces, locks, traps ------===//
#pragma once

#include <cstdint>

namespace leno::isa {

#include "isa/LenoFactNames.inc"

} // namespace leno::isa

namespace leno {
using isa::MemorySpace, isa::TrapKind;
} // namespace leno
