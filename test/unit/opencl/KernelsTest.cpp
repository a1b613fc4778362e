#include "OpenCLTest.h"

namespace {
// All of this file's kernels, so that they are compiled once.
constexpr char source[] = R"CL(
__kernel void saxpy(float a, __global const float *x, __global float *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
__kernel void places(__global uint *out) {
  size_t i = get_global_linear_id();
  out[8 * i] = get_global_id(0);
  out[8 * i + 1] = get_global_id(1);
  out[8 * i + 2] = get_global_id(2);
  out[8 * i + 3] = get_local_id(0) | get_local_id(1) << 8;
  out[8 * i + 4] = get_group_id(0) | get_group_id(1) << 8;
  out[8 * i + 5] = get_global_offset(0) | get_global_offset(1) << 8;
  out[8 * i + 6] = get_global_size(0) | get_global_size(1) << 8;
  out[8 * i + 7] = get_work_dim();
}
typedef struct { char c; double d; short s[3]; int2 v; } Mixed;
__kernel void values(Mixed m, float3 f, uchar4 u, long l, __global double *out) {
  out[0] = m.c, out[1] = m.d, out[2] = m.s[0], out[3] = m.s[2], out[4] = m.v.x, out[5] = m.v.y;
  out[6] = f.x, out[7] = f.z, out[8] = u.x, out[9] = u.w, out[10] = l;
}
__kernel void reversed(__global int *data, __local int *first, __local short *second) {
  uint i = get_local_id(0), n = get_local_size(0);
  first[i] = data[get_global_id(0)];
  second[i] = (short)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = first[n - 1 - i] + 1000 * second[n - 1 - i];
}
__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void block(__global int *out) {
  out[get_group_id(0)] = (int)get_local_size(0);
}
__constant int table[4] = {7, 6, 5, 4};
__global int counter = 3;
__kernel void looks(__constant int *more, __global int *out) {
  out[get_global_id(0)] = table[get_global_id(0)] + more[0];
  if (get_global_id(0) == 0)
    out[4] = counter++;
}
__kernel void outside(__global int *out, ulong far) { out[far] = 1; }
__kernel void narrow(__global int *out, char last) { out[0] = last; }
__kernel void isNull(__global int *maybe, __global int *out) { out[0] = maybe == 0; }
)CL";

/// Built once for all tests of the process, in a context of its own.
class KernelsTest : public OpenCLTest {
protected:
  void SetUp() override {
    OpenCLTest::SetUp();
    static std::vector<unsigned char> binary;
    if (binary.empty()) {
      program = build(source, "-cl-std=CL3.0");
      size_t size = 0;
      clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr);
      binary.resize(size);
      unsigned char *to = binary.data();
      ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(to), &to, nullptr), CL_SUCCESS);
      return;
    }
    const unsigned char *from = binary.data();
    size_t size = binary.size();
    program = clCreateProgramWithBinary(context, 1, &device, &size, &from, nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    OpenCLTest::TearDown();
  }
  cl_program program = nullptr;
};
} // namespace

TEST_F(KernelsTest, SumsRunOverABuffer) {
  cl_kernel kernel = kernelOf(program, "saxpy");
  std::vector<float> x(1000), y(1000);
  for (size_t i = 0; i < 1000; ++i)
    x[i] = float(i), y[i] = float(2 * i);
  cl_mem a = bufferWith(x), b = bufferWith(y);
  set(kernel, 0, 3.0f), set(kernel, 1, a), set(kernel, 2, b);
  EXPECT_EQ(run(kernel, 1000), CL_SUCCESS);
  std::vector<float> got = read<float>(b, 1000);
  for (size_t i = 0; i < 1000; ++i)
    EXPECT_EQ(got[i], float(5 * i));
  clReleaseMemObject(a), clReleaseMemObject(b), clReleaseKernel(kernel);
}

TEST_F(KernelsTest, WorkItemsKnowTheirPlace) {
  cl_kernel kernel = kernelOf(program, "places");
  cl_mem out = bufferOf(4 * 8 * 24);
  set(kernel, 0, out);
  size_t offset[2] = {10, 20}, global[2] = {6, 4}, local[2] = {3, 2};
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, offset, global, local, 0, nullptr, nullptr), CL_SUCCESS);
  std::vector<cl_uint> got = read<cl_uint>(out, 8 * 24);
  for (cl_uint y = 0; y < 4; ++y)
    for (cl_uint x = 0; x < 6; ++x) {
      std::vector<cl_uint> expected = {10 + x,           20 + y,       0, x % 3 | (y % 2) << 8, x / 3 | (y / 2) << 8,
                                       10u | 20u << 8, 6u | 4u << 8, 2};
      size_t at = 8 * (6 * y + x);
      EXPECT_EQ(std::vector<cl_uint>(got.begin() + long(at), got.begin() + long(at) + 8), expected) << x << ' ' << y;
    }
  clReleaseMemObject(out), clReleaseKernel(kernel);
}

