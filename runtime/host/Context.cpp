#include "runtime/ContextReport.h"
#include "runtime/host/Launcher.h"
#include "runtime/host/SharedState.h"

namespace leno::host {

constexpr std::uint64_t Forever = ~std::uint64_t(0);

//===--- What stands behind it ------------------------------------------------===//

ContextState::ContextState(std::shared_ptr<SharedState> machine, leno::Context &context)
    : machine(std::move(machine)), own(&context), label(runtime::nameOf(context)),
      device(std::make_shared<DeviceState>(context.device(), label, this->machine)) {}

Status ContextState::status() const {
  return machine->look([&] { // another host thread may run the machine
    return own->alive() ? Status()
                        : Status(Error("context '" + label +
                                       "' has ended: " + (trapText.empty() ? own->whyEnded() : trapText)));
  });
}

Status ContextState::checkOpen() const {
  if (Status open = machine->checkOpen(); !open)
    return Error("context '" + label + "': " + open.error().message());
  return status();
}

bool ContextState::isDone() const { return leno::Machine::isDone(*own); }

std::optional<ContextState::InUse> ContextState::takeUnused() {
  return isDone() ? std::exchange(inUse, std::nullopt) : std::nullopt;
}

Status ContextState::submit(Command command, std::shared_ptr<const ModuleState> module) {
  if (!inUse)
    inUse = InUse{DeviceState::Use(device), {}};
  if (module && !llvm::is_contained(inUse->modules, module))
    inUse->modules.push_back(std::move(module));
  llvm::Error error = machine->device.submit(*own, std::move(command));
  return error ? Status(translate(std::move(error))) : Status();
}

Status ContextState::add(Command command) {
  if (Status open = checkOpen(); !open)
    return open;
  SharedState::Turn turn(*machine);
  return submit(std::move(command), nullptr);
}

Result<std::uint64_t> ContextState::addressOf(const Buffer &buffer, const char *what, std::uint64_t offset,
                                              std::uint64_t count) const {
  if (Status open = checkOpen(); !open)
    return open.error();
  Result<std::shared_ptr<DeviceState>> owner = buffer.check(what, offset, count);
  if (!owner)
    return owner.error();
  if (*owner != device)
    return Error("the buffer '" + buffer.name() + "' belongs to " + (*owner)->otherName() +
                 ", not to context '" + label + "'");
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

Status ContextState::writeConstants(const Module &module, unsigned bank, std::uint32_t offset,
                                    std::span<const std::byte> data) {
  if (Status open = checkOpen(); !open)
    return open;
  if (!module.state)
    return Error("cannot write constants of a module that was moved from");
  if (Status good = checkConstants(*module.state, bank, offset, data.size()); !good)
    return good;
  SharedState::Turn turn(*machine);
  if (llvm::Expected<const Program *> program = device->load(module.state); !program)
    return translate(program.takeError());
  auto *from = reinterpret_cast<const uint8_t *>(data.data());
  return submit(ConstantUpdate{bank, offset, std::vector<uint8_t>(from, from + data.size())}, module.state);
}

Result<std::shared_ptr<ContextLaunchState>>
ContextState::launch(const Kernel &kernel, const LaunchConfig &config, std::span<const Argument> arguments) {
  if (Status open = checkOpen(); !open)
    return open.error();
  Result<BoundLaunch> launch = Launcher(device, kernel, config, arguments).bind();
  if (!launch)
    return launch.error();
  if (config.threads > 1 || !config.channels.empty())
    return launch->fail(config.channels.empty()
                            ? "a context's kernels run on one thread, cycle by cycle; leave "
                              "LaunchConfig::threads out"
                            : "message channels are served on a Device of their own; leave "
                              "LaunchConfig::channels out, and copy in the context's stream");
  SharedState::Turn turn(*machine);
  llvm::Expected<const Program *> program = device->load(launch->module);
  if (!program)
    return launch->fail(llvm::toString(program.takeError()));
  auto pending = std::make_shared<ContextLaunchState>(shared_from_this(), launches, launch->name());
  Launch command{*program, launch->spec, {}, {}};
  if (launch->counts)
    command.started = [pending](GridRun &grid) { grid.addObserver(pending->counts); };
  command.ended = [pending, launch = *launch](GridRun &grid) {
    pending->result = launch.resultOf(grid, pending->counts);
    if (const std::optional<TrapInfo> &trap = pending->result->trap)
      pending->context->noteTrap("kernel '" + launch.name() + "': " + trap->text);
  };
  if (Status added = submit(std::move(command), launch->module); !added)
    return launch->fail(added.error().message());
  ++launches;
  return pending;
}

Status ContextState::runUntil(llvm::function_ref<bool()> enough) {
  if (Status open = machine->checkOpen(); !open)
    return Error("context '" + label + "': " + open.error().message());
  if (machine->run(Forever, enough) != StopReason::Stuck)
    return {};
  SharedState::Turn turn(*machine);
  if (enough()) // it has done its part, and others wait
    return {};
  return Error("context '" + label +
               "' cannot go on; semaphores that nobody will release: " + machine->waits());
}

void ContextState::close() {
  if (!machine->checkOpen()) // or from an event, where nothing can be ended
    return;
  std::optional<InUse> unused; // it goes when others can have the machine
  SharedState::Turn turn(*machine);
  device->isClosed = true;
  machine->device.retire(*own);
  unused = takeUnused();
}

//===--- A launch -------------------------------------------------------------===//

bool ContextLaunch::isDone() const {
  return state->context->shared()->look([&] { return state->isDone(); });
}

Result<LaunchResult> ContextLaunch::wait() const {
  Status ran = isDone() ? Status() : state->context->runUntil([&] { return state->isDone(); });
  if (state->result)
    return *state->result;
  std::string why = "kernel '" + state->kernel + "' did not run: ";
  if (!ran)
    return Error(why + ran.error().message());
  return Error(why + state->context->status().error().message());
}

LaunchCycles ContextLaunch::cycles() const {
  return state->context->shared()->look([&] {
    const std::vector<LaunchRecord> &records = state->context->context().launches();
    if (state->number >= records.size())
      return LaunchCycles();
    const LaunchRecord &record = records[state->number];
    return LaunchCycles{record.decoded, record.started, record.ended};
  });
}

//===--- The handle -----------------------------------------------------------===//

Context::Context(std::shared_ptr<ContextState> state)
    : DeviceMemory(state->memory()), mine(std::move(state)) {}

Context::Context(Context &&) noexcept = default;

Context &Context::operator=(Context &&other) noexcept {
  if (this != &other) {
    close();
    DeviceMemory::operator=(std::move(other));
    mine = std::move(other.mine);
  }
  return *this;
}

Context::~Context() { close(); }

void Context::close() {
  if (mine)
    mine->close();
  state.reset();
  mine.reset();
}

static Error movedFrom() { return Error("the context was moved from"); }

const std::string &Context::name() const {
  static const std::string none;
  return mine ? mine->name() : none;
}

Result<Buffer> Context::allocateOnDemand(std::uint64_t bytes, std::string_view name) {
  return allocateIn(bytes, name, /*onDemand=*/true);
}

Result<ContextLaunch> Context::launchWith(const Kernel &kernel, const LaunchConfig &config,
                                          std::span<const Argument> arguments) {
  if (!mine)
    return movedFrom();
  Result<std::shared_ptr<ContextLaunchState>> launch = mine->launch(kernel, config, arguments);
  return launch ? Result<ContextLaunch>(ContextLaunch(*launch)) : launch.error();
}

Status Context::write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data) {
  return mine ? mine->write(buffer, offset, data) : Status(movedFrom());
}

Status Context::read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data) {
  return mine ? mine->read(buffer, offset, data) : Status(movedFrom());
}

