// Devices, contexts, and memory that arrays are over.
#include "runtime/python/Binding.h"

#include <span>

namespace leno::python {

BufferHandle *bufferOf(py::handle array) {
  while (py::isinstance<py::array>(array)) {
    PyObject *base = py::detail::array_proxy(array.ptr())->base;
    if (!base)
      return nullptr;
    array = base;
  }
  return py::isinstance<BufferHandle>(array) ? array.cast<BufferHandle *>() : nullptr;
}

static std::shared_ptr<BufferHandle> allocate(std::shared_ptr<Memory> owner, u64 bytes, const std::string &name,
                                              bool onDemand) {
  host::Buffer buffer = [&] {
    py::gil_scoped_release release;
    return valueOf(onDemand ? owner->memory().allocateOnDemand(bytes, name)
                            : owner->memory().allocate(bytes, name));
  }();
  const AddressSpace::Allocation *at = owner->state().device.memory().find(buffer.address());
  auto *host = reinterpret_cast<std::byte *>(at->window.host);
  return std::make_shared<BufferHandle>(BufferHandle{std::move(owner), std::move(buffer), host});
}

/// An array that is the buffer's memory.
static py::array arrayOver(const std::shared_ptr<BufferHandle> &buffer, const py::dtype &type,
                           std::vector<py::ssize_t> shape) {
  u64 bytes = u64(type.itemsize());
  for (py::ssize_t size : shape)
    if (size < 0 || __builtin_mul_overflow(bytes, u64(size), &bytes))
      throw Failure("buffer '" + buffer->buffer.name() + "': this is no shape of an array");
  if (bytes > buffer->buffer.size())
    throw Failure("buffer '" + buffer->buffer.name() + "' of " + std::to_string(buffer->buffer.size()) +
                  " bytes is too small for an array of " + std::to_string(bytes));
  return py::array(type, std::move(shape), buffer->bytes, py::cast(buffer));
}

/// None, or the place of an array in its buffer's memory: (buffer, address of its first element).
static py::object placeOf(const py::array &array) {
  BufferHandle *buffer = bufferOf(array);
  if (!buffer)
    return py::none();
  auto offset = reinterpret_cast<const std::byte *>(array.data()) - buffer->bytes;
  return py::make_tuple(py::cast(buffer, py::return_value_policy::reference),
                        buffer->buffer.address() + u64(offset));
}

/// Of the first argument that is in a device's memory; None: there is none.
static std::shared_ptr<Memory> ownerOf(const py::tuple &arguments) {
  for (py::handle argument : arguments)
    if (BufferHandle *buffer = py::isinstance<BufferHandle>(argument) ? argument.cast<BufferHandle *>()
                                                                      : bufferOf(argument))
      return buffer->owner;
  return nullptr;
}

static py::bytes readAt(Memory &owner, u64 address, u64 count) {
  std::string bytes(count, 0);
  check(owner.memory().readAt(address, std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

static py::list settingsOf(const DeviceHandle &handle) {
  py::list all;
  for (const host::Device::Setting &one : handle.device->settings())
    all.append(py::make_tuple(one.key, one.value));
  return all;
}

static py::dict countsOf(const host::ContextCounts &counts) {
  py::dict all;
  all["commands"] = counts.commands;
  all["warp_instructions"] = counts.warpInstructions;
  all["run_cycles"] = counts.runCycles;
  all["blocked_cycles"] = counts.blockedCycles;
  all["sm_cycles"] = counts.smCycles;
  all["switch_cycles"] = counts.switchCycles;
  all["saves"] = counts.saves;
  all["restores"] = counts.restores;
  all["drains"] = counts.drains;
  all["saved_bytes"] = counts.savedBytes;
  all["restored_bytes"] = counts.restoredBytes;
  all["page_faults"] = counts.pageFaults;
  all["slices_gained"] = counts.slicesGained;
  all["slices_lost"] = counts.slicesLost;
  all["l2_requests"] = counts.l2Requests;
  all["l2_hits"] = counts.l2Hits;
  return all;
}

/// A function of Python that the machine calls.
static std::function<void(const host::ContextEvent &)> listener(const py::object &function) {
  if (function.is_none())
    return nullptr;
  return [mine = held(function)](const host::ContextEvent &event) {
    py::gil_scoped_acquire acquire;
    try {
      (*mine)(event.cycle, event.context, event.kind, event.text);
    } catch (py::error_already_set &error) {
      error.discard_as_unraisable("a function that hears of events");
    }
  };
}

static std::span<const std::byte> bytesOf(const py::buffer_info &info) {
  return {static_cast<const std::byte *>(info.ptr), size_t(info.size * info.itemsize)};
}

/// Wherever it is a command: without the interpreter, which a function that hears of events may wait for.
template <typename F> static void command(F &&give) {
  host::Status status;
  {
    py::gil_scoped_release release;
    status = give();
  }
  check(status);
}

static void bindDevice(py::module_ &module) {
  py::class_<DeviceHandle, Memory, std::shared_ptr<DeviceHandle>>(module, "Device")
      .def(py::init([](const std::vector<std::string> &settings) {
        return std::make_shared<DeviceHandle>(valueOf(host::Device::create(settings)));
      }))
      .def("settings", &settingsOf)
      .def("create_context",
           [](std::shared_ptr<DeviceHandle> self, const std::string &name, int priority, u64 sms, u64 watchdog,
              u64 stackDepth) {
             host::Context context = [&] {
               py::gil_scoped_release release;
               return valueOf(self->device->createContext({name, priority, sms, watchdog, stackDepth}));
             }();
             return std::make_shared<ContextHandle>(std::move(self), std::move(context));
           })
      .def("cycle", [](DeviceHandle &self) { return self.device->cycle(); })
      .def("run",
           [](DeviceHandle &self, u64 cycles) {
             static constexpr const char *names[] = {"idle", "cycle", "stuck"};
             return names[unsigned(
                 valueOf(waiting(&self.machine(), [&] { return self.device->run(cycles); })))];
           })
      .def("run_until_idle",
           [](DeviceHandle &self) {
             check(waiting(&self.machine(), [&] { return self.device->runUntilIdle(); }));
           })
      .def("kill",
           [](DeviceHandle &self, ContextHandle &context, const std::string &why) {
             command([&] { return self.device->kill(*context.context, why); });
           })
      .def("release",
           [](DeviceHandle &self, std::uint32_t semaphore, u64 value) {
             command([&] { return self.device->release(semaphore, value); });
           })
      .def("semaphore",
           [](DeviceHandle &self, std::uint32_t number) { return self.device->semaphore(number); })
      .def("waits", [](DeviceHandle &self) { return self.device->waits(); })
      .def("write_profiles",
           [](DeviceHandle &self) { command([&] { return self.device->writeProfiles(); }); })
      .def("on_event", [](DeviceHandle &self, const py::object &function) {
        command([&, mine = listener(function)] { return self.device->onEvent(mine); });
      });
}

static void bindContext(py::module_ &module) {
  using Handle = ContextHandle;
  py::class_<Handle, Memory, std::shared_ptr<Handle>>(module, "Context")
      .def_property_readonly("name", [](Handle &self) { return self.context->name(); })
      .def("copy",
           [](Handle &self, BufferHandle &from, u64 fromOffset, BufferHandle &to, u64 toOffset, u64 bytes) {
             command([&] {
               return self.context->copy(from.buffer, fromOffset, to.buffer, toOffset, bytes);
             });
           })
      .def("write",
           [](Handle &self, BufferHandle &to, u64 offset, const py::buffer &data) {
             py::buffer_info info = data.request();
             command([&] { return self.context->write(to.buffer, offset, bytesOf(info)); });
           })
      .def("write_constants",
           [](Handle &self, const Program &program, unsigned bank, std::uint32_t offset, const py::buffer &data) {
             py::buffer_info info = data.request();
             command([&] { return self.context->writeConstants(program.module, bank, offset, bytesOf(info)); });
           })
      .def("release", [](Handle &self, std::uint32_t semaphore,
                         u64 value) { command([&] { return self.context->release(semaphore, value); }); })
      .def("acquire", [](Handle &self, std::uint32_t semaphore,
                         u64 value) { command([&] { return self.context->acquire(semaphore, value); }); })
      .def("sync_token", [](Handle &self, std::uint32_t x,
                            std::uint32_t y) { command([&] { return self.context->syncToken(x, y); }); })
      .def("remap", [](Handle &self, std::uint32_t x,
                       std::uint32_t y) { command([&] { return self.context->remap(x, y); }); })
      .def("set_priority",
           [](Handle &self, int priority) { command([&] { return self.context->setPriority(priority); }); })
      .def("set_sms", [](Handle &self, u64 sms) { command([&] { return self.context->setSms(sms); }); })
      .def("is_idle", [](Handle &self) { return self.context->isIdle(); })
      .def("synchronize",
           [](Handle &self) {
             check(waiting(&self.machine(), [&] { return self.context->synchronize(); }));
           })
      .def("status",
           [](Handle &self) {
             host::Status status = self.context->status();
             return status ? std::string() : status.error().message();
           })
      .def("counts", [](Handle &self) { return countsOf(self.context->counts()); })
      .def("sms", [](Handle &self) { return self.context->sms(); });
}

void bindDevices(py::module_ &module) {
  py::class_<Memory, std::shared_ptr<Memory>>(module, "Memory")
      .def("allocate", &allocate)
      .def("read_at", &readAt)
      .def("bytes_allocated", [](Memory &self) { return self.memory().bytesAllocated(); })
      .def("is_same", [](Memory &self, Memory &other) { return &self.state() == &other.state(); });
  py::class_<BufferHandle, std::shared_ptr<BufferHandle>>(module, "Buffer")
      .def_property_readonly("name", [](const BufferHandle &self) { return self.buffer.name(); })
      .def_property_readonly("address", [](const BufferHandle &self) { return self.buffer.address(); })
      .def_property_readonly("size", [](const BufferHandle &self) { return self.buffer.size(); })
      .def_property_readonly("host_address",
                             [](const BufferHandle &self) { return reinterpret_cast<u64>(self.bytes); })
      .def_property_readonly("owner", [](const BufferHandle &self) { return self.owner; })
      .def("array", &arrayOver);
  module.def("place_of", &placeOf);
  module.def("owner_of", &ownerOf);
  bindDevice(module);
  bindContext(module);
}

} // namespace leno::python
