//===- Checks.h - The checkers there are ----------------------------------===//
// A row for each (Checks.cpp): whoever writes another one adds its row.
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/checks/Check.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace leno::checks {

struct CheckRow {
  const char *name;
  const char *summary; ///< one line
  std::unique_ptr<Check> (*make)();
};
llvm::ArrayRef<CheckRow> checkRows();

/// "memory,race": the rows of these names, each once, in the table's order; "all" are all. The error names
/// those there are.
llvm::Expected<std::vector<const CheckRow *>> checksNamed(llvm::StringRef names);
/// "init, memory, race, sync"
std::string checkNames();

} // namespace leno::checks
