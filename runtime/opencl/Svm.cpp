// Coarse-grained shared virtual memory: a buffer of the machine, and the host's memory at the same address. What
// one side writes the other sees by mapping and unmapping.
#include "runtime/opencl/Memory.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace leno::opencl;

namespace {

constexpr size_t page = 4096;

/// Host memory at the device's address; null when something else is there.
std::byte *sameInHost(std::uint64_t address, size_t bytes) {
  void *wanted = reinterpret_cast<void *>(address);
  void *got = mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED)
    return nullptr;
  if (got != wanted) // an older kernel takes the address for a wish
    munmap(got, bytes);
  return got == wanted ? static_cast<std::byte *>(got) : nullptr;
}

void addMapping(_cl_context &context, const void *pointer, const _cl_context::SharedMapping &mapping) {
  std::lock_guard lock(context.mutex);
  context.sharedMappings.insert({pointer, mapping});
}

/// Takes the first one from there on that is like `wanted` says away.
template <class Wanted>
std::optional<_cl_context::SharedMapping> takeMapping(_cl_context &context, const void *pointer,
                                                      Wanted wanted) {
  std::lock_guard lock(context.mutex);
  auto [first, end] = context.sharedMappings.equal_range(pointer);
  auto found = std::find_if(first, end, [&](const auto &one) { return wanted(one.second); });
  if (found == end)
    return std::nullopt;
  _cl_context::SharedMapping mapping = found->second;
  context.sharedMappings.erase(found);
  return mapping;
}

cl_int check(cl_command_queue queue) { return isGood(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE; }

} // namespace

void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment) {
  constexpr cl_svm_mem_flags known = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  if (!isGood(context) || (flags & ~known) || (flags & (flags - 1)) || bytes == 0 ||
      (alignment & (alignment - 1)) || alignment > page || bytes > device().mostOfBuffer())
    return nullptr;
  // Places that are taken in the host are kept until a free one is found, so that it is another each time.
  std::vector<std::shared_ptr<Storage>> taken;
  size_t whole = (bytes + page - 1) / page * page;
  while (taken.size() < 64) {
    auto storage = context->allocate(whole + page, "shared virtual memory");
    if (!storage)
      return nullptr;
    std::uint64_t address = (storage->buffer.address() + page - 1) / page * page;
    if (std::byte *host = sameInHost(address, whole)) {
      storage->shared = host;
      storage->sharedBytes = whole;
      std::lock_guard lock(context->mutex);
      context->shared[host] = storage;
      return host;
    }
    taken.push_back(std::move(storage));
  }
  return nullptr;
}

