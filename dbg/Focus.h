//===- Focus.h - Which lane of which warp of which CTA --------------------===//
#pragma once

#include "emu/sm/Cta.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace leno::dbg {

/// Kept by position, not by pointer: a warp's place on its multiprocessor is used again once its CTA has
/// finished.
struct Focus {
  Dim3 cta{0, 0, 0};
  unsigned warp = 0;
  unsigned lane = 0;
  u32 context = 0;
  u32 launch = 0; ///< of the context, by GridRun::gridId(); 0: any
};

/// "3", "1,2", "(1,2,0)": missing coordinates are 0. Errors are TextErrors.
llvm::Expected<Dim3> parseIndex(llvm::StringRef text);
/// "7": a number from 0 to `most`. `what` names it in errors, which are TextErrors.
llvm::Expected<unsigned> parseNumber(llvm::StringRef text, unsigned most, llvm::StringRef what);

} // namespace leno::dbg
