//===- SpreadParameters.h - Kernels' parameters as single numbers -------------------===//
#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace leno {

/// Among a kernel's `.hints`: its work-groups may be of several sizes in one launch.
inline constexpr char severalSizesHint[] = "non_uniform_work_groups";

/// A launch gives numbers and addresses. A vector by value becomes a parameter for each element (v_x, v_y,
/// ..., of wider ones v_s0 on), a structure one for each of its numbers by their places (o_0, o_1_2, ...), a
/// half the 16 bits that it has.
/// `.hints` tells what attributes advise; severalSizesHint only with `hostWords`, by which launches tell of
/// them.
void spreadParameters(llvm::Module &module, bool hostWords);

/// A kernel whose work-groups may be of several sizes in one launch: of OpenCL C 2.0 on.
bool takesSeveralSizes(const llvm::Function &function);

} // namespace leno
