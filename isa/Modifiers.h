//===- Modifiers.h - Modifier enums and structs, made from Modifiers.td ---===//
#pragma once

#include <cstdint>

namespace leno::isa {

#include "isa/LenoModifiers.h.inc"

} // namespace leno::isa
