// Adds two vectors on an OpenCL device: the plain API, nothing of Leno's own.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source = "__kernel void sum(__global const float *a, __global const float *b, __global float *c) {\n"
                            "  size_t i = get_global_id(0);\n"
                            "  c[i] = a[i] + b[i];\n"
                            "}\n";

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "%s: error %d\n", what, status);
    exit(1);
  }
}

int main(void) {
  enum { count = 1024 };
  float a[count], b[count], c[count];
  for (int i = 0; i < count; ++i)
    a[i] = (float)i, b[i] = 0.5f;

  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");

  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "sum", &status);
  check(status, "clCreateKernel");

  cl_mem first = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a, &status);
  cl_mem second = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof b, b, &status);
  cl_mem result = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof c, NULL, &status);
  check(status, "clCreateBuffer");
  clSetKernelArg(kernel, 0, sizeof first, &first);
  clSetKernelArg(kernel, 1, sizeof second, &second);
  clSetKernelArg(kernel, 2, sizeof result, &result);
  size_t global = count;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof c, c, 0, NULL, NULL), "clEnqueueReadBuffer");

  int wrong = 0;
  for (int i = 0; i < count; ++i)
    wrong += c[i] != a[i] + b[i];
  printf("%d sums, %d wrong; the last one is %g\n", count, wrong, c[count - 1]);

  clReleaseMemObject(first), clReleaseMemObject(second), clReleaseMemObject(result);
  clReleaseKernel(kernel), clReleaseProgram(program);
  clReleaseCommandQueue(queue), clReleaseContext(context);
  return wrong != 0;
}
