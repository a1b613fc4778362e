#include "runtime/PreparedLaunch.h"
#include "asm/LoadProgram.h"
#include "asm/support/Assert.h"
#include "emu/program/Predecoder.h"
#include "runtime/LoadModule.h"
#include "runtime/Parameters.h"
#include "runtime/TrapText.h"

#include <limits>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace leno::runtime {

Expected<std::unique_ptr<PreparedLaunch>> PreparedLaunch::create(StringRef file, const LaunchOptions &options,
                                                                 llvm::raw_ostream &diagnostics,
                                                                 RunFiles others) {
  // Cheap mistakes first: the command line, then the program, then the data.
  Expected<std::vector<ArgumentSpec>> specs = parseArguments(options);
  if (!specs)
    return specs.takeError();
  if (Expected<MachineConfig> machine = resolveMachine(options); !machine)
    return machine.takeError();
  RunFiles files = others;
  if (!options.machineFile.empty())
    files.reads(options.machineFile);
  AssembleOptions assembling = options.source;
  assembling.files = &files;
  Expected<llvm::SmallVector<char, 0>> linked = linkProgram(file, assembling, diagnostics);
  if (!linked)
    return linked.takeError();
  Saved parts{file.str(), std::string(linked->data(), linked->size()), options, {}};
  Expected<std::unique_ptr<PreparedLaunch>> launch = load(std::move(parts), std::move(*specs));
  if (!launch)
    return launch.takeError();
  (*launch)->theFiles = std::move(files);
  (*launch)->theOthers = std::move(others);
  if (Error error = (*launch)->readInputs())
    return std::move(error);
  if (Error error = (*launch)->checkOutputFiles())
    return std::move(error);
  if (Error error = (*launch)->restart())
    return std::move(error);
  return launch;
}

/// All but the data.
Expected<std::unique_ptr<PreparedLaunch>> PreparedLaunch::load(Saved saved, std::vector<ArgumentSpec> specs) {
  Expected<MachineConfig> machine = resolveMachine(saved.options);
  if (!machine)
    return machine.takeError();
  Expected<Executable> executable = Executable::load(llvm::MemoryBufferRef(saved.program, saved.name));
  if (!executable)
    return executable.takeError();
  Expected<const Engine *> engine = chooseEngine();
  if (!engine)
    return engine.takeError();
  std::unique_ptr<PreparedLaunch> launch(
      new PreparedLaunch(std::move(*executable), std::move(saved.options), *machine));
  launch->theName = std::move(saved.name);
  launch->programBytes = std::move(saved.program);
  launch->engine = *engine;
  if (Error error = launch->theExecutable.kernel(launch->theOptions.kernel).moveInto(launch->theKernel))
    return std::move(error);
  if (Error error = launch->bind(std::move(specs)))
    return std::move(error);
  return std::move(launch);
}

PreparedLaunch::Saved PreparedLaunch::save() const {
  Saved saved{theName, programBytes, theOptions, {}};
  // The file of settings may be gone, and defaults may change: every key is told.
  saved.options.machineFile.clear();
  saved.options.machineSettings.clear();
  MachineConfig all = machine;
  for (const MachineKey &key : machineKeys())
    saved.options.machineSettings.push_back(std::string(key.name) + "=" + shownValue(key, key.field(all)));
  for (const DataBuffer &bound : arguments)
    if (bound.isInput())
      saved.inputs.push_back(bound.initial);
  return saved;
}

Expected<std::unique_ptr<PreparedLaunch>> PreparedLaunch::create(Saved saved) {
  Expected<std::vector<ArgumentSpec>> specs = parseArguments(saved.options);
  if (!specs)
    return specs.takeError();
  std::vector<Array> inputs = std::move(saved.inputs);
  Expected<std::unique_ptr<PreparedLaunch>> launch = load(std::move(saved), std::move(*specs));
  if (!launch)
    return launch.takeError();
  (*launch)->isSaved = true;
  auto next = inputs.begin();
  for (DataBuffer &bound : (*launch)->arguments) {
    if (!bound.isInput()) {
      bound.makeZero();
      continue;
    }
    if (next == inputs.end())
      return llvm::createStringError("there are fewer inputs than arguments that need one");
    std::optional<uint64_t> bytes = byteCount(next->type, next->shape);
    if (!bytes || *bytes == 0 || *bytes != next->bytes.size())
      return llvm::createStringError("the input of " + bound.whose + " has not the bytes of its shape");
    bound.initial = std::move(*next++);
  }
  if (next != inputs.end())
    return llvm::createStringError("there are more inputs than arguments that need one");
  if (Error error = (*launch)->restart())
    return std::move(error);
  return launch;
}

