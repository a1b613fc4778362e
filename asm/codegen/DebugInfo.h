//===- DebugInfo.h - Variables' places, as our debugger knows them -------------===//
#pragma once

namespace llvm {
class Module;
}

namespace leno {

/// clang tells of variables as its own target's debuggers want it; `wanted`: somebody will read it.
void translateDebugInfo(llvm::Module &module, bool wanted);

} // namespace leno
