// The launch options that leno-run and leno-dbg share.
#pragma once

#include "asm/Assembler.h"
#include "runtime/ArgumentSpec.h"
#include "runtime/MachineConfig.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leno::runtime {

struct Dimensions {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
  friend bool operator==(const Dimensions &, const Dimensions &) = default;
};

/// CTAs of a grid: their linear number stays a positive 32-bit integer (CHOICE).
inline constexpr uint64_t MostCtas = (uint64_t(1) << 31) - 1;
/// Threads of a CTA: what the largest sm.warps holds. Each machine has a limit of its own.
inline constexpr uint64_t MostThreads = 64 * 32;

struct LaunchOptions {
  std::string file;       ///< the program of a launch alone, for which the launch's own options are,
  std::string contexts;   ///< or the file of several contexts
  AssembleOptions source; ///< for files that are source
  std::string kernel;     ///< empty: the only one of the file
  Dimensions grid, block;
  std::vector<std::string> arguments; ///< the values of --arg, unread
  std::string machineFile;
  std::vector<std::string> machineSettings; ///< the values of --set, unread
  /// Host threads, 0: as many as are good (emu/launch/ParallelRun.h). None: the grid shall run step by step,
  /// as a debugger has it.
  std::optional<unsigned> threads;
  uint64_t maximumInstructions = DefaultMaximumInstructions; ///< warp instructions; 0: no limit

  /// The watchdog's default (CHOICE): half a minute or so of one host core, far above any example.
  static constexpr uint64_t DefaultMaximumInstructions = 4'000'000'000;
};

/// Adds the options to a tool, those of source with them. Values out of range are CLI11's usage errors (exit
/// status 2). `--machine ?` prints the table of keys on standard output and ends the parse with CLI::Success.
void addLaunchOptions(CLI::App &app, LaunchOptions &options);

/// Adds `--contexts FILE.yaml` to a tool with a positional FILE and launch options, which it excludes but for
/// those of the machine; one of FILE and --contexts there must be.
void addContextsOption(CLI::App &app, std::string &file);

/// "X[,Y[,Z]]" in any radix, each 1..`most`, all together at most `mostTogether`. Errors name the mistake.
llvm::Expected<Dimensions> parseDimensions(llvm::StringRef text, uint64_t most, uint64_t mostTogether);

/// The machine of these options: the defaults, then --machine, then what `between` sets, then each --set in
/// turn. Also checks that a CTA of `block` fits the warps of an SM (Architecture.md 9: a CTA runs on one SM).
llvm::Expected<MachineConfig> resolveMachine(
    const LaunchOptions &options, llvm::function_ref<llvm::Error(MachineConfig &)> between =
                                      [](MachineConfig &) { return llvm::Error::success(); });

/// The values of --arg in their order. Errors are ArgumentErrors.
llvm::Expected<std::vector<ArgumentSpec>> parseArguments(const LaunchOptions &options);

} // namespace leno::runtime
