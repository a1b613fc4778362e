// Where buffers are.
#pragma once

#include "leno/Buffer.h"
#include <string_view>

namespace leno::host {

/// What buffers are allocated in: a Device, or a Context of one.
class DeviceMemory {
public:
  /// A zeroed buffer of `bytes` bytes, at least 1. `name` stands in messages and traps. Fails when
  /// memory.bytes is used up, with what is taken, and on an owner that was moved from or has ended.
  Result<Buffer> allocate(std::uint64_t bytes, std::string_view name = "buffer");
  /// A zeroed buffer whose pages are mapped when kernels first touch them: each first touch is a page fault
  /// (device.faultCycles), during which others get its SMs. The host reads and writes it as any other.
  Result<Buffer> allocateOnDemand(std::uint64_t bytes, std::string_view name = "buffer");

  /// A zeroed buffer of `count` elements.
  template <Element T> Result<Buffer> allocate(std::uint64_t count, std::string_view name = "buffer") {
    return count > UINT64_MAX / sizeof(T) ? Result<Buffer>(tooLarge(count, sizeof(T), name))
                                          : allocate(count * sizeof(T), name);
  }

  /// A buffer with a copy of `data`, at least one element.
  template <Element T> Result<Buffer> upload(std::span<const T> data, std::string_view name = "buffer") {
    Result<Buffer> buffer = allocate(data.size_bytes(), name);
    if (buffer)
      if (Status status = buffer->upload(data); !status)
        return status.error();
    return buffer;
  }
  template <Element T> Result<Buffer> upload(const std::vector<T> &data, std::string_view name = "buffer") {
    return upload(std::span<const T>(data), name);
  }

  /// Copies bytes from an address of the device: of a buffer, or of what a program has in global memory. Fails
  /// where nothing is allocated.
  Status readAt(std::uint64_t address, std::span<std::byte> data) const;

  /// Bytes that its buffers take now.
  std::uint64_t bytesAllocated() const;

protected:
  friend class Launcher;
  friend class MessageChannel;
  friend class Stream;
  explicit DeviceMemory(std::shared_ptr<ContextState> state) : state(std::move(state)) {}
  DeviceMemory(DeviceMemory &&) noexcept = default;
  DeviceMemory &operator=(DeviceMemory &&) noexcept = default;
  ~DeviceMemory() = default;

  Result<Buffer> allocateIn(std::uint64_t bytes, std::string_view name, bool onDemand);

  std::shared_ptr<ContextState> state; ///< null when it was moved from

private:
  static Error tooLarge(std::uint64_t count, std::uint64_t elementBytes, std::string_view name);
};

} // namespace leno::host
