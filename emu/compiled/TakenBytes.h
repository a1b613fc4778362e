//===- TakenBytes.h - Objects out of a row of bytes -----------------------===//
#pragma once
#include <cstring>
#include <string_view>
#include <vector>

namespace leno::compiled {

/// One after the other, as they lay in memory. False: so many bytes are not left.
struct TakenBytes {
  std::string_view rest;

  bool take(void *to, size_t size) {
    if (rest.size() < size)
      return false;
    if (size)
      std::memcpy(to, rest.data(), size);
    rest.remove_prefix(size);
    return true;
  }
  template <class T> bool takeAll(std::vector<T> &to, size_t count) {
    if (rest.size() / sizeof(T) < count)
      return false;
    to.resize(count);
    return take(to.data(), count * sizeof(T));
  }
};

} // namespace leno::compiled
