#include "runtime/python/Streams.h"

#include "emu/memory/MemoryPlace.h"

#include <span>

namespace leno::python {

namespace {

template <typename F> void command(F &&give) {
  host::Status status;
  {
    py::gil_scoped_release release;
    status = give();
  }
  check(status);
}

/// Where an array is in its buffer.
std::pair<BufferHandle *, u64> placeIn(const py::array &array) {
  BufferHandle *buffer = bufferOf(array);
  if (!buffer)
    throw Failure("this array is in the host's memory; device.array(x) makes one in the device's");
  if (!(array.flags() & py::array::c_style))
    throw Failure("a copy is of memory without gaps: this view of '" + buffer->buffer.name() + "' has some");
  return {buffer, u64(reinterpret_cast<const std::byte *>(array.data()) - buffer->bytes)};
}

void write(StreamHandle &self, const py::array &to, const py::array &from) {
  auto [buffer, offset] = placeIn(to);
  if (!(from.flags() & py::array::c_style) || from.nbytes() != to.nbytes())
    throw Failure("a copy is between arrays of as many bytes, and of the host's without gaps");
  std::span data(static_cast<const std::byte *>(from.data()), size_t(from.nbytes()));
  command([&] { return self.stream->write(buffer->buffer, offset, data); });
}

void read(StreamHandle &self, const py::array &from, py::array to) {
  auto [buffer, offset] = placeIn(from);
  if (!(to.flags() & py::array::c_style) || from.nbytes() != to.nbytes())
    throw Failure("a copy is between arrays of as many bytes, and of the host's without gaps");
  std::span data(static_cast<std::byte *>(to.mutable_data()), size_t(to.nbytes()));
  // The array lives until the stream has come so far.
  command([&, mine = held(std::move(to))] {
    host::Status status = self.stream->read(buffer->buffer, offset, data);
    return status ? self.stream->call([mine] {}) : status;
  });
}

void call(StreamHandle &self, const py::object &function) {
  command([&, mine = held(function)] {
    return self.stream->call([mine] {
      py::gil_scoped_acquire acquire;
      try {
        (*mine)();
      } catch (py::error_already_set &error) {
        error.discard_as_unraisable("a function that a stream calls");
      }
    });
  });
}

void bindStream(py::module_ &module) {
  using Handle = StreamHandle;
  py::class_<Handle, std::shared_ptr<Handle>>(module, "Stream")
      .def(py::init([](std::shared_ptr<Memory> owner) {
        host::Stream stream = valueOf(host::Stream::create(owner->memory()));
        return std::make_shared<Handle>(std::move(owner), std::move(stream));
      }))
      .def("write", &write)
      .def("read", &read)
      .def("write_constants",
           [](Handle &self, const Program &program, unsigned bank, std::uint32_t offset, const py::buffer &data) {
             py::buffer_info info = data.request();
             std::span bytes(static_cast<const std::byte *>(info.ptr), size_t(info.size * info.itemsize));
             command([&] { return self.stream->writeConstants(program.module, bank, offset, bytes); });
           })
      .def("record",
           [](Handle &self, host::Event &event) { command([&] { return self.stream->record(event); }); })
      .def("wait",
           [](Handle &self, const host::Event &event) { command([&] { return self.stream->wait(event); }); })
      .def("call", &call)
      .def("is_idle", [](Handle &self) { return self.stream->isIdle(); })
      .def("synchronize",
           [](Handle &self) {
             check(waiting(&self.owner->machine(), [&] { return self.stream->synchronize(); }));
           })
      .def("reset", [](Handle &self) {
        check(waiting(&self.owner->machine(), [&] { return self.stream->reset(); }));
      });
  py::class_<host::Event>(module, "Event")
      .def(py::init<>())
      .def("is_done", &host::Event::isDone)
      .def("synchronize", [](const host::Event &self) { command([&] { return self.synchronize(); }); });
}

using Words = std::vector<std::uint32_t>;

/// A place as settings and context files name it.
host::ChannelPlace placeNamed(const std::string &name) {
  std::optional<MemoryPlace> place = memoryPlaceNamed(name);
  if (!place)
    throw Failure(std::string("messages are left in ") + memoryPlaceChoices + ", not in '" + name + "'");
  return host::ChannelPlace(*place);
}

host::MessageChannel makeChannel(Memory &owner, std::uint32_t slots, std::uint32_t words,
                                 const std::optional<std::string> &requests,
                                 const std::optional<std::string> &replies) {
  if (!requests && !replies)
    return valueOf(host::MessageChannel::create(owner.memory(), slots, words));
  return valueOf(host::MessageChannel::create(owner.memory(), slots, words,
                                              placeNamed(requests.value_or("core-cache")),
                                              placeNamed(replies.value_or("cpu-cache"))));
}

// A step of a script is a pair of its name and its words or cycles.
constexpr const char *stepNames[] = {"send", "expect", "wait", "at", "stop", "launch"};
using Step = host::HostScript::Step;

host::HostScript scriptOf(const std::vector<std::pair<std::string, py::object>> &steps) {
  host::HostScript script;
  for (const auto &[name, what] : steps)
    if (name == stepNames[Step::Send])
      script.send(what.cast<Words>());
    else if (name == stepNames[Step::Expect])
      script.expect(what.cast<Words>());
    else if (name == stepNames[Step::Wait])
      script.wait(what.cast<u64>());
    else if (name == stepNames[Step::At])
      script.at(what.cast<u64>());
    else if (name == stepNames[Step::Launch])
      script.launch();
    else
      script.stop();
  return script;
}

py::list stepsOf(const host::HostScript &script) {
  py::list steps;
  for (const Step &step : script.all()) {
    py::object what = py::none();
    if (step.kind == Step::Send || step.kind == Step::Expect)
      what = py::cast(step.words);
    else if (step.kind == Step::Wait || step.kind == Step::At)
      what = py::int_(step.cycles);
    steps.append(py::make_tuple(stepNames[step.kind], what));
  }
  return steps;
}

py::dict countsOf(const host::ChannelCounts &counts) {
  py::dict all;
  all["messages"] = counts.messages;
  all["write"] = counts.write;
  all["read_ready"] = counts.readReady;
  all["read_message"] = counts.readMessage;
  all["polls"] = counts.polls;
  all["poll_wait"] = counts.pollWait;
  all["issue"] = counts.issue;
  all["misses"] = counts.misses;
  all["slice_wait"] = counts.sliceWait;
  all["link_wait"] = counts.linkWait;
  all["longest"] = counts.longest;
  return all;
}

/// Without the interpreter, which those need who run the machine meanwhile.
template <typename F> auto looked(F &&function) {
  py::gil_scoped_release release;
  return function();
}

void bindChannel(py::module_ &module) {
  using Handle = ChannelHandle;
  py::class_<Handle, std::shared_ptr<Handle>>(module, "Channel")
      .def(
          py::init([](std::shared_ptr<Memory> owner, std::uint32_t slots, std::uint32_t words,
                      const std::optional<std::string> &requests, const std::optional<std::string> &replies) {
            host::MessageChannel channel =
                looked([&] { return makeChannel(*owner, slots, words, requests, replies); });
            return std::make_shared<Handle>(Handle{std::move(owner), std::move(channel)});
          }))
      .def_property_readonly("slots", [](Handle &self) { return self.channel.slots(); })
      .def_property_readonly("words", [](Handle &self) { return self.channel.words(); })
      .def_property_readonly("slot_bytes", [](Handle &self) { return self.channel.slotBytes(); })
      .def("send",
           [](Handle &self, const Words &message) {
             py::gil_scoped_release release;
             return valueOf(self.channel.send(message));
           })
      .def("receive",
           [](Handle &self, u64 number) {
             return valueOf(waiting(&self.owner->machine(), [&] { return self.channel.receive(number); }));
           })
      .def("call",
           [](Handle &self, std::uint32_t handle, const Words &data) {
             return valueOf(waiting(&self.owner->machine(), [&] { return self.channel.call(handle, data); }));
           })
      .def("play",
           [](Handle &self, const std::vector<std::pair<std::string, py::object>> &steps) {
             command([&, script = scriptOf(steps)] { return self.channel.play(script); });
           })
      .def("recorded", [](Handle &self) { return stepsOf(looked([&] { return self.channel.recorded(); })); })
      .def("played", [](Handle &self) { command([&] { return self.channel.played(); }); })
      .def("to_core", [](Handle &self) { return countsOf(looked([&] { return self.channel.toCore(); })); })
      .def("to_host", [](Handle &self) { return countsOf(looked([&] { return self.channel.toHost(); })); })
      .def("stop", [](Handle &self) { self.channel.stop(); });
}

} // namespace

void bindStreams(py::module_ &module) {
  bindStream(module);
  bindChannel(module);
}

} // namespace leno::python
