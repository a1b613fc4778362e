// An OpenCL program of two programs and three launches; tells what came of them. Exit status 3.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *first = "kernel void scale(global int *x, int by) {\n"
                           "  int i = get_global_id(0);\n"
                           "  int value = x[i];\n"
                           "  x[i] = value * by;\n"
                           "}\n";
static const char *second = "kernel void shift(global int *x) {\n"
                            "  int i = get_global_id(0);\n"
                            "  x[i] = x[i] + 100;\n"
                            "}\n";

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  size_t count = 8;
  int data[8] = {0, 1, 2, 3, 4, 5, 6, 7}, by = 3;
  clGetPlatformIDs(1, &platform, 0);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, 0);
  cl_context context = clCreateContext(0, 1, &device, 0, 0, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_mem buffer =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error);
  const char *sources[] = {first, second}, *names[] = {"scale", "shift"};
  for (int i = 0; i < 2; ++i) {
    cl_program program = clCreateProgramWithSource(context, 1, &sources[i], 0, &error);
    if (clBuildProgram(program, 1, &device, "-cl-opt-disable", 0, 0))
      return 1;
    cl_kernel kernel = clCreateKernel(program, names[i], &error);
    clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    if (i == 0)
      clSetKernelArg(kernel, 1, sizeof(by), &by);
    for (int turn = 0; turn < 2 - i; ++turn)
      clEnqueueNDRangeKernel(queue, kernel, 1, 0, &count, &count, 0, 0, 0);
  }
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, 0, 0);
  for (int i = 0; i < 8; ++i)
    printf("%d%c", data[i], i < 7 ? ' ' : '\n');
  return 3;
}
