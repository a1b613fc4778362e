// What stands behind a Module. Included before the API's headers, whose leno::Device and the machine's own
// would else be one ambiguous name: here the machine's is leno::Device, the API's host::Device.
#pragma once

#include "asm/Executable.h"
#include "emu/program/Program.h"

#include "leno/Result.h"
#include "llvm/Support/Error.h"

namespace leno::host {

class ModuleState {
public:
  ModuleState(std::string name, std::string bytes, Executable executable, Program program)
      : name(std::move(name)), bytes(std::move(bytes)), executable(std::move(executable)),
        program(std::move(program)) {}
  std::string name, bytes; ///< of the file
  Executable executable;
  Program program;
};

/// Why the bytes are not constants of the module; a success when they are.
Status checkConstants(const ModuleState &module, unsigned bank, std::uint32_t offset, std::uint64_t count);

inline Error translate(llvm::Error error) { return Error(llvm::toString(std::move(error))); }

} // namespace leno::host
