// What OpenCL programs do wrong: `endless` launches a kernel that never ends, `outside` one that stores where nothing is,
// `right` one that is right; none as long as the file IDLE_WHILE is there. Tells what came of it.
#define _DEFAULT_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *source = "kernel void endless(global volatile int *x) {\n"
                            "  while (x[0] == 0)\n"
                            "    x[1]++;\n"
                            "}\n"
                            "kernel void outside(global int *x) {\n"
                            "  x[(size_t)get_global_id(0) << 34] = 1;\n"
                            "}\n"
                            "kernel void right(global int *x) {\n"
                            "  x[0] = 7;\n"
                            "}\n";

int main(int count, char **words) {
  setvbuf(stdout, 0, _IOLBF, 0);
  const char *idle = getenv("IDLE_WHILE");
  while (idle && !access(idle, F_OK))
    usleep(10000);
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  size_t one = 32;
  int data[2] = {0, 0};
  clGetPlatformIDs(1, &platform, 0);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, 0);
  cl_context context = clCreateContext(0, 1, &device, 0, 0, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, 0, &error);
  if (clBuildProgram(program, 1, &device, "", 0, 0))
    return 1;
  for (int i = 1; i < count; ++i) {
    cl_kernel kernel = clCreateKernel(program, words[i], &error);
    clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    cl_event event;
    clEnqueueNDRangeKernel(queue, kernel, 1, 0, &one, &one, 0, 0, &event);
    clFinish(queue);
    cl_int status = 1;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, 0);
    printf("%s: %d\n", words[i], status);
  }
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, 0, 0);
  printf("x[0] = %d\n", data[0]);
  return 0;
}
