#include "runtime/host/Launcher.h"
#include "runtime/host/StreamState.h"

namespace leno::host {

//===--- The queue and its thread --------------------------------------------===//

void StreamState::start() {
  thread = std::thread([self = shared_from_this()] { self->work(); });
}

Result<std::shared_ptr<DeviceState>> StreamState::openDevice() const {
  std::lock_guard lock(mutex);
  if (failure)
    return *failure;
  if (!closed.empty())
    return Error(closed);
  return device;
}

Status StreamState::add(Command command) {
  std::lock_guard lock(mutex);
  if (failure)
    return *failure;
  if (!closed.empty())
    return Error(closed);
  queue.push_back({std::move(command), DeviceState::Use(device)});
  changed.notify_all();
  return {};
}

Status StreamState::fail(Error error) {
  std::lock_guard lock(mutex);
  if (!failure)
    failure = std::move(error);
  return *failure;
}

bool StreamState::isIdle() const {
  std::lock_guard lock(mutex);
  return queue.empty() && !isBusy;
}

Status StreamState::synchronize() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return queue.empty() && !isBusy; });
  return status();
}

Status StreamState::reset() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return queue.empty() && !isBusy; });
  Status was = status();
  failure.reset();
  return was;
}

void StreamState::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return !queue.empty() || !closed.empty(); });
    if (queue.empty())
      break;
    isBusy = true;
    std::optional<Entry> entry(std::move(queue.front()));
    queue.pop_front();
    std::optional<Error> failed = failure;
    lock.unlock();
    Status status = entry->command(failed ? &*failed : nullptr);
    entry.reset(); // what was freed meanwhile is given back before anybody hears that the stream is idle
    lock.lock();
    if (!status && !failure)
      failure = status.error();
    isBusy = false;
    changed.notify_all();
  }
  std::shared_ptr<DeviceState> last = std::move(device);
  lock.unlock();
  last.reset();
  lock.lock();
  hasEnded = true;
  changed.notify_all();
}

void StreamState::close(const std::string &why) {
  std::unique_lock lock(mutex);
  if (closed.empty())
    closed = why;
  changed.notify_all();
  std::thread mine = std::move(thread);
  if (mine.get_id() == std::this_thread::get_id()) { // one of its own commands lets go of the stream
    mine.detach();
    return;
  }
  changed.wait(lock, [&] { return hasEnded; });
  lock.unlock();
  if (mine.joinable())
    mine.join();
}

//===--- Events and launches under way ---------------------------------------===//

Event::Event() : state(std::make_shared<EventState>()) {}

bool Event::isDone() const {
  Place place = state->place();
  return !place || place->isThere();
}

Status Event::synchronize() const {
  Place place = state->place();
  return place ? place->wait() : Status();
}

Result<LaunchResult> PendingLaunch::wait() const { return state->wait(); }

//===--- The stream ----------------------------------------------------------===//

static Error movedFrom() { return Error("the stream was moved from"); }

Result<Stream> Stream::create(Device &device) {
  std::shared_ptr<DeviceState> owner = Launcher::stateOf(device);
  if (!owner)
    return Error("cannot make a stream of a device that was moved from");
  auto state = std::make_shared<StreamState>(owner);
  state->start();
  std::lock_guard lock(owner->streamsMutex);
  std::erase_if(owner->streams, [](const auto &stream) { return stream.expired(); });
  owner->streams.push_back(state);
  return Stream(state);
}

Stream::Stream(Stream &&) noexcept = default;

Stream &Stream::operator=(Stream &&other) noexcept {
  if (this != &other) {
    if (state)
      state->close("the stream is gone");
    state = std::move(other.state);
  }
  return *this;
}

Stream::~Stream() {
  if (state)
    state->close("the stream is gone");
}

Status Stream::fail(Error error) { return state ? state->fail(std::move(error)) : Status(movedFrom()); }

/// The error, or that a buffer does not belong to the stream's device.
static Status sameDevice(const Result<std::shared_ptr<DeviceState>> &owner,
                         const std::shared_ptr<DeviceState> &device, const Buffer &buffer) {
  if (!owner)
    return owner.error();
  if (*owner != device)
    return Error("the buffer '" + buffer.name() + "' belongs to another device than the stream");
  return {};
}

