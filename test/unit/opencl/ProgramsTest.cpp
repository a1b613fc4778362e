#include "OpenCLTest.h"

TEST_F(OpenCLTest, BuildErrorsAreClangsMessages) {
  const char *lines[] = {"__kernel void f(__global int *x) {\n", "  x[0] = y;\n}\n"};
  cl_program program = clCreateProgramWithSource(context, 2, lines, nullptr, &error);
  EXPECT_EQ(clCreateKernel(program, "f", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(log(program).find("program.cl:2:10: error: use of undeclared identifier 'y'"), std::string::npos)
      << log(program);
  cl_build_status status = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, nullptr);
  EXPECT_EQ(status, CL_BUILD_ERROR);
  EXPECT_EQ(clBuildProgram(program, 1, &device, "-no-such-option", nullptr, nullptr), CL_INVALID_BUILD_OPTIONS);
  // The second time with what it lacks; quotes hold a word together.
  EXPECT_EQ(clBuildProgram(program, 1, &device, "-D 'y=(3 + 4)' -cl-std=CL2.0 -w", nullptr, nullptr), CL_SUCCESS)
      << log(program);
  cl_kernel kernel = kernelOf(program, "f");
  cl_mem out = bufferOf(4);
  set(kernel, 0, out);
  EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
  EXPECT_EQ(read<int>(out, 1)[0], 7);
  clReleaseKernel(kernel), clReleaseMemObject(out), clReleaseProgram(program);
}

TEST_F(OpenCLTest, PartsAreCompiledWithHeadersAndLinked) {
  const char *header = "int twice(int);\n#define BASE 100\n";
  const char *mainText = "#include <lib/twice.h>\n__kernel void f(__global int *x) { x[0] = twice(x[0]) + BASE; }\n";
  const char *partText = "int twice(int a) { return 2 * a; }\n";
  auto source = [&](const char *text) { return clCreateProgramWithSource(context, 1, &text, nullptr, &error); };
  cl_program its = source(header), first = source(mainText), second = source(partText);
  const char *name = "lib/twice.h";
  EXPECT_EQ(clCompileProgram(first, 0, nullptr, "", 1, &its, &name, nullptr, nullptr), CL_SUCCESS) << log(first);
  EXPECT_EQ(clCompileProgram(second, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
      << log(second);
  cl_program library = clLinkProgram(context, 0, nullptr, "-create-library", 1, &second, nullptr, nullptr, &error);
  EXPECT_EQ(error, CL_SUCCESS);
  cl_program both[] = {first, library};
  cl_program linked = clLinkProgram(context, 0, nullptr, "", 2, both, nullptr, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS) << log(linked);
  cl_kernel kernel = kernelOf(linked, "f");
  cl_mem data = bufferWith(std::vector<int>{21});
  set(kernel, 0, data);
  EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
  EXPECT_EQ(read<int>(data, 1)[0], 142);
  cl_program failed = clLinkProgram(context, 0, nullptr, "", 1, &first, nullptr, nullptr, &error);
  EXPECT_EQ(error, CL_LINK_PROGRAM_FAILURE);
  EXPECT_NE(log(failed).find("twice"), std::string::npos) << log(failed);
  cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  EXPECT_EQ(clLinkProgram(other, 0, nullptr, "", 2, both, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  const char *nothing = "";
  cl_program foreign = clCreateProgramWithSource(other, 1, &nothing, nullptr, &error);
  EXPECT_EQ(clCompileProgram(first, 0, nullptr, "", 1, &foreign, &name, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  clReleaseProgram(foreign);
  clReleaseContext(other);
  clReleaseKernel(kernel), clReleaseMemObject(data);
  for (cl_program program : {its, first, second, library, linked, failed})
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
}

TEST_F(OpenCLTest, AProgramMayHaveNoKernel) {
  for (const char *source : {"", "int twice(int a) { return 2 * a; }\n"}) {
    cl_program program = build(source);
    size_t count = 7;
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, nullptr), CL_SUCCESS);
    EXPECT_EQ(count, 0u);
    clReleaseProgram(program);
  }
}

TEST_F(OpenCLTest, BadBinariesAreRefused) {
  for (std::string bytes : {"nonsense", "\x7f" "ELF and no more", "leno-opencl-parts-1\n\1\0\0\0\0\0\0\0"}) {
    auto *data = reinterpret_cast<const unsigned char *>(bytes.data());
    size_t size = bytes.size();
    cl_int status = 0;
    EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &size, &data, &status, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_BINARY);
    EXPECT_EQ(status, CL_INVALID_BINARY);
  }
}

TEST_F(OpenCLTest, TheDeviceTellsTheMachine) {
  auto number = [&](cl_device_info what) {
    cl_ulong value = 0;
    size_t size = 0;
    EXPECT_EQ(clGetDeviceInfo(device, what, sizeof(value), &value, &size), CL_SUCCESS) << what;
    return value;
  };
  EXPECT_EQ(number(CL_DEVICE_MAX_COMPUTE_UNITS), 4u);       // sm.count
  EXPECT_EQ(number(CL_DEVICE_MAX_WORK_GROUP_SIZE), 1024u);  // 32 lanes of sm.warps
  EXPECT_EQ(number(CL_DEVICE_LOCAL_MEM_SIZE), 48u << 10);   // sm.sharedBytes
  EXPECT_EQ(number(CL_DEVICE_GLOBAL_MEM_SIZE), 1u << 30);   // memory.bytes
  EXPECT_EQ(number(CL_DEVICE_IMAGE_SUPPORT), 0u);
  char text[1000];
  EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof(text), text, nullptr), CL_SUCCESS);
  EXPECT_TRUE(std::string(text).starts_with("OpenCL 3.0 ")) << text;
  EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_VERSION, 3, text, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceInfo(device, 0x9999, sizeof(text), text, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceInfo(nullptr, CL_DEVICE_NAME, sizeof(text), text, nullptr), CL_INVALID_DEVICE);
}
