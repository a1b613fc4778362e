#include "runtime/LaunchImage.h"
#include "runtime/LaunchOptions.h"
#include "runtime/MachineConfig.h"
#include "runtime/Parameters.h"
#include "runtime/Trace.h"
#include "runtime/TrapText.h"
#include "runtime/host/Launcher.h"

#include "leno/Messages.h"

#include <mutex>
#include <optional>

namespace leno::host {

std::shared_ptr<ContextState> Argument::bufferOwner() const {
  return buffer->valid() ? buffer->device.lock() : nullptr;
}

Status Launcher::checkHandles() const {
  if (!context)
    return Error("cannot launch on a device or context that was moved from");
  if (!kernel.valid())
    return Error("cannot launch: there is no kernel; load a Module and take one of its kernels");
  std::vector<runtime::GivenArgument> given;
  for (const Argument &argument : arguments)
    given.push_back(argument.buffer ? runtime::GivenArgument{runtime::GivenArgument::Buffer, std::nullopt, ""}
                                    : runtime::GivenArgument{runtime::GivenArgument::Scalar,
                                                             elementTypeNamed(argument.type), ""});
  if (llvm::Error error = runtime::checkArguments(info(), given))
    return translate(std::move(error));
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].buffer)
      continue;
    std::string what = "argument " + std::to_string(i + 1) + " for parameter '" + info().params[i].name +
                       "', the buffer '" + arguments[i].buffer->name() + "', ";
    std::shared_ptr<ContextState> owner = arguments[i].bufferOwner();
    if (!owner)
      return fail(what + "holds no memory (never allocated, freed, moved from, or its device is gone)");
    if (owner != context)
      return fail(what + "belongs to " + owner->seenFrom(*context) +
                  "; allocate it on the one that runs the kernel");
  }
  return {};
}

/// The limits of a CTA are the machine's to tell; the product of a grid's axes could wrap.
Status Launcher::checkSizes() const {
  const Extent &grid = config.grid;
  std::uint64_t count = std::uint64_t(grid.x) * grid.y;
  if (__builtin_mul_overflow(count, std::uint64_t(grid.z), &count) || count > runtime::MostCtas)
    return fail("a grid of " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " +
                std::to_string(grid.z) + " CTAs passes the limit of " + std::to_string(runtime::MostCtas));
  return {};
}

Result<std::vector<const checks::CheckRow *>> checksOfEnvironment() {
  const char *names = std::getenv("LENO_CHECK");
  if (!names || !*names)
    return std::vector<const checks::CheckRow *>();
  auto rows = checks::checksNamed(names);
  if (!rows)
    return Error("LENO_CHECK in the environment: " + llvm::toString(rows.takeError()));
  return std::move(*rows);
}

Result<BoundLaunch> Launcher::bind() {
  if (Status status = checkHandles(); !status)
    return status.error();
  if (Status status = checkSizes(); !status)
    return status.error();

  std::vector<uint64_t> values;
  for (const Argument &argument : arguments)
    values.push_back(argument.buffer ? argument.buffer->address() : argument.bits);
  BoundLaunch launch;
  launch.context = context;
  launch.module = kernel.module;
  launch.kernel = kernel.index;
  launch.wantedThreads = config.threads;
  launch.counts = config.statistics;
  launch.overlap = config.overlap;
  if (config.checks.empty()) {
    auto rows = checksOfEnvironment();
    if (!rows)
      return fail(rows.error().message());
    launch.checks = std::move(*rows);
    launch.tellsAloud = true;
  } else {
    auto rows = checks::checksNamed(config.checks);
    if (!rows)
      return Error("kernel '" + info().name + "': " + llvm::toString(rows.takeError()));
    launch.checks = std::move(*rows);
  }
  const char *folder = std::getenv("LENO_PROFILE");
  launch.profile = config.profile.empty() && folder ? folder : config.profile;
  launch.mayNeverEnd = config.maximumInstructions == 0 || !config.channels.empty();
  launch.spec = runtime::launchSpec(info(), {config.grid.x, config.grid.y, config.grid.z},
                                    {config.block.x, config.block.y, config.block.z}, values,
                                    config.maximumInstructions);
  launch.spec.stackDepth = config.stackDepth;
  if (!config.tier.empty()) {
    std::optional<TierChoice> tier = tierNamed(config.tier);
    if (!tier)
      return fail("there is no tier '" + config.tier + "': it can be " + tierNames);
    launch.spec.tier = *tier;
  }
  launch.spec.hostWords = config.hostWords;
  if (config.sharedBytes)
    launch.spec.sharedBytes = uint32_t(std::min<uint64_t>(
        llvm::alignTo(info().sharedBytes, runtime::sharedAlignment) + config.sharedBytes, UINT32_MAX));
  if (Status status = bindChannels(launch); !status)
    return status.error();
  return launch;
}

