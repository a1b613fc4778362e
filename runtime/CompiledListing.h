//===- CompiledListing.h - The machine code of a kernel, as text ----------===//
#pragma once
#include "asm/Executable.h"

namespace llvm {
class raw_ostream;
}

namespace leno::runtime {

/// What the compiled tier makes of a kernel on this host: the host's assembly below the instruction that it
/// is of, of the code for warps all of whose lanes are active and of the code for any; and which instructions
/// are left to the interpreter. Fails where there is no compiler.
llvm::Error printCompiled(const Executable &executable, const KernelInfo &kernel, llvm::raw_ostream &os);

} // namespace leno::runtime
