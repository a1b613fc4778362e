// Answers of clGet...Info.
#pragma once

#include "runtime/opencl/Objects.h"

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace leno::opencl {

/// Where an answer goes: `room` bytes at `value`, and how many it has at `size`; either may be null.
class Answer {
public:
  Answer(size_t room, void *value, size_t *size) : room(room), value(value), size(size) {}

  cl_int bytes(const void *from, size_t count) const {
    if (size)
      *size = count;
    if (!value)
      return CL_SUCCESS;
    if (room < count)
      return CL_INVALID_VALUE;
    if (count)
      std::memcpy(value, from, count);
    return CL_SUCCESS;
  }
  template <class T> cl_int of(T number) const { return bytes(&number, sizeof(number)); }
  /// With its final zero.
  cl_int text(std::string_view text) const { return bytes(std::string(text).c_str(), text.size() + 1); }
  template <class T> cl_int list(const std::vector<T> &list) const {
    return bytes(list.data(), list.size() * sizeof(T));
  }
  cl_int flag(bool is) const { return of<cl_bool>(is); }

private:
  size_t room;
  void *value;
  size_t *size;
};

} // namespace leno::opencl
