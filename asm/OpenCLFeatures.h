//===- OpenCLFeatures.h - What the machine has of OpenCL's options -----------------===//
// For the compiler, which defines their macros, and for the driver, which tells programs.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace leno {

/// OpenCL C 3.0's optional features.
inline constexpr llvm::StringLiteral openCLFeatures[] = {
    "__opencl_c_fp64",
    "__opencl_c_int64",
    "__opencl_c_generic_address_space",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_subgroups",
    "__opencl_c_work_group_collective_functions"};

inline constexpr llvm::StringLiteral openCLExtensions[] = {"cl_khr_fp64",
                                                           "cl_khr_fp16",
                                                           "cl_khr_subgroups",
                                                           "cl_khr_subgroup_shuffle",
                                                           "cl_khr_subgroup_shuffle_relative",
                                                           "cl_khr_int64_base_atomics",
                                                           "cl_khr_int64_extended_atomics",
                                                           "cl_khr_global_int32_base_atomics",
                                                           "cl_khr_global_int32_extended_atomics",
                                                           "cl_khr_local_int32_base_atomics",
                                                           "cl_khr_local_int32_extended_atomics",
                                                           "cl_khr_byte_addressable_store"};

} // namespace leno
