#include "runtime/ContextFileReader.h"

#include "asm/support/NearMiss.h"
#include "asm/support/Numbers.h"
#include "emu/constants/ConstantBanks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include <limits>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

/// A nesting limit may be what warp.stackDepth may be; the machine refuses more than it is.
constexpr uint64_t MostStackEntries = 1 << 20;

Error ContextFile::Reader::readFields(const YamlValue &mapping, StringRef what,
                                      ArrayRef<Field> fields) const {
  if (mapping.kind != YamlValue::Mapping)
    return fail(mapping.at, what + " is a list of keys and their values");
  llvm::StringSet<> seen;
  for (const YamlEntry &entry : mapping.entries) {
    const std::string &key = entry.key.text;
    const Field *field = llvm::find_if(fields, [&](const Field &f) { return key == f.name; });
    if (field == fields.end()) {
      NearMiss near(key, 3);
      for (const Field &known : fields)
        near.consider(known.name, known.name);
      std::string names;
      for (const Field &known : fields)
        names += (names.empty() ? "" : ", ") + std::string(known.name);
      return fail(entry.key.at, what + " has no key '" + key + "'" + near.hint() + "; its keys are " + names);
    }
    if (!seen.insert(key).second)
      return fail(entry.key.at, "'" + key + "' is there twice; keep one of the lines");
    if (Error error = field->read(entry.value))
      return error;
  }
  return Error::success();
}

//===--- Values -------------------------------------------------------------===//

Error ContextFile::Reader::readText(const YamlValue &value, StringRef what, std::string &to) const {
  if (value.kind != YamlValue::Scalar || value.text.empty())
    return fail(value.at, "'" + what + "' takes one value");
  to = value.text;
  return Error::success();
}

Error ContextFile::Reader::readInteger(const YamlValue &value, StringRef what, uint64_t least, uint64_t most,
                                       uint64_t &to) const {
  std::string written;
  if (Error error = readText(value, what, written))
    return error;
  ScannedInteger scanned = scanInteger(written);
  if (scanned.status == ScannedInteger::Malformed)
    return fail(value.placeOf(scanned.column),
                "'" + what + "' is an integer, not '" + written + "': " + scanned.message);
  if (scanned.status == ScannedInteger::TooLarge || (scanned.negative && scanned.magnitude) ||
      scanned.magnitude < least || scanned.magnitude > most)
    return fail(value.at, "'" + what + "' is out of range: " + written + " is not in " + Twine(least) + ".." +
                              Twine(most));
  to = scanned.magnitude;
  return Error::success();
}

Error ContextFile::Reader::readPriority(const YamlValue &value, int &to) const {
  YamlValue magnitude = value;
  bool negative = value.kind == YamlValue::Scalar && StringRef(value.text).starts_with("-");
  if (negative)
    magnitude.text.erase(0, 1);
  constexpr uint64_t Most = std::numeric_limits<int>::max();
  uint64_t number = 0;
  if (Error error = readInteger(magnitude, "priority", 0, Most, number))
    return error;
  to = negative ? -int(number) : int(number);
  return Error::success();
}

Error ContextFile::Reader::readFlag(const YamlValue &value, StringRef what, bool &to) const {
  to = value.text == "true";
  return to || value.text == "false" ? Error::success() : fail(value.at, "'" + what + "' is true or false");
}

/// "4,2" or [4, 2]
static std::string joined(const YamlValue &value) {
  if (value.kind != YamlValue::Sequence)
    return value.text;
  std::string text;
  for (const YamlValue &item : value.items)
    text += (text.empty() ? "" : ",") + item.text;
  return text;
}

Error ContextFile::Reader::readDimensions(const YamlValue &value, StringRef what, uint64_t most,
                                          Dimensions &to) const {
  if (Error error = parseDimensions(joined(value), most, most).moveInto(to))
    return fail(value.at, "'" + what + "': " + llvm::toString(std::move(error)));
  return Error::success();
}

