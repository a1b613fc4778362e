//===- LenoTargetMachine.h - LLVM's view of the machine ----------------------===//
#pragma once

#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"

#include <memory>

namespace llvm {

/// Address spaces and sizes as clang's target amdgcn has them, with 32 bits as the only native width of
/// integers, so that loop counters stay as narrow as they are.
constexpr const char *lenoDataLayout =
    "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-i64:64-n32-S128-A5-G1";

/// A module flag: bytes of local memory for calls whose depth is not known.
constexpr StringLiteral lenoStack = "leno.stack";

std::unique_ptr<TargetMachine> createLenoTargetMachine(CodeGenOptLevel level, bool debugInfo);

} // namespace llvm
