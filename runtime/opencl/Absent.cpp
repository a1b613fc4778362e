// What the device says it has not: images, samplers, pipes. As OpenCL 3.0 wants it, each tells so.
#include "runtime/opencl/Command.h"
#include "runtime/opencl/Memory.h"

using namespace leno::opencl;

namespace {
template <class T> T *noneIn(cl_context context, cl_int *error) {
  return fail<T>(isGood(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT, error);
}
cl_int noneIn(cl_command_queue queue) {
  return isGood(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
} // namespace

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags, const cl_image_format *,
                                 const cl_image_desc *, void *, cl_int *error) {
  return noneIn<_cl_mem>(context, error);
}
cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties *, cl_mem_flags,
                                               const cl_image_format *, const cl_image_desc *, void *,
                                               cl_int *error) {
  return noneIn<_cl_mem>(context, error);
}
cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format *, size_t, size_t,
                                   size_t, void *, cl_int *error) {
  return noneIn<_cl_mem>(context, error);
}
cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format *, size_t, size_t,
                                   size_t, size_t, size_t, void *, cl_int *error) {
  return noneIn<_cl_mem>(context, error);
}
cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags, cl_mem_object_type, cl_uint,
                                              cl_image_format *, cl_uint *count) {
  if (!isGood(context))
    return CL_INVALID_CONTEXT;
  if (count)
    *count = 0;
  return CL_SUCCESS;
}
cl_int CL_API_CALL clGetImageInfo(cl_mem, cl_image_info, size_t, void *, size_t *) {
  return CL_INVALID_MEM_OBJECT;
}

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode,
                                       cl_int *error) {
  return noneIn<_cl_sampler>(context, error);
}
cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *,
                                                     cl_int *error) {
  return noneIn<_cl_sampler>(context, error);
}
cl_int CL_API_CALL clRetainSampler(cl_sampler) { return CL_INVALID_SAMPLER; }
cl_int CL_API_CALL clReleaseSampler(cl_sampler) { return CL_INVALID_SAMPLER; }
cl_int CL_API_CALL clGetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void *, size_t *) {
  return CL_INVALID_SAMPLER;
}

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint,
                                const cl_pipe_properties *, cl_int *error) {
  return noneIn<_cl_mem>(context, error);
}
cl_int CL_API_CALL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void *, size_t *) { return CL_INVALID_MEM_OBJECT; }

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem, cl_bool, const size_t *, const size_t *,
                                      size_t, size_t, void *, cl_uint, const cl_event *, cl_event *) {
  return noneIn(queue);
}
cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem, cl_bool, const size_t *, const size_t *,
                                       size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *) {
  return noneIn(queue);
}
cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem, const void *, const size_t *,
                                      const size_t *, cl_uint, const cl_event *, cl_event *) {
  return noneIn(queue);
}
cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem, cl_mem, const size_t *, const size_t *,
                                      const size_t *, cl_uint, const cl_event *, cl_event *) {
  return noneIn(queue);
}
cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem, cl_mem, const size_t *,
                                              const size_t *, size_t, cl_uint, const cl_event *, cl_event *) {
  return noneIn(queue);
}
cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem, cl_mem, size_t, const size_t *,
                                              const size_t *, cl_uint, const cl_event *, cl_event *) {
  return noneIn(queue);
}
void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem, cl_bool, cl_map_flags, const size_t *,
                                    const size_t *, size_t *, size_t *, cl_uint, const cl_event *, cl_event *,
                                    cl_int *error) {
  return fail<void>(noneIn(queue), error);
}
