// What the specification of the API says of errors, properties and orders, function by function [OpenCL 3.0].
#include "OpenCLTest.h"

#include <array>
#include <atomic>
#include <cstring>

#define OK(call) EXPECT_EQ(call, CL_SUCCESS)

namespace {
class SpecificationTest : public OpenCLTest {
protected:
  void SetUp() override {
    OpenCLTest::SetUp();
    for (int i = 0; i < 256; ++i)
      data[size_t(i)] = i * i;
    a = bufferWith(data), b = bufferOf(1024);
  }
  void TearDown() override {
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OpenCLTest::TearDown();
  }
  cl_int bufferError(cl_mem_flags flags, size_t bytes, void *host = nullptr) {
    cl_int said = CL_SUCCESS;
    if (cl_mem made = clCreateBuffer(context, flags, bytes, host, &said))
      clReleaseMemObject(made);
    return said;
  }
  cl_int mapError(cl_mem memory, cl_map_flags flags, size_t offset, size_t bytes) {
    cl_int said = CL_SUCCESS;
    clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, offset, bytes, 0, nullptr, nullptr, &said);
    return said;
  }
  template <class T> T of(cl_mem memory, cl_mem_info what) {
    T value{};
    OK(clGetMemObjectInfo(memory, what, sizeof(value), &value, nullptr));
    return value;
  }
  std::vector<int> data = std::vector<int>(256);
  cl_mem a = nullptr, b = nullptr;
};
} // namespace

TEST_F(SpecificationTest, PlatformsAndDevices) {
  cl_uint count;
  EXPECT_EQ(clGetPlatformIDs(0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformIDs(0, &platform, &count), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, &count), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &device, &count), CL_DEVICE_NOT_FOUND);
  char text[4];
  EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_NAME, 1, text, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceInfo(device, 0x9999, sizeof(text), text, nullptr), CL_INVALID_VALUE);
}

TEST_F(SpecificationTest, ContextsAndQueues) {
  auto contextError = [&](const cl_context_properties *properties, cl_uint count, const cl_device_id *list) {
    cl_int said;
    clCreateContext(properties, count, list, nullptr, nullptr, &said);
    return said;
  };
  EXPECT_EQ(contextError(nullptr, 0, &device), CL_INVALID_VALUE);
  EXPECT_EQ(contextError(nullptr, 1, nullptr), CL_INVALID_VALUE);
  auto here = cl_context_properties(platform);
  cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, here, CL_CONTEXT_PLATFORM, here, 0};
  EXPECT_EQ(contextError(twice, 1, &device), CL_INVALID_PROPERTY);
  cl_context_properties none[] = {CL_CONTEXT_PLATFORM, 0, 0};
  EXPECT_EQ(contextError(none, 1, &device), CL_INVALID_PLATFORM);

  clCreateCommandQueue(context, device, 1 << 20, &error);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  clCreateCommandQueue(context, nullptr, 0, &error);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  clCreateCommandQueue(nullptr, device, 0, &error);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  cl_queue_properties given[] = {CL_QUEUE_PROPERTIES,
                                 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue other = clCreateCommandQueueWithProperties(context, device, given, &error);
  OK(error);
  cl_queue_properties told[8];
  size_t size;
  OK(clGetCommandQueueInfo(other, CL_QUEUE_PROPERTIES_ARRAY, sizeof(told), told, &size));
  EXPECT_EQ(size, sizeof(given));
  EXPECT_EQ(std::memcmp(told, given, sizeof(given)), 0);
  OK(clReleaseCommandQueue(other));
}

