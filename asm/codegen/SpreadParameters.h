//===- SpreadParameters.h - Kernels' parameters as single numbers -------------------===//
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace leno {

/// A launch gives numbers and addresses. A vector by value becomes a parameter for each element (v_x, v_y,
/// ..., of wider ones v_s0 on), a structure one for each of its numbers by their places (o_0, o_1_2, ...), a
/// half the 16 bits that it has.
void spreadParameters(llvm::Module &module);

} // namespace leno
