#include "runtime/ContextReport.h"
#include "runtime/host/SharedState.h"

namespace leno::host {

//===--- The machine ----------------------------------------------------------===//

Status SharedState::checkOpen() const {
  if (isClosed)
    return Error("its device is gone");
  if (runner.load() == std::this_thread::get_id())
    return Error("the machine tells an event: from there its functions, contexts and buffers cannot be used");
  return {};
}

StopReason SharedState::run(u64 until, llvm::function_ref<bool()> enough) {
  StopReason reason;
  std::vector<ContextState::InUse> unused; // it goes when others can have the machine
  {
    Turn turn(*this);
    reason = device.runUntil(until, enough).reason;
    for (const std::weak_ptr<ContextState> &weak : contexts)
      if (std::shared_ptr<ContextState> context = weak.lock())
        if (std::optional<ContextState::InUse> its = context->takeUnused())
          unused.push_back(std::move(*its));
  }
  return reason;
}

std::string SharedState::waits() {
  return runtime::describeWaits(device, [](u32 number) { return std::to_string(number); });
}

void SharedState::close() {
  if (runner.load() == std::this_thread::get_id()) // from an event, where nothing can be ended
    return;
  std::vector<std::shared_ptr<ContextState>> left;
  for (const std::weak_ptr<ContextState> &weak : contexts)
    if (std::shared_ptr<ContextState> context = weak.lock())
      left.push_back(std::move(context));
  for (const std::shared_ptr<ContextState> &context : left)
    context->close();
  Turn turn(*this);
  device.onEvent = nullptr;
  isClosed = true;
}

//===--- The handle -----------------------------------------------------------===//

Result<SharedDevice> SharedDevice::create(std::span<const std::string> settings) {
  Result<MachineSettings> machine = machineOf(settings);
  return machine ? Result<SharedDevice>(SharedDevice(std::make_shared<SharedState>(*machine)))
                 : machine.error();
}

SharedDevice::SharedDevice(SharedDevice &&) noexcept = default;

SharedDevice &SharedDevice::operator=(SharedDevice &&other) noexcept {
  if (this != &other) {
    close();
    state = std::move(other.state);
  }
  return *this;
}

SharedDevice::~SharedDevice() { close(); }

void SharedDevice::close() {
  if (state)
    state->close();
  state.reset();
}

static Status checkOpen(const std::shared_ptr<SharedState> &state) {
  return state ? state->checkOpen() : Status(Error("the device was moved from"));
}

std::vector<Device::Setting> SharedDevice::settings() const {
  return state ? settingsOf(state->device.config()) : std::vector<Device::Setting>();
}

Result<Context> SharedDevice::createContext(ContextSettings settings) {
  if (Status open = checkOpen(state); !open)
    return open.error();
  SharedState::Turn turn(*state);
  llvm::Expected<leno::Context *> context = state->device.createContext(
      {std::move(settings.name), settings.priority, settings.sms, settings.watchdog});
  if (!context)
    return translate(context.takeError());
  auto mine = std::make_shared<ContextState>(state, **context);
  std::erase_if(state->contexts, [](const auto &weak) { return weak.expired(); });
  state->contexts.push_back(mine);
  return Context(mine);
}

std::uint64_t SharedDevice::cycle() const {
  return state ? state->look([&] { return state->device.cycle(); }) : 0;
}

Result<RunStop> SharedDevice::run(std::uint64_t cycles) {
  if (Status open = checkOpen(state); !open)
    return open.error();
  std::uint64_t until = cycle(), most = ~std::uint64_t(0);
  until = cycles > most - until ? most : until + cycles;
  switch (state->run(until, {})) {
  case StopReason::Finished:
    return RunStop::Idle;
  case StopReason::Stuck:
    return RunStop::Stuck;
  default:
    return RunStop::Cycle;
  }
}

Status SharedDevice::runUntilIdle() {
  if (Status open = checkOpen(state); !open)
    return open;
  if (state->run(~std::uint64_t(0), {}) != StopReason::Stuck)
    return {};
  return Error("the contexts wait for semaphores that nobody will release: " + waits());
}

Status SharedDevice::kill(Context &context, std::string_view why) {
  if (Status open = checkOpen(state); !open)
    return open;
  if (!context.mine || context.mine->shared() != state)
    return Error("cannot kill a context that was moved from, or is another device's");
  SharedState::Turn turn(*state);
  state->device.kill(context.mine->context(), std::string(why));
  return {};
}

Status SharedDevice::release(std::uint32_t semaphore, std::uint64_t value) {
  if (Status open = checkOpen(state); !open)
    return open;
  SharedState::Turn turn(*state);
  state->device.semaphores().release(semaphore, value);
  return {};
}

std::uint64_t SharedDevice::semaphore(std::uint32_t number) const {
  return state ? state->look([&] { return state->device.semaphores().value(number); }) : 0;
}

std::string SharedDevice::waits() const {
  return state ? state->look([&] { return state->waits(); }) : "";
}

Status SharedDevice::onEvent(std::function<void(const ContextEvent &)> function) {
  if (Status open = checkOpen(state); !open)
    return open;
  SharedState::Turn turn(*state);
  if (!function) {
    state->device.onEvent = nullptr;
    return {};
  }
  state->device.onEvent = [state = state.get(), function = std::move(function)](const DeviceEvent &event) {
    const leno::Machine &device = state->device;
    const leno::Context &context = *device.contexts()[event.context];
    FloatScope hosts(state->callers);
    function({event.cycle, runtime::nameOf(context), runtime::eventName(event.kind),
              runtime::eventText(event, device.contexts())});
  };
  return {};
}

} // namespace leno::host
