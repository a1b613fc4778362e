#include "runtime/Prepared.h"

#include "asm/LoadProgram.h"
#include "emu/program/Predecoder.h"
#include "runtime/ContextReport.h"
#include "runtime/LoadModule.h"
#include "runtime/Parameters.h"
#include "runtime/TrapText.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

static Expected<std::shared_ptr<const Executable>> loadExecutable(StringRef bytes, StringRef name) {
  Expected<Executable> executable = Executable::load(llvm::MemoryBufferRef(bytes, name));
  if (!executable)
    return executable.takeError();
  return std::make_shared<const Executable>(std::move(*executable));
}

/// What the options say, or the text of their context file where it is not to be read.
Expected<std::unique_ptr<Prepared>> Prepared::readDescription(const LaunchOptions &options,
                                                              const std::string *contexts) {
  std::unique_ptr<Prepared> prepared(new Prepared(options));
  auto read = [&](MachineConfig &machine) {
    return prepared->isAlone() ? ContextFile::ofLaunch(options)
           : contexts          ? ContextFile::parse(*contexts, options.contexts, machine)
                               : ContextFile::load(options.contexts, machine);
  };
  if (Error error = resolveMachine(options, [&](MachineConfig &machine) {
                      return read(machine).moveInto(prepared->file);
                    }).moveInto(prepared->settings))
    return std::move(error);
  if (Error error = chooseEngine().moveInto(prepared->engine))
    return std::move(error);
  for (ContextFile::Context &context : prepared->file.contexts)
    prepared->parts.emplace_back(&context);
  return std::move(prepared);
}

Expected<std::unique_ptr<Prepared>> Prepared::create(const LaunchOptions &options,
                                                     llvm::raw_ostream &diagnostics, RunFiles others) {
  Expected<std::unique_ptr<Prepared>> made = readDescription(options, nullptr);
  if (!made)
    return made.takeError();
  Prepared &prepared = **made;
  prepared.theFiles = others;
  prepared.theOthers = std::move(others);
  for (const std::string &name : {options.machineFile, options.contexts})
    if (!name.empty())
      prepared.theFiles.reads(name);
  AssembleOptions assembling = options.source;
  assembling.files = &prepared.theFiles;
  auto link = [&](const std::string &file) -> Expected<std::string> {
    Expected<llvm::SmallVector<char, 0>> bytes = linkProgram(file, assembling, diagnostics);
    if (!bytes)
      return bytes.takeError();
    return std::string(bytes->data(), bytes->size());
  };
  auto read = [&](DataBuffer &buffer) { return buffer.readInput(prepared.settings.memory.bytes); };
  if (Error error = prepared.prepare(link, read))
    return std::move(error);
  return made;
}

//===--- What was saved -----------------------------------------------------===//

Expected<std::unique_ptr<Prepared>> Prepared::create(std::shared_ptr<const LaunchImage> image) {
  LaunchOptions options;
  const LaunchSpec &spec = image->spec;
  for (const Dim3 &size : {spec.grid, spec.block})
    if (uint64_t(size.x) * size.y > MostCtas || size.count() > MostCtas)
      return llvm::createStringError("the launch of '" + image->kernel + "' is too large");
  options.file = image->file;
  options.kernel = image->kernel;
  options.grid = {spec.grid.x, spec.grid.y, spec.grid.z};
  options.block = {spec.block.x, spec.block.y, spec.block.z};
  options.machineSettings = image->machine;
  options.maximumInstructions =
      spec.maxInstructions == LaunchSpec().maxInstructions ? 0 : spec.maxInstructions;
  Expected<std::unique_ptr<Prepared>> made = readDescription(options, nullptr);
  if (!made)
    return made.takeError();
  Prepared &prepared = **made;
  prepared.isSaved = true;
  prepared.image = std::move(image);
  std::shared_ptr<const Executable> executable = prepared.image->executable;
  if (!executable)
    if (Error error = loadExecutable(*prepared.image->program, prepared.image->file).moveInto(executable))
      return std::move(error);
  prepared.programs.push_back({prepared.image->file, "", std::move(executable)});
  auto link = [](const std::string &) { return std::string(); }; // it is there
  if (Error error = prepared.loadPrograms(prepared.parts.front(), link))
    return std::move(error);
  if (Error error = prepared.restart())
    return std::move(error);
  return made;
}

