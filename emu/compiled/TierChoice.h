//===- TierChoice.h - Which tier runs launches ----------------------------===//
// A matter of the host and not of the machine: a launch is the same on each.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace leno {

enum class TierChoice : u8 {
  Usual,       ///< what LENO_TIER names, and else Auto
  Auto,        ///< compiled/AutoTier.h: compiled beside the launch, where that is faster
  Interpreter, ///< engine/Interpreter.h
  Compiled,    ///< compiled/CompiledTier.h: the launch begins when its machine code is made
};

inline constexpr const char *tierVariable = "LENO_TIER";
inline constexpr const char *tierNames = "auto, interpreter or compiled";
std::optional<TierChoice> tierNamed(llvm::StringRef name);
/// What the environment variable names; none: Auto.
llvm::Expected<TierChoice> usualTier();

} // namespace leno
