// What stands behind the host API's handles. Included before the API's headers, whose leno::Device and the
// machine's own would else be one ambiguous name: here the machine's is leno::Device, the API's host::Device.
#pragma once

#include "asm/Executable.h"
#include "emu/Device.h"
#include "emu/Program.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>

namespace leno::host {

class ModuleState {
public:
  ModuleState(Executable executable, Program program)
      : executable(std::move(executable)), program(std::move(program)) {}
  Executable executable;
  Program program;
};

class DeviceState {
public:
  DeviceState(const MachineConfig &config, const Engine &engine) : machine(config, engine) {}
  /// The program of a module on this device: places its data the first time. What modules that are gone have
  /// left is released first.
  llvm::Expected<const Program *> load(const std::shared_ptr<const ModuleState> &module);
  leno::Device machine;

private:
  struct Loaded {
    std::weak_ptr<const ModuleState> module;
    uint64_t globalBase = 0;
    std::optional<Program> program; ///< none: the module's own, which depends on no address
  };
  void unloadGone();
  std::map<const ModuleState *, Loaded> loaded;
  std::array<const ModuleState *, ConstantBanks::count> bankOwners{};
};

} // namespace leno::host

#include "leno/Result.h"

namespace leno::host {

inline Error translate(llvm::Error error) { return Error(llvm::toString(std::move(error))); }

} // namespace leno::host