Prepared::Saved Prepared::save() const {
  Saved saved{theOptions, file.text().str(), {}, {}, {}, image ? image->encode() : ""};
  if (image)
    return saved;
  // The file of settings may be gone, and defaults may change: every key is told.
  saved.options.machineFile.clear();
  saved.options.machineSettings = settingsOf(settings);
  for (const LinkedFile &program : programs)
    saved.programs.push_back(program.bytes);
  auto add = [&](const DataBuffer &buffer) {
    if (buffer.isInput())
      saved.inputs.push_back(buffer.initial);
  };
  for (const Part &part : parts) {
    llvm::for_each(part.buffers, add);
    for (const BoundLaunch &bound : part.bound) {
      saved.limits.push_back(bound.launch->maximumInstructions);
      llvm::for_each(bound.own, add);
    }
  }
  return saved;
}

/// The next of a list, each of which is for one of `what`.
template <class T>
static Expected<T> takeNext(std::vector<T> &list, size_t &next, const char *name, const char *what) {
  if (next == list.size())
    return llvm::createStringError(Twine("there are fewer ") + name + " than " + what);
  return std::move(list[next++]);
}

Expected<std::unique_ptr<Prepared>> Prepared::create(Saved saved) {
  if (!saved.image.empty()) {
    Expected<LaunchImage> image = LaunchImage::decode(saved.image, nullptr, std::make_shared<u64>(0));
    if (!image)
      return image.takeError();
    return create(std::make_shared<const LaunchImage>(std::move(*image)));
  }
  Expected<std::unique_ptr<Prepared>> made = readDescription(saved.options, &saved.contexts);
  if (!made)
    return made.takeError();
  Prepared &prepared = **made;
  prepared.isSaved = true;
  size_t program = 0, limit = 0, input = 0;
  for (Part &part : prepared.parts)
    for (ContextFile::Command &command : part.context->stream)
      if (auto *launch = std::get_if<ContextFile::Launch>(&command))
        if (Error error =
                takeNext(saved.limits, limit, "limits", "launches").moveInto(launch->maximumInstructions))
          return std::move(error);
  auto link = [&](const std::string &) {
    return takeNext(saved.programs, program, "programs", "files that launches name");
  };
  auto read = [&](DataBuffer &buffer) -> Error {
    if (!buffer.isInput()) {
      if (!buffer.isScalar())
        buffer.makeZero();
      return Error::success();
    }
    if (Error error =
            takeNext(saved.inputs, input, "inputs", "arguments that need one").moveInto(buffer.initial))
      return error;
    const Array &array = buffer.initial;
    std::optional<uint64_t> bytes = byteCount(array.type, array.shape);
    if (!bytes || *bytes == 0 || *bytes != array.bytes.size())
      return llvm::createStringError("the input of " + buffer.whose + " has not the bytes of its shape");
    return Error::success();
  };
  if (Error error = prepared.prepare(link, read))
    return std::move(error);
  if (program != saved.programs.size() || limit != saved.limits.size() || input != saved.inputs.size())
    return llvm::createStringError("there are more programs, limits or inputs than launches need");
  return made;
}

//===--- What is named ------------------------------------------------------===//

/// Cheap mistakes first: the programs, then the data.
Error Prepared::prepare(Link link, Read read) {
  for (Part &part : parts)
    if (Error error = loadPrograms(part, link))
      return error;
  if (!isSaved)
    if (Error error = noteFiles())
      return error;
  for (Part &part : parts)
    if (Error error = readData(part, read))
      return error;
  std::vector<Output> files;
  for (const LabelledOutput &output : labelledOutputs())
    files.push_back({output.buffer->spec.output, &output.buffer->initial, output.label});
  if (!isSaved)
    if (Error error = checkOutputs(files))
      return error;
  return restart();
}

Expected<const Prepared::LinkedFile *> Prepared::linked(const ContextFile::Launch &launch, Link link) {
  for (const LinkedFile &known : programs)
    if (known.name == launch.file)
      return &known;
  auto fail = [&](Error error) {
    return file.located(launch.fileAt, std::move(error), "cannot launch from '" + launch.file + "': ");
  };
  Expected<std::string> bytes = link(launch.file);
  if (!bytes)
    return fail(bytes.takeError());
  LinkedFile &added = programs.emplace_back(LinkedFile{launch.file, std::move(*bytes), nullptr});
  if (Error error = loadExecutable(added.bytes, added.name).moveInto(added.executable))
    return fail(std::move(error));
  return &added;
}

