// What an ICD loader calls [cl_khr_icd].
#include "runtime/opencl/Device.h"

#include <string_view>

namespace leno::opencl {

const cl_icd_dispatch dispatch = {
    .clGetPlatformIDs = ::clGetPlatformIDs,
    .clGetPlatformInfo = ::clGetPlatformInfo,
    .clGetDeviceIDs = ::clGetDeviceIDs,
    .clGetDeviceInfo = ::clGetDeviceInfo,
    .clCreateContext = ::clCreateContext,
    .clCreateContextFromType = ::clCreateContextFromType,
    .clRetainContext = ::clRetainContext,
    .clReleaseContext = ::clReleaseContext,
    .clGetContextInfo = ::clGetContextInfo,
    .clCreateCommandQueue = ::clCreateCommandQueue,
    .clRetainCommandQueue = ::clRetainCommandQueue,
    .clReleaseCommandQueue = ::clReleaseCommandQueue,
    .clGetCommandQueueInfo = ::clGetCommandQueueInfo,
    .clSetCommandQueueProperty = ::clSetCommandQueueProperty,
    .clCreateBuffer = ::clCreateBuffer,
    .clCreateImage2D = ::clCreateImage2D,
    .clCreateImage3D = ::clCreateImage3D,
    .clRetainMemObject = ::clRetainMemObject,
    .clReleaseMemObject = ::clReleaseMemObject,
    .clGetSupportedImageFormats = ::clGetSupportedImageFormats,
    .clGetMemObjectInfo = ::clGetMemObjectInfo,
    .clGetImageInfo = ::clGetImageInfo,
    .clCreateSampler = ::clCreateSampler,
    .clRetainSampler = ::clRetainSampler,
    .clReleaseSampler = ::clReleaseSampler,
    .clGetSamplerInfo = ::clGetSamplerInfo,
    .clCreateProgramWithSource = ::clCreateProgramWithSource,
    .clCreateProgramWithBinary = ::clCreateProgramWithBinary,
    .clRetainProgram = ::clRetainProgram,
    .clReleaseProgram = ::clReleaseProgram,
    .clBuildProgram = ::clBuildProgram,
    .clUnloadCompiler = ::clUnloadCompiler,
    .clGetProgramInfo = ::clGetProgramInfo,
    .clGetProgramBuildInfo = ::clGetProgramBuildInfo,
    .clCreateKernel = ::clCreateKernel,
    .clCreateKernelsInProgram = ::clCreateKernelsInProgram,
    .clRetainKernel = ::clRetainKernel,
    .clReleaseKernel = ::clReleaseKernel,
    .clSetKernelArg = ::clSetKernelArg,
    .clGetKernelInfo = ::clGetKernelInfo,
    .clGetKernelWorkGroupInfo = ::clGetKernelWorkGroupInfo,
    .clWaitForEvents = ::clWaitForEvents,
    .clGetEventInfo = ::clGetEventInfo,
    .clRetainEvent = ::clRetainEvent,
    .clReleaseEvent = ::clReleaseEvent,
    .clGetEventProfilingInfo = ::clGetEventProfilingInfo,
    .clFlush = ::clFlush,
    .clFinish = ::clFinish,
    .clEnqueueReadBuffer = ::clEnqueueReadBuffer,
    .clEnqueueWriteBuffer = ::clEnqueueWriteBuffer,
    .clEnqueueCopyBuffer = ::clEnqueueCopyBuffer,
    .clEnqueueReadImage = ::clEnqueueReadImage,
    .clEnqueueWriteImage = ::clEnqueueWriteImage,
    .clEnqueueCopyImage = ::clEnqueueCopyImage,
    .clEnqueueCopyImageToBuffer = ::clEnqueueCopyImageToBuffer,
    .clEnqueueCopyBufferToImage = ::clEnqueueCopyBufferToImage,
    .clEnqueueMapBuffer = ::clEnqueueMapBuffer,
    .clEnqueueMapImage = ::clEnqueueMapImage,
    .clEnqueueUnmapMemObject = ::clEnqueueUnmapMemObject,
    .clEnqueueNDRangeKernel = ::clEnqueueNDRangeKernel,
    .clEnqueueTask = ::clEnqueueTask,
    .clEnqueueNativeKernel = ::clEnqueueNativeKernel,
    .clEnqueueMarker = ::clEnqueueMarker,
    .clEnqueueWaitForEvents = ::clEnqueueWaitForEvents,
    .clEnqueueBarrier = ::clEnqueueBarrier,
    .clGetExtensionFunctionAddress = ::clGetExtensionFunctionAddress,
    .clSetEventCallback = ::clSetEventCallback,
    .clCreateSubBuffer = ::clCreateSubBuffer,
    .clSetMemObjectDestructorCallback = ::clSetMemObjectDestructorCallback,
    .clCreateUserEvent = ::clCreateUserEvent,
    .clSetUserEventStatus = ::clSetUserEventStatus,
    .clEnqueueReadBufferRect = ::clEnqueueReadBufferRect,
    .clEnqueueWriteBufferRect = ::clEnqueueWriteBufferRect,
    .clEnqueueCopyBufferRect = ::clEnqueueCopyBufferRect,
    .clCreateSubDevices = ::clCreateSubDevices,
    .clRetainDevice = ::clRetainDevice,
    .clReleaseDevice = ::clReleaseDevice,
    .clCreateImage = ::clCreateImage,
    .clCreateProgramWithBuiltInKernels = ::clCreateProgramWithBuiltInKernels,
    .clCompileProgram = ::clCompileProgram,
    .clLinkProgram = ::clLinkProgram,
    .clUnloadPlatformCompiler = ::clUnloadPlatformCompiler,
    .clGetKernelArgInfo = ::clGetKernelArgInfo,
    .clEnqueueFillBuffer = ::clEnqueueFillBuffer,
    .clEnqueueFillImage = ::clEnqueueFillImage,
    .clEnqueueMigrateMemObjects = ::clEnqueueMigrateMemObjects,
    .clEnqueueMarkerWithWaitList = ::clEnqueueMarkerWithWaitList,
    .clEnqueueBarrierWithWaitList = ::clEnqueueBarrierWithWaitList,
    .clGetExtensionFunctionAddressForPlatform = ::clGetExtensionFunctionAddressForPlatform,
    .clCreateCommandQueueWithProperties = ::clCreateCommandQueueWithProperties,
    .clCreatePipe = ::clCreatePipe,
    .clGetPipeInfo = ::clGetPipeInfo,
    .clSVMAlloc = ::clSVMAlloc,
    .clSVMFree = ::clSVMFree,
    .clEnqueueSVMFree = ::clEnqueueSVMFree,
    .clEnqueueSVMMemcpy = ::clEnqueueSVMMemcpy,
    .clEnqueueSVMMemFill = ::clEnqueueSVMMemFill,
    .clEnqueueSVMMap = ::clEnqueueSVMMap,
    .clEnqueueSVMUnmap = ::clEnqueueSVMUnmap,
    .clCreateSamplerWithProperties = ::clCreateSamplerWithProperties,
    .clSetKernelArgSVMPointer = ::clSetKernelArgSVMPointer,
    .clSetKernelExecInfo = ::clSetKernelExecInfo,
    .clGetKernelSubGroupInfoKHR = ::clGetKernelSubGroupInfo,
    .clCloneKernel = ::clCloneKernel,
    .clCreateProgramWithIL = ::clCreateProgramWithIL,
    .clEnqueueSVMMigrateMem = ::clEnqueueSVMMigrateMem,
    .clGetDeviceAndHostTimer = ::clGetDeviceAndHostTimer,
    .clGetHostTimer = ::clGetHostTimer,
    .clGetKernelSubGroupInfo = ::clGetKernelSubGroupInfo,
    .clSetDefaultDeviceCommandQueue = ::clSetDefaultDeviceCommandQueue,
    .clSetProgramReleaseCallback = ::clSetProgramReleaseCallback,
    .clSetProgramSpecializationConstant = ::clSetProgramSpecializationConstant,
    .clCreateBufferWithProperties = ::clCreateBufferWithProperties,
    .clCreateImageWithProperties = ::clCreateImageWithProperties,
    .clSetContextDestructorCallback = ::clSetContextDestructorCallback,
};

} // namespace leno::opencl

extern "C" CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint, cl_platform_id *, cl_uint *);

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  if (!name)
    return nullptr;
  if (std::string_view(name) == "clIcdGetPlatformIDsKHR")
    return reinterpret_cast<void *>(&clIcdGetPlatformIDsKHR);
  if (std::string_view(name) == "clGetKernelSubGroupInfoKHR")
    return reinterpret_cast<void *>(leno::opencl::dispatch.clGetKernelSubGroupInfoKHR);
  if (std::string_view(name) == "clCreateProgramWithILKHR" && !leno::opencl::device().ilVersions.empty())
    return reinterpret_cast<void *>(leno::opencl::dispatch.clCreateProgramWithIL);
  return nullptr;
}
CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id id, const char *name) {
  return id == &leno::opencl::platform() ? clGetExtensionFunctionAddress(name) : nullptr;
}
