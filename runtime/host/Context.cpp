#include "runtime/host/Launcher.h"
#include "runtime/host/StreamState.h"

namespace leno::host {

constexpr std::uint64_t Forever = ~std::uint64_t(0);

//===--- What stands behind it ------------------------------------------------===//

Status ContextState::status() const {
  return machine->look([&] { // another host thread may run the machine
    return !joined || joined->alive()
               ? Status()
               : Status(Error("context '" + name +
                              "' has ended: " + (trapText.empty() ? joined->whyEnded() : trapText)));
  });
}

Status ContextState::checkOpen() const {
  if (Status open = machine->checkOpen(); !open)
    return Error("context '" + name + "': " + open.error().message());
  return status();
}

std::optional<ContextState::InUse> ContextState::takeUnused() {
  return isDone() ? std::exchange(inUse, std::nullopt) : std::nullopt;
}

/// The device's own context becomes one of the machine's with its first command.
llvm::Error ContextState::join() {
  return joined ? llvm::Error::success()
                : machine->machine.createContext({.name = name}, &device).moveInto(joined);
}

Status ContextState::submit(Command command, std::shared_ptr<const ModuleState> module) {
  if (llvm::Error error = join())
    return translate(std::move(error));
  if (!inUse)
    inUse = InUse{Use(shared_from_this()), {}};
  if (module && !llvm::is_contained(inUse->modules, module))
    inUse->modules.push_back(std::move(module));
  llvm::Error error = machine->machine.submit(*joined, std::move(command));
  return error ? Status(translate(std::move(error))) : Status();
}

Status ContextState::add(Command command) {
  if (Status open = checkOpen(); !open)
    return open;
  if (Status shared = machine->share(); !shared)
    return shared;
  MachineState::Turn turn(*machine);
  return submit(std::move(command), nullptr);
}

Result<std::uint64_t> ContextState::addressOf(const Buffer &buffer, const char *what, std::uint64_t offset,
                                              std::uint64_t count) const {
  if (Status open = checkOpen(); !open)
    return open.error();
  Result<std::shared_ptr<ContextState>> owner = buffer.check(what, offset, count);
  if (!owner)
    return owner.error();
  if ((*owner).get() != this)
    return Error("the buffer '" + buffer.name() + "' belongs to " + (*owner)->seenFrom(*this) +
                 ", not to context '" + name + "'");
  return buffer.address() + offset;
}

Status ContextState::write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data) {
  Result<std::uint64_t> to = addressOf(buffer, "write", offset, data.size());
  if (!to)
    return to.error();
  auto *from = reinterpret_cast<const uint8_t *>(data.data());
  return add(CopyToDevice{*to, std::vector<uint8_t>(from, from + data.size())});
}

Status ContextState::read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data) {
  Result<std::uint64_t> from = addressOf(buffer, "read", offset, data.size());
  if (!from)
    return from.error();
  return add(CopyToHost{*from, {reinterpret_cast<uint8_t *>(data.data()), data.size()}});
}

Status ContextState::copy(const Buffer &from, std::uint64_t fromOffset, const Buffer &to,
                          std::uint64_t toOffset, std::uint64_t bytes) {
  Result<std::uint64_t> source = addressOf(from, "read", fromOffset, bytes);
  if (!source)
    return source.error();
  Result<std::uint64_t> target = addressOf(to, "write", toOffset, bytes);
  if (!target)
    return target.error();
  return add(CopyOnDevice{*source, *target, bytes});
}

Status ContextState::writeConstants(const std::shared_ptr<const ModuleState> &module, unsigned bank,
                                    std::uint32_t offset, std::span<const std::byte> data) {
  if (Status open = checkOpen(); !open)
    return open;
  if (Status shared = machine->share(); !shared)
    return shared;
  MachineState::Turn turn(*machine);
  if (llvm::Expected<const Program *> program = load(module); !program)
    return translate(program.takeError());
  auto *from = reinterpret_cast<const uint8_t *>(data.data());
  return submit(ConstantUpdate{bank, offset, std::vector<uint8_t>(from, from + data.size())}, module);
}