Status Context::copy(const Buffer &from, std::uint64_t fromOffset, const Buffer &to, std::uint64_t toOffset,
                     std::uint64_t bytes) {
  return mine ? mine->copy(from, fromOffset, to, toOffset, bytes) : Status(movedFrom());
}

Status Context::writeConstants(const Module &module, unsigned bank, std::uint32_t offset,
                               std::span<const std::byte> data) {
  return mine ? mine->writeConstants(module, bank, offset, data) : Status(movedFrom());
}

Status Context::release(std::uint32_t semaphore, std::uint64_t value) {
  return mine ? mine->add(SemaphoreRelease{semaphore, value}) : Status(movedFrom());
}

Status Context::acquire(std::uint32_t semaphore, std::uint64_t value) {
  return mine ? mine->add(SemaphoreAcquire{semaphore, value}) : Status(movedFrom());
}

Status Context::syncToken(std::uint32_t tileX, std::uint32_t tileY) {
  if (!tileX != !tileY)
    return Error("a tile of " + std::to_string(tileX) + " x " + std::to_string(tileY) +
                 " CTAs is empty; 0, 0 takes the mapping away");
  return mine ? mine->add(SyncToken{TileMapping{tileX, tileY}}) : Status(movedFrom());
}

bool Context::isIdle() const {
  return !mine || mine->shared()->look([&] { return mine->isDone(); });
}

Status Context::synchronize() {
  if (!mine)
    return movedFrom();
  if (Status ran = mine->runUntil([&] { return mine->isDone(); }); !ran)
    return ran;
  return mine->status();
}

Status Context::status() const {
  if (!mine)
    return movedFrom();
  return mine->checkOpen();
}

ContextCounts Context::counts() const {
  if (!mine)
    return {};
  leno::ContextCounts from = mine->shared()->look([&] { return mine->context().counts(); });
  ContextCounts to;
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
  MemoryChain::Counts l2 = mine->shared()->look([&] { return mine->context().memoryCounts().ports.all(); });
  to.l2Requests = l2.requests;
  to.l2Hits = l2.hits;
  return to;
}

unsigned Context::sms() const {
  return mine ? mine->shared()->look([&] { return mine->context().sms(); }) : 0;
}

} // namespace leno::host
