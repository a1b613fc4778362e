// OpenCL contexts: a machine each, or a part of one.
#pragma once

#include "runtime/opencl/Device.h"

#include "leno/Leno.h"
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace leno::opencl {

/// Memory of the machine.
struct Storage {
  Buffer buffer;
  /// Of shared virtual memory: the part of it that is at the same address in the host's memory; else null.
  std::byte *shared = nullptr;
  size_t sharedBytes = 0;
  ~Storage();
  size_t sharedOffset() const { return size_t(std::uintptr_t(shared) - buffer.address()); }

  cl_int write(size_t offset, const void *from, size_t bytes);
  cl_int read(size_t offset, void *to, size_t bytes) const;
};

/// Other devices' memory does not end behind each buffer or argument in local memory, and programs get away
/// there with what they read and write past its end: what is asked for goes on for `beyond` bytes and to the
/// next multiple of its alignment. Who asks for checks (LENO_CHECK) wants to know.
std::uint64_t roomFor(std::uint64_t bytes, std::uint64_t beyond = 0);

} // namespace leno::opencl

struct _cl_context : leno::opencl::Object {
  static constexpr auto kind = leno::opencl::Kind::Context;
  using Notify = void(CL_CALLBACK *)(const char *, const void *, size_t, void *);

  _cl_context(std::shared_ptr<leno::Device> machine, std::optional<leno::Context> part);
  ~_cl_context();

  /// Tells of a mistake of a kernel: to the program's function, and to standard error unless LENO_MESSAGES is
  /// `off`.
  void tell(const std::string &what) const;
  /// New memory, zeroed; null: there is no room.
  std::shared_ptr<leno::opencl::Storage> allocate(size_t bytes, const char *name);
  /// The piece of shared virtual memory that holds all of these bytes, and where in its buffer; null: none.
  std::shared_ptr<leno::opencl::Storage> sharedAt(const void *pointer, size_t bytes, size_t &offset);

  /// What its buffers and launches are in.
  leno::DeviceMemory &where() { return part ? static_cast<leno::DeviceMemory &>(*part) : *machine; }

  const std::shared_ptr<leno::Device> machine;
  std::optional<leno::Context> part; ///< of a machine that all contexts share [S4]; none: it has its own
  std::vector<cl_context_properties> properties; ///< as given, with the final zero
  Notify notify = nullptr;
  void *notifyData = nullptr;
  std::mutex mutex; ///< of what follows
  std::map<const std::byte *, std::shared_ptr<leno::opencl::Storage>> shared;
  struct SharedMapping {
    size_t bytes;
    bool writes;
    bool operator==(const SharedMapping &) const = default;
  };
  std::multimap<const void *, SharedMapping> sharedMappings;
  std::vector<std::function<void()>> atEnd; ///< the last one first
};
