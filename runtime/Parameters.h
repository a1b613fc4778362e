// Arguments against a kernel's parameters: the one check behind --arg and the host API's argument packs.
#pragma once

#include "asm/ElementType.h"
#include "asm/KernelInfo.h"
#include "emu/launch/GridRun.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace leno::runtime {

/// What is given for one parameter.
struct GivenArgument {
  enum Kind : uint8_t {
    Scalar,  ///< of that type
    Untyped, ///< a scalar that takes its parameter's type
    Buffer,  ///< of elements of that type; none: not known yet
  } kind;
  std::optional<ElementType> type;
  std::string text; ///< as the user wrote it, for messages; may be empty
};

/// One argument for each parameter, of exactly its type; a buffer for each ptr, of its elements where both
/// are known. CHOICE: nothing is converted, so that an i32 never becomes a float unseen; a ptr also takes a
/// u64, which is an address. The error names the kernel, the argument, the parameter and both types.
llvm::Error checkArguments(const KernelInfo &kernel, llvm::ArrayRef<GivenArgument> given);

/// "a u32", "an i32"
std::string withArticle(llvm::StringRef type);

/// "saxpy(u32 n, f32 a, ptr x, ptr.f32 y)"
std::string signature(const KernelInfo &kernel);

/// Where room in shared memory that a launch asks for may begin: no access is wider.
constexpr uint64_t sharedAlignment = 16;

/// What the machine takes. No `maximumInstructions`: no limit.
LaunchSpec launchSpec(const KernelInfo &kernel, Dim3 grid, Dim3 block, llvm::ArrayRef<uint64_t> values,
                      uint64_t maximumInstructions);

/// The bytes of c[0] from parameterBase on: each value, its low bytes, little endian, at its parameter's
/// offset; whole words.
std::vector<uint8_t> packParameters(const KernelInfo &kernel, llvm::ArrayRef<uint64_t> values);

} // namespace leno::runtime
