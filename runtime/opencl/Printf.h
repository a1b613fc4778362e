// What kernels print.
#pragma once

#include "runtime/opencl/Context.h"

namespace leno::opencl {

/// Of a launch's buffer, in bytes.
inline constexpr size_t printfBytes = size_t(1) << 20;

/// A record of asm/codegen/KernelPrintf.h as text [OpenCL C 3.0, 6.15.14]. `string` gives the text at an address.
std::string printed(std::string_view format, std::span<const std::uint64_t> words,
                    const std::function<std::string(std::uint64_t)> &string);

/// A buffer for a launch's records: its head says that none of it is used.
cl_int preparePrintf(Storage &storage);
/// All that a launch has printed, in the order in which room was taken; what had no room is told of.
std::string takePrinted(_cl_context &context, const Storage &storage);

} // namespace leno::opencl
