// Buffers.
#pragma once

#include "runtime/opencl/Command.h"

struct _cl_mem : leno::opencl::Object {
  static constexpr auto kind = leno::opencl::Kind::Memory;
  ~_cl_mem();

  leno::opencl::Ref<_cl_context> context;
  leno::opencl::Ref<_cl_mem> parent; ///< of a sub-buffer
  std::shared_ptr<leno::opencl::Storage> storage;
  size_t origin = 0, size = 0; ///< its part of the storage
  cl_mem_flags flags = 0;
  void *given = nullptr; ///< CL_MEM_USE_HOST_PTR's
  std::vector<cl_mem_properties> properties;

  std::uint64_t address() const { return storage->buffer.address() + origin; }
  /// Where its bytes are seen by the host while they are mapped; made when it is first asked for. Null: no
  /// room.
  std::byte *host();
  bool isInside(size_t offset, size_t bytes) const { return offset <= size && bytes <= size - offset; }

  std::mutex mutex; ///< of what follows
  struct Mapping {
    const void *pointer;
    size_t offset, bytes;
    bool writes;
    bool operator==(const Mapping &) const = default;
  };
  std::vector<Mapping> mappings;
  std::unique_ptr<std::byte[]> room; ///< behind host()
  std::vector<std::function<void()>> atEnd;
};

namespace leno::opencl {
/// A list of buffers of one context.
bool areBuffersOf(_cl_context &context, cl_uint count, const cl_mem *list);
/// Of buffers and of shared virtual memory.
bool areMapFlagsGood(cl_map_flags flags);
} // namespace leno::opencl
