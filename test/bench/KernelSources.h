//===- KernelSources.h - The texts of test/bench/kernels ------------------===//
#pragma once

#include <string>

namespace leno::bench {

/// A file of test/bench/kernels, by its path there. leno-bench holds them all.
std::string kernelSource(const std::string &path);

} // namespace leno::bench