Error PreparedLaunch::bind(std::vector<ArgumentSpec> specs) {
  llvm::SmallVector<StringRef> names;
  for (const ArgumentSpec &spec : specs)
    names.push_back(spec.parameter);
  Expected<std::vector<size_t>> order = orderArguments(*theKernel, names);
  if (!order)
    return order.takeError();
  std::vector<GivenArgument> given;
  for (size_t argument : *order)
    given.push_back(specs[argument].given());
  if (Error error = checkArguments(*theKernel, given))
    return error;
  for (const KernelParam &param : theKernel->params) {
    DataBuffer &bound = arguments.emplace_back(DataBuffer{
        std::move(specs[(*order)[arguments.size()]]), param.name, "parameter '" + param.name + "'", {}});
    bound.element = param.element;
    if (Error error = bound.spec.takeType(param))
      return error;
  }
  return Error::success();
}

Error PreparedLaunch::readInputs() {
  for (const DataBuffer &bound : arguments) {
    bound.noteFiles(theFiles);
    // Without a number of threads a debugger has the launch.
    if (!theOptions.threads && bound.spec.output.path == "-")
      return llvm::createStringError("'" + bound.spec.text +
                                     "': standard output has what the debugger says; name a file, or print:");
  }
  if (Error error = theFiles.check())
    return error;
  for (DataBuffer &bound : arguments)
    if (Error error = bound.readInput(machine.memory.bytes))
      return error;
  return Error::success();
}

Error PreparedLaunch::checkOutputFiles() const {
  std::vector<Output> files;
  for (const DataBuffer &bound : arguments)
    if (bound.isOutput())
      files.push_back({bound.spec.output, &bound.initial, bound.name});
  return checkOutputs(files);
}

Error PreparedLaunch::restart() {
  alone.reset();
  theDevice = std::make_unique<Device>(machine, *engine);
  Expected<PlacedModule> placed = placeModule(theExecutable, *theDevice);
  if (!placed)
    return placed.takeError();
  if (!program) // a fresh device gives the same addresses
    program = predecode(placed->code, *engine);
  globalData = placed->globalBase;
  std::vector<uint64_t> values;
  for (DataBuffer &bound : arguments) {
    if (Error error = bound.place(*theDevice))
      return error;
    values.push_back(bound.value());
  }
  LaunchSpec spec = launchSpec(*theKernel, {theOptions.grid.x, theOptions.grid.y, theOptions.grid.z},
                               {theOptions.block.x, theOptions.block.y, theOptions.block.z}, values,
                               theOptions.maximumInstructions);
  if (theOptions.threads)
    return ParallelRun::create(*theDevice, *program, spec, *theOptions.threads).moveInto(parallelGrid);
  return Machine::create(*theDevice, *program, spec).moveInto(alone);
}

std::vector<PreparedLaunch::OutputFile> PreparedLaunch::outputs() const {
  std::vector<OutputFile> files;
  for (const DataBuffer &bound : arguments)
    if (bound.isOutput())
      files.push_back({bound.spec.output, leno::describe(bound.initial.type, bound.initial.shape)});
  return files;
}

Error PreparedLaunch::writeOutputs(std::function<Error(llvm::raw_ostream &)> report) {
  return writeOutputs(nullptr, std::move(report));
}
Error PreparedLaunch::writeOutputs(llvm::raw_ostream &printed) { return writeOutputs(&printed, nullptr); }

Error PreparedLaunch::writeOutputs(llvm::raw_ostream *printed,
                                   std::function<Error(llvm::raw_ostream &)> report) {
  std::vector<Array> arrays;
  arrays.reserve(arguments.size()); // the outputs point into it
  std::vector<Output> files, shown;
  for (const DataBuffer &bound : arguments) {
    if (!bound.isOutput())
      continue;
    Expected<Array> array = bound.contents(*theDevice);
    if (!array)
      return array.takeError();
    bool isPrinted = bound.spec.output.format == FileFormat::Print;
    if (isSaved && !isPrinted)
      continue;
    arrays.push_back(std::move(*array));
    (printed && isPrinted ? shown : files).push_back({bound.spec.output, &arrays.back(), bound.name});
  }
  if (Error error = runtime::writeOutputs(files, std::move(report)))
    return error;
  for (const Output &output : shown)
    printArray(*printed, *output.array, output.label);
  return Error::success();
}

std::string PreparedLaunch::describe(const Trap &trap) const { return describeTrap(theExecutable, trap); }

} // namespace leno::runtime
