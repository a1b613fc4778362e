// The contexts of a file on one machine, as leno-run --contexts runs them: read once with all that the file
// names, run on any machine.
#include "runtime/RunReport.h"
#include "runtime/python/Binding.h"

namespace leno::python {

namespace {

using runtime::Prepared;
using Strings = std::vector<std::string>;

std::unique_ptr<Prepared> prepared(llvm::function_ref<llvm::Expected<std::unique_ptr<Prepared>>()> make,
                                   const std::string &said = "") {
  auto made = [&] {
    py::gil_scoped_release release;
    return make();
  }();
  if (!made)
    throw Failure(said + llvm::toString(made.takeError()));
  return std::move(*made);
}

/// Reads the file, its programs and its data.
Prepared::Saved read(const std::string &file, const Strings &settings) {
  runtime::LaunchOptions options;
  options.contexts = file;
  options.machineSettings = settings;
  std::string said;
  llvm::raw_string_ostream os(said);
  Prepared::Saved saved = prepared([&] { return Prepared::create(options, os); }, os.str())->save();
  saved.options.machineSettings = settings; // the file tells the rest
  return saved;
}

py::tuple arrayOf(const std::string &name, const runtime::Array &array) {
  return py::make_tuple(name, info(array.type).npyCode, array.shape,
                        py::bytes(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size()));
}

py::tuple stateOf(const Prepared::Saved &saved) {
  py::list programs, inputs;
  for (const std::string &one : saved.programs)
    programs.append(py::bytes(one));
  for (const runtime::Array &one : saved.inputs)
    inputs.append(
        py::make_tuple(unsigned(one.type), one.shape,
                       py::bytes(reinterpret_cast<const char *>(one.bytes.data()), one.bytes.size())));
  return py::make_tuple(saved.options.contexts, saved.options.machineSettings, saved.contexts, programs,
                        saved.limits, inputs);
}

Prepared::Saved ofState(const std::string &name, const Strings &settings, const std::string &text,
                        const Strings &programs, const std::vector<std::uint64_t> &limits,
                        const py::list &inputs) {
  Prepared::Saved saved;
  saved.options.contexts = name, saved.options.machineSettings = settings;
  saved.contexts = text, saved.programs = programs, saved.limits = limits;
  for (py::handle one : inputs) {
    auto [type, shape, bytes] = one.cast<std::tuple<unsigned, std::vector<std::uint64_t>, std::string>>();
    saved.inputs.push_back({ElementType(type), shape, {bytes.begin(), bytes.end()}});
  }
  return saved;
}

/// The report of leno-run --json, how each context has ended, and what the outputs hold.
py::tuple run(Prepared::Saved saved, const Strings &settings, bool counts) {
  llvm::append_range(saved.options.machineSettings, settings);
  std::unique_ptr<Prepared> work = prepared([&] { return Prepared::create(std::move(saved)); });
  runtime::RunReport::Counts statistics;
  if (counts)
    work->onStart = [&](u32 context, size_t launch, GridRun &run) {
      run.addObserver(statistics[{context, launch}]);
    };
  StopReason stop = StopReason::Budget;
  {
    Interruptible interruptible(nullptr);
    while (stop == StopReason::Budget) {
      {
        py::gil_scoped_release release;
        stop = work->runFor(std::chrono::milliseconds(50));
      }
      interruptible.look();
    }
  }
  std::string json;
  llvm::raw_string_ostream os(json);
  runtime::RunReport(*work, statistics, stop).writeJson(os);
  py::list ends, outputs;
  for (u32 i = 0; i < work->contextCount(); ++i)
    ends.append(py::make_tuple(work->describeEnd(i), work->describeHost(i)));
  for (const Prepared::OutputArray &output : valueOf(work->outputArrays()))
    outputs.append(arrayOf(output.name, output.array));
  return py::make_tuple(os.str(), ends, outputs);
}

} // namespace

void bindContexts(py::module_ &module) {
  using Saved = Prepared::Saved;
  py::class_<Saved>(module, "Contexts")
      .def(py::init(&read))
      .def(py::init(&ofState))
      .def_readonly("text", &Saved::contexts)
      .def("state", &stateOf)
      .def("run", &run);
}

} // namespace leno::python