/// Hears of what the host does to the context's memory.
class ContextState::HostWatch final : public Observer {
public:
  explicit HostWatch(leno::Device &device) : device(device) { device.addObserver(*this); }
  ~HostWatch() override { device.removeObserver(*this); }
  Interests interests() const override { return Host; }
  void host(const HostEvent &event) override {
    llvm::erase_if(checkers, [](const auto &weak) { return weak.expired(); });
    for (const auto &weak : checkers)
      if (std::shared_ptr<checks::LaunchChecks> checker = weak.lock())
        checker->host(event);
  }
  std::vector<std::weak_ptr<checks::LaunchChecks>> checkers;

private:
  leno::Device &device;
};

ContextState::ContextState(std::shared_ptr<MachineState> machine, std::string name, leno::Context *context)
    : machine(std::move(machine)), name(std::move(name)),
      device(context ? context->device() : this->machine->own), joined(context) {}

ContextState::~ContextState() = default;

void ContextState::tellOfHost(const std::shared_ptr<checks::LaunchChecks> &checker) {
  if (!hostWatch)
    hostWatch = std::make_unique<HostWatch>(device);
  hostWatch->checkers.push_back(checker);
}

std::shared_ptr<checks::LaunchChecks> ContextState::checkerFor(const CheckRows &rows) {
  std::weak_ptr<checks::LaunchChecks> &known = checkers[rows];
  std::shared_ptr<checks::LaunchChecks> checker = known.lock();
  if (!checker) {
    known = checker = std::make_shared<checks::LaunchChecks>(rows, device.contextId());
    tellOfHost(checker);
  }
  return checker;
}

Result<std::shared_ptr<ContextLaunchState>> ContextState::launch(const BoundLaunch &launch) {
  if (Status open = checkOpen(); !open)
    return open.error();
  if (Status shared = machine->share(); !shared)
    return launch.fail(shared.error().message());
  MachineState::Turn turn(*machine);
  llvm::Expected<const Program *> program = load(launch.module);
  if (!program)
    return launch.fail(llvm::toString(program.takeError()));
  Result<std::shared_ptr<LaunchProfile>> profiled = launch.beginProfile(/*isAlone=*/false);
  if (!profiled)
    return profiled.error();
  if (Status opened = launch.openChannels(); !opened)
    return opened.error();
  auto pending =
      std::make_shared<ContextLaunchState>(shared_from_this(), launches, launch.name(), launch.allChannels());
  Launch command{*program, launch.spec, {}, {}};
  command.overlap = launch.overlap;
  if (!launch.checks.empty())
    pending->checker = checkerFor(launch.checks);
  if (launch.counts || pending->checker || *profiled)
    command.started = [pending, launch, profiled = *profiled](GridRun &grid) {
      if (profiled)
        grid.addObserver(profiled->profile);
      if (launch.counts)
        grid.addObserver(pending->counts);
      if (pending->checker)
        pending->checker->watch(grid, grid.gridId(), launch.running(), launch.module,
                                launch.context->releasedLately());
    };
  command.ended = [pending, launch, profiled = *profiled](GridRun &grid) {
    if (profiled)
      pending->context->machine->profiles.end(*profiled);
    pending->result = launch.resultOf(grid, pending->counts, pending->checker.get());
    if (const std::optional<TrapInfo> &trap = pending->result->trap)
      pending->context->noteTrap("kernel '" + launch.name() + "': " + trap->text);
  };
  Status added;
  if (launch.message) {
    command.channel = launch.message->traffic;
    added = launch.message->sendLaunch(LaunchMessage::of(**program, launch.spec));
  }
  if (added)
    added = submit(std::move(command), launch.module);
  if (!added) {
    launch.closeChannels("its kernel was not launched");
    return launch.fail(added.error().message());
  }
  ++launches;
  if (!pending->channels.empty())
    machine->serve(pending);
  for (const std::shared_ptr<ChannelState> &channel : pending->channels)
    if (channel->isClocked)
      channel->serviceOnClock(machine->machine, *context());
  return pending;
}

