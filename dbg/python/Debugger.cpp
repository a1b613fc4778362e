// leno.Debugger: the session and the commands of leno-dbg, whose stops and answers it gives as the lines of JSON
// of dbg/Json.md, and registers as arrays.
#include "dbg/Interrupt.h"
#include "dbg/JsonReport.h"
#include "runtime/python/Binding.h"

namespace leno::python {

namespace {

class DebuggerHandle {
public:
  explicit DebuggerHandle(const runtime::LaunchOptions &options)
      : session(preparedOf(options)), interpreter(session, said, said, /*colours=*/false),
        report(interpreter, said, os) {
    report.hello();
    dbg::setInterruptSource([] { return Interruptible::isPressed(); });
  }

  /// The lines that a command gives, before the first those of the beginning, and whether Ctrl-C came.
  std::pair<std::string, bool> execute(const std::string &line) {
    Interruptible interruptible(nullptr, /*tellsPython=*/false);
    py::gil_scoped_release release;
    interpreter.execute(line);
    return {std::exchange(lines, {}), Interruptible::isPressed()};
  }

  dbg::Session session;

private:
  static std::unique_ptr<runtime::Prepared> preparedOf(const runtime::LaunchOptions &options) {
    std::string diagnostics;
    llvm::raw_string_ostream told(diagnostics);
    py::gil_scoped_release release;
    auto work = runtime::Prepared::create(options, told);
    if (!work)
      throw Failure(diagnostics + llvm::toString(work.takeError()));
    return std::move(*work);
  }

  std::string lines;
  llvm::raw_string_ostream os{lines};
  dbg::AnswerStream said;
  dbg::Interpreter interpreter;
  dbg::JsonReport report;
};

Warp &warpOf(DebuggerHandle &self) {
  Warp *warp = self.session.focus().warp();
  if (!warp)
    throw Failure("no warp is in focus: none runs here");
  return *warp;
}

py::array_t<u32> registersOf(DebuggerHandle &self) {
  const Warp &warp = warpOf(self);
  py::array_t<u32> all({py::ssize_t(warp.registers()), py::ssize_t(laneCount)});
  auto at = all.mutable_unchecked<2>();
  for (unsigned reg = 0; reg < warp.registers(); ++reg)
    for (unsigned lane = 0; lane < laneCount; ++lane)
      at(reg, lane) = warp.readRegister(reg, lane);
  return all;
}

/// A row of lanes for each mask.
py::array_t<bool> lanesOf(llvm::ArrayRef<LaneMask> masks) {
  py::array_t<bool> all({py::ssize_t(masks.size()), py::ssize_t(laneCount)});
  auto at = all.mutable_unchecked<2>();
  for (size_t i = 0; i < masks.size(); ++i)
    for (unsigned lane = 0; lane < laneCount; ++lane)
      at(py::ssize_t(i), lane) = masks[i] >> lane & 1;
  return all;
}

runtime::Dimensions dimensionsOf(const std::array<std::uint32_t, 3> &size) { return {size[0], size[1], size[2]}; }

using Strings = std::vector<std::string>;

std::unique_ptr<DebuggerHandle> create(const std::string &file, const std::string &kernel,
                                       const std::array<std::uint32_t, 3> &grid,
                                       const std::array<std::uint32_t, 3> &block, const Strings &arguments,
                                       const std::string &machineFile, const Strings &settings,
                                       std::optional<u64> mostInstructions, const std::string &contexts) {
  runtime::LaunchOptions options;
  options.file = file, options.kernel = kernel, options.contexts = contexts;
  options.grid = dimensionsOf(grid), options.block = dimensionsOf(block);
  options.arguments = arguments;
  options.machineFile = machineFile, options.machineSettings = settings;
  if (mostInstructions)
    options.maximumInstructions = *mostInstructions;
  return std::make_unique<DebuggerHandle>(options);
}

} // namespace

void bindDebugger(py::module_ &module) {
  using Handle = DebuggerHandle;
  py::class_<Handle>(module, "Debugger")
      .def(py::init(&create))
      .def("execute", &Handle::execute)
      .def("registers", &registersOf)
      .def("predicates", [](Handle &self) { return lanesOf(llvm::ArrayRef(warpOf(self).predicates, 7)); })
      .def("flags",
           [](Handle &self) {
             const ConditionCodes &codes = warpOf(self).codes;
             return lanesOf({codes.overflow, codes.carry, codes.sign, codes.zero});
           })
      .def("active", [](Handle &self) { return lanesOf({warpOf(self).active}); })
      .def("launched", [](Handle &self) { return lanesOf({warpOf(self).lanesLaunched()}); })
      .def("pc", [](Handle &self) { return self.session.focus().pc(); });
}

} // namespace leno::python
