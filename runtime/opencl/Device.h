// The platform and its one device.
#pragma once

#include "runtime/opencl/Objects.h"

#include <string>
#include <vector>

/// Leno.
struct _cl_platform_id {
  const cl_icd_dispatch *const table = &leno::opencl::dispatch;
};

/// The machine that contexts are made of: the default one, or what LENO_MACHINE says.
struct _cl_device_id {
  const cl_icd_dispatch *const table = &leno::opencl::dispatch;
  std::vector<std::string> settings; ///< for leno::Device::create
  bool isShared = false;             ///< by all contexts: LENO_MACHINE has keys of `contexts` [S4]
  std::string mistake;               ///< why there is no such machine
  std::vector<cl_name_version> ilVersions; ///< of SPIR-V; none: nothing is installed that reads it
  std::uint64_t sms = 0, threadsOfCta = 0, sharedBytes = 0, memoryBytes = 0, registers = 0, localBytes = 0;
  /// One buffer leaves room for programs' data and printf's records.
  std::uint64_t mostOfBuffer() const { return memoryBytes / 4 * 3; }
};

namespace leno::opencl {

_cl_platform_id &platform();
/// Read once, from the environment.
_cl_device_id &device();
bool isDevice(cl_device_id id);

/// All of the list are the device, and there is one.
bool isDeviceList(cl_uint count, const cl_device_id *list);

/// Of sub-buffers, in bytes: that of the widest type, a long16.
inline constexpr size_t bufferAlignment = 128;

} // namespace leno::opencl