Status Launcher::bindChannels(BoundLaunch &launch) const {
  for (const MessageChannel *channel : config.channels) {
    if (!channel || !channel->state)
      return fail("a message channel was moved from");
    launch.channels.push_back(channel->state);
  }
  if (config.threads > 1 && !config.channels.empty())
    return fail("message channels are served by one thread, not " + std::to_string(config.threads) +
                "; leave LaunchConfig::threads out");
  if (!config.message)
    return {};
  launch.message = config.message->state;
  if (!launch.message)
    return fail("the message channel that brings it was moved from");
  if (!launch.message->isClocked)
    return fail(
        "a launch that comes in a message needs the host on the machine's clock: make the device with "
        "host.model=clock and timing.model=cycles");
  std::shared_ptr<ContextState> owner = launch.message->buffer.owner();
  if (owner != context)
    return fail("the message channel that brings it belongs to " +
                (owner ? owner->seenFrom(*context) : "a device that is gone"));
  return {};
}

//===--- Running ------------------------------------------------------------===//

static LaunchStatistics countsOf(const Statistics &from, const MemoryChain *memory) {
  LaunchStatistics to;
  to.ctas = from.ctas;
  to.warps = from.warps;
  to.warpInstructions = from.warpInstructions;
  to.laneOperations = from.laneOperations;
  to.branches = from.branches;
  to.divergentBranches = from.stack.divergences;
  to.stackPushes = from.stack.pushed();
  to.stackPops = from.stack.popped();
  to.maxStackDepth = from.deepestStack;
  to.stackEntriesSpilled = from.stack.spills.entries;
  to.stackEntriesRestored = from.stack.restores.entries;
  to.stackStallCycles = from.stack.stallCycles;
  to.globalBytesLoaded = from.bytesLoaded;
  to.globalBytesStored = from.bytesStored;
  to.barrierArrivals = from.barrierArrivals;
  to.cycles = from.cycles ? from.cycles->cycles : 0;
  if (!memory)
    return to;
  MemoryChain::Totals sent = memory->counts().ports;
  MemoryChain::Counts all = sent.all();
  to.l2Requests = all.requests - sent.host.requests;
  to.l2Hits = all.hits - sent.host.hits;
  to.hostRequests = sent.host.requests;
  to.hostHits = sent.host.hits;
  return to;
}

Result<LaunchResult>
BoundLaunch::run(llvm::function_ref<void(std::shared_ptr<ContextLaunchState>)> taken) const {
  bool isClocked = message || llvm::any_of(channels, [](const auto &channel) { return channel->isClocked; });
  if (context->isOwn() && !isClocked)
    if (auto alone = context->machine->beginAlone(mayNeverEnd))
      return runAlone();
  Result<std::shared_ptr<ContextLaunchState>> launch = context->launch(*this);
  if (!launch)
    return launch.error();
  taken(*launch);
  return (*launch)->wait();
}

/// Where a launch stood that the host has interrupted.
static leno::Trap interruptionOf(const ParallelRun &run) {
  leno::Trap trap;
  trap.kind = TrapKind::Timeout;
  trap.detail = "the host has interrupted it";
  if (const Warp *warp = run.someWarp()) {
    trap.pc = warp->pcBytes();
    trap.cta = warp->cta().index();
    trap.warp = warp->index();
    trap.lanes = warp->active;
  }
  return trap;
}

namespace {
/// LENO_TRACE: a file for the instructions of all launches alone, as leno-run --trace has them, each launch
/// behind a line that names it. They run one after the other.
class TraceOfEnvironment {
public:
  Status open(const Executable &executable, llvm::StringRef kernel, const LaunchSpec &spec) {
    const char *path = std::getenv("LENO_TRACE");
    if (!path || !*path)
      return {};
    turn = std::unique_lock(mutex);
    if (!file) {
      std::error_code error;
      file = new llvm::raw_fd_ostream(path, error); // until the process ends
      if (error) {
        delete std::exchange(file, nullptr);
        return Error("LENO_TRACE in the environment: cannot write '" + std::string(path) +
                     "': " + error.message());
      }
    }
    auto shown = [](const Dim3 &size) {
      return std::to_string(size.x) + "," + std::to_string(size.y) + "," + std::to_string(size.z);
    };
    *file << "launch " << ++launches << " kernel " << kernel << " grid " << shown(spec.grid) << " block "
          << shown(spec.block) << '\n';
    trace.emplace(executable, *file);
    return {};
  }
  runtime::Trace *observer() { return trace ? &*trace : nullptr; }
  Status close() {
    if (!trace)
      return {};
    file->flush();
    if (!file->has_error())
      return {};
    std::string what = file->error().message();
    file->clear_error();
    return Error("LENO_TRACE in the environment: writing the trace failed: " + what);
  }

private:
  static std::mutex mutex; ///< of what follows
  static llvm::raw_fd_ostream *file;
  static unsigned launches;
  std::unique_lock<std::mutex> turn;
  std::optional<runtime::Trace> trace;
};
std::mutex TraceOfEnvironment::mutex;
llvm::raw_fd_ostream *TraceOfEnvironment::file;
unsigned TraceOfEnvironment::launches;
} // namespace

