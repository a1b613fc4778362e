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
/// Those that compiled code keeps.
inline bool isKept(u32 number) {
  using SR = isa::SpecialRegister;
  return (number >= u32(SR::TID_X) && number <= u32(SR::NCTAID_Z)) || SR(number) == SR::LANEID ||
         SR(number) == SR::WARPID;
}
/// Of all but the clock. False: there is no such register.
bool specialValues(const Warp &warp, u32 number, service::SpecialValues &values);

} // namespace leno
