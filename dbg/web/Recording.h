//===- Recording.h - A stretch of the past, as answers ---------------------===//
// What the warp view would ask at each moment of a stretch, asked beforehand. A copy of the session goes back
// through it; the session itself stays where it is.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg::web {

inline constexpr u64 usualMoments = 200, mostMoments = 5000;
inline constexpr llvm::StringLiteral firstLineOfPage = "<!DOCTYPE html><!-- Leno warp view -->";

struct Recording {
  u64 first, last; ///< ticks
  /// `hello`, `program` (answers), `moments` (`stop`, and `answers` as indices into the next), `answers`: all
  /// as --json has them.
  std::string json;
};

/// The last moments up to now. Fails on Ctrl-C, and when it gets too large.
llvm::Expected<Recording> record(Interpreter &interpreter, u64 moments);

} // namespace leno::dbg::web
