#include "runtime/PreparedContexts.h"

#include "asm/LoadProgram.h"
#include "asm/support/Assert.h"
#include "emu/program/Predecoder.h"
#include "runtime/ContextReport.h"
#include "runtime/LoadModule.h"
#include "runtime/Parameters.h"
#include "runtime/TrapText.h"

#include "llvm/ADT/STLExtras.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

Expected<std::unique_ptr<PreparedContexts>>
PreparedContexts::create(const ContextOptions &options, llvm::raw_ostream &diagnostics, RunFiles others) {
  others.reads(options.file);
  if (!options.machineFile.empty())
    others.reads(options.machineFile);
  MachineConfig machine;
  if (!options.machineFile.empty())
    if (Error error = loadMachineFile(machine, options.machineFile))
      return std::move(error);
  Expected<ContextFile> file = ContextFile::load(options.file, machine);
  if (!file)
    return file.takeError();
  for (const std::string &setting : options.machineSettings)
    if (Error error = setMachineKey(machine, setting))
      return std::move(error);
  std::unique_ptr<PreparedContexts> prepared(new PreparedContexts(std::move(*file), machine));
  prepared->theFiles = std::move(others);
  prepared->assembling = options.source;
  prepared->assembling.files = &prepared->theFiles;
  if (Error error = chooseEngine().moveInto(prepared->engine))
    return std::move(error);
  for (const ContextFile::Context &context : prepared->file.contexts)
    if (Error error = prepared->load(prepared->parts.emplace_back(&context), diagnostics))
      return std::move(error);
  if (Error error = prepared->checkOutputFiles())
    return std::move(error);
  if (Error error = prepared->restart())
    return std::move(error);
  return prepared;
}

//===--- What the file names ------------------------------------------------===//

Expected<const PreparedContexts::LinkedFile *> PreparedContexts::link(const ContextFile::Launch &launch,
                                                                      llvm::raw_ostream &diagnostics) {
  LinkedFile &entry = linked[launch.file];
  if (entry.executable)
    return &entry;
  auto fail = [&](Error error) {
    return file.error(launch.fileAt,
                      "cannot launch from '" + launch.file + "': " + llvm::toString(std::move(error)));
  };
  Expected<llvm::SmallVector<char, 0>> bytes = linkProgram(launch.file, assembling, diagnostics);
  if (!bytes)
    return fail(bytes.takeError());
  entry.bytes.assign(bytes->data(), bytes->size());
  Expected<Executable> executable = Executable::load(llvm::MemoryBufferRef(entry.bytes, launch.file));
  if (!executable)
    return fail(executable.takeError());
  entry.executable = std::move(*executable);
  return &entry;
}

/// The constants of the programs of a context stand side by side in its banks.
Error PreparedContexts::checkBanks(const Part &part, const ContextFile::Launch &launch,
                                   const LinkedFile &added) const {
  for (const PlacedFile &other : part.files)
    for (unsigned bank = 0; bank < ConstantBanks::count; ++bank)
      if (!added.executable->constantBank(bank).empty() &&
          !other.linked->executable->constantBank(bank).empty())
        return file.error(launch.fileAt, "constant bank " + Twine(bank) + " of context '" +
                                             part.context->name + "' holds the constants of '" + other.name +
                                             "'; give this program another bank (.const), or a context of "
                                             "its own");
  return Error::success();
}

/// As leno::Stream::writeConstants: inside of what a program has there.
Error PreparedContexts::checkConstants(const Part &part, const ContextFile::Constants &constants) const {
  size_t size = 0;
  for (const PlacedFile &placed : part.files)
    size = std::max(size, placed.linked->executable->constantBank(constants.bank).size());
  if (size == 0)
    return file.error(constants.at, "no program of context '" + part.context->name +
                                        "' has constants in bank " + Twine(constants.bank) + " (.const " +
                                        Twine(constants.bank) + ")");
  if (constants.offset > size || constants.bytes.size() > size - constants.offset)
    return file.error(constants.at, Twine(constants.bytes.size()) + " bytes at c[" + Twine(constants.bank) +
                                        "][" + Twine(constants.offset) + "] pass the " + Twine(size) +
                                        " bytes that the programs of context '" + part.context->name +
                                        "' have there");
  return Error::success();
}

