// Commands that move bytes between the host and buffers, and between buffers.
#include "runtime/opencl/Memory.h"

#include <algorithm>
#include <cstring>

using namespace leno::opencl;

namespace {

/// CL_SUCCESS, or what is wrong with the pair.
cl_int check(cl_command_queue queue, cl_mem memory) {
  if (!isGood(queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (!isGood(memory))
    return CL_INVALID_MEM_OBJECT;
  return memory->context.get() == queue->context.get() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

enum class Direction { FromDevice, ToDevice };

cl_int refuse(const _cl_mem &memory, Direction direction) {
  cl_mem_flags barred = direction == Direction::FromDevice ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY;
  return memory.flags & (barred | CL_MEM_HOST_NO_ACCESS) ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int move(Direction direction, _cl_mem &memory, size_t offset, std::byte *host, size_t bytes) {
  Storage &storage = *memory.storage;
  return direction == Direction::FromDevice ? storage.read(memory.origin + offset, host, bytes)
                                            : storage.write(memory.origin + offset, host, bytes);
}

cl_int transfer(Direction direction, cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                size_t bytes, std::byte *host, const WaitList &wait) {
  if (cl_int wrong = check(queue, memory))
    return wrong;
  if (!host || !memory->isInside(offset, bytes))
    return CL_INVALID_VALUE;
  if (cl_int wrong = refuse(*memory, direction))
    return wrong;
  bool reads = direction == Direction::FromDevice;
  return enqueue(*queue, reads ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER, wait, blocking,
                 [=, memory = Ref<_cl_mem>(memory)] { return move(direction, *memory, offset, host, bytes); });
}

/// A box of bytes in memory: `region` bytes, rows and slices, from `origin` on.
struct Box {
  size_t start, rowPitch, slicePitch;
  size_t at(size_t row, size_t slice) const { return start + slice * slicePitch + row * rowPitch; }
  size_t end(const size_t *region) const { return at(region[1] - 1, region[2] - 1) + region[0]; }
};

std::optional<Box> boxOf(const size_t *origin, const size_t *region, size_t rowPitch, size_t slicePitch) {
  if (!origin || !region || !region[0] || !region[1] || !region[2])
    return std::nullopt;
  if (rowPitch == 0)
    rowPitch = region[0];
  if (slicePitch == 0)
    slicePitch = region[1] * rowPitch;
  if (rowPitch < region[0] || slicePitch < region[1] * rowPitch ||
      (slicePitch % rowPitch && slicePitch != region[1] * rowPitch))
    return std::nullopt;
  return Box{origin[2] * slicePitch + origin[1] * rowPitch + origin[0], rowPitch, slicePitch};
}

/// Calls for each row until one fails.
template <class Row> cl_int forRows(const std::array<size_t, 3> &region, Row row) {
  for (size_t slice = 0; slice < region[2]; ++slice)
    for (size_t line = 0; line < region[1]; ++line)
      if (cl_int wrong = row(line, slice))
        return wrong;
  return CL_SUCCESS;
}

cl_int transferRect(Direction direction, cl_command_queue queue, cl_mem memory, cl_bool blocking,
                    const std::optional<Box> &there, const std::optional<Box> &here, const size_t *given,
                    std::byte *host, const WaitList &wait) {
  if (cl_int wrong = check(queue, memory))
    return wrong;
  if (!host || !there || !here || !memory->isInside(0, there->end(given)))
    return CL_INVALID_VALUE;
  if (cl_int wrong = refuse(*memory, direction))
    return wrong;
  bool reads = direction == Direction::FromDevice;
  std::array<size_t, 3> region = {given[0], given[1], given[2]};
  return enqueue(*queue, reads ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT, wait, blocking,
                 [=, there = *there, here = *here, memory = Ref<_cl_mem>(memory)] {
                   return forRows(region, [&](size_t row, size_t slice) {
                     return move(direction, *memory, there.at(row, slice), host + here.at(row, slice),
                                 region[0]);
                   });
                 });
}

cl_int copyBytes(_cl_mem &from, size_t fromOffset, _cl_mem &to, size_t toOffset, size_t bytes) {
  std::vector<std::byte> some(std::min<size_t>(bytes, 1 << 20));
  for (size_t done = 0; done < bytes; done += some.size()) {
    size_t count = std::min(some.size(), bytes - done);
    if (cl_int wrong = from.storage->read(from.origin + fromOffset + done, some.data(), count))
      return wrong;
    if (cl_int wrong = to.storage->write(to.origin + toOffset + done, some.data(), count))
      return wrong;
  }
  return CL_SUCCESS;
}

void addMapping(_cl_mem &memory, const _cl_mem::Mapping &mapping) {
  std::lock_guard lock(memory.mutex);
  memory.mappings.push_back(mapping);
}

/// Takes the first one that is like `wanted` says away.
template <class Wanted> std::optional<_cl_mem::Mapping> takeMapping(_cl_mem &memory, Wanted wanted) {
  std::lock_guard lock(memory.mutex);
  auto &all = memory.mappings;
  auto found = std::find_if(all.begin(), all.end(), wanted);
  if (found == all.end())
    return std::nullopt;
  _cl_mem::Mapping mapping = *found;
  all.erase(found);
  return mapping;
}

} // namespace

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                                       size_t bytes, void *to, cl_uint count, const cl_event *events,
                                       cl_event *event) {
  return transfer(Direction::FromDevice, queue, memory, blocking, offset, bytes, static_cast<std::byte *>(to),
                  {count, events, event});
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                                        size_t bytes, const void *from, cl_uint count, const cl_event *events,
                                        cl_event *event) {
  return transfer(Direction::ToDevice, queue, memory, blocking, offset, bytes,
                  static_cast<std::byte *>(const_cast<void *>(from)), {count, events, event});
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                           const size_t *there, const size_t *here, const size_t *region,
                                           size_t thereRow, size_t thereSlice, size_t hereRow,
                                           size_t hereSlice, void *to, cl_uint count, const cl_event *events,
                                           cl_event *event) {
  return transferRect(Direction::FromDevice, queue, memory, blocking,
                      boxOf(there, region, thereRow, thereSlice), boxOf(here, region, hereRow, hereSlice),
                      region, static_cast<std::byte *>(to), {count, events, event});
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                            const size_t *there, const size_t *here, const size_t *region,
                                            size_t thereRow, size_t thereSlice, size_t hereRow,
                                            size_t hereSlice, const void *from, cl_uint count,
                                            const cl_event *events, cl_event *event) {
  return transferRect(Direction::ToDevice, queue, memory, blocking, boxOf(there, region, thereRow, thereSlice),
                      boxOf(here, region, hereRow, hereSlice), region,
                      static_cast<std::byte *>(const_cast<void *>(from)), {count, events, event});
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t fromOffset,
                                       size_t toOffset, size_t bytes, cl_uint count, const cl_event *events,
                                       cl_event *event) {
  if (cl_int wrong = check(queue, from))
    return wrong;
  if (cl_int wrong = check(queue, to))
    return wrong;
  if (!from->isInside(fromOffset, bytes) || !to->isInside(toOffset, bytes))
    return CL_INVALID_VALUE;
  size_t first = from->origin + fromOffset, second = to->origin + toOffset;
  if (from->storage == to->storage && std::max(first, second) - std::min(first, second) < bytes)
    return CL_MEM_COPY_OVERLAP;
  return enqueue(*queue, CL_COMMAND_COPY_BUFFER, {count, events, event}, false,
                 [=, from = Ref<_cl_mem>(from), to = Ref<_cl_mem>(to)] {
                   return copyBytes(*from, fromOffset, *to, toOffset, bytes);
                 });
}

/// Whether two boxes of one storage share a byte: rows are compared one by one where their spans meet.
static bool overlap(const Box &a, const Box &b, const std::array<size_t, 3> &region) {
  if (a.end(region.data()) <= b.start || b.end(region.data()) <= a.start)
    return false;
  std::vector<size_t> starts;
  forRows(region, [&](size_t row, size_t slice) { return starts.push_back(a.at(row, slice)), CL_SUCCESS; });
  std::sort(starts.begin(), starts.end());
  return forRows(region, [&](size_t row, size_t slice) {
    size_t at = b.at(row, slice);
    auto next = std::lower_bound(starts.begin(), starts.end(), at);
    bool meets = (next != starts.end() && *next < at + region[0]) ||
                 (next != starts.begin() && *std::prev(next) + region[0] > at);
    return meets ? CL_MEM_COPY_OVERLAP : CL_SUCCESS;
  });
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                           const size_t *fromOrigin, const size_t *toOrigin,
                                           const size_t *given, size_t fromRow, size_t fromSlice,
                                           size_t toRow, size_t toSlice, cl_uint count,
                                           const cl_event *events, cl_event *event) {
  if (cl_int wrong = check(queue, from))
    return wrong;
  if (cl_int wrong = check(queue, to))
    return wrong;
  std::optional<Box> there = boxOf(fromOrigin, given, fromRow, fromSlice);
  std::optional<Box> here = boxOf(toOrigin, given, toRow, toSlice);
  if (!there || !here || !from->isInside(0, there->end(given)) || !to->isInside(0, here->end(given)))
    return CL_INVALID_VALUE;
  if (from == to && (there->rowPitch != here->rowPitch || there->slicePitch != here->slicePitch))
    return CL_INVALID_VALUE;
  std::array<size_t, 3> region = {given[0], given[1], given[2]};
  if (from->storage == to->storage) {
    Box first = *there, second = *here;
    first.start += from->origin, second.start += to->origin;
    if (overlap(first, second, region))
      return CL_MEM_COPY_OVERLAP;
  }
  return enqueue(*queue, CL_COMMAND_COPY_BUFFER_RECT, {count, events, event}, false,
                 [=, there = *there, here = *here, from = Ref<_cl_mem>(from), to = Ref<_cl_mem>(to)] {
                   return forRows(region, [&](size_t row, size_t slice) {
                     return copyBytes(*from, there.at(row, slice), *to, here.at(row, slice), region[0]);
                   });
                 });
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void *pattern,
                                       size_t patternBytes, size_t offset, size_t bytes, cl_uint count,
                                       const cl_event *events, cl_event *event) {
  if (cl_int wrong = check(queue, memory))
    return wrong;
  bool isPattern = pattern && patternBytes && patternBytes <= 128 && !(patternBytes & (patternBytes - 1));
  if (!isPattern || !memory->isInside(offset, bytes) || offset % patternBytes || bytes % patternBytes)
    return CL_INVALID_VALUE;
  auto *first = static_cast<const std::byte *>(pattern);
  return enqueue(*queue, CL_COMMAND_FILL_BUFFER, {count, events, event}, false,
                 [=, memory = Ref<_cl_mem>(memory), one = std::vector(first, first + patternBytes)] {
                   std::vector<std::byte> some(std::min<size_t>(bytes, 1 << 20));
                   for (size_t i = 0; i < some.size(); i += one.size())
                     std::copy(one.begin(), one.end(), some.begin() + std::ptrdiff_t(i));
                   for (size_t done = 0; done < bytes; done += some.size())
                     if (cl_int wrong = memory->storage->write(memory->origin + offset + done, some.data(),
                                                               std::min(some.size(), bytes - done)))
                       return wrong;
                   return CL_SUCCESS;
                 });
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                     cl_map_flags flags, size_t offset, size_t bytes, cl_uint count,
                                     const cl_event *events, cl_event *event, cl_int *error) {
  if (cl_int wrong = check(queue, memory))
    return fail<void>(wrong, error);
  bool invalidates = flags & CL_MAP_WRITE_INVALIDATE_REGION;
  if (!areMapFlagsGood(flags) || bytes == 0 || !memory->isInside(offset, bytes))
    return fail<void>(CL_INVALID_VALUE, error);
  if ((flags & CL_MAP_READ) && refuse(*memory, Direction::FromDevice))
    return fail<void>(CL_INVALID_OPERATION, error);
  if ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) && refuse(*memory, Direction::ToDevice))
    return fail<void>(CL_INVALID_OPERATION, error);
  std::byte *host = memory->host();
  if (!host)
    return fail<void>(CL_MAP_FAILURE, error);
  // It counts from the call on.
  _cl_mem::Mapping mapping{host + offset, offset, bytes, flags != CL_MAP_READ && flags != 0};
  addMapping(*memory, mapping);
  auto undo = [=, memory = Ref<_cl_mem>(memory)] {
    takeMapping(*memory, [&](const _cl_mem::Mapping &one) { return one == mapping; });
  };
  auto work = [=, memory = Ref<_cl_mem>(memory)] {
    return invalidates ? CL_SUCCESS : move(Direction::FromDevice, *memory, offset, host + offset, bytes);
  };
  cl_int status = enqueue(*queue, CL_COMMAND_MAP_BUFFER, {count, events, event}, blocking,
                          undoneUnlessDone(std::move(undo), std::move(work)));
  if (error)
    *error = status;
  return status == CL_SUCCESS ? host + offset : nullptr;
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *pointer, cl_uint count,
                                           const cl_event *events, cl_event *event) {
  if (cl_int wrong = check(queue, memory))
    return wrong;
  std::optional<_cl_mem::Mapping> mapping =
      takeMapping(*memory, [&](const _cl_mem::Mapping &one) { return one.pointer == pointer; });
  if (!mapping)
    return CL_INVALID_VALUE;
  auto undo = [mapping = *mapping, memory = Ref<_cl_mem>(memory)] { addMapping(*memory, mapping); };
  auto work = [=, mapping = *mapping, memory = Ref<_cl_mem>(memory)] {
    return mapping.writes ? move(Direction::ToDevice, *memory, mapping.offset,
                                 static_cast<std::byte *>(pointer), mapping.bytes)
                          : CL_SUCCESS;
  };
  return enqueue(*queue, CL_COMMAND_UNMAP_MEM_OBJECT, {count, events, event}, false,
                 undoneUnlessDone(std::move(undo), std::move(work)));
}

cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint number, const cl_mem *list,
                                              cl_mem_migration_flags flags, cl_uint count,
                                              const cl_event *events, cl_event *event) {
  if (!isGood(queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (number == 0 || !list ||
      (flags & ~cl_mem_migration_flags(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < number; ++i)
    if (cl_int wrong = check(queue, list[i]))
      return wrong;
  // There is one device, whose memory they are in.
  return enqueue(*queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, {count, events, event}, false, nullptr);
}