Result<std::optional<LaunchResult>> BoundLaunch::runInDebugger() const {
  // Who talks to the host while it runs cannot run elsewhere.
  if (!std::getenv(runtime::debuggerVariable) || !channels.empty())
    return std::optional<LaunchResult>();
  runtime::LaunchImage image;
  image.file = module->name;
  image.program = std::make_shared<const std::string>(module->bytes);
  image.kernel = name();
  image.spec = spec;
  image.machine = runtime::settingsOf(context->device.config());
  const char *trace = std::getenv("LENO_TRACE");
  image.isObserved = counts || !checks.empty() || !profile.empty() || (trace && *trace);
  {
    Gate::Alone alone(context->machine->gate);
    if (llvm::Expected<const Program *> program = context->load(module); !program)
      return fail(llvm::toString(program.takeError()));
    image.globalBase = context->globalBaseOf(*module);
    image.take(context->device, std::make_shared<u64>(0));
  }
  std::optional<runtime::LaunchAnswer> answer = runtime::askDebugger(image, context->machine->isInterrupted);
  if (!answer)
    return std::optional<LaunchResult>();
  LaunchResult result;
  result.warpInstructions = answer->instructions;
  for (const runtime::LaunchAnswer::Change &change : answer->changes)
    if (Status status = context->writeNow(change.address, std::as_bytes(std::span(change.bytes))); !status)
      return status.error();
  return std::optional(std::move(result));
}

Result<LaunchResult> BoundLaunch::runAlone() const {
  ContextState::Use use(context);
  Result<std::optional<LaunchResult>> debugged = runInDebugger();
  if (!debugged)
    return debugged.error();
  if (*debugged)
    return std::move(**debugged);
  TraceOfEnvironment trace;
  if (Status status = trace.open(module->executable, name(), spec); !status)
    return status.error();
  Statistics statistics;
  std::shared_ptr<checks::LaunchChecks> checker;
  if (!checks.empty())
    checker = std::make_shared<checks::LaunchChecks>(checks, context->device.contextId());
  Result<ProfilePointer> profiled = beginProfile(/*isAlone=*/true);
  if (!profiled)
    return profiled.error();
  Result<std::unique_ptr<ParallelRun>> run =
      makeRun(counts ? &statistics : nullptr, checker, *profiled, trace.observer());
  if (!run)
    return run.error();
  Gate &gate = context->machine->gate;
  {
    Gate::Shared shared(gate);
    if (Status status = openChannels(); !status)
      return status.error();
  }
  bool hasEnded = runServing(**run);
  if (*profiled)
    context->machine->profiles.end(**profiled);

  LaunchResult result;
  result.warpInstructions = (*run)->instructions();
  if (const std::optional<leno::Trap> &trap = (*run)->trap())
    result.trap = describe(*trap);
  else if (!hasEnded)
    result.trap = describe(interruptionOf(**run));
  if (counts)
    result.statistics = countsOf(statistics, std::as_const(**run).memoryChain());
  Gate::Shared shared(gate);
  result.findings = tell(checker.get());
  closeChannels(howEnded(result));
  if (Status status = trace.close(); !status)
    return status.error();
  return result;
}

std::vector<Finding> BoundLaunch::tell(checks::LaunchChecks *checker) const {
  std::vector<Finding> told;
  if (!checker)
    return told;
  for (const checks::NamedFinding &named : checker->take(context->device.memory())) {
    Finding &one = told.emplace_back();
    one.check = named.finding.check;
    one.kind = named.finding.kind;
    one.count = named.finding.count;
    if (std::optional<SourceLine> line = module->executable.line(named.finding.first.pc);
        line && !named.finding.first.what.empty()) {
      one.file = line->file;
      one.line = line->line;
    }
    llvm::raw_string_ostream os(one.text);
    printFinding(os, named, false);
    if (tellsAloud) // in one piece: other threads and kernels write there, too
      llvm::errs() << "kernel '" + named.kernel + "': " + one.text;
  }
  return told;
}

LaunchResult BoundLaunch::resultOf(const GridRun &grid, const Statistics &counted,
                                   checks::LaunchChecks *checker) const {
  LaunchResult result;
  result.warpInstructions = grid.instructions();
  if (grid.trap())
    result.trap = describe(*grid.trap());
  if (counts)
    result.statistics = countsOf(counted, grid.memoryChain());
  result.findings = tell(checker);
  return result;
}

