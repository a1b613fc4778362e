//===- StackKernels.h - What `leno-bench stack-cache` runs ----------------===//
// Kernels whose divergence stacks grow deep or work hard, as sources of their
// own in kernels/, each with its input and a plain C++ reference that knows
// nothing of warps.
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace leno::bench {

struct StackKernel {
  std::string name;
  std::string what;      ///< for people
  uint32_t size;         ///< the kernel's first parameter, see its source
  uint32_t quickSize;    ///< for a look that takes a second
  uint32_t scratchBytes; ///< of each thread
  std::vector<uint32_t> (*data)(uint32_t size, uint32_t threads);
  /// The word that each thread stores.
  std::vector<uint32_t> (*reference)(uint32_t size, uint32_t threads, const std::vector<uint32_t> &data);
  bool isSwept; ///< measured is also what its stalls depend on: 1,000 calls deep, and not long
};

const std::vector<StackKernel> &stackKernels();
/// The assembly of kernels/NAME.s.
std::string stackKernelSource(const std::string &name);

} // namespace leno::bench
