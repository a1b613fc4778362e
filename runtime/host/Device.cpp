#include "runtime/MachineConfig.h"
#include "runtime/host/State.h"

#include "leno/Device.h"

namespace leno::host {

Result<Device> Device::create(std::span<const std::string> settings) {
  MachineConfig config;
  for (const std::string &setting : settings)
    if (llvm::Error error = runtime::setMachineKey(config, setting))
      return translate(std::move(error));
  llvm::Expected<const Engine *> engine = chooseEngine();
  if (!engine)
    return translate(engine.takeError());
  return Device(std::make_shared<DeviceState>(config, **engine));
}

Device::Device(Device &&) noexcept = default;
Device &Device::operator=(Device &&) noexcept = default;
Device::~Device() = default;

std::vector<Device::Setting> Device::settings() const {
  std::vector<Setting> rows;
  if (!state)
    return rows;
  MachineConfig config = state->machine.config();
  for (const runtime::MachineKey &key : runtime::machineKeys())
    rows.push_back({key.name, key.field(config), key.unit, key.doc});
  return rows;
}

Result<Buffer> Device::allocate(std::uint64_t bytes, std::string_view name) {
  if (!state)
    return Error("cannot allocate '" + std::string(name) + "': the device was moved from");
  llvm::Expected<uint64_t> address = state->machine.memory().allocate(bytes, name);
  if (!address)
    return translate(address.takeError());
  return Buffer(state, std::string(name), *address, bytes);
}

Error Device::tooLarge(std::uint64_t count, std::uint64_t elementBytes, std::string_view name) {
  return Error("no room for the " + std::to_string(count) + " elements of " + std::to_string(elementBytes) +
               " bytes of '" + std::string(name) + "': their size passes 64 bits");
}

std::uint64_t Device::bytesAllocated() const { return state ? state->machine.memory().bytesAllocated() : 0; }

} // namespace leno::host
