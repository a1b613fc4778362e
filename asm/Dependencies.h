//===- Dependencies.h - Rules for make: what an output is made from -------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leno {

/// The options of gcc's and clang's -M family. They have more than one letter behind one '-'.
struct DependencyOptions {
  bool only = false;                               ///< -M, -MM: the rule, and no output
  bool beside = false;                             ///< -MD, -MMD: beside the output
  bool phony = false;                              ///< -MP: a target without a rule for each included file
  std::string file;                                ///< -MF
  std::vector<std::string> targets, quotedTargets; ///< -MT, -MQ

  void addTo(CLI::App &app);
  /// The command line with these options as CLI11 reads them: -MD as --MD. The words live as long as this.
  std::vector<char *> translate(int argc, char **argv);
  bool wanted() const { return only || beside; }
  /// Where the rule goes when `output` is made from `input`.
  std::string destination(llvm::StringRef output, llvm::StringRef input) const;
  /// "out: in.s part.inc", with what make would take for its own quoted. The first input is the main file.
  std::string rule(llvm::StringRef output, llvm::ArrayRef<std::string> inputs) const;

private:
  std::vector<std::string> words;
};

} // namespace leno