TEST_F(KernelsTest, ValuesArriveAsTheSourceHasThem) {
  struct Mixed {
    cl_char c;
    cl_double d;
    cl_short s[3];
    cl_int2 v;
  } mixed = {-3, 0.5, {11, 12, -13}, {{100, -200}}};
  static_assert(sizeof(mixed) == 32);
  cl_kernel kernel = kernelOf(program, "values");
  cl_mem out = bufferOf(8 * 11);
  set(kernel, 0, mixed);
  set(kernel, 1, cl_float3{{1.5f, 2.5f, -3.5f}});
  set(kernel, 2, cl_uchar4{{200, 1, 2, 255}});
  set(kernel, 3, cl_long(-7));
  set(kernel, 4, out);
  EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
  EXPECT_EQ(read<double>(out, 11),
            (std::vector<double>{-3, 0.5, 11, -13, 100, -200, 1.5, -3.5, 200, 255, -7}));
  int wrong = 0;
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, &wrong), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 3, 8, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 9, 8, &wrong), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(kernel, 4, sizeof(cl_mem), &queue), CL_INVALID_MEM_OBJECT);
  clReleaseMemObject(out), clReleaseKernel(kernel);
}

TEST_F(KernelsTest, ANarrowValueMayBeTheLast) {
  cl_kernel kernel = kernelOf(program, "narrow");
  cl_mem out = bufferOf(4);
  set(kernel, 0, out), set(kernel, 1, cl_char(-7));
  EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
  EXPECT_EQ(read<int>(out, 1)[0], -7);
  clReleaseMemObject(out), clReleaseKernel(kernel);
}

TEST_F(KernelsTest, LocalMemoryIsGivenByTheHost) {
  cl_kernel kernel = kernelOf(program, "reversed");
  std::vector<int> data(128);
  std::iota(data.begin(), data.end(), 0);
  cl_mem buffer = bufferWith(data);
  set(kernel, 0, buffer);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 4 * 64, nullptr), CL_SUCCESS);
  EXPECT_EQ(run(kernel, 128, 64), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 2 * 64, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 0, nullptr), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(run(kernel, 128, 64), CL_SUCCESS);
  std::vector<int> got = read<int>(buffer, 128);
  for (int i = 0; i < 128; ++i) {
    int other = 63 - i % 64;
    EXPECT_EQ(got[size_t(i)], i / 64 * 64 + other + 1000 * other);
  }
  EXPECT_EQ(clSetKernelArg(kernel, 1, 1 << 20, nullptr), CL_SUCCESS);
  EXPECT_EQ(run(kernel, 128, 64), CL_OUT_OF_RESOURCES);
  clReleaseMemObject(buffer), clReleaseKernel(kernel);
}

TEST_F(KernelsTest, SizesAreHeldAgainstTheKernelAndTheDevice) {
  cl_kernel kernel = kernelOf(program, "block");
  cl_mem out = bufferOf(64);
  set(kernel, 0, out);
  size_t global[3] = {16, 4, 1}, good[3] = {8, 2, 1}, other[3] = {16, 1, 1};
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, global, good, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, global, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, global, other, 0, nullptr, nullptr),
            CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(read<int>(out, 2), (std::vector<int>{8, 8}));
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 4, nullptr, global, nullptr, 0, nullptr, nullptr),
            CL_INVALID_WORK_DIMENSION);
  size_t compiled[3];
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(compiled), compiled,
                                     nullptr),
            CL_SUCCESS);
  EXPECT_EQ(compiled[0] + 10 * compiled[1] + 100 * compiled[2], 128u);
  clReleaseKernel(kernel);
  kernel = kernelOf(program, "isNull");
  set(kernel, 1, out);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), CL_SUCCESS);
  EXPECT_EQ(run(kernel, 7, 3), CL_SUCCESS); // the last group is smaller
  EXPECT_EQ(run(kernel, 4096, 4096), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(run(kernel, 0), CL_SUCCESS); // since 2.1 no mistake: nothing runs
  EXPECT_EQ(run(kernel, 7), CL_SUCCESS);
  EXPECT_EQ(read<int>(out, 1)[0], 1);
  clReleaseMemObject(out), clReleaseKernel(kernel);
}

TEST_F(KernelsTest, VariablesOfTheProgramOutliveALaunch) {
  cl_kernel kernel = kernelOf(program, "looks");
  cl_mem more = bufferWith(std::vector<int>{10}), out = bufferOf(20);
  set(kernel, 0, more), set(kernel, 1, out);
  EXPECT_EQ(run(kernel, 4), CL_SUCCESS);
  EXPECT_EQ(read<int>(out, 5), (std::vector<int>{17, 16, 15, 14, 3}));
  EXPECT_EQ(run(kernel, 4), CL_SUCCESS);
  EXPECT_EQ(read<int>(out, 5)[4], 4);
  clReleaseMemObject(more), clReleaseMemObject(out), clReleaseKernel(kernel);
}