Error ContextFile::Reader::readTiles(const YamlValue &value, TileMapping &to) const {
  std::string written = joined(value);
  if (written == "none")
    return Error::success();
  Expected<Dimensions> tiles = parseDimensions(written, MostCtas, std::numeric_limits<uint64_t>::max());
  if (!tiles || tiles->z != 1) {
    std::string why =
        tiles ? "'" + written + "': a tile has two dimensions" : llvm::toString(tiles.takeError());
    return fail(value.at, "'sync-token' takes the CTAs of a tile, X,Y, or none: " + why);
  }
  to = {tiles->x, tiles->y};
  return Error::success();
}

/// Beside the file, unless the name says where from the root.
void ContextFile::Reader::resolve(std::string &path) const {
  if (path.empty() || path == "print:" || path == "-" || folder.empty() || llvm::sys::path::is_absolute(path))
    return;
  llvm::SmallString<128> full(folder);
  llvm::sys::path::append(full, path);
  path = full.str().str();
}

Error ContextFile::Reader::readSpec(const YamlValue &value, ArgumentSpec &to) const {
  Error error = parseArgument(value.text).moveInto(to);
  error = llvm::handleErrors(std::move(error), [&](const ArgumentError &mistake) {
    return fail(value.placeOf(mistake.column), mistake.message);
  });
  if (error)
    return error;
  if (to.output.path == "-")
    return fail(value.at, "standard output has the report of a run with contexts; name a file, or print:");
  resolve(to.input.path);
  resolve(to.output.path);
  return Error::success();
}

//===--- Commands -----------------------------------------------------------===//

Error ContextFile::Reader::readArguments(const YamlValue &value, const Context &context,
                                         Launch &launch) const {
  launch.argumentsAt = value.at;
  if (value.kind == YamlValue::Null) // "args:" and "args: []" are of a kernel without parameters
    return Error::success();
  if (value.kind != YamlValue::Sequence)
    return fail(value.at, "'args' is a list, as in args: [u32:5, in:x.npy]");
  for (const YamlValue &item : value.items) {
    Launch::Argument &argument = launch.arguments.emplace_back();
    argument.at = item.at;
    if (item.kind != YamlValue::Scalar)
      return fail(item.at, "an argument is a value such as u32:5 or in:x.npy, or the name of a buffer; put "
                           "quotes around one with brackets, commas or blanks");
    auto [parameter, name] = StringRef(item.text).split('=');
    if (!StringRef(item.text).contains('='))
      std::swap(parameter, name);
    auto buffer = llvm::find_if(context.buffers, [&](const Buffer &b) { return b.name == name; });
    if (buffer == context.buffers.end()) {
      Expected<bool> isPart = readPartOfChannel(item, context, argument);
      if (!isPart)
        return isPart.takeError();
      if (*isPart)
        continue;
      if (name.contains(':') || parameter.contains(':') || looksLikeNumber(name)) {
        if (Error error = readSpec(item, argument.spec))
          return error;
        continue;
      }
      NearMiss near(name, 3);
      for (const Buffer &known : context.buffers)
        near.consider(known.name, known.name);
      return fail(item.at, "the context has no buffer '" + name + "'" + near.hint() +
                               "; a value is a number, or has its type before it, as in u32:5");
    }
    argument.buffer = name.str();
    argument.spec.parameter = parameter.str();
  }
  return Error::success();
}

