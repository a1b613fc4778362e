//===- Objects.h - What OpenCL's handles are --------------------------------===//
// OpenCL 3.0's objects on top of the host API. A handle is the address of one of these structures; the first
// word of each is the table of functions that an ICD loader calls [cl_khr_icd].
//===----------------------------------------------------------------------===//
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

namespace leno::opencl {

extern const cl_icd_dispatch dispatch;

enum class Kind : std::uint8_t { Context, Queue, Memory, Event, Program, Kernel };

/// Counted twice: by the program, whose handle ends with its last release, and by everybody.
struct Object {
  const cl_icd_dispatch *const table = &dispatch;
  std::atomic<cl_uint> users{1};
  std::atomic<cl_uint> holders{1}; ///< all users together are one
};

/// Handles that the program has: a wrong one, or one released before, is told from a good one without being
/// touched.
void enterHandle(const void *handle, Kind kind);
void leaveHandle(const void *handle);
bool isHandle(const void *handle, Kind kind);

/// Whether this thread runs a queue's commands: it cannot wait for its own end, so that queues and contexts
/// are destroyed on another.
bool &runsCommands();
void onAnotherThread(std::function<void()> work);

template <class T> void drop(T *object) {
  if (--object->holders != 0)
    return;
  if ((T::kind == Kind::Queue || T::kind == Kind::Context) && runsCommands())
    onAnotherThread([object] { delete object; });
  else
    delete object;
}

/// Holds an object, whatever the program does.
template <class T> class Ref {
public:
  Ref() = default;
  Ref(T *object) : object(object) {
    if (object)
      ++object->holders;
  }
  Ref(const Ref &other) : Ref(other.object) {}
  Ref(Ref &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Ref() {
    if (object)
      drop(object);
  }
  T *get() const { return object; }
  T *operator->() const { return object; }
  T &operator*() const { return *object; }
  explicit operator bool() const { return object; }

private:
  T *object = nullptr;
};

/// Of all of the driver's clocks, in nanoseconds.
cl_ulong now();

template <class T> bool isGood(const T *handle) { return handle && isHandle(handle, T::kind); }

template <class T> T *give(T *object) {
  enterHandle(object, T::kind);
  return object;
}

template <class T> cl_int retain(T *handle, cl_int invalid) {
  if (!isGood(handle))
    return invalid;
  ++handle->users;
  return CL_SUCCESS;
}

/// `last` is called before the handle ends.
template <class T, class Last> cl_int release(T *handle, cl_int invalid, Last last) {
  if (!isGood(handle))
    return invalid;
  if (--handle->users == 0) {
    last(*handle);
    leaveHandle(handle);
    drop(handle);
  }
  return CL_SUCCESS;
}
template <class T> cl_int release(T *handle, cl_int invalid) {
  return release(handle, invalid, [](T &) {});
}

/// What a function that creates something gives back: the handle, or null and the error.
template <class T> T *fail(cl_int error, cl_int *errorOut) {
  if (errorOut)
    *errorOut = error;
  return nullptr;
}
inline void succeed(cl_int *errorOut) {
  if (errorOut)
    *errorOut = CL_SUCCESS;
}

} // namespace leno::opencl
