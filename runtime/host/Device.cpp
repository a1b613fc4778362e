#include "emu/Predecoder.h"
#include "runtime/LoadModule.h"
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