TEST_F(KernelsTest, ATrapIsTheCommandsError) {
  static std::string told;
  told.clear();
  cl_context own = clCreateContext(
      nullptr, 1, &device, [](const char *text, const void *, size_t, void *) { told = text; }, nullptr, &error);
  cl_command_queue its = clCreateCommandQueue(own, device, 0, &error);
  const char *text = "__kernel void outside(__global int *out, ulong far) {\n  out[far] = 1;\n}\n";
  cl_program bad = clCreateProgramWithSource(own, 1, &text, nullptr, &error);
  ASSERT_EQ(clBuildProgram(bad, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(bad, "outside", &error);
  // A buffer goes on for a while; not for who asks for checks.
  cl_mem little = clCreateBuffer(own, 0, 16, nullptr, &error);
  cl_ulong beyond = (16 + 512) / 4 - 1;
  clSetKernelArg(kernel, 0, sizeof(little), &little), clSetKernelArg(kernel, 1, sizeof(beyond), &beyond);
  const size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(its, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(its), CL_SUCCESS);
  EXPECT_EQ(told, "");
  clReleaseMemObject(little);
  for (bool isChecked : {false, true}) {
    told.clear();
    if (isChecked)
      setenv("LENO_CHECK", "memory", 1);
    cl_mem out = clCreateBuffer(own, 0, 16, nullptr, &error);
    cl_ulong far = isChecked ? 4 : 160;
    clSetKernelArg(kernel, 0, sizeof(out), &out), clSetKernelArg(kernel, 1, sizeof(far), &far);
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(its, kernel, 1, nullptr, &one, nullptr, 0, nullptr, &event), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    cl_int status = 0;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
    EXPECT_EQ(status, CL_OUT_OF_RESOURCES);
    EXPECT_NE(told.find("ADDRESS_OUT_OF_RANGE"), std::string::npos) << told;
    EXPECT_NE(told.find("program.cl:2"), std::string::npos) << told;
    unsetenv("LENO_CHECK");
    clReleaseEvent(event), clReleaseMemObject(out);
  }
  clReleaseKernel(kernel), clReleaseProgram(bad);
  clReleaseCommandQueue(its), clReleaseContext(own);
}

TEST_F(KernelsTest, AnArgumentInLocalMemoryGoesOnAsBuffersDo) {
  cl_program past = build("__kernel void past(__local ulong *mine, __global ulong *out, uint far) {\n"
                          "  mine[far] = 5;\n  *out = mine[far];\n}\n");
  cl_kernel kernel = kernelOf(past, "past");
  auto stores = [&](cl_uint far) {
    cl_mem out = bufferWith(std::vector<cl_ulong>{7});
    EXPECT_EQ(clSetKernelArg(kernel, 0, 8, nullptr), CL_SUCCESS);
    set(kernel, 1, out), set(kernel, 2, far);
    EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
    cl_ulong stored = read<cl_ulong>(out, 1)[0];
    clReleaseMemObject(out);
    return stored;
  };
  EXPECT_EQ(stores(15), 5u);
  EXPECT_EQ(stores(16), 7u); // it trapped
  setenv("LENO_CHECK", "memory", 1);
  EXPECT_EQ(stores(1), 7u);
  unsetenv("LENO_CHECK");
  clReleaseKernel(kernel), clReleaseProgram(past);
}

TEST_F(KernelsTest, KernelsDescribeTheirArguments) {
  const char *described = "__kernel void looks(__constant int *more, volatile __global int *restrict out) {}";
  cl_program program = build(described, "-cl-kernel-arg-info");
  cl_kernel kernel = kernelOf(program, "looks");
  auto text = [&](cl_uint index, cl_kernel_arg_info what) {
    char buffer[64] = "";
    EXPECT_EQ(clGetKernelArgInfo(kernel, index, what, sizeof(buffer), buffer, nullptr), CL_SUCCESS);
    return std::string(buffer);
  };
  EXPECT_EQ(text(0, CL_KERNEL_ARG_NAME), "more");
  EXPECT_EQ(text(0, CL_KERNEL_ARG_TYPE_NAME), "int*");
  cl_kernel_arg_address_qualifier space = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(space, cl_kernel_arg_address_qualifier(CL_KERNEL_ARG_ADDRESS_CONSTANT));
  cl_kernel_arg_type_qualifier bits = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(bits), &bits, nullptr), CL_SUCCESS);
  EXPECT_EQ(bits, cl_kernel_arg_type_qualifier(CL_KERNEL_ARG_TYPE_VOLATILE | CL_KERNEL_ARG_TYPE_RESTRICT));
  clReleaseKernel(kernel), clReleaseProgram(program);
  program = this->program;
  kernel = kernelOf(program, "looks"); // of a binary, or without the option
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(bits), &bits, nullptr),
            CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
  cl_uint count = 0;
  EXPECT_EQ(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_INVALID_OPERATION); // it has a kernel
  clReleaseKernel(kernel);
  EXPECT_EQ(clCreateKernel(program, "missing", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);
  cl_kernel all[16];
  cl_uint number = 0;
  EXPECT_EQ(clCreateKernelsInProgram(program, 2, all, &number), CL_INVALID_VALUE);
  EXPECT_EQ(clCreateKernelsInProgram(program, 16, all, &number), CL_SUCCESS);
  EXPECT_EQ(number, 9u);
  for (cl_uint i = 0; i < number; ++i)
    EXPECT_EQ(clReleaseKernel(all[i]), CL_SUCCESS);
}