TEST_F(SpecificationTest, BuffersHoldWhatTheDeviceSays) {
  cl_ulong most;
  OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, nullptr));
  OK(bufferError(CL_MEM_READ_WRITE, most));
  EXPECT_EQ(bufferError(CL_MEM_READ_WRITE, most + 1), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(bufferError(CL_MEM_READ_WRITE, 0), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(bufferError(CL_MEM_COPY_HOST_PTR, 64), CL_INVALID_HOST_PTR);
  EXPECT_EQ(bufferError(CL_MEM_READ_WRITE, 64, data.data()), CL_INVALID_HOST_PTR);
  EXPECT_EQ(bufferError(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64), CL_INVALID_VALUE);
  EXPECT_EQ(bufferError(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64), CL_INVALID_VALUE);
  EXPECT_EQ(bufferError(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, data.data()), CL_INVALID_VALUE);
  cl_uint more = 0;
  OK(clEnqueueMigrateMemObjects(queue, 1, &a, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr));
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 0, &a, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &a, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  OK(clGetMemObjectInfo(a, CL_MEM_MAP_COUNT, sizeof(more), &more, nullptr));
  EXPECT_EQ(more, 0u);
}

TEST_F(SpecificationTest, CopiesAndFills) {
  int got[256];
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueReadBuffer(queue, a, 1, 4, 1024, got, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(queue, a, 1, 0, 4, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(queue, a, 1, 0, 4, got, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueReadBuffer(queue, a, 1, 0, 4, got, 0, &event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, a, a, 0, 4, 64, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  OK(clEnqueueCopyBuffer(queue, a, a, 0, 64, 64, 0, nullptr, nullptr));
  EXPECT_EQ(clEnqueueCopyBuffer(queue, a, b, 0, 1020, 64, 0, nullptr, nullptr), CL_INVALID_VALUE);
  std::vector<int> copied = read<int>(a, 256);
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(copied[size_t(i)], i >= 16 && i < 32 ? (i - 16) * (i - 16) : i * i);

  auto fill = [&](const void *pattern, size_t width, size_t offset, size_t bytes) {
    return clEnqueueFillBuffer(queue, b, pattern, width, offset, bytes, 0, nullptr, nullptr);
  };
  char pattern[128];
  std::iota(pattern, pattern + 128, char(1));
  EXPECT_EQ(fill(pattern, 3, 0, 9), CL_INVALID_VALUE);
  EXPECT_EQ(fill(pattern, 4, 2, 8), CL_INVALID_VALUE);
  EXPECT_EQ(fill(pattern, 4, 0, 6), CL_INVALID_VALUE);
  for (size_t width = 1; width <= 128; width *= 2) {
    OK(fill(pattern, width, width, 512));
    std::vector<char> filled = read<char>(b, 1024);
    for (size_t i = 0; i < 512; ++i)
      EXPECT_EQ(filled[width + i], pattern[i % width]) << width << " at " << i;
  }
}

TEST_F(SpecificationTest, MappingsAreCounted) {
  void *mapped =
      clEnqueueMapBuffer(queue, b, 1, CL_MAP_READ | CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, &error);
  OK(error);
  std::memset(mapped, 5, 64);
  EXPECT_EQ(of<cl_uint>(b, CL_MEM_MAP_COUNT), 1u);
  OK(clEnqueueUnmapMemObject(queue, b, mapped, 0, nullptr, nullptr));
  OK(clFinish(queue));
  EXPECT_EQ(of<cl_uint>(b, CL_MEM_MAP_COUNT), 0u);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, b, mapped, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(mapError(b, CL_MAP_READ, 0, 1025), CL_INVALID_VALUE);
  EXPECT_EQ(mapError(b, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4), CL_INVALID_VALUE);
  cl_mem hidden = bufferOf(64, CL_MEM_HOST_NO_ACCESS);
  int one;
  EXPECT_EQ(mapError(hidden, CL_MAP_READ, 0, 4), CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueReadBuffer(queue, hidden, 1, 0, 4, &one, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  OK(clReleaseMemObject(hidden));
}

TEST_F(SpecificationTest, AMappingWhoseCommandFailsIsNotCounted) {
  cl_event never = clCreateUserEvent(context, &error), first = nullptr, second = nullptr;
  void *good = clEnqueueMapBuffer(queue, b, 1, CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, &error);
  OK(error);
  clEnqueueMapBuffer(queue, b, 0, CL_MAP_READ, 64, 64, 1, &never, &first, &error);
  OK(error);
  clEnqueueMapBuffer(queue, b, 0, CL_MAP_WRITE_INVALIDATE_REGION, 128, 64, 1, &never, &second, &error);
  OK(error);
  EXPECT_EQ(of<cl_uint>(b, CL_MEM_MAP_COUNT), 3u);
  OK(clSetUserEventStatus(never, -5));
  EXPECT_EQ(clWaitForEvents(1, &first), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clEnqueueMapBuffer(queue, b, 1, CL_MAP_READ, 0, 64, 1, &never, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(of<cl_uint>(b, CL_MEM_MAP_COUNT), 1u);
  OK(clEnqueueUnmapMemObject(queue, b, good, 0, nullptr, nullptr));
  OK(clFinish(queue));
  EXPECT_EQ(of<cl_uint>(b, CL_MEM_MAP_COUNT), 0u);
  for (cl_event event : {never, first, second})
    OK(clReleaseEvent(event));
}

// What an unmap that failed was to unmap is mapped still, and is unmapped by the next one.
TEST_F(SpecificationTest, AMappingOutlivesAnUnmapThatFails) {
  cl_event never = clCreateUserEvent(context, &error), failed = nullptr;
  auto *mapped =
      static_cast<int *>(clEnqueueMapBuffer(queue, b, 1, CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, &error));
  OK(error);
  mapped[0] = 1234;
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, b, mapped, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(of<cl_uint>(b, CL_MEM_MAP_COUNT), 1u);
  OK(clEnqueueUnmapMemObject(queue, b, mapped, 1, &never, &failed));
  OK(clSetUserEventStatus(never, -5));
  EXPECT_EQ(clWaitForEvents(1, &failed), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(of<cl_uint>(b, CL_MEM_MAP_COUNT), 1u);
  OK(clEnqueueUnmapMemObject(queue, b, mapped, 0, nullptr, nullptr));
  EXPECT_EQ(read<int>(b, 1)[0], 1234);
  EXPECT_EQ(of<cl_uint>(b, CL_MEM_MAP_COUNT), 0u);
  for (cl_event event : {never, failed})
    OK(clReleaseEvent(event));
}

// The last of a buffer may go with a command: its callback may ask for events all the same.
TEST_F(SpecificationTest, ABuffersEndMayAskForEvents) {
  static cl_event asked;
  static cl_int status;
  asked = clCreateUserEvent(context, &error), status = 17;
  cl_mem brief = bufferOf(64);
  int one = 1;
  OK(clSetMemObjectDestructorCallback(
      brief,
      [](cl_mem, void *) {
        clGetEventInfo(asked, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
      },
      nullptr));
  OK(clEnqueueWriteBuffer(queue, brief, 0, 0, 4, &one, 1, &asked, nullptr));
  OK(clReleaseMemObject(brief));
  EXPECT_EQ(status, 17);
  OK(clSetUserEventStatus(asked, CL_COMPLETE));
  OK(clFinish(queue));
  EXPECT_EQ(status, CL_COMPLETE);
  OK(clReleaseEvent(asked));
}

TEST_F(SpecificationTest, SubBuffersInherit) {
  alignas(128) static char host[4096];
  cl_mem whole = bufferOf(sizeof(host), CL_MEM_USE_HOST_PTR, host);
  auto part = [&](cl_mem of, size_t origin, size_t size, cl_mem_flags flags = 0) {
    cl_buffer_region region = {origin, size};
    return clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  };
  cl_mem sub = part(whole, 128, 128, CL_MEM_READ_ONLY);
  OK(error);
  EXPECT_EQ(of<void *>(sub, CL_MEM_HOST_PTR), host + 128);
  EXPECT_EQ(of<size_t>(sub, CL_MEM_OFFSET), 128u);
  EXPECT_EQ(of<cl_mem>(sub, CL_MEM_ASSOCIATED_MEMOBJECT), whole);
  EXPECT_EQ(of<cl_mem_flags>(sub, CL_MEM_FLAGS), cl_mem_flags(CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR));
  part(whole, 4, 128);
  EXPECT_EQ(error, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  part(whole, 4096, 128);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  part(whole, 0, 0);
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  part(sub, 0, 64);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  OK(clReleaseMemObject(sub));
  OK(clReleaseMemObject(whole));
}

TEST_F(SpecificationTest, KernelsAndTheirArguments) {
  const char *source = R"CL(
    typedef struct { int a; float b; } S;
    global int kept[100];
    kernel void f(global const int *restrict x, constant float4 *y, local double *z, S s, uchar3 v, volatile global S *w,
                  const int n) {
      if (get_global_id(0) == 0)
        w[0].a = x[0] + s.a + v.z + n + kept[n];
    }
    kernel __attribute__((reqd_work_group_size(4, 2, 1))) void g() {})CL";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  OK(error);
  clCreateKernel(program, "f", &error);
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
  size_t size;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 8, &size, nullptr),
            CL_INVALID_PROGRAM_EXECUTABLE);
  cl_build_status status;
  OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, nullptr));
  EXPECT_EQ(status, CL_BUILD_NONE);
  EXPECT_EQ(clBuildProgram(program, 1, &device, "-nonsense", nullptr, nullptr), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(clBuildProgram(program, 0, &device, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 1, nullptr, "", nullptr, nullptr), CL_INVALID_VALUE);
  int called = 0;
  auto call = [](cl_program, void *times) { ++*static_cast<int *>(times); };
  OK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0 -cl-kernel-arg-info", call, &called));
  EXPECT_EQ(called, 1);
  OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(size), &size, nullptr));
  EXPECT_EQ(size, 2u);
  OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof(size), &size,
                           nullptr));
  EXPECT_GE(size, 400u);
  clCreateKernel(program, "nothing", &error);
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);
  cl_kernel kernel = kernelOf(program, "f");
  EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr),
            CL_INVALID_OPERATION); // it has kernels

  auto text = [&](cl_uint index, cl_kernel_arg_info what) {
    char said[256] = "";
    OK(clGetKernelArgInfo(kernel, index, what, sizeof(said), said, nullptr));
    return std::string(said);
  };
  const char *types[] = {"int*", "float4*", "double*", "S", "uchar3", "S*", "int"};
  constexpr cl_kernel_arg_type_qualifier qualifiers[] = {CL_KERNEL_ARG_TYPE_CONST |
                                                             CL_KERNEL_ARG_TYPE_RESTRICT,
                                                         CL_KERNEL_ARG_TYPE_CONST,
                                                         0,
                                                         0,
                                                         0,
                                                         CL_KERNEL_ARG_TYPE_VOLATILE,
                                                         0};
  constexpr cl_kernel_arg_address_qualifier spaces[] = {
      CL_KERNEL_ARG_ADDRESS_GLOBAL,  CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL,
      CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_PRIVATE,  CL_KERNEL_ARG_ADDRESS_GLOBAL,
      CL_KERNEL_ARG_ADDRESS_PRIVATE};
  for (cl_uint i = 0; i < 7; ++i) {
    EXPECT_EQ(text(i, CL_KERNEL_ARG_TYPE_NAME), types[i]);
    EXPECT_EQ(text(i, CL_KERNEL_ARG_NAME), std::string(1, "xyzsvwn"[i]));
    cl_kernel_arg_type_qualifier qualifier = 0;
    OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(qualifier), &qualifier, nullptr));
    EXPECT_EQ(qualifier, qualifiers[i]) << i;
    cl_kernel_arg_address_qualifier space = 0;
    OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space, nullptr));
    EXPECT_EQ(space, spaces[i]) << i;
  }

  size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_INVALID_KERNEL_ARGS);
  int seven = 7;
  auto notMemory = cl_mem(&seven);
  EXPECT_EQ(clSetKernelArg(kernel, 7, 4, &seven), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(kernel, 6, 3, &seven), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 6, 4, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 8, &seven), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 0, nullptr), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, &a), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &notMemory), CL_INVALID_MEM_OBJECT);
  struct {
    int a;
    float b;
  } s = {5, 1};
  set(kernel, 0, a), set(kernel, 1, b), set(kernel, 3, s), set(kernel, 5, b), set(kernel, 6, seven);
  set(kernel, 4, std::array<cl_uchar, 4>{1, 2, 3, 4});
  OK(clSetKernelArg(kernel, 2, 64, nullptr));
  OK(clEnqueueWriteBuffer(queue, a, 1, 0, 4, &seven, 0, nullptr, nullptr));
  OK(run(kernel, 1));
  EXPECT_EQ(read<int>(b, 1)[0], 7 + 5 + 3 + 7);
  cl_event event = nullptr;
  size_t nothing = 0;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &nothing, nullptr, 0, nullptr, &event));
  OK(clWaitForEvents(1, &event));
  OK(clReleaseEvent(event));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 0, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE, 24, &data[0], nullptr),
            CL_INVALID_VALUE);
  OK(clReleaseKernel(kernel));
  EXPECT_EQ(clReleaseKernel(kernel), CL_INVALID_KERNEL);
  OK(clReleaseProgram(program));
}