/// The constants of the programs of a context stand side by side in its banks.
Error Prepared::checkBanks(const Part &part, const ContextFile::Launch &launch,
                           const LinkedFile &added) const {
  for (const PlacedFile &other : part.files)
    for (unsigned bank = 0; bank < ConstantBanks::count; ++bank)
      if (!added.executable->constantBank(bank).empty() &&
          !other.linked->executable->constantBank(bank).empty())
        return file.error(launch.fileAt, "constant bank " + Twine(bank) + " of context '" +
                                             part.context->name + "' holds the constants of '" +
                                             other.linked->name +
                                             "'; give this program another bank (.const), or a context of "
                                             "its own");
  return Error::success();
}

/// As leno::Stream::writeConstants: inside of what a program has there.
Error Prepared::checkConstants(const Part &part, const ContextFile::Constants &constants) const {
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

Error Prepared::loadPrograms(Part &part, Link link) {
  for (ContextFile::Command &command : part.context->stream)
    if (auto *launch = std::get_if<ContextFile::Launch>(&command))
      if (Error error = loadProgram(part, *launch, link))
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

Error Prepared::loadProgram(Part &part, ContextFile::Launch &launch, Link link) {
  Expected<const LinkedFile *> from = linked(launch, link);
  if (!from)
    return from.takeError();
  auto placed = llvm::find_if(part.files, [&](const PlacedFile &f) { return f.linked == *from; });
  size_t number = size_t(placed - part.files.begin());
  if (placed == part.files.end()) {
    if (Error error = checkBanks(part, launch, **from))
      return error;
    part.files.push_back({*from, std::nullopt});
  }
  const Executable &executable = *(*from)->executable;
  const KernelInfo *kernel = nullptr;
  if (Error error = executable.kernel(launch.kernel).moveInto(kernel))
    return file.located(launch.kernelAt, std::move(error));
  part.bound.push_back({&launch, number, {}, {}, {}});
  part.launches.push_back({launch.file, &executable, kernel, {}, 0});
  return Error::success();
}

Error Prepared::noteFiles() {
  for (const Part &part : parts) {
    for (const ContextFile::Buffer &buffer : part.context->buffers)
      buffer.spec.noteFiles(theFiles);
    for (const BoundLaunch &bound : part.bound)
      for (const ContextFile::Launch::Argument &argument : bound.launch->arguments) {
        argument.spec.noteFiles(theFiles);
        // Without a number of threads a debugger has the launch.
        if (!theOptions.threads && argument.spec.output.path == "-")
          return llvm::createStringError("'" + argument.spec.text +
                                         "': standard output has what the debugger says; name a file, or "
                                         "print:");
      }
  }
  return theFiles.check();
}

Error Prepared::readData(Part &part, Read read) {
  for (const ContextFile::Buffer &from : part.context->buffers) {
    DataBuffer &buffer =
        part.buffers.emplace_back(DataBuffer{from.spec, from.name, "buffer '" + from.name + "'", {}});
    buffer.isOnDemand = from.isOnDemand;
    if (Error error = read(buffer))
      return file.located(from.at, std::move(error));
  }
  for (size_t i = 0; i < part.bound.size(); ++i)
    if (Error error = bind(part, i))
      return error;
  for (BoundLaunch &bound : part.bound)
    for (size_t i = 0; i < bound.own.size(); ++i)
      if (bound.shared[i] == NoBuffer)
        if (Error error = read(bound.own[i]))
          return file.located(bound.arguments[i]->at, std::move(error));
  return Error::success();
}

Error Prepared::bind(Part &part, size_t number) {
  BoundLaunch &bound = part.bound[number];
  const ContextFile::Launch &launch = *bound.launch;
  const KernelInfo &kernel = *part.launches[number].kernel;
  llvm::SmallVector<StringRef> names;
  for (const ContextFile::Launch::Argument &argument : launch.arguments)
    names.push_back(argument.spec.parameter);
  Expected<std::vector<size_t>> order = orderArguments(kernel, names);
  if (!order)
    return file.located(launch.argumentsAt, order.takeError());
  std::vector<GivenArgument> given;
  for (size_t place : *order) {
    const ContextFile::Launch::Argument &argument = launch.arguments[place];
    auto shared = llvm::find_if(part.buffers, [&](const DataBuffer &b) { return b.name == argument.buffer; });
    bool isShared = !argument.buffer.empty();
    bound.arguments.push_back(&argument);
    bound.shared.push_back(isShared ? size_t(shared - part.buffers.begin()) : NoBuffer);
    given.push_back(isShared ? GivenArgument{GivenArgument::Buffer, shared->initial.type, argument.buffer}
                             : argument.spec.given());
  }
  if (Error error = checkArguments(kernel, given))
    return file.located(launch.argumentsAt, std::move(error));
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    const KernelParam &param = kernel.params[i];
    DataBuffer &own = bound.own.emplace_back(
        DataBuffer{bound.arguments[i]->spec, param.name, "parameter '" + param.name + "'", {}});
    own.element = param.element;
    if (bound.shared[i] == NoBuffer)
      if (Error error = own.spec.takeType(param))
        return file.located(bound.arguments[i]->at, std::move(error));
  }
  return Error::success();
}

//===--- The machine --------------------------------------------------------===//

u32 Prepared::semaphoreNumber(const std::string &name) {
  auto found = llvm::find(semaphoreNames, name);
  if (found == semaphoreNames.end())
    found = semaphoreNames.insert(found, name);
  return u32(found - semaphoreNames.begin());
}

void Prepared::setMaximumInstructions(uint64_t most, u32 context, size_t launch) {
  parts[context].bound[launch].launch->maximumInstructions = most;
  if (isAlone())
    theOptions.maximumInstructions = most;
}

Error Prepared::restart() {
  machine.reset();
  parallel.reset();
  if (isAlone()) {
    alone = std::make_unique<Device>(settings, *engine);
    Part &part = parts.front();
    if (Error error = place(part, *alone))
      return error;
    const Program &program = *part.files.front().program;
    const LaunchSpec &spec = part.launches.front().spec;
    return theOptions.threads
               ? ParallelRun::create(*alone, program, spec, *theOptions.threads).moveInto(parallel)
               : Machine::create(*alone, program, spec).moveInto(machine);
  }
  machine = std::make_unique<Machine>(settings, *engine);
  for (Part &part : parts) {
    const ContextFile::Context &from = *part.context;
    Expected<Context *> context = machine->createContext({.name = from.name,
                                                          .priority = from.priority,
                                                          .sms = from.sms,
                                                          .watchdog = from.watchdog,
                                                          .stackDepth = from.stackDepth});
    if (!context)
      return file.error(from.at, llvm::toString(context.takeError()));
    if (Error error = place(part, (*context)->device()))
      return error;
    if (Error error = submit(part, **context))
      return error;
    if (Error error = startHost(part, **context))
      return error;
  }
  return Error::success();
}

/// Programs, buffers and the arguments of launches, in the context's memory.
Error Prepared::place(Part &part, Device &device) {
  if (image)
    return placeImage(part, device);
  llvm::SmallVector<uint64_t> globalBases;
  for (PlacedFile &placed : part.files) {
    Expected<PlacedModule> module = placeModule(*placed.linked->executable, device);
    if (!module)
      return file.located(part.context->at, module.takeError(), "'" + placed.linked->name + "': ");
    if (!placed.program)
      placed.program = predecode(module->code, *engine);
    globalBases.push_back(module->globalBase);
  }
  for (size_t i = 0; i < part.buffers.size(); ++i)
    if (Error error = placeBuffer(part, i, device))
      return file.located(part.context->buffers[i].at, std::move(error));
  for (size_t number = 0; number < part.bound.size(); ++number) {
    BoundLaunch &bound = part.bound[number];
    std::vector<uint64_t> values;
    uint64_t sharedBytes = part.launches[number].kernel->sharedBytes;
    for (size_t i = 0; i < bound.own.size(); ++i) {
      bool isShared = bound.shared[i] != NoBuffer;
      if (ArgumentSpec &spec = bound.own[i].spec; spec.kind == ArgumentSpec::Kind::Shared) {
        spec.bits = llvm::alignTo(sharedBytes, sharedAlignment);
        sharedBytes = spec.bits + spec.sharedBytes();
      }
      if (!isShared)
        if (Error error = bound.own[i].place(device))
          return file.located(bound.arguments[i]->at, std::move(error));
      values.push_back(isShared ? part.buffers[bound.shared[i]].value() : bound.own[i].value());
    }
    const ContextFile::Launch &from = *bound.launch;
    Launch &launch = part.launches[number];
    launch.globalBase = globalBases[bound.placed];
    launch.spec = launchSpec(*launch.kernel, {from.grid.x, from.grid.y, from.grid.z},
                             {from.block.x, from.block.y, from.block.z}, values, from.maximumInstructions);
    launch.spec.sharedBytes = uint32_t(std::min<uint64_t>(sharedBytes, UINT32_MAX));
    launch.spec.stackDepth = from.stackDepth;
  }
  return Error::success();
}

/// As it all was when the host program made the launch.
Error Prepared::placeImage(Part &part, Device &device) {
  if (Error error = image->place(device))
    return error;
  PlacedFile &placed = part.files.front();
  if (!placed.program)
    placed.program = predecode(placed.linked->executable->image(image->globalBase).code, *engine);
  Launch &launch = part.launches.front();
  launch.globalBase = image->globalBase;
  const LaunchSpec &from = image->spec;
  std::vector<uint64_t> none(launch.kernel->params.size());
  launch.spec =
      launchSpec(*launch.kernel, from.grid, from.block, none, part.bound.front().launch->maximumInstructions);
  launch.spec.parameters = from.parameters;
  launch.spec.sharedBytes = from.sharedBytes;
  launch.spec.hostWords = from.hostWords;
  launch.spec.stackDepth = from.stackDepth;
  return Error::success();
}

/// Where its pages are, too, and with messages in it.
Error Prepared::placeBuffer(Part &part, size_t number, Device &device) {
  DataBuffer &buffer = part.buffers[number];
  const ContextFile::Buffer &from = part.context->buffers[number];
  for (std::optional<MemoryPlace> place :
       {from.place, from.channel ? std::optional(from.channel->requests) : std::nullopt,
        from.channel ? std::optional(from.channel->replies) : std::nullopt})
    if (Error error = place ? checkPlace(settings, *place) : Error::success())
      return error;
  if (Error error = buffer.place(device))
    return error;
  if (from.place)
    device.memory().setPlace(buffer.value(), byteCount(buffer.initial.type, buffer.initial.shape).value_or(1),
                             *from.place);
  if (from.channel)
    device.messages().addChannel(buffer.name, device.memory(), buffer.value(), from.channel->shape,
                                 from.channel->requests, from.channel->replies);
  return Error::success();
}

/// The host's program: its steps, with the context's channels.
Error Prepared::startHost(const Part &part, const Context &context) {
  std::vector<u32> channels(context.device().messages().channels().size());
  std::iota(channels.begin(), channels.end(), 0);
  if (channels.empty())
    return Error::success();
  HostProcessor &host = *machine->host();
  u32 program = host.addProgram(context.id(), channels, /*isOpen=*/false);
  std::map<u32, size_t> launchesSent; // by channel: from which of the stream's on the next one is
  for (const ContextFile::HostLine &line : part.context->host) {
    HostStep step = line.step;
    if (line.isLaunch) {
      size_t &next = launchesSent[step.channel];
      while (part.bound[next].launch->channel != step.channel)
        ++next;
      step.words = LaunchMessage::of(*part.files[part.bound[next].placed].program, part.launches[next].spec);
      ++next;
      const MessageTraffic::Channel &channel = context.device().messages().channels()[step.channel];
      if (step.words.size() > channel.shape.words)
        return file.error(line.at, "a launch with its code takes " + Twine(step.words.size()) +
                                       " words, and the messages of channel '" + channel.name + "' have " +
                                       Twine(channel.shape.words) + ": raise its words");
    }
    host.addStep(program, std::move(step));
  }
  return Error::success();
}

std::string Prepared::describeHost(u32 context) const {
  const HostProcessor *host = isAlone() ? nullptr : machine->host();
  if (!host)
    return "";
  std::string text;
  const std::vector<ContextFile::HostLine> &lines = parts[context].context->host;
  auto tell = [&](size_t step, const std::string &what) {
    llvm::SMLoc at = step < lines.size() ? lines[step].at : parts[context].context->at;
    text += (text.empty() ? "" : "\n") + llvm::toString(file.error(at, what));
  };
  for (const HostProcessor::Program &program : host->programs()) {
    if (program.context != context)
      continue;
    for (const HostProcessor::Mismatch &wrong : program.mismatches) {
      std::string words;
      for (u32 word : wrong.reply)
        words += (words.empty() ? "" : ", ") + std::to_string(word);
      tell(wrong.step, "the reply to message " + std::to_string(wrong.number) + " is [" + words + "]");
    }
    if (!program.failure.empty())
      tell(program.taken, program.failure);
  }
  return text;
}

Error Prepared::submit(Part &part, Context &context) {
  size_t launchNumber = 0;
  auto add = [&](llvm::SMLoc at, Command command) {
    Error error = machine->submit(context, std::move(command));
    return error ? file.error(at, llvm::toString(std::move(error))) : Error::success();
  };
  for (const ContextFile::Command &from : part.context->stream) {
    Error error = Error::success();
    if (const auto *launch = std::get_if<ContextFile::Launch>(&from)) {
      size_t number = launchNumber++;
      auto tell = [id = context.id(), number](auto &to) {
        return [&to, id, number](GridRun &grid) {
          if (to)
            to(id, number, grid);
        };
      };
      error = add(launch->fileAt,
                  leno::Launch{&*part.files[part.bound[number].placed].program, part.launches[number].spec,
                               tell(onStart), tell(onEnd), launch->overlap, launch->channel});
    } else if (const auto *constants = std::get_if<ContextFile::Constants>(&from))
      error = add(constants->at, ConstantUpdate{constants->bank, constants->offset, constants->bytes});
    else if (const auto *semaphore = std::get_if<ContextFile::Semaphore>(&from)) {
      u32 number = semaphoreNumber(semaphore->name);
      error = semaphore->kind == ContextFile::Semaphore::Release
                  ? add(part.context->at, SemaphoreRelease{number, semaphore->value})
                  : add(part.context->at, SemaphoreAcquire{number, semaphore->value});
    } else if (const auto *token = std::get_if<ContextFile::SyncToken>(&from))
      error = add(part.context->at, SyncToken{token->mapping, token->drains});
    else if (const auto *share = std::get_if<ContextFile::Share>(&from))
      error = add(share->at, Share{share->priority, share->sms});
    else
      error = add(part.context->at, NotBefore{std::get<ContextFile::NotBefore>(from).cycle});
    if (error)
      return error;
  }
  return Error::success();
}

StopReason Prepared::runFor(std::chrono::nanoseconds duration, const std::atomic<bool> *stop) {
  using Clock = std::chrono::steady_clock;
  constexpr u64 cyclesOfAPiece = 20000;
  if (parallel)
    return parallel->run(duration, stop);
  Clock::time_point start = Clock::now();
  machine->setRunsAhead(true);
  do {
    StopReason reason = machine->runUntil(machine->cycle() + cyclesOfAPiece).reason;
    if (reason != StopReason::Cycle)
      return reason;
  } while (Clock::now() - start < duration && !(stop && *stop));
  return StopReason::Budget;
}

//===--- How contexts fared -------------------------------------------------===//

const Prepared::Launch *Prepared::current(u32 context) const {
  if (isAlone())
    return &launches(context).front();
  const Context &its = *machine->contexts()[context];
  const std::vector<LaunchRecord> &taken = its.launches();
  if (auto faulty = llvm::find_if(taken, [](auto &record) { return record.trapped; }); faulty != taken.end())
    return &launches(context)[size_t(faulty - taken.begin())];
  if (const GridRun *grid = its.grid())
    return &launchOf(*grid);
  return taken.empty() ? nullptr : &launches(context)[taken.size() - 1];
}

const Prepared::Launch &Prepared::launchOf(const GridRun &grid) const {
  return isAlone() ? launches().front() : launches(grid.device().contextId())[grid.gridId() - 1];
}

const std::optional<Trap> &Prepared::trap(u32 context) const {
  return parallel    ? parallel->trap()
         : isAlone() ? machine->grid()->trap()
                     : machine->contexts()[context]->trap();
}

std::string Prepared::describe(const Trap &trap, u32 context) const {
  const Launch *launch = current(context);
  return describeTrap(*(launch ? launch : &launches(context).front())->executable, trap);
}

std::string Prepared::describeEnd(u32 context) const {
  const Launch *launch = current(context);
  if (const std::optional<Trap> &fault = trap(context); fault && launch)
    return describeTrapWithSource(*launch->executable, *fault);
  return isAlone() ? "" : machine->contexts()[context]->whyEnded();
}

std::string Prepared::describeWaits() const {
  return isAlone() ? "" : runtime::describeWaits(*machine, [&](u32 number) {
    return "'" + semaphoreName(number) + "'";
  });
}

bool Prepared::hasFinished(u32 context) const {
  if (parallel)
    return parallel->finished();
  if (isAlone())
    return machine->grid()->finished();
  const Context &one = *machine->contexts()[context];
  return one.alive() && Machine::isDone(one);
}

u64 Prepared::instructions() const {
  if (isAlone())
    return parallel ? parallel->instructions() : machine->grid()->instructions();
  u64 sum = 0;
  for (const auto &context : machine->contexts())
    sum += context->counts().instructions;
  return sum;
}

const Warp *Prepared::someWarp(u32 context) const {
  if (parallel)
    return parallel->someWarp();
  GridRun *grid = machine->grid(context);
  return grid ? grid->lowestReady() : nullptr;
}

//===--- Outputs ------------------------------------------------------------===//

std::vector<Prepared::LabelledOutput> Prepared::labelledOutputs() const {
  std::vector<LabelledOutput> found;
  for (u32 i = 0; i < parts.size(); ++i) {
    std::string name = isAlone() ? "" : parts[i].context->name + ".";
    for (const DataBuffer &buffer : parts[i].buffers)
      if (buffer.isOutput())
        found.push_back({&buffer, i, name + buffer.name});
    for (size_t number = 0; number < parts[i].bound.size(); ++number)
      for (const DataBuffer &own : parts[i].bound[number].own)
        if (own.isOutput())
          found.push_back(
              {&own, i, (isAlone() ? "" : name + launches(i)[number].kernel->name + ".") + own.name});
  }
  return found;
}

std::vector<Prepared::OutputFile> Prepared::outputs() const {
  std::vector<OutputFile> files;
  for (const LabelledOutput &output : labelledOutputs())
    files.push_back({output.buffer->spec.output,
                     leno::describe(output.buffer->initial.type, output.buffer->initial.shape),
                     hasFinished(output.context)});
  return files;
}

void Prepared::forZeroed(llvm::function_ref<void(u32, const DataBuffer &, u64)> use) const {
  auto ask = [&](u32 context, const DataBuffer &buffer) {
    if (!buffer.isScalar() && !buffer.isInput())
      use(context, buffer, byteCount(buffer.initial.type, buffer.initial.shape).value_or(0));
  };
  for (size_t context = 0; context < parts.size(); ++context) {
    for (const DataBuffer &buffer : parts[context].buffers)
      ask(u32(context), buffer);
    for (const BoundLaunch &launch : parts[context].bound)
      for (const DataBuffer &buffer : launch.own)
        ask(u32(context), buffer);
  }
}

bool Prepared::losesOutputs(u32 context) const {
  return !hasFinished(context) && llvm::any_of(labelledOutputs(), [&](const LabelledOutput &output) {
    return output.context == context;
  });
}

Expected<std::vector<Prepared::OutputArray>> Prepared::outputArrays() const {
  std::vector<OutputArray> all;
  for (const LabelledOutput &output : labelledOutputs()) {
    if (!hasFinished(output.context))
      continue;
    Expected<Array> array = output.buffer->contents(device(output.context));
    if (!array)
      return array.takeError();
    all.push_back({output.buffer->spec.output, output.label, std::move(*array)});
  }
  return all;
}

Error Prepared::writeOutputs(llvm::raw_ostream *printed, std::function<Error(llvm::raw_ostream &)> report) {
  Expected<std::vector<OutputArray>> all = outputArrays();
  if (!all)
    return all.takeError();
  std::vector<Output> files, shown;
  for (const OutputArray &output : *all) {
    bool isPrinted = output.file.format == FileFormat::Print;
    if (isSaved && !isPrinted)
      continue;
    (printed && isPrinted ? shown : files).push_back({output.file, &output.array, output.name});
  }
  if (Error error = runtime::writeOutputs(files, std::move(report)))
    return error;
  for (const Output &output : shown)
    printArray(*printed, *output.array, output.label);
  return Error::success();
}

} // namespace leno::runtime
