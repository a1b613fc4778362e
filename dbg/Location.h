//===- Location.h - Places in code, as users write them -------------------===//
#pragma once

#include "asm/Executable.h"
#include "dbg/LaneContext.h"
#include <optional>
#include <string>
#include <vector>

namespace leno::dbg {

/// What a location can name: a program's labels and lines, and where the focused warp stands.
class ProgramNames {
public:
  virtual ~ProgramNames() = default;
  virtual std::optional<u64> symbol(llvm::StringRef name) const = 0;
  virtual std::vector<std::string> symbols() const = 0;
  virtual std::vector<u64> addressesOf(llvm::StringRef file, unsigned line) const = 0;
  virtual std::vector<std::string> files() const = 0;
  virtual u64 codeBytes() const = 0;
  /// The source line of the focused warp's pc, or of the kernel's entry.
  virtual std::optional<SourceLine> hereLine() const = 0;
  /// The focused warp's pc.
  virtual std::optional<u64> here() const = 0;
};

struct Location {
  std::vector<u64> addresses; ///< byte addresses, ascending, at least one
  std::string text;           ///< as it was written
  unsigned line = 0;          ///< when a line was named: the one that has the instructions
};

/// Reads all of `text`: `label`, `label+0x10`, `file:12`, `12` (in the current file), `*expression`, or
/// nothing (the focused warp's pc). A line without instructions stands for the next one that has some. Errors
/// are TextErrors.
llvm::Expected<Location> parseLocation(llvm::StringRef text, const ProgramNames &names,
                                       const LaneContext &context);

} // namespace leno::dbg
