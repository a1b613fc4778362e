#include "runtime/opencl/Memory.h"

#include "runtime/opencl/Info.h"

#include <algorithm>
#include <new>

using namespace leno::opencl;

_cl_mem::~_cl_mem() {
  for (auto it = atEnd.rbegin(); it != atEnd.rend(); ++it)
    (*it)();
}

std::byte *_cl_mem::host() {
  if (parent) {
    std::byte *whole = parent->host();
    return whole ? whole + (origin - parent->origin) : nullptr;
  }
  if (given)
    return static_cast<std::byte *>(given);
  if (storage->shared)
    return storage->shared + (origin - storage->sharedOffset());
  std::lock_guard lock(mutex);
  constexpr size_t aligned = 128; // a double16's
  if (!room)
    room.reset(new (std::nothrow) std::byte[size + aligned]);
  if (!room)
    return nullptr;
  void *at = room.get();
  size_t space = size + aligned;
  return static_cast<std::byte *>(std::align(aligned, size, at, space));
}

bool leno::opencl::areBuffersOf(_cl_context &context, cl_uint count, const cl_mem *list) {
  return std::all_of(list, list + count,
                     [&](cl_mem memory) { return isGood(memory) && memory->context.get() == &context; });
}

bool leno::opencl::areMapFlagsGood(cl_map_flags flags) {
  constexpr cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  bool invalidates = flags & CL_MAP_WRITE_INVALIDATE_REGION;
  return !(flags & ~known) && (!invalidates || flags == CL_MAP_WRITE_INVALIDATE_REGION);
}