Status ContextState::share(const leno::Share &wanted) {
  if (Status open = checkOpen(); !open)
    return open;
  if (Status shared = machine->share(); !shared)
    return shared;
  MachineState::Turn turn(*machine);
  if (!context())
    return Error("context '" + name + "' is not on the machine yet: it has had no command");
  if (llvm::Error error = machine->machine.share(*context(), wanted))
    return translate(std::move(error));
  return {};
}

Status ContextState::runUntil(llvm::function_ref<bool()> enough) {
  if (Status open = machine->checkOpen(); !open)
    return Error("context '" + name + "': " + open.error().message());
  StopReason reason = machine->run(Forever, enough);
  if (reason == StopReason::Budget)
    return Error("context '" + name + "': the host has interrupted the machine");
  if (reason != StopReason::Stuck)
    return {};
  MachineState::Turn turn(*machine);
  if (enough()) // it has done its part, and others wait
    return {};
  return Error("context '" + name + "' cannot go on: " + machine->waits());
}

void ContextState::close(const std::string &why) {
  if (machine->isInEvent()) // where nothing can be ended
    return;
  std::vector<std::weak_ptr<StreamState>> its;
  {
    std::lock_guard lock(streamsMutex);
    its.swap(streams);
  }
  for (const std::weak_ptr<StreamState> &weak : its)
    if (std::shared_ptr<StreamState> stream = weak.lock())
      stream->close(why);
  if (isClosed || !machine->checkOpen())
    return;
  std::optional<InUse> unused; // it goes when others can have the machine
  MachineState::Turn turn(*machine);
  tellLeaks();
  isClosed = true;
  if (joined)
    machine->machine.retire(*joined);
  machine->endServices();
  unused = takeUnused();
}

Status ContextState::addStream(const std::shared_ptr<StreamState> &stream) {
  if (Status open = checkMemory(); !open)
    return open;
  std::lock_guard lock(streamsMutex);
  std::erase_if(streams, [](const auto &weak) { return weak.expired(); });
  streams.push_back(stream);
  return {};
}

//===--- A launch -------------------------------------------------------------===//

bool ContextLaunchState::isDone() {
  return context->machine->look([&] { return hasEnded(); });
}

Result<LaunchResult> ContextLaunchState::wait() {
  Status ran = isDone() ? Status() : context->runUntil([&] { return hasEnded(); });
  if (result)
    return *result;
  std::string why = "kernel '" + kernel + "' did not run: ";
  if (!ran)
    return Error(why + ran.error().message());
  return Error(why + context->status().error().message());
}

LaunchCycles ContextLaunchState::cycles() {
  return context->machine->look([&] {
    const std::vector<LaunchRecord> &records = context->context()->launches();
    if (number >= records.size())
      return LaunchCycles();
    const LaunchRecord &record = records[number];
    return LaunchCycles{record.decoded, record.started, record.ended};
  });
}

bool PendingLaunch::isDone() const { return state->isDone(); }
Result<LaunchResult> PendingLaunch::wait() const { return state->wait(); }
LaunchCycles PendingLaunch::cycles() const { return state->cycles(); }

//===--- The handle -----------------------------------------------------------===//

Context::Context(Context &&) noexcept = default;

Context &Context::operator=(Context &&other) noexcept {
  if (this != &other) {
    close();
    DeviceMemory::operator=(std::move(other));
  }
  return *this;
}

Context::~Context() { close(); }

void Context::close() {
  if (state)
    state->close("the stream's context is gone");
  state.reset();
}

static Error movedFrom() { return Error("the context was moved from"); }

const std::string &Context::name() const {
  static const std::string none;
  return state ? state->name : none;
}