Expected<ContextFile::Command> ContextFile::Reader::readLaunch(const YamlValue &value,
                                                               const Context &context) const {
  Launch launch;
  launch.fileAt = value.at;
  auto dimensions = [&](const char *name, uint64_t most, Dimensions &to, llvm::SMLoc &at) {
    return Field{name, [=, this, &to, &at](const YamlValue &its) {
                   at = its.at;
                   return readDimensions(its, name, most, to);
                 }};
  };
  Error error = readFields(
      value, "a launch",
      {{"launch",
        [&](const YamlValue &its) {
          launch.fileAt = its.at;
          return readText(its, "launch", launch.file);
        }},
       {"kernel",
        [&](const YamlValue &its) {
          launch.kernelAt = its.at;
          return readText(its, "kernel", launch.kernel);
        }},
       dimensions("grid", MostCtas, launch.grid, launch.gridAt),
       dimensions("block", MostThreads, launch.block, launch.blockAt),
       {"args", [&](const YamlValue &its) { return readArguments(its, context, launch); }},
       integer("max-instructions", 0, std::numeric_limits<uint64_t>::max(), launch.maximumInstructions),
       flag("overlap", launch.overlap),
       {"message",
        [&](const YamlValue &its) {
          launch.channelAt = its.at;
          return readChannelName(its, "message", context, launch.channel.emplace()).takeError();
        }},
       integer("stack-depth", 0, MostStackEntries, launch.stackDepth)});
  if (error)
    return std::move(error);
  if (launch.file == "-")
    return fail(launch.fileAt, "a context file names its programs; standard input is none of them");
  resolve(launch.file);
  for (llvm::SMLoc *at : {&launch.kernelAt, &launch.gridAt, &launch.blockAt, &launch.argumentsAt})
    if (!at->isValid())
      *at = launch.fileAt;
  return std::move(launch);
}

/// Scalars, one after the other; each where the one before it ends.
Error ContextFile::Reader::readConstantValues(const YamlValue &value, Constants &constants) const {
  if (value.kind != YamlValue::Sequence || value.items.empty())
    return fail(value.at, "'values' is a list of scalars, as in values: [u32:5, f32:2.5]");
  for (const YamlValue &item : value.items) {
    ArgumentSpec spec;
    if (item.kind != YamlValue::Scalar)
      return fail(item.at, "a constant is a scalar such as u32:5 or f32:2.5");
    if (Error error = readSpec(item, spec))
      return error;
    if (spec.kind != ArgumentSpec::Kind::Scalar)
      return fail(item.at, "a constant is a scalar such as u32:5 or f32:2.5, not a buffer");
    uint8_t little[8];
    llvm::support::endian::write64le(little, spec.bits);
    constants.bytes.insert(constants.bytes.end(), little, little + info(*spec.type).size);
  }
  return Error::success();
}

Expected<ContextFile::Command> ContextFile::Reader::readConstants(const YamlValue &value) const {
  Constants constants;
  uint64_t bank = 0;
  Error error =
      readFields(value, "an update of constants",
                 {{"constants",
                   [&](const YamlValue &its) {
                     constants.at = its.at;
                     return readInteger(its, "constants", 1, ConstantBanks::count - 1, bank);
                   }},
                  integer("offset", 0, std::numeric_limits<uint32_t>::max(), constants.offset),
                  {"values", [&](const YamlValue &its) { return readConstantValues(its, constants); }}});
  if (error)
    return std::move(error);
  constants.bank = unsigned(bank);
  if (constants.bytes.empty())
    return fail(value.at, "an update of constants needs 'values', as in values: [u32:5, f32:2.5]");
  return std::move(constants);
}

Expected<ContextFile::Command> ContextFile::Reader::readSemaphore(const YamlValue &value,
                                                                  Semaphore::Kind kind) const {
  Semaphore semaphore{.kind = kind, .name = {}};
  bool releases = kind == Semaphore::Release;
  if (Error error = readFields(value, releases ? "a release" : "an acquire",
                               {text(releases ? "release" : "acquire", semaphore.name),
                                integer("value", 0, std::numeric_limits<uint64_t>::max(), semaphore.value)}))
    return std::move(error);
  return std::move(semaphore);
}

Expected<ContextFile::Command> ContextFile::Reader::readSyncToken(const YamlValue &value) const {
  SyncToken token;
  if (Error error =
          readFields(value, "a sync token",
                     {{"sync-token", [&](const YamlValue &its) { return readTiles(its, token.mapping); }},
                      flag("drain", token.drains)}))
    return std::move(error);
  return token;
}

