// Commands on elements of a type, made from those on bytes.
#pragma once

#include "leno/Buffer.h"

namespace leno::host {

class Module;

/// What Stream and Context have in common: `Self` has write and read of bytes, and writeConstants.
template <typename Self> class ElementCommands {
public:
  /// Copies elements to the device, the first to element `first` of the buffer.
  template <Element T> Status upload(const Buffer &buffer, std::span<const T> data, std::uint64_t first = 0) {
    return first > UINT64_MAX / sizeof(T) ? self().fail(buffer.outside(first, sizeof(T)))
                                          : self().write(buffer, first * sizeof(T), std::as_bytes(data));
  }
  template <Element T>
  Status upload(const Buffer &buffer, const std::vector<T> &data, std::uint64_t first = 0) {
    return upload(buffer, std::span<const T>(data), first);
  }
  /// Fills `data` with elements of the buffer, from element `first` on, in its turn.
  template <Element T> Status download(const Buffer &buffer, std::span<T> data, std::uint64_t first = 0) {
    return first > UINT64_MAX / sizeof(T)
               ? self().fail(buffer.outside(first, sizeof(T)))
               : self().read(buffer, first * sizeof(T), std::as_writable_bytes(data));
  }
  template <Element T> Status download(const Buffer &buffer, std::vector<T> &data, std::uint64_t first = 0) {
    return download(buffer, std::span<T>(data), first);
  }

  template <Element T>
  Status setConstants(const Module &module, unsigned bank, std::uint32_t offset, std::span<const T> data) {
    return self().writeConstants(module, bank, offset, std::as_bytes(data));
  }
  template <Element T>
  Status setConstant(const Module &module, unsigned bank, std::uint32_t offset, const T &value) {
    return self().writeConstants(module, bank, offset, std::as_bytes(std::span(&value, 1)));
  }

private:
  Self &self() { return static_cast<Self &>(*this); }
};

} // namespace leno::host