Error PreparedContexts::load(Part &part, llvm::raw_ostream &diagnostics) {
  for (const ContextFile::Buffer &from : part.context->buffers) {
    DataBuffer &buffer =
        part.buffers.emplace_back(DataBuffer{from.spec, from.name, "buffer '" + from.name + "'", {}});
    buffer.isOnDemand = from.isOnDemand;
    if (Error error = buffer.readInput(machine.memory.bytes))
      return file.error(from.at, llvm::toString(std::move(error)));
  }
  for (const ContextFile::Command &command : part.context->stream)
    if (const auto *launch = std::get_if<ContextFile::Launch>(&command))
      if (Error error = bind(part, *launch, diagnostics))
        return error;
  for (const ContextFile::Command &command : part.context->stream) {
    if (const auto *constants = std::get_if<ContextFile::Constants>(&command))
      if (Error error = checkConstants(part, *constants))
        return error;
    if (const auto *semaphore = std::get_if<ContextFile::Semaphore>(&command))
      semaphoreNumber(semaphore->name);
  }
  return Error::success();
}

Error PreparedContexts::bind(Part &part, const ContextFile::Launch &launch, llvm::raw_ostream &diagnostics) {
  Expected<const LinkedFile *> from = link(launch, diagnostics);
  if (!from)
    return from.takeError();
  auto placed = llvm::find_if(part.files, [&](const PlacedFile &f) { return f.linked == *from; });
  size_t number = size_t(placed - part.files.begin());
  if (placed == part.files.end()) {
    if (Error error = checkBanks(part, launch, **from))
      return error;
    part.files.push_back({*from, launch.file, {}});
  }
  BoundLaunch bound{.launch = &launch, .placed = number};
  if (Error error = (*from)->executable->kernel(launch.kernel).moveInto(bound.kernel))
    return file.error(launch.kernelAt, llvm::toString(std::move(error)));

  llvm::SmallVector<StringRef> names;
  for (const ContextFile::Launch::Argument &argument : launch.arguments)
    names.push_back(argument.spec.parameter);
  Expected<std::vector<size_t>> order = orderArguments(*bound.kernel, names);
  if (!order)
    return file.error(launch.argumentsAt, llvm::toString(order.takeError()));
  std::vector<GivenArgument> given;
  for (size_t number : *order) {
    const ContextFile::Launch::Argument &argument = launch.arguments[number];
    auto shared = llvm::find_if(part.buffers, [&](const DataBuffer &b) { return b.name == argument.buffer; });
    bound.shared.push_back(argument.buffer.empty() ? NoBuffer : size_t(shared - part.buffers.begin()));
    given.push_back(argument.buffer.empty()
                        ? argument.spec.given()
                        : GivenArgument{GivenArgument::Buffer, shared->initial.type, argument.buffer});
  }
  if (Error error = checkArguments(*bound.kernel, given))
    return file.error(launch.argumentsAt, llvm::toString(std::move(error)));
  for (size_t i = 0; i < order->size(); ++i) {
    const ContextFile::Launch::Argument &argument = launch.arguments[(*order)[i]];
    bound.arguments.push_back(&argument);
    const KernelParam &param = bound.kernel->params[i];
    DataBuffer &own =
        bound.own.emplace_back(DataBuffer{argument.spec, param.name, "parameter '" + param.name + "'", {}});
    own.element = param.element;
    if (bound.shared[i] != NoBuffer)
      continue;
    Error error = own.spec.takeType(param);
    if (!error)
      error = own.readInput(machine.memory.bytes);
    if (error)
      return file.error(argument.at, llvm::toString(std::move(error)));
  }
  part.bound.push_back(std::move(bound));
  return Error::success();
}

