#include "emu/program/Predecoder.h"
#include "runtime/LoadModule.h"
#include "runtime/MachineConfig.h"
#include "runtime/host/SharedState.h"
#include "runtime/host/StreamState.h"

#include "leno/Device.h"

namespace leno::host {

Result<MachineSettings> machineOf(std::span<const std::string> settings) {
  MachineSettings machine;
  for (const std::string &setting : settings)
    if (llvm::Error error = runtime::setMachineKey(machine.config, setting))
      return translate(std::move(error));
  if (llvm::Error error = machine.config.check()) // right each for itself, they may make no machine together
    return translate(std::move(error));
  if (llvm::Error error = chooseEngine().moveInto(machine.engine))
    return translate(std::move(error));
  return machine;
}

Result<Device> Device::create(std::span<const std::string> settings) {
  Result<MachineSettings> machine = machineOf(settings);
  return machine ? Result<Device>(Device(std::make_shared<DeviceState>(machine->config, *machine->engine)))
                 : machine.error();
}

void DeviceState::unloadGone() {
  for (auto it = loaded.begin(); it != loaded.end();) {
    if (!it->second.module.expired()) {
      ++it;
      continue;
    }
    if (it->second.globalBase)
      llvm::cantFail(machine.memory().release(it->second.globalBase), "a module's data are its own");
    for (unsigned bank = 0; bank < bankOwners.size(); ++bank)
      if (bankOwners[bank] == it->first) {
        machine.constants().clear(bank);
        bankOwners[bank] = nullptr;
      }
    it = loaded.erase(it);
  }
}

llvm::Expected<const Program *> DeviceState::load(const std::shared_ptr<const ModuleState> &module) {
  unloadGone();
  auto [it, isNew] = loaded.try_emplace(module.get());
  Loaded &entry = it->second;
  auto program = [&] { return entry.program ? &*entry.program : &module->program; };
  if (!isNew)
    return program();
  auto fail = [&](llvm::Error error) {
    loaded.erase(it);
    return error;
  };
  for (unsigned bank = 0; bank < bankOwners.size(); ++bank)
    if (!module->executable.constantBank(bank).empty() && bankOwners[bank])
      return fail(llvm::createStringError("constant bank " + llvm::Twine(bank) +
                                          " of the device holds the constants of another module that is "
                                          "still loaded; give this one another bank (.const)"));
  llvm::Expected<runtime::PlacedModule> placed = runtime::placeModule(module->executable, machine);
  if (!placed)
    return fail(placed.takeError());
  entry.module = module;
  entry.globalBase = placed->globalBase;
  for (unsigned bank = 0; bank < bankOwners.size(); ++bank)
    if (!module->executable.constantBank(bank).empty())
      bankOwners[bank] = module.get();
  if (module->executable.codeIsRelocated())
    entry.program = predecode(placed->code, machine.engine());
  return program();
}

//===--- Memory that is freed while it is used -----------------------------===//

DeviceState::Use::Use(std::shared_ptr<DeviceState> device) : device(std::move(device)) {
  std::lock_guard lock(this->device->usesMutex);
  number = ++this->device->lastUse;
  this->device->uses.insert(number);
}

DeviceState::Use &DeviceState::Use::operator=(Use &&other) noexcept {
  if (this != &other) {
    end();
    device = std::move(other.device);
    number = other.number;
  }
  return *this;
}

void DeviceState::Use::end() {
  if (device)
    device->endUse(number);
  device.reset();
}

void DeviceState::release(uint64_t address) {
  {
    std::lock_guard lock(usesMutex);
    if (!uses.empty()) {
      freed.emplace(lastUse, address);
      return;
    }
  }
  Gate::Alone alone(gate);
  if (!isClosed)
    llvm::cantFail(machine.memory().release(address), "a buffer's memory is its own");
}

void DeviceState::endUse(uint64_t number) {
  std::vector<uint64_t> addresses;
  {
    std::lock_guard lock(usesMutex);
    uses.erase(number);
    auto end = uses.empty() ? freed.end() : freed.lower_bound(*uses.begin());
    for (auto it = freed.begin(); it != end; it = freed.erase(it))
      addresses.push_back(it->second);
  }
  if (addresses.empty())
    return;
  Gate::Alone alone(gate);
  for (uint64_t address : isClosed ? std::vector<uint64_t>() : addresses)
    llvm::cantFail(machine.memory().release(address), "a buffer's memory is its own");
}

//===--- The handle ---------------------------------------------------------===//

DeviceState::DeviceState(leno::Device &view, std::string name, std::shared_ptr<SharedState> shared)
    : name(std::move(name)), shared(std::move(shared)), machine(view), gate(this->shared->gate) {}

Status DeviceState::checkOpen() const {
  if (isClosed)
    return Error("its context is gone");
  return shared ? shared->checkOpen() : Status();
}

Device::Device(Device &&) noexcept = default;

Device &Device::operator=(Device &&other) noexcept {
  if (this != &other) {
    close();
    state = std::move(other.state);
  }
  return *this;
}

Device::~Device() { close(); }

void Device::close() {
  if (!state)
    return;
  std::vector<std::weak_ptr<StreamState>> streams;
  {
    std::lock_guard lock(state->streamsMutex);
    streams.swap(state->streams);
  }
  for (const std::weak_ptr<StreamState> &weak : streams)
    if (std::shared_ptr<StreamState> stream = weak.lock())
      stream->close("the stream's device is gone");
  state.reset();
}

std::vector<Device::Setting> settingsOf(MachineConfig config) {
  std::vector<Device::Setting> rows;
  for (const MachineKey &key : machineKeys())
    rows.push_back({key.name, key.field(config), key.unit, key.doc});
  return rows;
}

std::vector<Device::Setting> Device::settings() const {
  return state ? settingsOf(state->machine.config()) : std::vector<Setting>();
}

Result<Buffer> DeviceMemory::allocate(std::uint64_t bytes, std::string_view name) {
  return allocateIn(bytes, name, /*onDemand=*/false);
}

Result<Buffer> DeviceMemory::allocateIn(std::uint64_t bytes, std::string_view name, bool onDemand) {
  auto fail = [&](const std::string &why) {
    return Error("cannot allocate '" + std::string(name) + "': " + why);
  };
  if (!state)
    return fail("the device was moved from");
  if (Status open = state->checkOpen(); !open)
    return fail(open.error().message());
  Gate::Alone alone(state->gate);
  AddressSpace &memory = state->machine.memory();
  llvm::Expected<uint64_t> address =
      onDemand ? memory.allocateOnDemand(bytes, name) : memory.allocate(bytes, name);
  if (!address)
    return translate(address.takeError());
  return Buffer(state, std::string(name), *address, bytes);
}

Error DeviceMemory::tooLarge(std::uint64_t count, std::uint64_t elementBytes, std::string_view name) {
  return Error("no room for the " + std::to_string(count) + " elements of " + std::to_string(elementBytes) +
               " bytes of '" + std::string(name) + "': their size passes 64 bits");
}

std::uint64_t DeviceMemory::bytesAllocated() const {
  if (!state || !state->checkOpen())
    return 0;
  Gate::Shared shared(state->gate);
  return state->machine.memory().bytesAllocated();
}

} // namespace leno::host
