//===- SpecialRegisters.h - What special registers hold -------------------===//
#pragma once
#include "emu/engine/Services.h"
#include "isa/Modifiers.h"

namespace leno {

class Warp;

/// Those that time goes on in (Architecture.md 11).
inline bool isClock(u32 number) {
  return isa::SpecialRegister(number) == isa::SpecialRegister::CLOCKLO ||
         isa::SpecialRegister(number) == isa::SpecialRegister::CLOCKHI;
}
/// Of all but the clock. False: there is no such register.
bool specialValues(const Warp &warp, u32 number, service::SpecialValues &values);

} // namespace leno