Expected<ContextFile::Command> ContextFile::Reader::readShare(const YamlValue &value) const {
  Share share{.priority = {}, .sms = {}, .at = value.at};
  auto priority = [&](const YamlValue &its) { return readPriority(its, share.priority.emplace()); };
  auto sms = [&](const YamlValue &its) { return readInteger(its, "sms", 0, 1024, share.sms.emplace()); };
  if (Error error = readFields(value, "a share of the machine", {{"priority", priority}, {"sms", sms}}))
    return std::move(error);
  return share;
}

Expected<ContextFile::Command> ContextFile::Reader::readNotBefore(const YamlValue &value) const {
  NotBefore wait{0};
  if (Error error =
          readFields(value, "a wait for a cycle", {integer("not-before", 0, uint64_t(1) << 62, wait.cycle)}))
    return std::move(error);
  return wait;
}

Expected<ContextFile::Command> ContextFile::Reader::readCommand(const YamlValue &value,
                                                                const Context &context) const {
  auto has = [&](StringRef key) {
    return llvm::any_of(value.entries, [&](const YamlEntry &entry) { return entry.key.text == key; });
  };
  if (has("launch"))
    return readLaunch(value, context);
  if (has("constants"))
    return readConstants(value);
  if (has("release"))
    return readSemaphore(value, Semaphore::Release);
  if (has("acquire"))
    return readSemaphore(value, Semaphore::Acquire);
  if (has("sync-token"))
    return readSyncToken(value);
  if (has("priority") || has("sms"))
    return readShare(value);
  if (has("not-before"))
    return readNotBefore(value);
  return fail(value.at, "a command is one of launch, constants, release, acquire, sync-token, priority, sms "
                        "and not-before, as in '- launch: saxpy.s'");
}

//===--- Contexts -----------------------------------------------------------===//

/// A value of --arg's, or one with more to say.
Error ContextFile::Reader::readBuffer(const YamlValue &value, Buffer &buffer) const {
  constexpr const char *Kinds = "a buffer is in:FILE, out:f32[1024]:FILE, inout:FILE:FILE2 or "
                                "zero:f32[1024]";
  const YamlValue *data = value.kind == YamlValue::Mapping ? nullptr : &value;
  if (!data)
    if (Error error = readFields(value, "a buffer",
                                 {{"data",
                                   [&](const YamlValue &its) {
                                     data = &its;
                                     return Error::success();
                                   }},
                                  flag("on-demand", buffer.isOnDemand),
                                  {"place", [&](const YamlValue &its) {
                                     return readPlace(its, "place", buffer.place.emplace());
                                   }}}))
      return error;
  if (!data || data->kind != YamlValue::Scalar)
    return fail(value.at, std::string(Kinds) + "; put quotes around one that ends in ':'");
  buffer.at = data->at;
  if (Error error = readSpec(*data, buffer.spec))
    return error;
  if (buffer.spec.kind == ArgumentSpec::Kind::Scalar)
    return fail(data->at, std::string(Kinds) + "; a scalar goes to the args of a launch");
  return Error::success();
}

Error ContextFile::Reader::readBuffers(const YamlValue &value, Context &context) const {
  if (value.kind != YamlValue::Mapping)
    return fail(value.at, "'buffers' gives each buffer a name, as in y: out:f32[1024]:y.npy");
  for (const YamlEntry &entry : value.entries) {
    Buffer &buffer = context.buffers.emplace_back();
    buffer.name = entry.key.text;
    buffer.at = entry.value.at;
    if (buffer.name.empty() || StringRef(buffer.name).contains(':'))
      return fail(entry.key.at, "the name of a buffer has at least one letter, and no ':'");
    for (const Buffer &other : ArrayRef(context.buffers).drop_back())
      if (other.name == buffer.name)
        return fail(entry.key.at, "the buffer '" + buffer.name + "' is there twice; give it another name");
    if (Error error = readBuffer(entry.value, buffer))
      return error;
  }
  return Error::success();
}

