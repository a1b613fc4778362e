// What the compiled part of the Python module has in common: handles that keep alive what their memory needs,
// errors, and Ctrl-C. leno/*.py makes people's API of it; _leno.pyi has its types.
#pragma once

#include "runtime/host/Launcher.h"

#include "leno/Leno.h"

#include <csignal>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace leno::python {

namespace py = pybind11;

/// leno.Error of Python.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(const host::Status &status) {
  if (!status)
    throw Failure(status.error().message());
}
template <typename T> T valueOf(host::Result<T> result) {
  if (!result)
    throw Failure(result.error().message());
  return std::move(*result);
}
inline void check(llvm::Error error) {
  if (error)
    throw Failure(llvm::toString(std::move(error)));
}
template <typename T> T valueOf(llvm::Expected<T> result) {
  if (!result)
    throw Failure(llvm::toString(result.takeError()));
  return std::move(*result);
}

/// Ends of these objects wait for threads that may need Python.
struct WithoutGil {
  template <typename T> void operator()(T *object) const {
    if (!PyGILState_Check()) {
      delete object;
      return;
    }
    py::gil_scoped_release release;
    delete object;
  }
};

/// A Python object that threads without the interpreter hold.
inline std::shared_ptr<py::object> held(py::object object) {
  return {new py::object(std::move(object)), [](py::object *mine) {
            py::gil_scoped_acquire acquire;
            delete mine;
          }};
}

/// What arrays are allocated in.
class Memory {
public:
  virtual ~Memory() = default;
  virtual host::DeviceMemory &memory() = 0;
  host::ContextState &state() { return *host::Launcher::stateOf(memory()); }
  host::MachineState &machine() { return *state().machine; }
};

class DeviceHandle final : public Memory {
public:
  explicit DeviceHandle(host::Device device) : device(new host::Device(std::move(device))) {}
  host::DeviceMemory &memory() override { return *device; }
  const std::unique_ptr<host::Device, WithoutGil> device;
};

class ContextHandle final : public Memory {
public:
  ContextHandle(std::shared_ptr<DeviceHandle> device, host::Context context)
      : device(std::move(device)), context(new host::Context(std::move(context))) {}
  host::DeviceMemory &memory() override { return *context; }
  const std::shared_ptr<DeviceHandle> device;
  const std::unique_ptr<host::Context, WithoutGil> context;
};

/// Arrays over it are its memory on the host, and keep it.
struct BufferHandle {
  std::shared_ptr<Memory> owner;
  host::Buffer buffer;
  std::byte *bytes; ///< of the host
};

struct Program {
  std::string name, bytes; ///< of the executable
  host::Module module;
};

struct KernelHandle {
  explicit KernelHandle(host::Kernel kernel) : kernel(std::move(kernel)), parameters(this->kernel.parameters()) {}
  host::Kernel kernel;
  std::vector<host::Parameter> parameters; ///< which every launch looks at
};

/// While it lives on Python's main thread, Ctrl-C interrupts the machine; look() then raises KeyboardInterrupt.
/// Pressed three times it ends the process.
class Interruptible {
public:
  /// Not `tellsPython`: who asks isPressed() makes of it what is right.
  explicit Interruptible(host::MachineState *machine, bool tellsPython = true);
  ~Interruptible();
  Interruptible(const Interruptible &) = delete;
  Interruptible &operator=(const Interruptible &) = delete;
  /// With the interpreter: what came meanwhile.
  void look();
  static bool isPressed();

private:
  bool isCaught = false;
};

/// Runs a function without the interpreter, which Ctrl-C on the main thread can stop.
template <typename F> auto waiting(host::MachineState *machine, F &&function) {
  Interruptible interruptible(machine);
  auto result = [&] {
    py::gil_scoped_release release;
    return function();
  }();
  interruptible.look();
  return result;
}

void bindPrograms(py::module_ &module);
void bindDevices(py::module_ &module);
void bindLaunches(py::module_ &module);
void bindStreams(py::module_ &module);
void bindContexts(py::module_ &module);
/// Of dbg/python/Debugger.cpp: who links the module gives it.
void bindDebugger(py::module_ &module);

/// The buffer that an array is over; null: none.
BufferHandle *bufferOf(py::handle array);

} // namespace leno::python
