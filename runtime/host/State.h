// What stands behind the host API's handles. Included before the API's headers, whose leno::Device and the
// machine's own would else be one ambiguous name: here the machine's is leno::Device, the API's host::Device.
#pragma once

#include "asm/Executable.h"
#include "emu/Device.h"
#include "emu/Program.h"
#include "llvm/Support/Error.h"

namespace leno::host {

class DeviceState {
public:
  DeviceState(const MachineConfig &config, const Engine &engine) : machine(config, engine) {}
  leno::Device machine;
};

class ModuleState {
public:
  ModuleState(Executable executable, Program program)
      : executable(std::move(executable)), program(std::move(program)) {}
  Executable executable;
  Program program;
};

} // namespace leno::host

#include "leno/Result.h"

namespace leno::host {

inline Error translate(llvm::Error error) { return Error(llvm::toString(std::move(error))); }

} // namespace leno::host