Result<PendingLaunch> Context::launchWith(const Kernel &kernel, const LaunchConfig &config,
                                          std::span<const Argument> arguments) {
  if (!state)
    return movedFrom();
  if (Status open = state->checkOpen(); !open)
    return open.error();
  Result<BoundLaunch> bound = Launcher(state, kernel, config, arguments).bind();
  if (!bound)
    return bound.error();
  Result<std::shared_ptr<ContextLaunchState>> launch = state->launch(*bound);
  return launch ? Result<PendingLaunch>(PendingLaunch(*launch)) : launch.error();
}

Status Context::write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data) {
  return state ? state->write(buffer, offset, data) : Status(movedFrom());
}

Status Context::read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data) {
  return state ? state->read(buffer, offset, data) : Status(movedFrom());
}

Status Context::copy(const Buffer &from, std::uint64_t fromOffset, const Buffer &to, std::uint64_t toOffset,
                     std::uint64_t bytes) {
  return state ? state->copy(from, fromOffset, to, toOffset, bytes) : Status(movedFrom());
}

Status Context::writeConstants(const Module &module, unsigned bank, std::uint32_t offset,
                               std::span<const std::byte> data) {
  if (!state)
    return movedFrom();
  if (!module.state)
    return Error("cannot write constants of a module that was moved from");
  if (Status good = checkConstants(*module.state, bank, offset, data.size()); !good)
    return good;
  return state->writeConstants(module.state, bank, offset, data);
}

Status Context::release(std::uint32_t semaphore, std::uint64_t value) {
  return state ? state->add(SemaphoreRelease{semaphore, value}) : Status(movedFrom());
}

Status Context::acquire(std::uint32_t semaphore, std::uint64_t value) {
  return state ? state->add(SemaphoreAcquire{semaphore, value}) : Status(movedFrom());
}

Status Context::syncToken(std::uint32_t tileX, std::uint32_t tileY) { return map(tileX, tileY, true); }

Status Context::remap(std::uint32_t tileX, std::uint32_t tileY) { return map(tileX, tileY, false); }

Status Context::setPriority(int priority) {
  return state ? state->share({.priority = priority}) : Status(movedFrom());
}

Status Context::setSms(std::uint64_t sms) { return state ? state->share({.sms = sms}) : Status(movedFrom()); }

Status Context::map(std::uint32_t tileX, std::uint32_t tileY, bool drains) {
  if (!tileX != !tileY)
    return Error("a tile of " + std::to_string(tileX) + " x " + std::to_string(tileY) +
                 " CTAs is empty; 0, 0 takes the mapping away");
  return state ? state->add(SyncToken{TileMapping{tileX, tileY}, drains}) : Status(movedFrom());
}

bool Context::isIdle() const {
  return !state || state->machine->look([&] { return state->isDone(); });
}

Status Context::synchronize() {
  if (!state)
    return movedFrom();
  if (Status ran = state->runUntil([&] { return state->isDone(); }); !ran)
    return ran;
  return state->status();
}

Status Context::status() const {
  if (!state)
    return movedFrom();
  return state->checkOpen();
}

ContextCounts Context::counts() const {
  ContextCounts to;
  if (!state)
    return to;
  state->machine->look([&] {
    const leno::Context *context = state->context();
    if (!context)
      return;
    const leno::ContextCounts &from = context->counts();
    to.commands = from.commands;
    to.warpInstructions = from.instructions;
    to.runCycles = from.runCycles;
    to.blockedCycles = from.blockedCycles;
    to.smCycles = from.smCycles;
    to.switchCycles = from.switchCycles;
    to.saves = from.saves;
    to.restores = from.restores;
    to.drains = from.drains;
    to.savedBytes = from.savedBytes;
    to.restoredBytes = from.restoredBytes;
    to.pageFaults = from.pageFaults;
    to.slicesGained = from.slicesGained;
    to.slicesLost = from.slicesLost;
    MemoryChain::Counts l2 = context->memoryCounts().ports.all();
    to.l2Requests = l2.requests;
    to.l2Hits = l2.hits;
  });
  return to;
}

unsigned Context::sms() const {
  return state ? state->machine->look([&] { return state->context() ? state->context()->sms() : 0; }) : 0;
}

} // namespace leno::host
