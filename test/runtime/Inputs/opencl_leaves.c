// Runs a kernel twice, and ends without releasing anything.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
int main(void) {
  const char *source = "kernel void twice(global int *x) {\n  x[get_global_id(0)] *= 2;\n}\n";
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  size_t count = 64;
  int data[64] = {0};
  clGetPlatformIDs(1, &platform, 0);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, 0);
  cl_context context = clCreateContext(0, 1, &device, 0, 0, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, 0, &error);
  clBuildProgram(program, 1, &device, "", 0, 0);
  cl_kernel kernel = clCreateKernel(program, "twice", &error);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error);
  clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
  for (int i = 0; i < 2; ++i)
    clEnqueueNDRangeKernel(queue, kernel, 1, 0, &count, &count, 0, 0, 0);
  return clFinish(queue) != CL_SUCCESS;
}
