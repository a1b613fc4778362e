#include "runtime/PreparedLaunch.h"
#include "asm/LoadProgram.h"
#include "emu/Predecoder.h"
#include "isa/Assert.h"
#include "runtime/LoadModule.h"
#include "runtime/Parameters.h"
#include "runtime/TrapText.h"

#include <limits>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace leno::runtime {

using Kind = ArgumentSpec::Kind;

static bool isOutput(const ArgumentSpec &spec) { return spec.kind == Kind::Out || spec.kind == Kind::InOut; }

Expected<std::unique_ptr<PreparedLaunch>> PreparedLaunch::create(StringRef file, const LaunchOptions &options,
                                                                 llvm::raw_ostream &diagnostics) {
  // Cheap mistakes first: the command line, then the program, then the data.
  Expected<std::vector<ArgumentSpec>> specs = parseArguments(options);
  if (!specs)
    return specs.takeError();
  Expected<MachineConfig> machine = resolveMachine(options);
  if (!machine)
    return machine.takeError();
  AssembleOptions assembling;
  assembling.debugLines = true;
  Expected<Executable> executable = loadProgram(file, assembling, diagnostics);
  if (!executable)
    return executable.takeError();
  Expected<const Engine *> engine = chooseEngine();
  if (!engine)
    return engine.takeError();

  std::unique_ptr<PreparedLaunch> launch(new PreparedLaunch(std::move(*executable), options, *machine));
  if (Error error = launch->theExecutable.kernel(options.kernel).moveInto(launch->theKernel))
    return std::move(error);
  if (Error error = launch->bind(std::move(*specs)))
    return std::move(error);
  if (Error error = launch->readInputs())
    return std::move(error);
  if (Error error = launch->checkOutputFiles())
    return std::move(error);
  launch->engine = *engine;
  if (Error error = launch->restart())
    return std::move(error);
  return std::move(launch);
}

Error PreparedLaunch::bind(std::vector<ArgumentSpec> specs) {
  std::vector<GivenArgument> given;
  given.reserve(specs.size());
  for (const ArgumentSpec &spec : specs)
    given.push_back({spec.kind == Kind::Scalar ? std::optional(spec.type) : std::nullopt, spec.text});
  if (Error error = checkArguments(*theKernel, given))
    return error;
  for (size_t i = 0; i < specs.size(); ++i)
    arguments.push_back({std::move(specs[i]), &theKernel->params[i], {}, 0});
  return Error::success();
}

Error PreparedLaunch::readInputs() {
  for (Bound &bound : arguments) {
    if (bound.spec.kind == Kind::Scalar)
      continue;
    if (bound.spec.kind == Kind::Out) {
      bound.initial.type = bound.spec.type;
      bound.initial.shape = bound.spec.shape;
      continue;
    }
    if (Error error = readArray(bound.spec.inputFile).moveInto(bound.initial))
      return error;
    if (bound.initial.bytes.empty())
      return llvm::createStringError("'" + bound.spec.inputFile + "' holds no data for parameter '" +
                                     bound.param->name + "'; a buffer needs at least 1 byte");
  }
  return Error::success();
}

Error PreparedLaunch::checkOutputFiles() const {
  std::vector<Output> files;
  for (const Bound &bound : arguments)
    if (isOutput(bound.spec))
      files.push_back({bound.spec.outputFile, &bound.initial, bound.param->name});
  return checkOutputs(files);
}

Error PreparedLaunch::restart() {
  grid.reset();
  theDevice = std::make_unique<Device>(machine, *engine);
  Expected<PlacedModule> placed = placeModule(theExecutable, *theDevice);
  if (!placed)
    return placed.takeError();
  if (!program) // a fresh device gives the same addresses
    program = predecode(placed->code, *engine);
  std::vector<uint64_t> values;
  for (Bound &bound : arguments) {
    if (bound.spec.kind == Kind::Scalar) {
      values.push_back(bound.spec.bits);
      continue;
    }
    std::optional<uint64_t> bytes = byteCount(bound.initial.type, bound.initial.shape);
    LENO_ASSERT(bytes, "the shape of a buffer was checked where it was read");
    if (Error error = theDevice->memory().allocate(*bytes, bound.param->name).moveInto(bound.address))
      return error;
    if (Error error =
            theDevice->memory().write(bound.address, bound.initial.bytes)) // nothing for an Out: zeroes
      return error;
    values.push_back(bound.address);
  }
  LaunchSpec spec;
  spec.kernel = theKernel->name;
  spec.entry = theKernel->entry;
  spec.grid = {theOptions.grid.x, theOptions.grid.y, theOptions.grid.z};
  spec.block = {theOptions.block.x, theOptions.block.y, theOptions.block.z};
  spec.sharedBytes = theKernel->sharedBytes;
  spec.localBytes = theKernel->localBytes;
  spec.registers = theKernel->registers;
  spec.parameters = packParameters(*theKernel, values);
  if (theOptions.maximumInstructions)
    spec.maxInstructions = theOptions.maximumInstructions;
  if (theOptions.threads)
    return ParallelRun::create(*theDevice, *program, spec, *theOptions.threads).moveInto(parallelGrid);
  return GridRun::create(*theDevice, *program, spec).moveInto(grid);
}

std::vector<PreparedLaunch::OutputFile> PreparedLaunch::outputs() const {
  std::vector<OutputFile> files;
  for (const Bound &bound : arguments)
    if (isOutput(bound.spec))
      files.push_back({bound.spec.outputFile, runtime::describe(bound.initial.type, bound.initial.shape)});
  return files;
}

Error PreparedLaunch::writeOutputs() {
  std::vector<Array> arrays;
  arrays.reserve(arguments.size()); // the outputs point into it
  std::vector<Output> files;
  for (const Bound &bound : arguments) {
    if (!isOutput(bound.spec))
      continue;
    Array &array = arrays.emplace_back(Array{bound.initial.type, bound.initial.shape, {}});
    array.bytes.resize(*byteCount(array.type, array.shape));
    if (Error error = theDevice->memory().read(bound.address, array.bytes))
      return error;
    files.push_back({bound.spec.outputFile, &array, bound.param->name});
  }
  return runtime::writeOutputs(files);
}

std::string PreparedLaunch::describe(const Trap &trap) const { return describeTrap(theExecutable, trap); }

} // namespace leno::runtime
