// A program of the plain OpenCL API, without a loader: the driver's functions by their own names.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

class OpenCLTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("LENO_MESSAGES", "off", 1);
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    ASSERT_EQ(error, CL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  }

  cl_program build(const char *source, const char *options = "") {
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    error = clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
    EXPECT_EQ(error, CL_SUCCESS) << log(program);
    return program;
  }
  std::string log(cl_program program) {
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string text(size, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr);
    return text.substr(0, text.find('\0'));
  }
  cl_kernel kernelOf(cl_program program, const char *name) {
    cl_kernel kernel = clCreateKernel(program, name, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return kernel;
  }
  cl_mem bufferOf(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
    cl_mem buffer = clCreateBuffer(context, flags, bytes, host, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  template <class T> cl_mem bufferWith(const std::vector<T> &data) {
    return bufferOf(data.size() * sizeof(T), CL_MEM_COPY_HOST_PTR, const_cast<T *>(data.data()));
  }
  template <class T> std::vector<T> read(cl_mem buffer, size_t count) {
    std::vector<T> data(count);
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), data.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return data;
  }
  template <class T> void set(cl_kernel kernel, cl_uint index, const T &value) {
    EXPECT_EQ(clSetKernelArg(kernel, index, sizeof(value), &value), CL_SUCCESS) << "argument " << index;
  }
  cl_int run(cl_kernel kernel, size_t global, size_t local = 0, size_t offset = 0) {
    cl_int status = clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &global, local ? &local : nullptr, 0, nullptr,
                                           nullptr);
    return status ? status : clFinish(queue);
  }

  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_int error = CL_SUCCESS;
};