TEST_F(SpecificationTest, EventsTellInOrder) {
  cl_command_queue other =
      clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  OK(error);
  cl_event user = clCreateUserEvent(context, &error), marker, reads;
  OK(error);
  int got = 0;
  std::atomic<int> called{0};
  OK(clEnqueueMarkerWithWaitList(other, 1, &user, &marker));
  OK(clEnqueueReadBuffer(other, a, CL_FALSE, 8, 4, &got, 1, &marker, &reads));
  auto call = [](cl_event, cl_int status, void *to) {
    static_cast<std::atomic<int> *>(to)->store(status == CL_COMPLETE ? 1 : status);
  };
  OK(clSetEventCallback(reads, CL_COMPLETE, call, &called));
  EXPECT_EQ(clSetEventCallback(reads, 99, call, &called), CL_INVALID_VALUE);
  cl_int status;
  OK(clGetEventInfo(reads, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr));
  EXPECT_GE(status, CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(user, 5), CL_INVALID_VALUE);
  OK(clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_INVALID_OPERATION);
  OK(clWaitForEvents(1, &reads));
  OK(clFinish(other)); // behind the callback
  EXPECT_EQ(called, 1);
  EXPECT_EQ(got, 4);
  EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
  cl_ulong time;
  EXPECT_EQ(clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_QUEUED, sizeof(time), &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  for (cl_event event : {user, marker, reads})
    OK(clReleaseEvent(event));

  OK(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, 4, &got, 0, nullptr, &reads));
  OK(clWaitForEvents(1, &reads));
  cl_ulong before = 0;
  for (cl_profiling_info what :
       {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    OK(clGetEventProfilingInfo(reads, what, sizeof(time), &time, nullptr));
    EXPECT_GE(time, before);
    before = time;
  }
  OK(clReleaseEvent(reads));
  OK(clReleaseCommandQueue(other));
}

TEST_F(SpecificationTest, SharedVirtualMemory) {
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_ATOMICS, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0), nullptr);
  auto *shared = static_cast<int *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0));
  ASSERT_NE(shared, nullptr);
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, 4096, 0, nullptr, nullptr));
  std::iota(shared, shared + 1024, 0);
  OK(clEnqueueSVMUnmap(queue, shared, 0, nullptr, nullptr));
  int seven = 7, got[32];
  OK(clEnqueueSVMMemFill(queue, shared, &seven, sizeof(seven), 64, 0, nullptr, nullptr));
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, got, shared, sizeof(got), 0, nullptr, nullptr));
  EXPECT_EQ(got[15], 7);
  EXPECT_EQ(got[16], 16);
  std::atomic<unsigned> freed{0};
  void *list[] = {shared};
  auto call = [](cl_command_queue, cl_uint count, void **, void *to) {
    static_cast<std::atomic<unsigned> *>(to)->fetch_add(count);
  };
  OK(clEnqueueSVMFree(queue, 1, list, call, &freed, 0, nullptr, nullptr));
  OK(clFinish(queue));
  EXPECT_EQ(freed, 1u);
  clSVMFree(context, shared);
}