Error ContextFile::Reader::readStream(const YamlValue &value, Context &context) const {
  if (value.kind == YamlValue::Null)
    return Error::success();
  if (value.kind != YamlValue::Sequence)
    return fail(value.at, "'stream' is a list of commands, as in '- launch: saxpy.s'");
  for (const YamlValue &item : value.items) {
    Expected<Command> command = readCommand(item, context);
    if (!command)
      return command.takeError();
    context.stream.push_back(std::move(*command));
  }
  return Error::success();
}

Error ContextFile::Reader::readContext(const YamlValue &value, Context &context) const {
  context.at = value.at;
  const YamlValue *stream = nullptr, *host = nullptr; // read last: they name buffers and channels
  constexpr uint64_t Most = uint64_t(1) << 40;
  if (Error error =
          readFields(value, "a context",
                     {text("name", context.name),
                      {"priority", [&](const YamlValue &its) { return readPriority(its, context.priority); }},
                      integer("sms", 0, 1024, context.sms),
                      integer("watchdog", 0, Most, context.watchdog),
                      integer("stack-depth", 0, MostStackEntries, context.stackDepth),
                      {"buffers", [&](const YamlValue &its) { return readBuffers(its, context); }},
                      {"channels", [&](const YamlValue &its) { return readChannels(its, context); }},
                      {"host",
                       [&](const YamlValue &its) {
                         host = &its;
                         return Error::success();
                       }},
                      {"stream", [&](const YamlValue &its) {
                         stream = &its;
                         return Error::success();
                       }}}))
    return error;
  if (context.name.empty())
    return fail(context.at, "a context needs a name, as in '- name: a'");
  for (const Context &other : ArrayRef(file.contexts).drop_back())
    if (other.name == context.name)
      return fail(context.at, "there are two contexts '" + context.name + "'; give one another name");
  if (Error error = stream ? readStream(*stream, context) : Error::success())
    return error;
  if (Error error = host ? readHost(*host, context) : Error::success())
    return error;
  return checkLaunchMessages(context);
}

Error ContextFile::Reader::readContexts(const YamlValue &value) {
  if (value.kind != YamlValue::Sequence)
    return fail(value.at, "'contexts' is a list, each entry with a name and a stream");
  for (const YamlValue &item : value.items)
    if (Error error = readContext(item, file.contexts.emplace_back()))
      return error;
  return Error::success();
}

Error ContextFile::Reader::readRoot(const YamlValue &root, MachineConfig &machine) {
  if (Error error = readFields(
          root, "a context file",
          {{"machine", [&](const YamlValue &its) { return readMachineKeys(machine, *file.yaml, its); }},
           {"contexts", [&](const YamlValue &its) { return readContexts(its); }}}))
    return error;
  if (file.contexts.empty())
    return fail(root.at, "a context file needs 'contexts', a list with at least one");
  return Error::success();
}

//===--- The file -----------------------------------------------------------===//

