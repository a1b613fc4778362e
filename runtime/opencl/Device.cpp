#include "runtime/opencl/Device.h"

#include "asm/OpenCLFeatures.h"
#include "asm/Spirv.h"
#include "runtime/MachineConfig.h"
#include "runtime/opencl/Context.h"
#include "runtime/opencl/Info.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

#include <cstdio>
#include <cstdlib>

using namespace leno::opencl;

namespace leno::opencl {

namespace {

constexpr cl_version version(unsigned major, unsigned minor, unsigned patch = 0) {
  return CL_MAKE_VERSION(major, minor, patch);
}

/// The machine of LENO_MACHINE as settings of leno::Device.
void readMachine(_cl_device_id &into) {
  const char *path = std::getenv("LENO_MACHINE");
  if (!path || !*path)
    return;
  leno::MachineConfig config;
  auto file = leno::runtime::YamlText::load(path, "machine file");
  llvm::Error error =
      file ? leno::runtime::readMachineKeys(config, **file, (*file)->root()) : file.takeError();
  if (error) {
    into.mistake = llvm::toString(std::move(error));
    return;
  }
  into.isShared = llvm::any_of((*file)->root().entries, [](const leno::runtime::YamlEntry &entry) {
    llvm::StringRef key = entry.key.text;
    return key == "contexts" || key.starts_with("contexts.");
  });
  for (const leno::MachineKey &key : leno::machineKeys())
    into.settings.push_back(std::string(key.name) + "=" + leno::runtime::shownValue(key, key.field(config)));
}

_cl_device_id &makeDevice() {
  auto *made = new _cl_device_id;
  readMachine(*made);
  if (made->mistake.empty()) {
    leno::Result<leno::Device> machine = leno::Device::create(made->settings);
    if (!machine)
      made->mistake = machine.error().message();
    else
      for (const leno::Device::Setting &setting : machine->settings()) {
        if (setting.key == "sm.count")
          made->sms = setting.value;
        else if (setting.key == "sm.warps")
          made->threadsOfCta = 32 * setting.value;
        else if (setting.key == "sm.sharedBytes")
          made->sharedBytes = setting.value;
        else if (setting.key == "sm.registers")
          made->registers = setting.value;
        else if (setting.key == "memory.bytes")
          made->memoryBytes = setting.value;
        else if (setting.key == "warp.localBytes")
          made->localBytes = setting.value;
      }
  }
  if (llvm::Expected<std::string> translator = leno::spirvTranslator()) {
    for (unsigned minor = 0; minor <= leno::newestSpirv; ++minor)
      made->ilVersions.push_back({version(1, minor), "SPIR-V"});
  } else {
    llvm::consumeError(translator.takeError());
  }
  if (!made->mistake.empty())
    std::fprintf(stderr, "leno: there is no OpenCL device: LENO_MACHINE in the environment: %s\n",
                 made->mistake.c_str());
  return *made;
}

std::vector<cl_name_version> named(llvm::ArrayRef<llvm::StringLiteral> names, cl_version version) {
  std::vector<cl_name_version> list;
  for (llvm::StringRef name : names) {
    cl_name_version &one = list.emplace_back();
    one.version = version;
    std::memcpy(one.name, name.data(), std::min(name.size(), sizeof(one.name) - 1));
  }
  return list;
}

std::vector<cl_name_version> languages() {
  std::vector<cl_name_version> list;
  for (cl_version one : {version(1, 0), version(1, 1), version(1, 2), version(3, 0)}) {
    list.push_back({one, {}});
    std::memcpy(list.back().name, "OpenCL C", sizeof("OpenCL C"));
  }
  return list;
}

std::string joined(llvm::ArrayRef<llvm::StringLiteral> names) {
  std::string text;
  for (llvm::StringRef name : names)
    text += (text.empty() ? "" : " ") + name.str();
  return text;
}

/// "SPIR-V_1.0 SPIR-V_1.1"
std::string ilText(const _cl_device_id &of) {
  std::string text;
  for (const cl_name_version &one : of.ilVersions)
    text += (text.empty() ? "" : " ") + std::string(one.name) + "_" +
            std::to_string(CL_VERSION_MAJOR(one.version)) + "." +
            std::to_string(CL_VERSION_MINOR(one.version));
  return text;
}

/// What the device can as a platform, too: the platform has no other.
std::vector<llvm::StringLiteral> allExtensions() {
  std::vector<llvm::StringLiteral> all(std::begin(openCLExtensions), std::end(openCLExtensions));
  all.push_back("cl_khr_icd");
  if (!device().ilVersions.empty())
    all.push_back("cl_khr_il_program");
  return all;
}

constexpr char versionText[] = "OpenCL 3.0 Leno " LENO_VERSION;

} // namespace

_cl_platform_id &platform() {
  static auto *one = new _cl_platform_id;
  return *one;
}

_cl_device_id &device() {
  static _cl_device_id &one = makeDevice();
  return one;
}

bool isDevice(cl_device_id id) { return id && id == &device() && device().mistake.empty(); }

bool isDeviceList(cl_uint count, const cl_device_id *list) {
  for (cl_uint i = 0; i < count; ++i)
    if (!isDevice(list[i]))
      return false;
  return true;
}

} // namespace leno::opencl

