// The emulated machine.
#pragma once

#include "leno/Buffer.h"
#include <initializer_list>
#include <string_view>

namespace leno::host {

/// What buffers are allocated in: a Device, or a Context of a SharedDevice.
class DeviceMemory {
public:
  /// A zeroed buffer of `bytes` bytes, at least 1. `name` stands in messages and traps. Fails when
  /// memory.bytes is used up, with what is taken, and on an owner that was moved from or has ended.
  Result<Buffer> allocate(std::uint64_t bytes, std::string_view name = "buffer");

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

  /// Bytes that its buffers take now.
  std::uint64_t bytesAllocated() const;

protected:
  explicit DeviceMemory(std::shared_ptr<DeviceState> state) : state(std::move(state)) {}
  DeviceMemory(DeviceMemory &&) noexcept = default;
  DeviceMemory &operator=(DeviceMemory &&) noexcept = default;
  ~DeviceMemory() = default;

  Result<Buffer> allocateIn(std::uint64_t bytes, std::string_view name, bool onDemand);

  std::shared_ptr<DeviceState> state; ///< null when it was moved from

private:
  static Error tooLarge(std::uint64_t count, std::uint64_t elementBytes, std::string_view name);
};

/// A machine with its memory: SMs that hold warps of 32 lanes (Architecture.md 1). Move-only; its buffers
/// do not keep it alive. Any host thread may launch kernels, copy and allocate at any time; an object of this
/// API is for one thread at a time. The destructor waits for the device's streams.
class Device : public DeviceMemory {
public:
  /// A machine with the default sizes, then each "key=value" in turn, as leno-run's --set has them:
  /// "sm.count=8", "memory.bytes=2GiB". Fails, naming the key, its range and the nearest known key, also when
  /// keys make no machine together. `leno-run --machine ?` and settings() list the keys.
  static Result<Device> create(std::span<const std::string> settings = {});
  static Result<Device> create(std::initializer_list<std::string> settings) {
    return create(std::span<const std::string>(settings.begin(), settings.size()));
  }
  Device(Device &&) noexcept;
  Device &operator=(Device &&) noexcept;
  ~Device();

  struct Setting {
    std::string key;
    std::uint64_t value;
    std::string unit; ///< "bytes", "warp instructions"; empty for a plain count
    std::string description;
  };
  /// Every key with the value this machine has.
  std::vector<Setting> settings() const;

private:
  friend class Launcher;
  friend class Stream;
  void close();
  explicit Device(std::shared_ptr<DeviceState> state) : DeviceMemory(std::move(state)) {}
};

} // namespace leno::host
