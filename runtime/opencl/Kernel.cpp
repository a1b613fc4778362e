// Kernels and their arguments.
#include "asm/codegen/SpreadParameters.h"
#include "runtime/opencl/Info.h"
#include "runtime/opencl/Program.h"

#include <algorithm>

using namespace leno::opencl;
using Memory = leno::SourceArgument::Memory;

namespace {

/// Of a kernel that was not made from OpenCL C: each parameter is an argument.
std::vector<leno::SourceArgument> argumentsFrom(const std::vector<leno::Parameter> &parameters) {
  std::vector<leno::SourceArgument> arguments;
  for (size_t i = 0; i < parameters.size(); ++i) {
    bool points = parameters[i].type.starts_with("ptr");
    arguments.push_back({parameters[i].name, points ? "void*" : parameters[i].type, "",
                         points ? Memory::Global : Memory::Private, parameters[i].size, i, {0}});
  }
  return arguments;
}

cl_kernel makeKernel(cl_program program, const leno::Kernel &found) {
  auto *kernel = new _cl_kernel;
  kernel->program = Ref<_cl_program>(program);
  ++program->kernels;
  kernel->kernel = found;
  kernel->parameters = found.parameters();
  kernel->arguments = found.arguments();
  if (kernel->arguments.empty())
    kernel->arguments = argumentsFrom(kernel->parameters);
  kernel->values.resize(kernel->arguments.size());
  llvm::StringRef hints = found.hints(); // that of several sizes is the last one
  kernel->takesSeveralSizes = hints.consume_back(leno::severalSizesHint);
  kernel->attributes = hints.rtrim().str();
  return give(kernel);
}

std::uint64_t localBytesOf(const _cl_kernel &kernel) {
  std::uint64_t bytes = kernel.kernel.sharedBytes();
  for (const _cl_kernel::Value &value : kernel.values)
    if (value.localBytes)
      bytes = (bytes + 127) / 128 * 128 + value.localBytes;
  return bytes;
}

} // namespace