cl_int CL_API_CALL clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  if ((!platforms && !count) || (platforms && room == 0))
    return CL_INVALID_VALUE;
  if (platforms)
    platforms[0] = &platform();
  if (count)
    *count = 1;
  return CL_SUCCESS;
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms,
                                                                  cl_uint *count) {
  return clGetPlatformIDs(room, platforms, count);
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t room, void *value,
                                     size_t *size) {
  if (id && id != &platform())
    return CL_INVALID_PLATFORM;
  Answer answer(room, value, size);
  switch (what) {
  case CL_PLATFORM_PROFILE:
    return answer.text("FULL_PROFILE");
  case CL_PLATFORM_VERSION:
    return answer.text(versionText);
  case CL_PLATFORM_NUMERIC_VERSION:
    return answer.of(version(3, 0));
  case CL_PLATFORM_NAME:
  case CL_PLATFORM_VENDOR:
    return answer.text("Leno");
  case CL_PLATFORM_EXTENSIONS:
    return answer.text(joined(allExtensions()));
  case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
    return answer.list(named(allExtensions(), version(1, 0)));
  case CL_PLATFORM_HOST_TIMER_RESOLUTION:
    return answer.of<cl_ulong>(1);
  case CL_PLATFORM_ICD_SUFFIX_KHR:
    return answer.text("LENO");
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id id, cl_device_type type, cl_uint room, cl_device_id *devices,
                                  cl_uint *count) {
  if (id && id != &platform())
    return CL_INVALID_PLATFORM;
  if ((!devices && !count) || (devices && room == 0))
    return CL_INVALID_VALUE;
  constexpr cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                   CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known)))
    return CL_INVALID_DEVICE_TYPE;
  bool is = (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)) && device().mistake.empty();
  if (count)
    *count = is;
  if (!is)
    return CL_DEVICE_NOT_FOUND;
  if (devices)
    devices[0] = &device();
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t room, void *value,
                                   size_t *size) {
  if (!isDevice(id))
    return CL_INVALID_DEVICE;
  Answer answer(room, value, size);
  switch (what) {
  case CL_DEVICE_TYPE:
    return answer.of<cl_device_type>(CL_DEVICE_TYPE_GPU);
  case CL_DEVICE_VENDOR_ID:
    return answer.of<cl_uint>(0);
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return answer.of<cl_uint>(cl_uint(id->sms));
  case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
    return answer.of<cl_uint>(3);
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return answer.of<size_t>(id->threadsOfCta);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES:
    return answer.list(std::vector<size_t>(3, id->threadsOfCta));
  case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return answer.of<size_t>(32);
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
    return answer.of<cl_uint>(1);
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return answer.of<cl_uint>(1000); // there is no such thing; programs divide by it
  case CL_DEVICE_ADDRESS_BITS:
    return answer.of<cl_uint>(64);
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return answer.of<cl_ulong>(id->memoryBytes);
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return answer.of<cl_ulong>(id->mostOfBuffer());
  case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    return answer.of<size_t>(std::min<size_t>(id->mostOfBuffer(), 64 << 20));
  case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
    return answer.of<size_t>(id->mostOfBuffer());
  case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: // a bank's size; it is in global memory, and not held to it
    return answer.of<cl_ulong>(64 << 10);
  case CL_DEVICE_IMAGE_SUPPORT:
    return answer.flag(false);
  case CL_DEVICE_MAX_READ_IMAGE_ARGS:
  case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
  case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
  case CL_DEVICE_MAX_SAMPLERS:
  case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
  case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
  case CL_DEVICE_MAX_PIPE_ARGS:
  case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
  case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
  case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
  case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
  case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
  case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
  case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
  case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
  case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
  case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
    return answer.of<cl_uint>(0);
  case CL_DEVICE_IMAGE2D_MAX_WIDTH:
  case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
  case CL_DEVICE_IMAGE3D_MAX_WIDTH:
  case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
  case CL_DEVICE_IMAGE3D_MAX_DEPTH:
  case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
  case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
    return answer.of<size_t>(0);
  case CL_DEVICE_MAX_PARAMETER_SIZE:
    return answer.of<size_t>(4096);
  case CL_DEVICE_MEM_BASE_ADDR_ALIGN: // in bits
    return answer.of<cl_uint>(8 * bufferAlignment);
  case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
    return answer.of<cl_uint>(128);
  case CL_DEVICE_HALF_FP_CONFIG:
    return answer.of<cl_device_fp_config>(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST);
  case CL_DEVICE_SINGLE_FP_CONFIG:
    return answer.of<cl_device_fp_config>(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA |
                                          CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
  case CL_DEVICE_DOUBLE_FP_CONFIG:
    return answer.of<cl_device_fp_config>(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                          CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA);
  case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
    return answer.of<cl_device_mem_cache_type>(CL_NONE);
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return answer.of<cl_ulong>(0);
  case CL_DEVICE_MAX_CONSTANT_ARGS:
    return answer.of<cl_uint>(64);
  case CL_DEVICE_LOCAL_MEM_TYPE:
    return answer.of<cl_device_local_mem_type>(CL_LOCAL);
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return answer.of<cl_ulong>(id->sharedBytes);
  case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
  case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
    return answer.flag(false);
  case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
    return answer.flag(true);
  case CL_DEVICE_PIPE_SUPPORT:
    return answer.flag(false);
  case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
    return answer.of<cl_device_device_enqueue_capabilities>(0);
  case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
  case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
  case CL_DEVICE_ENDIAN_LITTLE:
  case CL_DEVICE_AVAILABLE:
  case CL_DEVICE_COMPILER_AVAILABLE:
  case CL_DEVICE_LINKER_AVAILABLE:
  case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
    return answer.flag(true);
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
    return answer.of<size_t>(1);
  case CL_DEVICE_EXECUTION_CAPABILITIES:
    return answer.of<cl_device_exec_capabilities>(CL_EXEC_KERNEL);
  case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
    return answer.of<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                  CL_QUEUE_PROFILING_ENABLE);
  case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
    return answer.of<cl_command_queue_properties>(0);
  case CL_DEVICE_BUILT_IN_KERNELS:
    return answer.text("");
  case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
    return answer.bytes(nullptr, 0);
  case CL_DEVICE_ILS_WITH_VERSION:
    return answer.list(id->ilVersions);
  case CL_DEVICE_IL_VERSION:
    return answer.text(ilText(*id));
  case CL_DEVICE_PLATFORM:
    return answer.of(&platform());
  case CL_DEVICE_NAME:
    return answer.text("Leno SIMT emulator");
  case CL_DEVICE_VENDOR:
    return answer.text("Leno");
  case CL_DRIVER_VERSION:
    return answer.text(LENO_VERSION);
  case CL_DEVICE_PROFILE:
    return answer.text("FULL_PROFILE");
  case CL_DEVICE_VERSION:
    return answer.text(versionText);
  case CL_DEVICE_NUMERIC_VERSION:
    return answer.of(version(3, 0));
  case CL_DEVICE_OPENCL_C_VERSION:
    return answer.text("OpenCL C 1.2 ");
  case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
    return answer.list(languages());
  case CL_DEVICE_OPENCL_C_FEATURES:
    return answer.list(named(leno::openCLFeatures, version(3, 0)));
  case CL_DEVICE_EXTENSIONS:
    return answer.text(joined(allExtensions()));
  case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    return answer.list(named(allExtensions(), version(1, 0)));
  case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
    return answer.text("");
  case CL_DEVICE_PRINTF_BUFFER_SIZE:
    return answer.of<size_t>(1 << 20);
  case CL_DEVICE_PARENT_DEVICE:
    return answer.of<cl_device_id>(nullptr);
  case CL_DEVICE_PARTITION_PROPERTIES:
    return answer.of<cl_device_partition_property>(0);
  case CL_DEVICE_PARTITION_TYPE:
    return answer.bytes(nullptr, 0);
  case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
    return answer.of<cl_device_affinity_domain>(0);
  case CL_DEVICE_REFERENCE_COUNT:
    return answer.of<cl_uint>(1);
  case CL_DEVICE_SVM_CAPABILITIES:
    return answer.of<cl_device_svm_capabilities>(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
  case CL_DEVICE_MAX_NUM_SUB_GROUPS:
    return answer.of<cl_uint>(cl_uint(id->threadsOfCta / 32));
  case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
    return answer.of<cl_device_atomic_capabilities>(
        CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
        CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
  case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
    return answer.of<cl_device_atomic_capabilities>(
        CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
        CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
        CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clRetainDevice(cl_device_id id) { return isDevice(id) ? CL_SUCCESS : CL_INVALID_DEVICE; }
cl_int CL_API_CALL clReleaseDevice(cl_device_id id) { return isDevice(id) ? CL_SUCCESS : CL_INVALID_DEVICE; }
cl_int CL_API_CALL clCreateSubDevices(cl_device_id id, const cl_device_partition_property *, cl_uint,
                                      cl_device_id *, cl_uint *) {
  return isDevice(id) ? CL_INVALID_VALUE : CL_INVALID_DEVICE; // it cannot be parted
}

cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id id, cl_ulong *deviceTime, cl_ulong *hostTime) {
  if (!isDevice(id))
    return CL_INVALID_DEVICE;
  if (!deviceTime || !hostTime)
    return CL_INVALID_VALUE;
  *deviceTime = *hostTime = now();
  return CL_SUCCESS;
}
cl_int CL_API_CALL clGetHostTimer(cl_device_id id, cl_ulong *hostTime) {
  if (!isDevice(id))
    return CL_INVALID_DEVICE;
  if (!hostTime)
    return CL_INVALID_VALUE;
  *hostTime = now();
  return CL_SUCCESS;
}
