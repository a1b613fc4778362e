#include "runtime/host/Launcher.h"
#include "runtime/host/StreamState.h"

namespace leno::host {

//===--- The queue and its thread --------------------------------------------===//

void StreamState::start() {
  thread = std::thread([self = shared_from_this()] { self->work(); });
}

Result<std::shared_ptr<ContextState>> StreamState::openContext() const {
  std::lock_guard lock(mutex);
  if (failure)
    return *failure;
  if (!closed.empty())
    return Error(closed);
  return context;
}

Status StreamState::add(Command command) {
  std::lock_guard lock(mutex);
  if (failure)
    return *failure;
  if (!closed.empty())
    return Error(closed);
  queue.push_back({std::move(command), ContextState::Use(context)});
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
  std::shared_ptr<ContextState> last = std::move(context);
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

//===--- The stream ----------------------------------------------------------===//

static Error movedFrom() { return Error("the stream was moved from"); }

Result<Stream> Stream::create(DeviceMemory &where) {
  std::shared_ptr<ContextState> context = Launcher::stateOf(where);
  if (!context)
    return Error("cannot make a stream of a device or context that was moved from");
  auto state = std::make_shared<StreamState>(context);
  if (Status added = context->addStream(state); !added)
    return Error("cannot make a stream: " + added.error().message());
  state->start();
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

Result<PendingLaunch> Stream::launchWith(const Kernel &kernel, const LaunchConfig &config,
                                         std::span<const Argument> arguments) {
  if (!state)
    return movedFrom();
  Result<std::shared_ptr<ContextState>> context = state->openContext();
  if (!context)
    return context.error();
  Result<BoundLaunch> launch = Launcher(*context, kernel, config, arguments).bind();
  if (!launch)
    return state->fail(launch.error()).error();
  auto pending = std::make_shared<StreamLaunchState>();
  auto command = [launch = std::move(*launch), pending](const Error *failed) -> Status {
    if (failed) {
      pending->outcome.set(Error("kernel '" + launch.name() +
                                 "' did not run: its stream had failed before: " + failed->message()));
      return {};
    }
    Result<LaunchResult> result = launch.run([&](auto taken) { pending->taken.set(std::move(taken)); });
    Status status = !result        ? Status(result.error())
                    : result->trap ? Status(Error("kernel '" + launch.name() + "': " + result->trap->text))
                                   : Status();
    pending->outcome.set(std::move(result));
    return status;
  };
  if (Status added = state->add(std::move(command)); !added)
    return added.error();
  return PendingLaunch(pending);
}

/// What it needs to copy: the context, and the address there.
struct StreamState::Target {
  std::shared_ptr<ContextState> context;
  std::uint64_t address;
};

Result<StreamState::Target> StreamState::targetOf(const Buffer &buffer, const char *what,
                                                  std::uint64_t offset, std::uint64_t count) {
  Result<std::shared_ptr<ContextState>> its = openContext();
  if (!its)
    return its.error();
  Result<std::uint64_t> address = (*its)->addressOf(buffer, what, offset, count);
  if (!address)
    return fail(address.error()).error();
  return Target{*its, *address};
}

Status Stream::write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data) {
  if (!state)
    return movedFrom();
  auto target = state->targetOf(buffer, "write", offset, data.size());
  if (!target)
    return target.error();
  return state->add([target = *target, bytes = std::vector(data.begin(), data.end())](const Error *failed) {
    return failed ? Status() : target.context->writeNow(target.address, bytes);
  });
}

Status Stream::read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data) {
  if (!state)
    return movedFrom();
  auto target = state->targetOf(buffer, "read", offset, data.size());
  if (!target)
    return target.error();
  return state->add([target = *target, data](const Error *failed) {
    return failed ? Status() : target.context->readNow(target.address, data);
  });
}

Status Stream::writeConstants(const Module &module, unsigned bank, std::uint32_t offset,
                              std::span<const std::byte> data) {
  if (!state)
    return movedFrom();
  Result<std::shared_ptr<ContextState>> context = state->openContext();
  if (!context)
    return context.error();
  if (!module.state)
    return state->fail(Error("cannot write constants of a module that was moved from"));
  if (Status good = checkConstants(*module.state, bank, offset, data.size()); !good)
    return state->fail(good.error());
  return state->add([context = *context, module = module.state, bank, offset,
                     bytes = std::vector(data.begin(), data.end())](const Error *failed) {
    return failed ? Status() : context->writeConstantsNow(module, bank, offset, bytes);
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