Error PreparedContexts::checkOutputFiles() {
  for (const Part &part : parts) {
    for (const DataBuffer &buffer : part.buffers)
      buffer.noteFiles(theFiles);
    for (const BoundLaunch &bound : part.bound)
      for (const DataBuffer &own : bound.own)
        own.noteFiles(theFiles);
  }
  if (Error error = theFiles.check())
    return error;
  std::vector<Output> files;
  for (const LabelledOutput &output : labelledOutputs())
    files.push_back({output.buffer->spec.output, &output.buffer->initial, output.label});
  return checkOutputs(files);
}

//===--- The device ---------------------------------------------------------===//

u32 PreparedContexts::semaphoreNumber(const std::string &name) {
  auto found = llvm::find(semaphoreNames, name);
  if (found == semaphoreNames.end())
    found = semaphoreNames.insert(found, name);
  return u32(found - semaphoreNames.begin());
}

Error PreparedContexts::restart() {
  device = std::make_unique<Machine>(machine, *engine);
  for (Part &part : parts) {
    const ContextFile::Context &from = *part.context;
    Expected<Context *> context = device->createContext(
        {.name = from.name, .priority = from.priority, .sms = from.sms, .watchdog = from.watchdog});
    if (!context)
      return file.error(from.at, llvm::toString(context.takeError()));
    if (Error error = place(part, **context))
      return error;
    if (Error error = submit(part, **context))
      return error;
  }
  return Error::success();
}

/// Programs, buffers and the arguments of launches, in the context's memory.
Error PreparedContexts::place(Part &part, Context &context) {
  for (PlacedFile &placed : part.files) {
    Expected<PlacedModule> module = placeModule(*placed.linked->executable, context.device());
    if (!module)
      return file.error(part.context->at, "'" + placed.name + "': " + llvm::toString(module.takeError()));
    if (!placed.program)
      placed.program = predecode(module->code, *engine);
  }
  for (size_t i = 0; i < part.buffers.size(); ++i)
    if (Error error = part.buffers[i].place(context.device()))
      return file.error(part.context->buffers[i].at, llvm::toString(std::move(error)));
  part.launches.clear();
  for (BoundLaunch &bound : part.bound) {
    const ContextFile::Launch &launch = *bound.launch;
    std::vector<uint64_t> values;
    for (size_t i = 0; i < bound.own.size(); ++i) {
      bool isShared = bound.shared[i] != NoBuffer;
      if (!isShared)
        if (Error error = bound.own[i].place(context.device()))
          return file.error(bound.arguments[i]->at, llvm::toString(std::move(error)));
      values.push_back(isShared ? part.buffers[bound.shared[i]].value() : bound.own[i].value());
    }
    part.launches.push_back(
        {launch.file, &*part.files[bound.placed].linked->executable, bound.kernel,
         launchSpec(*bound.kernel, {launch.grid.x, launch.grid.y, launch.grid.z},
                    {launch.block.x, launch.block.y, launch.block.z}, values, launch.maximumInstructions)});
  }
  return Error::success();
}

