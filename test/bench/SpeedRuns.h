//===- SpeedRuns.h - One speed kernel on the emulator, and its peers ------===//
#pragma once

#include "test/bench/Bench.h"
#include "test/bench/SpeedKernels.h"

#include "asm/Executable.h"
#include "emu/MachineConfig.h"
#include "emu/launch/ParallelRun.h"
#include "emu/program/Predecoder.h"

#include <memory>
#include <optional>

namespace leno::bench {

struct SpeedRun {
  double seconds = 0; ///< of the processor, for the launches alone
  double wallSeconds = 0;
  double busiestSeconds = 0; ///< of the processor, for the thread that had most to do
  u64 instructions = 0;
  double rate() const { return double(instructions) / seconds; }
};

/// How many times sooner several threads end than one does; `host`: what they gain in plain C++, by turns
/// with the kernel.
struct Speedup {
  double byClock = 0, byBusiest = 0, host = 0;
};

/// A kernel's work of one size, what must come of it, and the program for each engine.
class LoadedSpeedKernel {
public:
  static llvm::Expected<std::unique_ptr<LoadedSpeedKernel>> create(const SpeedKernel &kernel, u32 size);

  /// From new buffers on a new device; fails when the result is wrong. Observers watch every launch. On
  /// several threads the seconds are those of the clock on the wall.
  llvm::Expected<SpeedRun> run(const Engine &engine, const MachineConfig &config = {},
                               llvm::ArrayRef<Observer *> observers = {}, unsigned threads = 1);
  /// The best of three runs and more, until `seconds` have passed: noise only ever slows.
  llvm::Expected<SpeedRun> best(const Engine &engine, double seconds, const MachineConfig &config = {});
  /// How many times longer than on a plain machine the launches take, the median of runs by turns; at least
  /// three.
  llvm::Expected<double> slowdown(const Engine &engine, const MachineConfig &config,
                                  llvm::ArrayRef<Observer *> observers, double seconds);
  /// The launches on so many host threads, medians of runs by turns.
  llvm::Expected<Speedup> speedup(const Engine &engine, unsigned threads, double seconds);
  /// Plain C++ on one core, the best of three runs and more.
  double nativeSeconds(double seconds) const;

  const SpeedKernel &kernel() const { return theKernel; }
  const SpeedWork &work() const { return theWork; }
  const Words &expected() const { return result; }
  llvm::ArrayRef<uint64_t> code() const { return executable.code(); }
  /// Seconds from text to a grid that can run.
  double startup() const { return startupSeconds; }

private:
  LoadedSpeedKernel(const SpeedKernel &kernel, u32 size, Executable executable);
  const Program &program(const Engine &engine);
  llvm::Error launch(Device &device, const Program &code, const LaunchSpec &spec,
                     llvm::ArrayRef<Observer *> observers, unsigned threads, SpeedRun &sum);

  const SpeedKernel &theKernel;
  u32 size;
  Executable executable;
  SpeedWork theWork;
  Words result;
  double startupSeconds = 0;
  std::vector<std::pair<const Engine *, std::unique_ptr<Program>>> programs;
};

double medianOf(std::vector<double> values);

/// The most memory that this process has had at once, since the last call, in bytes.
u64 peakMemory();

/// An OpenCL implementation, by running leno-bench again under it.
struct SpeedPeer {
  std::string name;   ///< as it calls itself
  bool found = false; ///< else `name` says what to install
  /// By kernel; one that it could not run or got wrong has none.
  std::vector<std::pair<std::string, double>> seconds;
  std::optional<double> secondsOf(const std::string &kernel) const;
};
/// This program.
std::string ownPath();
/// Runs `command`, found on the path, and parses what it writes.
llvm::Expected<llvm::json::Value> runForJson(std::vector<std::string> command);
/// The build next to this one whose emulator nobody can watch (LENO_UNOBSERVED); empty: there is none.
std::string unobservedBuild();
/// Each kernel's time of the time that `other`, a leno-bench of another build, takes: medians of runs by
/// turns.
llvm::Expected<std::vector<std::pair<std::string, double>>> timesBeside(const std::string &other,
                                                                        const SpeedOptions &options);
std::vector<SpeedPeer> measurePeers(double seconds, bool quick);
/// What `measurePeers` runs: the eight kernels through the OpenCL of this process, as JSON on standard
/// output.
llvm::Error runOpenCl(double seconds, bool quick);

} // namespace leno::bench
