//===- ControlFlow.h - Control flow that LenoJoins can join -------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class FunctionPass;
class TargetMachine;
} // namespace llvm

namespace leno {

/// An attribute of functions: that their joins are right was not proven.
constexpr llvm::StringLiteral unproven = "leno-unproven";
/// An attribute of functions: compile them with structured control flow.
constexpr llvm::StringLiteral structured = "leno-structured";

/// Functions with the attribute `structured` get one end, ways out of endless loops, one way out of each loop,
/// and no branch but around a region and back to a loop's head: there lanes meet behind each. It costs
/// instructions, so that only those get it whose joins are not proven otherwise. Behind FixIrreducible.
llvm::FunctionPass *createStructured(llvm::TargetMachine &machine);

/// Before FixIrreducible: circles with several ways in get a block on each.
llvm::FunctionPass *createWaysIn();

/// Metadata of a phi: which way a lane has left a loop tells its value, so that it may differ from lane to lane.
/// LLVM 22's uniformity analysis misses it where one way parts lanes and another does not.
constexpr llvm::StringLiteral toldByWayOut = "leno.way-out";

/// One way out for loops that have several. Where the ways lead to one place, they are one already. Marks
/// what the way tells.
llvm::FunctionPass *createOneWayOut();

} // namespace leno