Error PreparedContexts::submit(Part &part, Context &context) {
  size_t launchNumber = 0;
  auto add = [&](llvm::SMLoc at, Command command) {
    Error error = device->submit(context, std::move(command));
    return error ? file.error(at, llvm::toString(std::move(error))) : Error::success();
  };
  for (const ContextFile::Command &from : part.context->stream) {
    Error error = Error::success();
    if (const auto *launch = std::get_if<ContextFile::Launch>(&from)) {
      size_t number = launchNumber++;
      leno::Launch command{
          &*part.files[part.bound[number].placed].program, part.launches[number].spec, {}, {}};
      command.started = [this, &context, number](GridRun &grid) {
        if (onStart)
          onStart(context, number, grid);
      };
      command.ended = [this, &context, number](GridRun &grid) {
        if (onEnd)
          onEnd(context, number, grid);
      };
      error = add(launch->fileAt, std::move(command));
    } else if (const auto *constants = std::get_if<ContextFile::Constants>(&from))
      error = add(constants->at, ConstantUpdate{constants->bank, constants->offset, constants->bytes});
    else if (const auto *semaphore = std::get_if<ContextFile::Semaphore>(&from)) {
      u32 number = semaphoreNumber(semaphore->name);
      error = semaphore->kind == ContextFile::Semaphore::Release
                  ? add(part.context->at, SemaphoreRelease{number, semaphore->value})
                  : add(part.context->at, SemaphoreAcquire{number, semaphore->value});
    } else if (const auto *token = std::get_if<ContextFile::SyncToken>(&from))
      error = add(part.context->at, SyncToken{token->mapping});
    else
      error = add(part.context->at, NotBefore{std::get<ContextFile::NotBefore>(from).cycle});
    if (error)
      return error;
  }
  return Error::success();
}

const PreparedContexts::Launch *PreparedContexts::current(const Context &context) const {
  size_t taken = context.launches().size();
  return taken ? &launches(context)[taken - 1] : nullptr;
}

std::string PreparedContexts::describeEnd(const Context &context) const {
  const Launch *launch = current(context);
  return context.trap() && launch ? describeTrapWithSource(*launch->executable, *context.trap())
                                  : context.whyEnded();
}

std::string PreparedContexts::describeWaits() const {
  return runtime::describeWaits(*device, [&](u32 number) { return "'" + semaphoreName(number) + "'"; });
}

//===--- Outputs ------------------------------------------------------------===//

std::vector<PreparedContexts::LabelledOutput> PreparedContexts::labelledOutputs() const {
  std::vector<LabelledOutput> found;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Context *context = device ? device->contexts()[i].get() : nullptr;
    const std::string &name = parts[i].context->name;
    for (const DataBuffer &buffer : parts[i].buffers)
      if (buffer.isOutput())
        found.push_back({&buffer, context, name + "." + buffer.name});
    for (const BoundLaunch &bound : parts[i].bound)
      for (const DataBuffer &own : bound.own)
        if (own.isOutput())
          found.push_back({&own, context, name + "." + bound.kernel->name + "." + own.name});
  }
  return found;
}

std::vector<PreparedContexts::OutputFile> PreparedContexts::outputs() const {
  std::vector<OutputFile> files;
  for (const LabelledOutput &output : labelledOutputs())
    files.push_back({output.buffer->spec.output,
                     leno::describe(output.buffer->initial.type, output.buffer->initial.shape),
                     output.isWritten()});
  return files;
}

bool PreparedContexts::losesOutputs(const Context &context) const {
  return llvm::any_of(labelledOutputs(), [&](const LabelledOutput &output) {
    return output.context == &context && !output.isWritten();
  });
}

Error PreparedContexts::writeOutputs(llvm::raw_ostream *printed,
                                     std::function<Error(llvm::raw_ostream &)> report) {
  std::vector<LabelledOutput> all = labelledOutputs();
  llvm::erase_if(all, [](const LabelledOutput &output) { return !output.isWritten(); });
  std::vector<Array> arrays;
  arrays.reserve(all.size()); // the outputs point into it
  std::vector<Output> files, shown;
  for (const LabelledOutput &output : all) {
    Expected<Array> array = output.buffer->contents(device->contexts()[output.context->id()]->device());
    if (!array)
      return array.takeError();
    arrays.push_back(std::move(*array));
    bool isShown = printed && output.buffer->spec.output.format == FileFormat::Print;
    (isShown ? shown : files).push_back({output.buffer->spec.output, &arrays.back(), output.label});
  }
  if (Error error = runtime::writeOutputs(files, std::move(report)))
    return error;
  for (const Output &output : shown)
    printArray(*printed, *output.array, output.label);
  return Error::success();
}

} // namespace leno::runtime
