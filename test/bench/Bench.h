//===- Bench.h - What leno-bench's experiments share ----------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leno::bench {

struct Panel; // Chart.h

/// A result as people read it: aligned columns, numbers to the right.
class Table {
public:
  explicit Table(std::vector<std::string> header) { rows.push_back(std::move(header)); }
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  void print(llvm::raw_ostream &os) const;

private:
  std::vector<std::vector<std::string>> rows;
};

/// "0.00" style text of a number.
std::string fixed(double value, int digits);
/// The host's processor, as it calls itself.
std::string hostName();
/// Seconds of a steady clock.
double now();
/// Seconds of processor time of this process: what others do on the host does not count.
double processorTime();

/// The options --json FILE and, where there is a chart, --plot FILE.
void addResultFiles(CLI::App &command, std::string &json, std::string *plot);
/// Each does nothing when its path is empty; "-" is standard output.
llvm::Error writeJson(llvm::StringRef path, llvm::json::Value figures);
llvm::Error writeChart(llvm::StringRef path, const std::string &title,
                       llvm::function_ref<std::vector<Panel>()> panels);

/// `leno-bench speed`: adds its subcommand; `run` is called when it was chosen.
struct SpeedOptions {
  double seconds = 0.5;             ///< at least this long for each measurement
  std::vector<std::string> kernels; ///< empty: all
  std::string engine;               ///< empty: every engine of this host
  unsigned threads = 0;             ///< 0: all the host's cores
  bool quick = false, peers = false, costs = false, checks = false, scale = false;
  std::string beside;     ///< a leno-bench of another build
  std::string model;      ///< `times`: of the machine, switched on
  std::string json, plot; ///< files; json: - for standard output
};
void addSpeed(CLI::App &app, SpeedOptions &options);
llvm::Error runSpeed(const SpeedOptions &options);
/// What it runs again as a process of its own, for its --peers.
llvm::Error runOpenCl(const SpeedOptions &options);
/// `times`, not shown: what --beside and --costs run again, of this build and another.
void addTimes(CLI::App &app, SpeedOptions &options);
llvm::Error runTimes(const SpeedOptions &options);

/// `leno-bench constants`.
struct ConstantsOptions {
  unsigned sms = 16, launches = 200, ctas = 4, words = 8;
  std::string json, plot; ///< files; json: - for standard output
};
void addConstants(CLI::App &app, ConstantsOptions &options);
llvm::Error runConstants(const ConstantsOptions &options);

/// `leno-bench contexts`.
struct ContextsOptions {
  unsigned sms = 4;
  bool quick = false;
  std::string json, plot; ///< files; json: - for standard output
};
void addContexts(CLI::App &app, ContextsOptions &options);
llvm::Error runContexts(const ContextsOptions &options);

/// `leno-bench messages`.
struct MessagesOptions {
  unsigned T = 250, K = 16, slots = 8;
  bool load = false;
  std::string json, plot; ///< files; json: - for standard output
};
void addMessages(CLI::App &app, MessagesOptions &options);
llvm::Error runMessages(const MessagesOptions &options);

/// `leno-bench threads`.
struct ThreadsOptions {
  unsigned most = 1, ctas = 512, runs = 3;
  unsigned turns = 20'000;
  std::string json, plot; ///< files; json: - for standard output
};
void addThreads(CLI::App &app, ThreadsOptions &options);
llvm::Error runThreads(const ThreadsOptions &options);

/// `leno-bench stack-cache`.
struct StackCacheOptions {
  std::vector<std::string> kernels; ///< empty: all
  unsigned warps = 8;
  bool quick = false, speed = false;
  double seconds = 2;
  std::string save;       ///< a folder for the kernels, instead of measuring
  std::string json, plot; ///< files; json: - for standard output
};
void addStackCache(CLI::App &app, StackCacheOptions &options);
llvm::Error runStackCache(const StackCacheOptions &options);

/// `leno-bench assemble`.
struct AssembleBenchOptions {
  unsigned instructions = 200'000;
  unsigned runs = 5;
  std::string json; ///< file, or - for standard output
};
void addAssemble(CLI::App &app, AssembleBenchOptions &options);
llvm::Error runAssemble(const AssembleBenchOptions &options);

/// `leno-bench debugger`.
struct DebuggerOptions {
  uint64_t turns = 10'000'000, conditions = 1'000'000, back = 1'000'000;
};
void addDebugger(CLI::App &app, DebuggerOptions &options);
llvm::Error runDebugger(const DebuggerOptions &options);

} // namespace leno::bench