Result<PendingLaunch> Stream::launchWith(const Kernel &kernel, const LaunchConfig &config,
                                         std::span<const Argument> arguments) {
  if (!state)
    return movedFrom();
  Result<std::shared_ptr<DeviceState>> device = state->openDevice();
  if (!device)
    return device.error();
  Result<BoundLaunch> launch = Launcher(*device, kernel, config, arguments).bind();
  if (!launch)
    return state->fail(launch.error()).error();
  auto pending = std::make_shared<PendingState>();
  auto command = [launch = std::move(*launch), pending](const Error *failed) -> Status {
    if (failed) {
      pending->set(Error("kernel '" + launch.name() +
                         "' did not run: its stream had failed before: " + failed->message()));
      return {};
    }
    Result<LaunchResult> result = launch.run();
    Status status = !result        ? Status(result.error())
                    : result->trap ? Status(Error("kernel '" + launch.name() + "': " + result->trap->text))
                                   : Status();
    pending->set(std::move(result));
    return status;
  };
  if (Status added = state->add(std::move(command)); !added)
    return added.error();
  return PendingLaunch(pending);
}

Status Stream::write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data) {
  if (!state)
    return movedFrom();
  Result<std::shared_ptr<DeviceState>> device = state->openDevice();
  if (!device)
    return device.error();
  if (Status good = sameDevice(buffer.check("write", offset, data.size()), *device, buffer); !good)
    return state->fail(good.error());
  auto *from = reinterpret_cast<const uint8_t *>(data.data());
  return state->add([device = device->get(), address = buffer.address() + offset,
                     bytes = std::vector<uint8_t>(from, from + data.size())](const Error *failed) -> Status {
    if (failed)
      return {};
    Gate::Alone alone(device->gate);
    llvm::Error error = device->machine.memory().write(address, bytes);
    return error ? Status(translate(std::move(error))) : Status();
  });
}

Status Stream::read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data) {
  if (!state)
    return movedFrom();
  Result<std::shared_ptr<DeviceState>> device = state->openDevice();
  if (!device)
    return device.error();
  if (Status good = sameDevice(buffer.check("read", offset, data.size()), *device, buffer); !good)
    return state->fail(good.error());
  llvm::MutableArrayRef<uint8_t> to(reinterpret_cast<uint8_t *>(data.data()), data.size());
  return state->add(
      [device = device->get(), address = buffer.address() + offset, to](const Error *failed) -> Status {
        if (failed)
          return {};
        Gate::Alone alone(device->gate);
        llvm::Error error = device->machine.memory().read(address, to);
        return error ? Status(translate(std::move(error))) : Status();
      });
}

Status Stream::writeConstants(const Module &module, unsigned bank, std::uint32_t offset,
                              std::span<const std::byte> data) {
  if (!state)
    return movedFrom();
  Result<std::shared_ptr<DeviceState>> device = state->openDevice();
  if (!device)
    return device.error();
  if (!module.state)
    return state->fail(Error("cannot write constants of a module that was moved from"));
  if (Status good = checkConstants(*module.state, bank, offset, data.size()); !good)
    return state->fail(good.error());
  auto *from = reinterpret_cast<const uint8_t *>(data.data());
  return state->add([device = device->get(), module = module.state, bank, offset,
                     bytes = std::vector<uint8_t>(from, from + data.size())](const Error *failed) -> Status {
    if (failed)
      return {};
    Gate::Alone alone(device->gate);
    if (llvm::Expected<const Program *> program = device->load(module); !program)
      return translate(program.takeError());
    llvm::Error error = device->machine.constants().write(bank, offset, bytes);
    return error ? Status(translate(std::move(error))) : Status();
  });
}

Status Stream::record(Event &event) {
  if (!state)
    return movedFrom();
  auto place = std::make_shared<Outcome<Status>>();
  Status added = state->add([place](const Error *failed) -> Status {
    place->set(failed ? Status(*failed) : Status());
    return {};
  });
  if (!added)
    place->set(added);
  event.state->move(std::move(place));
  return added;
}

Status Stream::wait(const Event &event) {
  if (!state)
    return movedFrom();
  Place place = event.state->place();
  return state->add([place](const Error *failed) -> Status {
    if (failed || !place)
      return {};
    if (const Status &status = place->wait(); !status)
      return Error("an event that the stream waits for has failed: " + status.error().message());
    return {};
  });
}

Status Stream::call(std::function<void()> function) {
  if (!state)
    return movedFrom();
  return state->add([function = std::move(function)](const Error *failed) -> Status {
    if (!failed)
      function();
    return {};
  });
}

bool Stream::isIdle() const { return !state || state->isIdle(); }
Status Stream::synchronize() { return state ? state->synchronize() : Status(movedFrom()); }
Status Stream::reset() { return state ? state->reset() : Status(movedFrom()); }

} // namespace leno::host
