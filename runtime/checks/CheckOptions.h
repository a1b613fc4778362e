//===- CheckOptions.h - What a run shall be checked for --------------------===//
#pragma once
#include "runtime/checks/Checks.h"
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leno::checks {

struct CheckOptions {
  std::vector<const CheckRow *> checks; ///< empty: none
  std::string json, sarif;              ///< files; empty: none
  std::vector<std::string> suppressions;
  std::string newSuppressions; ///< a file to write; empty: none
  bool unwritten = false;      ///< init: zeroed buffers are what nobody has written
  int status = 3;              ///< the exit status when something was found
  u64 most = 100;              ///< findings that are told in words; 0: all
  u64 memory = u64(1) << 30;   ///< shadow memory of each check, in bytes
};

/// Adds --check and those that need it to a tool.
void addCheckOptions(CLI::App &app, CheckOptions &options);

} // namespace leno::checks