size_t leno::opencl::mostThreads(const _cl_kernel &kernel) {
  std::uint64_t registers = std::max(kernel.kernel.registers(), 1u);
  return size_t(std::min(device().threadsOfCta, device().registers / (32 * registers) * 32));
}

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name, cl_int *error) {
  if (!isGood(program))
    return fail<_cl_kernel>(CL_INVALID_PROGRAM, error);
  if (!name)
    return fail<_cl_kernel>(CL_INVALID_VALUE, error);
  std::lock_guard lock(program->mutex);
  if (!program->module)
    return fail<_cl_kernel>(CL_INVALID_PROGRAM_EXECUTABLE, error);
  leno::Result<leno::Kernel> found = program->module->kernel(name);
  if (!*name || !found)
    return fail<_cl_kernel>(CL_INVALID_KERNEL_NAME, error);
  succeed(error);
  return makeKernel(program, *found);
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
                                            cl_uint *count) {
  if (!isGood(program))
    return CL_INVALID_PROGRAM;
  std::lock_guard lock(program->mutex);
  if (!program->module)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  std::vector<leno::Kernel> all = program->module->kernels();
  if (kernels && room < all.size())
    return CL_INVALID_VALUE;
  for (size_t i = 0; kernels && i < all.size(); ++i)
    kernels[i] = makeKernel(program, all[i]);
  if (count)
    *count = cl_uint(all.size());
  return CL_SUCCESS;
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel kernel, cl_int *error) {
  if (!isGood(kernel))
    return fail<_cl_kernel>(CL_INVALID_KERNEL, error);
  cl_kernel clone = makeKernel(kernel->program.get(), kernel->kernel);
  std::lock_guard lock(kernel->mutex);
  clone->values = kernel->values;
  clone->reached = kernel->reached;
  succeed(error);
  return clone;
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) { return retain(kernel, CL_INVALID_KERNEL); }
cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) { return release(kernel, CL_INVALID_KERNEL); }

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  if (!isGood(kernel))
    return CL_INVALID_KERNEL;
  if (index >= kernel->arguments.size())
    return CL_INVALID_ARG_INDEX;
  const leno::SourceArgument &argument = kernel->arguments[index];
  _cl_kernel::Value given;
  given.isSet = true;
  if (argument.memory == Memory::Local) {
    if (value)
      return CL_INVALID_ARG_VALUE;
    if (size == 0)
      return CL_INVALID_ARG_SIZE;
    given.localBytes = size;
  } else if (argument.memory == Memory::Private) {
    if (size != argument.size)
      return CL_INVALID_ARG_SIZE;
    if (!value)
      return CL_INVALID_ARG_VALUE;
    auto *bytes = static_cast<const std::byte *>(value);
    given.bytes.assign(bytes, bytes + size);
  } else {
    if (size != sizeof(cl_mem))
      return CL_INVALID_ARG_SIZE;
    cl_mem memory = nullptr;
    if (value)
      std::memcpy(&memory, value, sizeof(memory));
    if (memory && (!isGood(memory) || memory->context.get() != kernel->program->context.get()))
      return CL_INVALID_MEM_OBJECT;
    given.memory = Ref<_cl_mem>(memory);
    given.bytes.resize(8); // null
  }
  std::lock_guard lock(kernel->mutex);
  kernel->values[index] = std::move(given);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  if (!isGood(kernel))
    return CL_INVALID_KERNEL;
  if (index >= kernel->arguments.size())
    return CL_INVALID_ARG_INDEX;
  Memory memory = kernel->arguments[index].memory;
  if (memory != Memory::Global && memory != Memory::Constant)
    return CL_INVALID_ARG_VALUE;
  size_t offset;
  if (pointer && !kernel->program->context->sharedAt(pointer, 1, offset))
    return CL_INVALID_ARG_VALUE;
  _cl_kernel::Value given;
  given.isSet = true;
  given.bytes.resize(8);
  std::memcpy(given.bytes.data(), &pointer, sizeof(pointer)); // the same on both sides
  std::lock_guard lock(kernel->mutex);
  kernel->values[index] = std::move(given);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info what, size_t size,
                                       const void *value) {
  if (!isGood(kernel))
    return CL_INVALID_KERNEL;
  if (!value)
    return CL_INVALID_VALUE;
  if (what == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM) {
    cl_bool wanted = CL_FALSE;
    if (size != sizeof(wanted))
      return CL_INVALID_VALUE;
    std::memcpy(&wanted, value, size);
    return wanted ? CL_INVALID_OPERATION : CL_SUCCESS;
  }
  if (what != CL_KERNEL_EXEC_INFO_SVM_PTRS || size == 0 || size % sizeof(void *))
    return CL_INVALID_VALUE;
  std::vector<std::shared_ptr<Storage>> reached;
  for (size_t i = 0; i < size / sizeof(void *); ++i) {
    size_t offset;
    auto storage = kernel->program->context->sharedAt(static_cast<void *const *>(value)[i], 1, offset);
    if (!storage)
      return CL_INVALID_VALUE;
    reached.push_back(std::move(storage));
  }
  std::lock_guard lock(kernel->mutex);
  kernel->reached = std::move(reached);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t room, void *value,
                                   size_t *size) {
  if (!isGood(kernel))
    return CL_INVALID_KERNEL;
  Answer answer(room, value, size);
  switch (what) {
  case CL_KERNEL_FUNCTION_NAME:
    return answer.text(kernel->kernel.name());
  case CL_KERNEL_NUM_ARGS:
    return answer.of<cl_uint>(cl_uint(kernel->arguments.size()));
  case CL_KERNEL_REFERENCE_COUNT:
    return answer.of<cl_uint>(kernel->users);
  case CL_KERNEL_CONTEXT:
    return answer.of(kernel->program->context.get());
  case CL_KERNEL_PROGRAM:
    return answer.of(kernel->program.get());
  case CL_KERNEL_ATTRIBUTES: {
    auto block = kernel->kernel.block();
    std::string all = kernel->attributes;
    if (block[0])
      all = "reqd_work_group_size(" + std::to_string(block[0]) + "," + std::to_string(block[1]) + "," +
            std::to_string(block[2]) + ")" + (all.empty() ? "" : " ") + all;
    return answer.text(all);
  }
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, size_t room,
                                      void *value, size_t *size) {
  if (!isGood(kernel))
    return CL_INVALID_KERNEL;
  if (index >= kernel->arguments.size())
    return CL_INVALID_ARG_INDEX;
  if (!kernel->program->isSource ||
      kernel->program->options.find("-cl-kernel-arg-info") == std::string::npos) // which does not change again
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
  const leno::SourceArgument &argument = kernel->arguments[index];
  Answer answer(room, value, size);
  switch (what) {
  case CL_KERNEL_ARG_ADDRESS_QUALIFIER: {
    static constexpr cl_kernel_arg_address_qualifier spaces[] = {
        CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT,
        CL_KERNEL_ARG_ADDRESS_LOCAL};
    return answer.of(spaces[size_t(argument.memory)]);
  }
  case CL_KERNEL_ARG_ACCESS_QUALIFIER:
    return answer.of<cl_kernel_arg_access_qualifier>(CL_KERNEL_ARG_ACCESS_NONE);
  case CL_KERNEL_ARG_TYPE_NAME:
    return answer.text(argument.type);
  case CL_KERNEL_ARG_TYPE_QUALIFIER: {
    cl_kernel_arg_type_qualifier bits = CL_KERNEL_ARG_TYPE_NONE;
    for (auto [word, bit] : {std::pair("const", CL_KERNEL_ARG_TYPE_CONST),
                             {"restrict", CL_KERNEL_ARG_TYPE_RESTRICT},
                             {"volatile", CL_KERNEL_ARG_TYPE_VOLATILE}})
      if (argument.qualifiers.find(word) != std::string::npos)
        bits |= cl_kernel_arg_type_qualifier(bit);
    return answer.of(bits);
  }
  case CL_KERNEL_ARG_NAME:
    return answer.text(argument.name);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id id, cl_kernel_work_group_info what,
                                            size_t room, void *value, size_t *size) {
  if (!isGood(kernel))
    return CL_INVALID_KERNEL;
  if (id && !isDevice(id))
    return CL_INVALID_DEVICE;
  Answer answer(room, value, size);
  std::lock_guard lock(kernel->mutex);
  switch (what) {
  case CL_KERNEL_WORK_GROUP_SIZE:
    return answer.of(mostThreads(*kernel));
  case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
    auto block = kernel->kernel.block();
    return answer.list(std::vector<size_t>(block.begin(), block.end()));
  }
  case CL_KERNEL_LOCAL_MEM_SIZE:
    return answer.of<cl_ulong>(localBytesOf(*kernel));
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return answer.of<size_t>(32);
  case CL_KERNEL_PRIVATE_MEM_SIZE:
    return answer.of<cl_ulong>(kernel->kernel.localBytes());
  default: // CL_KERNEL_GLOBAL_WORK_SIZE is for built-in kernels
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id id, cl_kernel_sub_group_info what,
                                           size_t inputSize, const void *input, size_t room, void *value,
                                           size_t *size) {
  if (!isGood(kernel))
    return CL_INVALID_KERNEL;
  if (id && !isDevice(id))
    return CL_INVALID_DEVICE;
  Answer answer(room, value, size);
  auto *words = static_cast<const size_t *>(input);
  size_t threads = 1;
  switch (what) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
    if (!words || inputSize == 0 || inputSize % sizeof(size_t) || inputSize > 3 * sizeof(size_t))
      return CL_INVALID_VALUE;
    for (size_t i = 0; i < inputSize / sizeof(size_t); ++i)
      threads *= words[i];
    return answer.of(what == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE ? std::min<size_t>(threads, 32)
                                                                      : (threads + 31) / 32);
  case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
    if (!words || inputSize != sizeof(size_t) || room % sizeof(size_t) || room > 3 * sizeof(size_t))
      return CL_INVALID_VALUE;
    std::vector<size_t> block(room ? room / sizeof(size_t) : 3, 1);
    block[0] = words[0] * 32 <= mostThreads(*kernel) ? words[0] * 32 : 0;
    if (block[0] == 0)
      std::fill(block.begin(), block.end(), 0);
    return answer.list(block);
  }
  case CL_KERNEL_MAX_NUM_SUB_GROUPS:
    return answer.of(mostThreads(*kernel) / 32);
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
    return answer.of<size_t>(0);
  default:
    return CL_INVALID_VALUE;
  }
}