namespace {

constexpr cl_mem_flags accesses = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags hostAccesses =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags hostPointers = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

bool atMostOne(cl_mem_flags flags) { return (flags & (flags - 1)) == 0; }

bool areFlagsGood(cl_mem_flags flags) {
  return !(flags & ~(accesses | hostAccesses | hostPointers)) && atMostOne(flags & accesses) &&
         atMostOne(flags & hostAccesses) &&
         !((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)));
}

} // namespace

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                                cl_mem_flags flags, size_t size, void *pointer,
                                                cl_int *error) {
  if (!isGood(context))
    return fail<_cl_mem>(CL_INVALID_CONTEXT, error);
  if (properties && *properties)
    return fail<_cl_mem>(CL_INVALID_PROPERTY, error);
  if (!areFlagsGood(flags))
    return fail<_cl_mem>(CL_INVALID_VALUE, error);
  if (size == 0 || size > device().mostOfBuffer())
    return fail<_cl_mem>(CL_INVALID_BUFFER_SIZE, error);
  if ((pointer != nullptr) != ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0))
    return fail<_cl_mem>(CL_INVALID_HOST_PTR, error);
  Ref<_cl_mem> memory(new _cl_mem);
  drop(memory.get());
  memory->context = Ref<_cl_context>(context);
  memory->size = size;
  memory->flags = flags & accesses ? flags : flags | CL_MEM_READ_WRITE;
  if (properties)
    memory->properties = {0};
  size_t offset = 0;
  if (flags & CL_MEM_USE_HOST_PTR) {
    memory->given = pointer;
    memory->storage = context->sharedAt(pointer, size, offset); // then it is the same memory
    memory->origin = offset;
  }
  if (!memory->storage) {
    memory->storage = context->allocate(size, "buffer");
    if (!memory->storage)
      return fail<_cl_mem>(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
    if (pointer && memory->storage->write(0, pointer, size))
      return fail<_cl_mem>(CL_OUT_OF_RESOURCES, error);
  }
  succeed(error);
  ++memory->holders;
  return give(memory.get());
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *pointer,
                                  cl_int *error) {
  return clCreateBufferWithProperties(context, nullptr, flags, size, pointer, error);
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void *info, cl_int *error) {
  if (!isGood(parent) || parent->parent)
    return fail<_cl_mem>(CL_INVALID_MEM_OBJECT, error);
  if (type != CL_BUFFER_CREATE_TYPE_REGION || !info || !areFlagsGood(flags) || (flags & hostPointers))
    return fail<_cl_mem>(CL_INVALID_VALUE, error);
  auto &region = *static_cast<const cl_buffer_region *>(info);
  cl_mem_flags whole = parent->flags;
  bool widens = ((whole & CL_MEM_WRITE_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
                ((whole & CL_MEM_READ_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) ||
                ((whole & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY)) ||
                ((whole & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY)) ||
                ((whole & CL_MEM_HOST_NO_ACCESS) && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)));
  if (widens)
    return fail<_cl_mem>(CL_INVALID_VALUE, error);
  if (region.size == 0)
    return fail<_cl_mem>(CL_INVALID_BUFFER_SIZE, error);
  if (!parent->isInside(region.origin, region.size))
    return fail<_cl_mem>(CL_INVALID_VALUE, error);
  if (region.origin % bufferAlignment)
    return fail<_cl_mem>(CL_MISALIGNED_SUB_BUFFER_OFFSET, error);
  auto *memory = new _cl_mem;
  memory->context = parent->context;
  memory->parent = Ref<_cl_mem>(parent);
  memory->storage = parent->storage;
  memory->origin = parent->origin + region.origin;
  memory->size = region.size;
  memory->flags = (flags & accesses ? flags & accesses : whole & accesses) |
                  (flags & hostAccesses ? flags & hostAccesses : whole & hostAccesses) | (whole & hostPointers);
  succeed(error);
  return give(memory);
}

cl_int CL_API_CALL clRetainMemObject(cl_mem memory) { return retain(memory, CL_INVALID_MEM_OBJECT); }
cl_int CL_API_CALL clReleaseMemObject(cl_mem memory) { return release(memory, CL_INVALID_MEM_OBJECT); }

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memory, void(CL_CALLBACK *function)(cl_mem, void *),
                                                    void *data) {
  if (!isGood(memory))
    return CL_INVALID_MEM_OBJECT;
  if (!function)
    return CL_INVALID_VALUE;
  std::lock_guard lock(memory->mutex);
  memory->atEnd.push_back([=] { function(memory, data); });
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memory, cl_mem_info what, size_t room, void *value, size_t *size) {
  if (!isGood(memory))
    return CL_INVALID_MEM_OBJECT;
  Answer answer(room, value, size);
  switch (what) {
  case CL_MEM_TYPE:
    return answer.of<cl_mem_object_type>(CL_MEM_OBJECT_BUFFER);
  case CL_MEM_FLAGS:
    return answer.of(memory->flags);
  case CL_MEM_SIZE:
    return answer.of(memory->size);
  case CL_MEM_HOST_PTR: {
    const _cl_mem &root = memory->parent ? *memory->parent : *memory;
    auto *whole = static_cast<std::byte *>(root.given);
    return answer.of<void *>(whole ? whole + (memory->origin - root.origin) : nullptr);
  }
  case CL_MEM_MAP_COUNT: {
    std::lock_guard lock(memory->mutex);
    return answer.of<cl_uint>(cl_uint(memory->mappings.size()));
  }
  case CL_MEM_REFERENCE_COUNT:
    return answer.of<cl_uint>(memory->users);
  case CL_MEM_CONTEXT:
    return answer.of(memory->context.get());
  case CL_MEM_ASSOCIATED_MEMOBJECT:
    return answer.of(memory->parent.get());
  case CL_MEM_OFFSET:
    return answer.of(memory->parent ? memory->origin - memory->parent->origin : size_t(0));
  case CL_MEM_USES_SVM_POINTER:
    return answer.flag(memory->storage->shared); // no other buffer is in such memory
  case CL_MEM_PROPERTIES:
    return answer.list(memory->properties);
  default:
    return CL_INVALID_VALUE;
  }
}
