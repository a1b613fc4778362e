// Device memory owned by the host program.
#pragma once

#include "leno/Result.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace leno::host {

class ContextState;

/// What a buffer's bytes can be seen as: numbers and plain structures.
template <typename T>
concept Element =
    std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && !std::is_pointer_v<T>;

/// A stretch of a context's global memory with exact byte bounds: a kernel that goes one byte past them traps
/// ADDRESS_OUT_OF_RANGE (Architecture.md 8 and 10). Made by allocate and upload of a Device or a Context,
/// zeroed; given back by the destructor. Move-only. Bytes are little endian, as the machine sees them.
///
/// Every access is checked. It fails, naming the buffer, when it passes the end, when the buffer was freed or
/// moved from, and when its Device or Context is gone.
class Buffer {
public:
  /// A buffer of no device: every access fails.
  Buffer() = default;
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;
  ~Buffer();

  /// Gives the memory back: now, or when the commands that are under way on the device have ended. Launches
  /// that use its address afterwards trap.
  void free();
  /// False when freed, moved from, or the device is gone.
  bool valid() const;

  const std::string &name() const { return label; }
  /// Its first byte in the device's 40-bit address space; a multiple of 256.
  std::uint64_t address() const { return base; }
  /// In bytes.
  std::uint64_t size() const { return bytes; }

  /// Copies bytes to the device, from byte `offset` of the buffer on: between two turns of the warps that
  /// run, so that kernels see all of them or none.
  Status write(std::uint64_t offset, std::span<const std::byte> data);
  /// Copies bytes from the device, from byte `offset` of the buffer on.
  Status read(std::uint64_t offset, std::span<std::byte> data) const;

  /// Copies elements to the device, the first to element `first` of the buffer. Part of a buffer may be
  /// written.
  template <Element T> Status upload(std::span<const T> data, std::uint64_t first = 0) {
    return first > UINT64_MAX / sizeof(T) ? outside(first, sizeof(T))
                                          : write(first * sizeof(T), std::as_bytes(data));
  }
  template <Element T> Status upload(const std::vector<T> &data, std::uint64_t first = 0) {
    return upload(std::span<const T>(data), first);
  }

  /// Fills `data` with elements of the buffer, from element `first` on.
  template <Element T> Status download(std::span<T> data, std::uint64_t first = 0) const {
    return first > UINT64_MAX / sizeof(T) ? outside(first, sizeof(T))
                                          : read(first * sizeof(T), std::as_writable_bytes(data));
  }
  /// The whole buffer as elements of T. Fails when its size is not a multiple of T's.
  template <Element T> Result<std::vector<T>> download() const {
    if (bytes % sizeof(T))
      return notElements(sizeof(T));
    std::vector<T> data(bytes / sizeof(T));
    if (Status status = download(std::span<T>(data)); !status)
      return status.error();
    return data;
  }

private:
  friend class Context;
  friend class DeviceMemory;
  friend class Argument;
  friend class ChannelBuffer;
  friend class Stream;
  friend class ContextState;
  template <typename Self> friend class ElementCommands;
  Buffer(const std::shared_ptr<ContextState> &device, std::string name, std::uint64_t address,
         std::uint64_t bytes)
      : device(device), label(std::move(name)), base(address), bytes(bytes) {}
  /// The same for who runs the kernel that uses the buffer, and runs no warp now; within its bounds.
  void writeByRunner(std::uint64_t offset, std::span<const std::byte> data);
  void readByRunner(std::uint64_t offset, std::span<std::byte> data) const;
  Error outside(std::uint64_t first, std::uint64_t elementBytes) const;
  Error notElements(std::uint64_t elementBytes) const;
  /// The device, when an access of so many bytes is good.
  Result<std::shared_ptr<ContextState>> check(const char *what, std::uint64_t offset,
                                              std::uint64_t count) const;

  std::weak_ptr<ContextState> device;
  std::string label;
  std::uint64_t base = 0, bytes = 0;
};

} // namespace leno::host
