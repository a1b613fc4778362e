//===- JoinsMutation.h - Joins made wrong, to see that it is found ------------===//
#pragma once

#include "llvm/CodeGen/MachineFunction.h"

namespace llvm {

/// `-leno-mutate-joins=N`, an option for tests: the N-th way to make joins wrong, counted over the program's
/// functions. What JoinsVerifier finds is then told, and nothing is compiled again.
class JoinsMutation {
public:
  JoinsMutation();
  bool isWanted() const { return wanted >= 0; }
  void apply(MachineFunction &function);
  /// An error where the program has fewer.
  void finish(LLVMContext &context);

private:
  int wanted, count = 0;
};

} // namespace llvm
