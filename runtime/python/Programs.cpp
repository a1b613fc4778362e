// Programs, their kernels, the disassembler, and the keys of machines.
#include "runtime/python/Binding.h"

#include "asm/LoadProgram.h"
#include "asm/ObjectDump.h"
#include "emu/Machine.h"
#include "emu/program/Predecoder.h"
#include "runtime/MachineConfig.h"

namespace leno::python {

using Strings = std::vector<std::string>;

/// The bytes of an executable, and what the assembler or the compiler has said of a program without mistakes.
template <typename Link> static py::tuple linked(const Strings &defines, const Strings &includes, Link link) {
  AssembleOptions options;
  options.defines = defines;
  options.includeDirs = includes;
  options.debugLines = true;
  std::string said;
  llvm::SmallVector<char, 0> bytes;
  {
    py::gil_scoped_release release;
    llvm::raw_string_ostream os(said);
    llvm::Expected<llvm::SmallVector<char, 0>> made = link(options, os);
    if (!made)
      throw Failure(said + llvm::toString(made.takeError()));
    bytes = std::move(*made);
  }
  return py::make_tuple(py::bytes(bytes.data(), bytes.size()), said);
}

static std::string dumped(const Program &program, bool raw, bool source, bool kernels, bool live, bool graph,
                          const Strings &kernelNames) {
  DumpOptions options;
  options.raw = raw, options.source = source, options.live = live, options.graph = graph;
  options.kernels = kernels, options.disassemble = !kernels;
  options.kernelNames = kernelNames;
  std::string text;
  llvm::raw_string_ostream os(text);
  check(dump(llvm::MemoryBufferRef(program.bytes, program.name), options, os));
  return text;
}

static py::list parametersOf(const KernelHandle &handle) {
  py::list all;
  for (const host::Parameter &one : handle.parameters)
    all.append(py::make_tuple(one.name, one.type, one.offset, one.size));
  return all;
}

static py::list argumentsOf(const KernelHandle &handle) {
  static constexpr const char *memories[] = {"private", "global", "constant", "local"};
  py::list all;
  for (const host::SourceArgument &one : handle.kernel.arguments())
    all.append(py::make_tuple(one.name, one.type, one.qualifiers, memories[unsigned(one.memory)], one.size,
                              one.first, one.offsets.size()));
  return all;
}

/// What differs from the machine without settings, as settings.
static Strings settingsOfFile(const std::string &path) {
  MachineConfig config, usual;
  check(runtime::loadMachineFile(config, path));
  Strings settings;
  for (const MachineKey &key : machineKeys())
    if (key.field(config) != key.field(usual))
      settings.push_back(std::string(key.name) + "=" + runtime::shownValue(key, key.field(config)));
  return settings;
}

/// (name, type, least, most, unit, choices, documentation)
static py::list keysOfMachines() {
  static constexpr const char *types[] = {"integer", "bytes", "choice"};
  py::list all;
  for (const MachineKey &key : machineKeys())
    all.append(py::make_tuple(key.name, types[key.type], key.least, key.most, key.unit, key.choices, key.doc,
                              runtime::shownValue(key, key.defaultValue())));
  return all;
}

/// As its machine tells it of a grid.
static u64 stackBitsOnChip(const Strings &settings) {
  host::MachineSettings machine = valueOf(host::machineOf(settings));
  Executable program = valueOf(
      loadProgramText("        .kernel nothing\n        EXIT;\n        .endkernel\n", "nothing.s", {}, llvm::nulls()));
  leno::Program code = predecode(program.code(), *machine.engine);
  leno::Device device(machine.config, *machine.engine);
  LaunchSpec spec;
  spec.kernel = "nothing";
  spec.block = {32, 1, 1};
  std::unique_ptr<leno::Machine> one = valueOf(leno::Machine::create(device, code, spec));
  one->run();
  return one->grid()->stackBitsOnChip();
}

void bindPrograms(py::module_ &module) {
  module.def("link_text", [](const std::string &text, const std::string &name, const Strings &defines,
                             const Strings &includes) {
    return linked(defines, includes, [&](const AssembleOptions &options, llvm::raw_ostream &os) {
      return linkProgramText(text, name, options, os);
    });
  });
  module.def("link_file", [](const std::string &path, const Strings &defines, const Strings &includes) {
    return linked(defines, includes, [&](const AssembleOptions &options, llvm::raw_ostream &os) {
      return linkProgram(path, options, os);
    });
  });
  module.def("machine_file", &settingsOfFile);
  module.def("machine_keys", &keysOfMachines);
  module.def("stack_bits_on_chip", &stackBitsOnChip);

  py::class_<Program, std::shared_ptr<Program>>(module, "Program")
      .def(py::init([](const py::bytes &bytes, const std::string &name) {
        std::string all = bytes;
        host::Module loaded = valueOf(host::Module::assemble(all, name));
        return std::make_shared<Program>(Program{name, std::move(all), std::move(loaded)});
      }))
      .def_readonly("name", &Program::name)
      .def_property_readonly("bytes", [](const Program &program) { return py::bytes(program.bytes); })
      .def("kernels",
           [](const Program &program) {
             std::vector<KernelHandle> all;
             for (host::Kernel &one : program.module.kernels())
               all.emplace_back(std::move(one));
             return all;
           })
      .def("kernel",
           [](const Program &program, const std::string &name) {
             return KernelHandle(valueOf(program.module.kernel(name)));
           })
      .def("dump", &dumped);

  auto of = [](auto member) { return [member](const KernelHandle &handle) { return (handle.kernel.*member)(); }; };
  py::class_<KernelHandle>(module, "Kernel")
      .def_property_readonly("name", of(&host::Kernel::name))
      .def_property_readonly("signature", of(&host::Kernel::signature))
      .def_property_readonly("registers", of(&host::Kernel::registers))
      .def_property_readonly("shared_bytes", of(&host::Kernel::sharedBytes))
      .def_property_readonly("local_bytes", of(&host::Kernel::localBytes))
      .def_property_readonly("block", of(&host::Kernel::block))
      .def_property_readonly("parameters", &parametersOf)
      .def_property_readonly("arguments", &argumentsOf);
}

} // namespace leno::python
