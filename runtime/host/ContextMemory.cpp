#include "emu/program/Predecoder.h"
#include "runtime/LoadModule.h"
#include "runtime/host/BoundLaunch.h"
#include "llvm/Support/FormatVariadic.h"

namespace leno::host {

Status ContextState::checkMemory() const {
  return isClosed ? Status(Error("its context is gone")) : machine->checkOpen();
}

Status ContextState::writeNow(std::uint64_t address, std::span<const std::byte> data) {
  Gate::Alone alone(machine->gate);
  auto *from = reinterpret_cast<const uint8_t *>(data.data());
  llvm::Error error = device.memory().write(address, {from, data.size()});
  return error ? Status(translate(std::move(error))) : Status();
}

Status ContextState::readNow(std::uint64_t address, std::span<std::byte> data) {
  Gate::Alone alone(machine->gate);
  auto *to = reinterpret_cast<uint8_t *>(data.data());
  llvm::Error error = device.memory().read(address, {to, data.size()});
  return error ? Status(translate(std::move(error))) : Status();
}

Status ContextState::writeConstantsNow(const std::shared_ptr<const ModuleState> &module, unsigned bank,
                                       std::uint32_t offset, std::span<const std::byte> data) {
  std::optional<MachineState::Alone> alone =
      isOwn() ? machine->beginAlone(/*mayNeverEnd=*/false) : std::nullopt;
  if (!alone)
    return writeConstants(module, bank, offset, data);
  Gate::Alone gate(machine->gate);
  if (llvm::Expected<const Program *> program = load(module); !program)
    return translate(program.takeError());
  auto *from = reinterpret_cast<const uint8_t *>(data.data());
  llvm::Error error = device.constants().write(bank, offset, {from, data.size()});
  return error ? Status(translate(std::move(error))) : Status();
}

//===--- Modules --------------------------------------------------------------===//

void ContextState::unloadGone() {
  for (auto it = loaded.begin(); it != loaded.end();) {
    if (!it->second.module.expired()) {
      ++it;
      continue;
    }
    if (it->second.globalBase)
      llvm::cantFail(device.memory().release(it->second.globalBase), "a module's data are its own");
    for (unsigned bank = 0; bank < bankOwners.size(); ++bank)
      if (bankOwners[bank] == it->first) {
        device.constants().clear(bank);
        bankOwners[bank] = nullptr;
      }
    it = loaded.erase(it);
  }
}

llvm::Expected<const Program *> ContextState::load(const std::shared_ptr<const ModuleState> &module) {
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
                                          " of the context holds the constants of another module that is "
                                          "still loaded; give this one another bank (.const)"));
  llvm::Expected<runtime::PlacedModule> placed = runtime::placeModule(module->executable, device);
  if (!placed)
    return fail(placed.takeError());
  entry.module = module;
  entry.globalBase = placed->globalBase;
  for (unsigned bank = 0; bank < bankOwners.size(); ++bank)
    if (!module->executable.constantBank(bank).empty())
      bankOwners[bank] = module.get();
  if (module->executable.codeIsRelocated())
    entry.program = predecode(placed->code, device.engine());
  return program();
}

//===--- Memory that is freed while it is used -----------------------------===//

ContextState::Use::Use(std::shared_ptr<ContextState> context) : context(std::move(context)) {
  std::lock_guard lock(this->context->usesMutex);
  number = ++this->context->lastUse;
  this->context->uses.insert(number);
}

ContextState::Use &ContextState::Use::operator=(Use &&other) noexcept {
  if (this != &other) {
    end();
    context = std::move(other.context);
    number = other.number;
  }
  return *this;
}

void ContextState::Use::end() {
  if (context)
    context->endUse(number);
  context.reset();
}

void ContextState::release(uint64_t address) {
  {
    std::lock_guard lock(usesMutex);
    if (!uses.empty()) {
      freed.emplace(lastUse, address);
      return;
    }
  }
  give(address);
}

void ContextState::give(llvm::ArrayRef<uint64_t> addresses) {
  if (addresses.empty())
    return;
  Gate::Alone alone(machine->gate);
  if (!isClosed)
    for (uint64_t address : addresses) {
      if (gone.size() == 100)
        gone.erase(gone.begin());
      gone.push_back(*device.memory().find(address));
      llvm::cantFail(device.memory().release(address), "a buffer's memory is its own");
    }
}

void ContextState::endUse(uint64_t number) {
  std::vector<uint64_t> addresses;
  {
    std::lock_guard lock(usesMutex);
    uses.erase(number);
    auto end = uses.empty() ? freed.end() : freed.lower_bound(*uses.begin());
    for (auto it = freed.begin(); it != end; it = freed.erase(it))
      addresses.push_back(it->second);
  }
  give(addresses);
}

void ContextState::tellLeaks() {
  auto rows = checksOfEnvironment();
  if (!rows || llvm::none_of(
                   *rows, [](const checks::CheckRow *row) { return llvm::StringRef(row->name) == "memory"; }))
    return;
  std::set<uint64_t> released; // while commands could use them
  {
    std::lock_guard lock(usesMutex);
    for (auto [use, address] : freed)
      released.insert(address);
  }
  for (const auto &[base, buffer] : device.memory().allocations())
    if (!released.count(base) &&
        llvm::none_of(loaded, [base = base](const auto &module) { return module.second.globalBase == base; }))
      llvm::errs() << llvm::formatv("memory: '{0}' ({1} bytes at {2:x}) was never released [leak]\n",
                                    buffer.name, buffer.window.size, base)
                          .str();
}

//===--- The handle's -----------------------------------------------------------===//

Result<Buffer> DeviceMemory::allocate(std::uint64_t bytes, std::string_view name) {
  return allocateIn(bytes, name, /*onDemand=*/false);
}

Result<Buffer> DeviceMemory::allocateOnDemand(std::uint64_t bytes, std::string_view name) {
  if (Status shared = state && state->checkMemory() ? state->machine->share() : Status(); !shared)
    return Error("cannot allocate '" + std::string(name) + "' on demand: " + shared.error().message());
  return allocateIn(bytes, name, /*onDemand=*/true);
}

Result<Buffer> DeviceMemory::allocateIn(std::uint64_t bytes, std::string_view name, bool onDemand) {
  auto fail = [&](const std::string &why) {
    return Error("cannot allocate '" + std::string(name) + "': " + why);
  };
  if (!state)
    return fail("its device or context was moved from");
  if (Status open = state->checkMemory(); !open)
    return fail(open.error().message());
  Gate::Alone alone(state->machine->gate);
  AddressSpace &memory = state->device.memory();
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

Status DeviceMemory::readAt(std::uint64_t address, std::span<std::byte> data) const {
  if (!state)
    return Error("cannot read from a device or context that was moved from");
  if (Status status = state->checkMemory(); !status)
    return status;
  return state->readNow(address, data);
}

std::uint64_t DeviceMemory::bytesAllocated() const {
  if (!state || !state->checkMemory())
    return 0;
  Gate::Shared shared(state->machine->gate);
  return state->device.memory().bytesAllocated();
}

} // namespace leno::host
