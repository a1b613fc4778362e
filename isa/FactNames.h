//===- FactNames.h - The words of facts: flows, spaces, locks, traps ------===//
#pragma once

#include <cstdint>

namespace leno::isa {

#include "isa/LenoFactNames.inc"

/// "global", "shared", "constant", "local", "generic".
constexpr const char *nameOf(MemorySpace space) { return spaceNames[unsigned(space)]; }

} // namespace leno::isa

namespace leno {
using isa::MemorySpace, isa::TrapKind;
} // namespace leno
