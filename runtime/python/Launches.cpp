// Launches: arguments by the types of their parameters, and what comes of them.
#include "runtime/python/Streams.h"

namespace leno::python {

namespace {

/// The arguments of one launch.
class Arguments {
public:
  Arguments(const KernelHandle &handle, Memory &where, host::LaunchConfig &config, const py::tuple &given)
      : kernel(handle.kernel), where(where), config(config) {
    const std::vector<host::Parameter> &parameters = handle.parameters;
    if (given.size() != parameters.size())
      throw Failure("kernel '" + kernel.name() + "' takes " + std::to_string(parameters.size()) +
                    (parameters.size() == 1 ? " argument" : " arguments") + ", not " +
                    std::to_string(given.size()) + ": " + kernel.signature());
    all.reserve(given.size());
    for (size_t i = 0; i < given.size(); ++i)
      add(i, parameters[i], given[i]);
  }
  std::vector<host::Argument> all;

private:
  [[noreturn]] void fail(size_t i, const host::Parameter &parameter, const std::string &what) const {
    throw Failure("kernel '" + kernel.name() + "', argument " + std::to_string(i + 1) + " for parameter '" +
                  parameter.name + "' (" + parameter.type + "): " + what);
  }
  static std::string typeOf(py::handle value) { return Py_TYPE(value.ptr())->tp_name; }

  void add(size_t i, const host::Parameter &parameter, py::handle value) {
    if (parameter.type.starts_with("ptr"))
      return addPointer(i, parameter, value);
    if (parameter.type[0] == 'f')
      return addFloat(i, parameter, value);
    bool isSigned = parameter.type[0] == 'i';
    switch (parameter.size) {
    case 1:
      return isSigned ? addInteger<std::int8_t>(i, parameter, value)
                      : addInteger<std::uint8_t>(i, parameter, value);
    case 2:
      return isSigned ? addInteger<std::int16_t>(i, parameter, value)
                      : addInteger<std::uint16_t>(i, parameter, value);
    case 4:
      return isSigned ? addInteger<std::int32_t>(i, parameter, value)
                      : addInteger<std::uint32_t>(i, parameter, value);
    default:
      return isSigned ? addInteger<std::int64_t>(i, parameter, value)
                      : addInteger<std::uint64_t>(i, parameter, value);
    }
  }

  /// Python's integers and numpy's; none that does not fit.
  template <typename T> T integer(size_t i, const host::Parameter &parameter, py::handle value) {
    py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) {
      PyErr_Clear();
      fail(i, parameter, "a number is wanted, not a " + typeOf(value));
    }
    py::detail::make_caster<T> caster;
    if (!caster.load(number, true)) {
      PyErr_Clear();
      fail(i, parameter, py::str(number).cast<std::string>() + " is not within " +
                             std::to_string(std::numeric_limits<T>::min()) + ".." +
                             std::to_string(std::numeric_limits<T>::max()));
    }
    return T(caster);
  }
  template <typename T> void addInteger(size_t i, const host::Parameter &parameter, py::handle value) {
    all.emplace_back(integer<T>(i, parameter, value));
  }
  void addFloat(size_t i, const host::Parameter &parameter, py::handle value) {
    double number = PyFloat_AsDouble(value.ptr());
    if (number == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      fail(i, parameter, "a number is wanted, not a " + typeOf(value));
    }
    parameter.size == 4 ? all.emplace_back(float(number)) : all.emplace_back(number);
  }

  void checkOwner(size_t i, const host::Parameter &parameter, BufferHandle &buffer) {
    if (&buffer.owner->state() != &where.state())
      fail(i, parameter, "'" + buffer.buffer.name() + "' is in the memory of " +
                             buffer.owner->state().seenFrom(where.state()) +
                             "; make the array on the one that runs the kernel");
  }
  void addPointer(size_t i, const host::Parameter &parameter, py::handle value) {
    if (py::isinstance<py::array>(value)) {
      auto array = py::reinterpret_borrow<py::array>(value);
      BufferHandle *buffer = bufferOf(array);
      if (!buffer)
        fail(i, parameter, "this array is in the host's memory; device.array(x) makes one in the device's");
      checkOwner(i, parameter, *buffer);
      if (!(array.flags() & py::array::c_style) && array.size() > 1)
        fail(i, parameter, "a kernel sees memory and no strides: this view of '" + buffer->buffer.name() +
                               "' has gaps or another order of its axes");
      u64 offset = u64(reinterpret_cast<const std::byte *>(array.data()) - buffer->bytes);
      offset ? all.emplace_back(buffer->buffer.address() + offset) : all.emplace_back(buffer->buffer);
    } else if (py::isinstance<BufferHandle>(value)) {
      auto &buffer = *value.cast<BufferHandle *>();
      checkOwner(i, parameter, buffer);
      all.emplace_back(buffer.buffer);
    } else if (py::isinstance<ChannelHandle>(value)) {
      auto *channel = value.cast<ChannelHandle *>();
      config.channels.push_back(&channel->channel);
      all.emplace_back(channel->channel.buffer());
    } else if (PyIndex_Check(value.ptr())) {
      all.emplace_back(integer<std::uint64_t>(i, parameter, value));
    } else {
      fail(i, parameter, "an array of the device is wanted, a channel, or an address, not a " + typeOf(value));
    }
  }