/// The same settings as leno-run's (ProfiledRun.cpp).
Result<BoundLaunch::ProfilePointer> BoundLaunch::beginProfile(bool isAlone) const {
  if (profile.empty())
    return ProfilePointer();
  profile::ProfileSettings settings;
  settings.cycles = context->device.config().timing.model == MachineConfig::Timing::Cycles;
  settings.bySm = settings.cycles || !isAlone;
  llvm::Expected<ProfilePointer> begun = context->machine->profiles.begin(
      profile, {profile::Profile(settings), context->name, module, kernel, spec.grid, spec.block});
  if (!begun)
    return fail(llvm::toString(begun.takeError()));
  return *begun;
}

Result<std::unique_ptr<ParallelRun>> BoundLaunch::makeRun(Statistics *statistics,
                                                          const CheckerPointer &checker,
                                                          const ProfilePointer &profiled,
                                                          Observer *trace) const {
  Gate::Alone alone(context->machine->gate);
  llvm::Expected<const Program *> program = context->load(module);
  if (!program)
    return fail(llvm::toString(program.takeError()));
  unsigned threads = wantedThreads;
  if (checker || trace || (threads == 0 && (counts || profiled || !channels.empty())))
    threads = 1;
  llvm::Expected<std::unique_ptr<ParallelRun>> run =
      ParallelRun::create(context->device, **program, spec, threads);
  if (!run)
    return fail(llvm::toString(run.takeError()));
  if (statistics)
    (*run)->addObserver(*statistics);
  if (profiled)
    (*run)->addObserver(profiled->profile);
  if (trace)
    (*run)->addObserver(*trace);
  if (checker) {
    context->tellOfHost(checker);
    checker->watch(**run, 0, running(), module, context->releasedLately());
  }
  return std::move(*run);
}

std::vector<std::shared_ptr<ChannelState>> BoundLaunch::allChannels() const {
  std::vector<std::shared_ptr<ChannelState>> all = channels;
  if (message)
    all.push_back(message);
  return all;
}

Status BoundLaunch::openChannels() const {
  std::vector<std::shared_ptr<ChannelState>> all = allChannels();
  for (size_t i = 0; i < all.size(); ++i)
    if (Status opened = all[i]->open(/*forLaunches=*/i == channels.size()); !opened) {
      while (i-- > 0)
        all[i]->close("its kernel was not launched");
      return fail(opened.error().message());
    }
  return {};
}

void BoundLaunch::closeChannels(const std::string &why) const {
  for (const auto &channel : allChannels())
    channel->close(why);
}

/// Runs the grid; between its turns what host threads send and receive is moved, and who wants the memory
/// alone gets it. False: it was interrupted before its end.
bool BoundLaunch::runServing(ParallelRun &run) const {
  // Short enough for replies to be soon seen, long enough for locks and wake-ups to cost little.
  if (!channels.empty())
    run.setSlice(5000);
  auto duration = channels.empty() ? ParallelRun::Nanoseconds::max() : ParallelRun::Nanoseconds(0);
  Gate &gate = context->machine->gate;
  auto piece = [&] {
    Gate::Shared shared(gate);
    StopReason reason = run.run(duration, &gate.isWanted);
    bool any = false;
    if (reason == StopReason::Budget)
      for (const auto &channel : channels)
        any |= channel->service(run.memoryChain());
    return std::pair(reason, any);
  };
  while (!context->machine->isInterrupted) {
    auto [reason, any] = piece();
    if (reason != StopReason::Budget)
      return true;
    if (!any && !channels.empty())
      channels.front()->rest();
  }
  return false;
}

std::string howEnded(const LaunchResult &result) {
  return result.trap ? "the kernel trapped: " + result.trap->text : "the kernel has ended";
}

TrapInfo BoundLaunch::describe(const leno::Trap &trap) const {
  const Executable &executable = module->executable;
  TrapInfo told;
  told.kind = trapName(trap.kind);
  told.text = runtime::describeTrap(executable, trap);
  told.pc = trap.pc;
  told.label = executable.describe(trap.pc);
  if (std::optional<SourceLine> line = executable.line(trap.pc)) {
    told.file = line->file;
    told.line = line->line;
  }
  told.cta = {trap.cta.x, trap.cta.y, trap.cta.z};
  told.warp = trap.warp;
  told.lanes = trap.lanes;
  if (trap.hasAddress)
    told.address = trap.address;
  told.calls = runtime::describeCalls(executable, trap.calls);
  return told;
}

Result<LaunchResult> launchWith(DeviceMemory &where, const Kernel &kernel, const LaunchConfig &config,
                                std::span<const Argument> arguments) {
  Result<BoundLaunch> launch = Launcher(Launcher::stateOf(where), kernel, config, arguments).bind();
  return launch ? launch->run() : Result<LaunchResult>(launch.error());
}

} // namespace leno::host
