#include "runtime/MachineConfig.h"
#include "runtime/host/PendingState.h"

namespace leno::host {

Result<Device> Device::create(std::span<const std::string> settings) {
  Result<MachineSettings> machine = machineOf(settings);
  if (!machine)
    return machine.error();
  auto state = std::make_shared<MachineState>(*machine);
  auto own = std::make_shared<ContextState>(state, "main", nullptr);
  state->contexts.push_back(own);
  return Device(std::move(state), std::move(own));
}

Device::Device(std::shared_ptr<MachineState> machine, std::shared_ptr<ContextState> context)
    : DeviceMemory(context), machine(std::move(machine)), own(std::move(context)) {}

Device::Device(Device &&) noexcept = default;

Device &Device::operator=(Device &&other) noexcept {
  if (this != &other) {
    close();
    DeviceMemory::operator=(std::move(other));
    machine = std::move(other.machine);
    own = std::move(other.own);
  }
  return *this;
}

Device::~Device() { close(); }

void Device::close() {
  if (machine)
    machine->close();
  machine.reset();
}

static Status checkOpen(const std::shared_ptr<MachineState> &machine) {
  return machine ? machine->checkOpen() : Status(Error("the device was moved from"));
}

std::vector<Device::Setting> Device::settings() const {
  std::vector<Device::Setting> rows;
  if (!machine)
    return rows;
  MachineConfig config = machine->machine.config();
  for (const MachineKey &key : machineKeys())
    rows.push_back({key.name, key.field(config), key.unit, key.doc});
  return rows;
}

Result<Context> Device::createContext(ContextSettings settings) {
  if (Status open = checkOpen(machine); !open)
    return open.error();
  if (Status shared = machine->share(); !shared)
    return shared.error();
  MachineState::Turn turn(*machine);
  llvm::Expected<leno::Context *> context = machine->machine.createContext(
      {std::move(settings.name), settings.priority, settings.sms, settings.watchdog, settings.stackDepth});
  if (!context)
    return translate(context.takeError());
  auto its = std::make_shared<ContextState>(machine, runtime::nameOf(**context), *context);
  std::erase_if(machine->contexts, [](const auto &weak) { return weak.expired(); });
  machine->contexts.push_back(its);
  return Context(its);
}

std::uint64_t Device::cycle() const {
  return machine ? machine->look([&] { return machine->machine.cycle(); }) : 0;
}

Result<RunStop> Device::run(std::uint64_t cycles) {
  if (Status open = checkOpen(machine); !open)
    return open.error();
  std::uint64_t until = cycle(), most = ~std::uint64_t(0);
  until = cycles > most - until ? most : until + cycles;
  switch (machine->run(until)) {
  case StopReason::Finished:
    return RunStop::Idle;
  case StopReason::Stuck:
    return RunStop::Stuck;
  default:
    return RunStop::Cycle;
  }
}

Status Device::runUntilIdle() {
  if (Status open = checkOpen(machine); !open)
    return open;
  StopReason reason = machine->run(~std::uint64_t(0));
  if (reason == StopReason::Budget)
    return Error("the host has interrupted the machine");
  if (reason != StopReason::Stuck)
    return {};
  return Error("the contexts wait for what will not come: " + waits());
}

Status Device::kill(Context &context, std::string_view why) {
  if (Status open = checkOpen(machine); !open)
    return open;
  std::shared_ptr<ContextState> its = context.state;
  if (!its || its->machine != machine)
    return Error("cannot kill a context that was moved from, or is another device's");
  MachineState::Turn turn(*machine);
  if (!its->context())
    return Error("context '" + its->name + "' has had no command that could be killed");
  machine->machine.kill(*its->context(), std::string(why));
  machine->endServices();
  return {};
}

Status Device::release(std::uint32_t semaphore, std::uint64_t value) {
  if (Status open = checkOpen(machine); !open)
    return open;
  MachineState::Turn turn(*machine);
  machine->machine.semaphores().release(semaphore, value);
  return {};
}

std::uint64_t Device::semaphore(std::uint32_t number) const {
  return machine ? machine->look([&] { return machine->machine.semaphores().value(number); }) : 0;
}

std::string Device::waits() const {
  return machine ? machine->look([&] { return machine->waits(); }) : "";
}

Status Device::writeProfiles() {
  if (Status open = checkOpen(machine); !open)
    return open;
  if (llvm::Error error = machine->writeProfiles())
    return translate(std::move(error));
  return {};
}

Status Device::onEvent(std::function<void(const ContextEvent &)> function) {
  if (Status open = checkOpen(machine); !open)
    return open;
  MachineState::Turn turn(*machine);
  if (!function) {
    machine->machine.onEvent = nullptr;
    return {};
  }
  machine->machine.onEvent = [state = machine.get(),
                              function = std::move(function)](const DeviceEvent &event) {
    const leno::Machine &device = state->machine;
    const leno::Context &context = *device.contexts()[event.context];
    FloatScope hosts(state->callers);
    function({event.cycle, runtime::nameOf(context), runtime::eventName(event.kind),
              runtime::eventText(event, device.contexts())});
  };
  return {};
}

} // namespace leno::host