  const host::Kernel &kernel;
  Memory &where;
  host::LaunchConfig &config;
};

py::object trapOf(const host::LaunchResult &result) {
  if (!result.trap)
    return py::none();
  const host::TrapInfo &trap = *result.trap;
  py::dict all;
  all["kind"] = trap.kind;
  all["text"] = trap.text;
  all["pc"] = trap.pc;
  all["label"] = trap.label;
  all["file"] = trap.file;
  all["line"] = trap.line;
  all["cta"] = py::make_tuple(trap.cta[0], trap.cta[1], trap.cta[2]);
  all["warp"] = trap.warp;
  all["lane_mask"] = trap.lanes;
  all["address"] = trap.address ? py::object(py::int_(*trap.address)) : py::none();
  all["calls"] = trap.calls;
  return all;
}

py::object statisticsOf(const host::LaunchResult &result) {
  if (!result.statistics)
    return py::none();
  const host::LaunchStatistics &from = *result.statistics;
  py::dict all;
  all["ctas"] = from.ctas;
  all["warps"] = from.warps;
  all["warp_instructions"] = from.warpInstructions;
  all["lane_operations"] = from.laneOperations;
  all["branches"] = from.branches;
  all["divergent_branches"] = from.divergentBranches;
  all["stack_pushes"] = from.stackPushes;
  all["stack_pops"] = from.stackPops;
  all["max_stack_depth"] = from.maxStackDepth;
  all["stack_entries_spilled"] = from.stackEntriesSpilled;
  all["stack_entries_restored"] = from.stackEntriesRestored;
  all["stack_stall_cycles"] = from.stackStallCycles;
  all["global_bytes_loaded"] = from.globalBytesLoaded;
  all["global_bytes_stored"] = from.globalBytesStored;
  all["barrier_arrivals"] = from.barrierArrivals;
  all["cycles"] = from.cycles;
  all["l2_requests"] = from.l2Requests;
  all["l2_hits"] = from.l2Hits;
  all["host_requests"] = from.hostRequests;
  all["host_hits"] = from.hostHits;
  return all;
}

py::list findingsOf(const host::LaunchResult &result) {
  py::list all;
  for (const host::Finding &one : result.findings)
    all.append(py::make_tuple(one.check, one.kind, one.text, one.file, one.line, one.count));
  return all;
}

host::LaunchResult launch(const KernelHandle &kernel, Memory &where, host::LaunchConfig config,
                          const py::tuple &given) {
  Arguments arguments(kernel, where, config, given);
  return valueOf(waiting(&where.machine(), [&] {
    return host::launchWith(where.memory(), kernel.kernel, config, arguments.all);
  }));
}

template <typename F>
PendingHandle enqueued(const std::shared_ptr<Memory> &where, const KernelHandle &kernel, host::LaunchConfig config,
                       const py::tuple &given, F give) {
  Arguments arguments(kernel, *where, config, given);
  py::gil_scoped_release release;
  return {where, valueOf(give(config, arguments.all))};
}

PendingHandle launchOnStream(const KernelHandle &kernel, StreamHandle &stream, const host::LaunchConfig &config,
                             const py::tuple &given) {
  return enqueued(stream.owner, kernel, config, given, [&](const auto &config, const auto &arguments) {
    return stream.stream->launchWith(kernel.kernel, config, arguments);
  });
}

PendingHandle launchOnContext(const KernelHandle &kernel, const std::shared_ptr<ContextHandle> &context,
                              const host::LaunchConfig &config, const py::tuple &given) {
  return enqueued(context, kernel, config, given, [&](const auto &config, const auto &arguments) {
    return context->context->launchWith(kernel.kernel, config, arguments);
  });
}

host::Extent extentOf(const std::array<std::uint32_t, 3> &size) { return {size[0], size[1], size[2]}; }

} // namespace

void bindLaunches(py::module_ &module) {
  using Config = host::LaunchConfig;
  py::class_<Config>(module, "Config")
      .def(py::init([](const std::array<std::uint32_t, 3> &grid, const std::array<std::uint32_t, 3> &block) {
        Config config;
        config.grid = extentOf(grid), config.block = extentOf(block);
        return config;
      }))
      .def_readwrite("max_instructions", &Config::maximumInstructions)
      .def_readwrite("statistics", &Config::statistics)
      .def_readwrite("checks", &Config::checks)
      .def_readwrite("profile", &Config::profile)
      .def_readwrite("threads", &Config::threads)
      .def_readwrite("shared_bytes", &Config::sharedBytes)
      .def_readwrite("host_words", &Config::hostWords)
      .def_readwrite("overlap", &Config::overlap)
      .def_readwrite("stack_depth", &Config::stackDepth)
      .def_property(
          "message", [](const Config &) { return py::none(); },
          [](Config &config, ChannelHandle &channel) { config.message = &channel.channel; });
  py::class_<host::LaunchResult>(module, "Result")
      .def_property_readonly("trap", &trapOf)
      .def_property_readonly("statistics", &statisticsOf)
      .def_property_readonly("findings", &findingsOf)
      .def_readonly("instructions", &host::LaunchResult::warpInstructions);
  py::class_<PendingHandle>(module, "Pending")
      .def("is_done",
           [](const PendingHandle &self) {
             py::gil_scoped_release release;
             return self.launch.isDone();
           })
      .def("wait",
           [](const PendingHandle &self) {
             return valueOf(waiting(&self.owner->machine(), [&] { return self.launch.wait(); }));
           })
      .def("cycles", [](const PendingHandle &self) {
        py::gil_scoped_release release;
        host::LaunchCycles cycles = self.launch.cycles();
        return std::array{cycles.decoded, cycles.started, cycles.ended};
      });
  module.def("launch", &launch);
  module.def("launch_on_stream", &launchOnStream);
  module.def("launch_on_context", &launchOnContext);
}

} // namespace leno::python