void CL_API_CALL clSVMFree(cl_context context, void *pointer) {
  if (!isGood(context) || !pointer)
    return;
  size_t offset;
  if (auto storage = context->sharedAt(pointer, 1, offset)) {
    std::lock_guard lock(context->mutex);
    context->shared.erase(storage->shared);
  }
}

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint number, void *pointers[],
                                    void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void **, void *),
                                    void *data, cl_uint count, const cl_event *events, cl_event *event) {
  if (cl_int wrong = check(queue))
    return wrong;
  if ((number == 0) != (pointers == nullptr))
    return CL_INVALID_VALUE;
  return enqueue(*queue, CL_COMMAND_SVM_FREE, {count, events, event}, false,
                 [=, list = std::vector<void *>(pointers, pointers + number)]() mutable {
                   if (function)
                     function(queue, number, list.data(), data);
                   else
                     for (void *pointer : list)
                       clSVMFree(queue->context.get(), pointer);
                   return CL_SUCCESS;
                 });
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to, const void *from,
                                      size_t bytes, cl_uint count, const cl_event *events, cl_event *event) {
  if (cl_int wrong = check(queue))
    return wrong;
  if (!to || !from)
    return CL_INVALID_VALUE;
  auto *first = static_cast<const std::byte *>(from);
  auto *second = static_cast<std::byte *>(to);
  if (first < second + bytes && second < first + bytes && bytes)
    return CL_MEM_COPY_OVERLAP;
  size_t fromOffset = 0, toOffset = 0;
  auto source = queue->context->sharedAt(from, bytes, fromOffset);
  auto target = queue->context->sharedAt(to, bytes, toOffset);
  return enqueue(*queue, CL_COMMAND_SVM_MEMCPY, {count, events, event}, blocking, [=] {
    std::vector<std::byte> some(bytes);
    if (source) {
      if (cl_int wrong = source->read(fromOffset, some.data(), bytes))
        return wrong;
    } else if (bytes) {
      std::memcpy(some.data(), from, bytes);
    }
    if (target)
      return target->write(toOffset, some.data(), bytes);
    if (bytes)
      std::memcpy(to, some.data(), bytes);
    return CL_SUCCESS;
  });
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *pattern,
                                       size_t patternBytes, size_t bytes, cl_uint count,
                                       const cl_event *events, cl_event *event) {
  if (cl_int wrong = check(queue))
    return wrong;
  bool isPattern = pattern && patternBytes && patternBytes <= 128 && !(patternBytes & (patternBytes - 1));
  if (!to || !isPattern || bytes % patternBytes || reinterpret_cast<std::uintptr_t>(to) % patternBytes)
    return CL_INVALID_VALUE;
  size_t offset = 0;
  auto target = queue->context->sharedAt(to, bytes, offset);
  if (!target)
    return CL_INVALID_VALUE;
  auto *first = static_cast<const std::byte *>(pattern);
  return enqueue(*queue, CL_COMMAND_SVM_MEMFILL, {count, events, event}, false,
                 [=, one = std::vector(first, first + patternBytes)] {
                   std::vector<std::byte> all(bytes);
                   for (size_t i = 0; i < bytes; i += one.size())
                     std::copy(one.begin(), one.end(), all.begin() + std::ptrdiff_t(i));
                   return target->write(offset, all.data(), bytes);
                 });
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer,
                                   size_t bytes, cl_uint count, const cl_event *events, cl_event *event) {
  if (cl_int wrong = check(queue))
    return wrong;
  size_t offset = 0;
  auto storage = pointer && bytes ? queue->context->sharedAt(pointer, bytes, offset) : nullptr;
  if (!storage || !areMapFlagsGood(flags))
    return CL_INVALID_VALUE;
  // It is one from the call on.
  _cl_context::SharedMapping mapping{bytes, flags != CL_MAP_READ && flags != 0};
  addMapping(*queue->context, pointer, mapping);
  auto undo = [=, context = queue->context] {
    takeMapping(*context, pointer, [&](const _cl_context::SharedMapping &one) { return one == mapping; });
  };
  auto work = [=] {
    return flags & CL_MAP_WRITE_INVALIDATE_REGION ? CL_SUCCESS : storage->read(offset, pointer, bytes);
  };
  return enqueue(*queue, CL_COMMAND_SVM_MAP, {count, events, event}, blocking,
                 undoneUnlessDone(std::move(undo), std::move(work)));
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint count,
                                     const cl_event *events, cl_event *event) {
  if (cl_int wrong = check(queue))
    return wrong;
  size_t offset = 0;
  auto storage = pointer ? queue->context->sharedAt(pointer, 1, offset) : nullptr;
  if (!storage)
    return CL_INVALID_VALUE;
  std::optional<_cl_context::SharedMapping> mapping =
      takeMapping(*queue->context, pointer, [](const _cl_context::SharedMapping &) { return true; });
  if (!mapping)
    return CL_INVALID_VALUE;
  auto undo = [=, mapping = *mapping, context = queue->context] { addMapping(*context, pointer, mapping); };
  auto work = [=, mapping = *mapping] {
    return mapping.writes ? storage->write(offset, pointer, mapping.bytes) : CL_SUCCESS;
  };
  return enqueue(*queue, CL_COMMAND_SVM_UNMAP, {count, events, event}, false,
                 undoneUnlessDone(std::move(undo), std::move(work)));
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint number, const void **pointers,
                                          const size_t *sizes, cl_mem_migration_flags flags, cl_uint count,
                                          const cl_event *events, cl_event *event) {
  if (cl_int wrong = check(queue))
    return wrong;
  if (number == 0 || !pointers ||
      (flags & ~cl_mem_migration_flags(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)))
    return CL_INVALID_VALUE;
  size_t offset = 0;
  for (cl_uint i = 0; i < number; ++i)
    if (!queue->context->sharedAt(pointers[i], sizes ? sizes[i] : 0, offset))
      return CL_INVALID_VALUE;
  return enqueue(*queue, CL_COMMAND_SVM_MIGRATE_MEM, {count, events, event}, false, nullptr);
}