StringRef ContextFile::example() {
  return R"(# Names of files are relative to this file's folder.
machine:                          # keys of --machine; --set comes after them
  sm.count: 4
  timing.model: cycles
contexts:
  - name: long
    priority: 0                   # those of higher priority get SMs first [0]
    sms: 2                        # its part with contexts.allocation=static [an equal one]
    watchdog: 1000000             # cycles that a grid may take [contexts.watchdog]
    stack-depth: 512              # nesting limit of its launches [warp.stackDepth]
    buffers:                      # for all launches of the context
      x: in:x.npy
      y: inout:y.npy:result.npy
      pages: { data: "zero:u8[65536]", on-demand: true }   # mapped when they are touched
    stream:                       # commands, in order
      - launch: saxpy.s           # source, an object or an executable
        kernel: saxpy             # where it has more than one
        grid: 64                  # X[,Y[,Z]] [1]
        block: 256
        args: [u32:16384, f32:2.5, x, y]   # values as of --arg, or names of buffers
        max-instructions: 1000000 # of warps; 0: no limit [4000000000]
        overlap: true       # begins while launches before it still run [false]
        stack-depth: 64     # nesting limit of this one [the context's]
      - constants: 1              # a bank
        offset: 16
        values: [f32:0.5, u32:7]  # one after the other
      - release: half             # a semaphore, by any name; all contexts know it
        value: 1                  # [1]
      - sync-token: 2,2           # CTAs of a tile; none: no tiles
        drain: false              # CTAs that are not out yet, too; what runs goes on [true]
      - priority: 2               # from here on, whatever runs
        sms: 1                    # of contexts.allocation=static
  - name: urgent
    priority: 1
    stream:
      - not-before: 20000         # a cycle
      - { launch: iota.s, block: 8, args: ["out:u32[8]:print:"] }
      - { acquire: half, value: 1 }
  - name: service                 # with host.model=clock: the CPU is on the clock
    channels:                     # of messages to a kernel that runs; buffers, too
      ask: { slots: 4, words: 2, requests: core-cache, replies: cpu-cache }
      work: { words: 100, requests: ppu-memory }
    buffers:
      shared: { data: "zero:u32[64]", place: system-memory }   # core-cache, ppu-memory, cpu-cache
    stream:
      # Its code and parameters come in the channel's next message; the reply tells its end.
      - { launch: iota.s, block: 8, args: ["out:u32[8]:print:"], message: work }
      - { launch: service.s, args: [ask, ask.slotBytes, ask.slots, shared] }
    host:                         # its program, in order; then it stops its channels
      - launch: work              # sends what the stream's next launch by that channel takes
      - send: ask
        words: [7, f32:2.5]       # the others are 0
      - expect: ask               # its oldest reply that nothing was expected of
        words: [8]                # what it begins with [anything]
      - wait: 100                 # computes for so many cycles
      - at: 50000                 # and meanwhile takes the replies that come
      - repeat: 10
        steps: [ { send: ask, words: [1] } ]
      - stop: ask
)";
}

Expected<ContextFile> ContextFile::read(std::unique_ptr<YamlText> yaml, MachineConfig &machine) {
  ContextFile file;
  file.yaml = std::move(yaml);
  MachineConfig changed = machine;
  if (Error error = Reader(file).readRoot(file.yaml->root(), changed))
    return std::move(error);
  machine = changed;
  return std::move(file);
}

Expected<ContextFile> ContextFile::load(StringRef path, MachineConfig &machine) {
  Expected<std::unique_ptr<YamlText>> yaml = YamlText::load(path, "context file");
  return yaml ? read(std::move(*yaml), machine) : yaml.takeError();
}

Expected<ContextFile> ContextFile::parse(StringRef text, StringRef name, MachineConfig &machine) {
  Expected<std::unique_ptr<YamlText>> yaml = YamlText::parse(text, name);
  return yaml ? read(std::move(*yaml), machine) : yaml.takeError();
}

//===--- The command line ---------------------------------------------------===//

Expected<ContextFile> ContextFile::ofLaunch(const LaunchOptions &options) {
  Expected<std::vector<ArgumentSpec>> specs = parseArguments(options);
  if (!specs)
    return specs.takeError();
  Launch launch;
  launch.file = options.file;
  launch.kernel = options.kernel;
  launch.grid = options.grid;
  launch.block = options.block;
  launch.maximumInstructions = options.maximumInstructions;
  for (ArgumentSpec &spec : *specs)
    launch.arguments.emplace_back().spec = std::move(spec);
  ContextFile file;
  file.contexts.emplace_back().stream.push_back(std::move(launch));
  return std::move(file);
}

} // namespace leno::runtime
