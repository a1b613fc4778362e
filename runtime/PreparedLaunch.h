// A file and launch options made into everything a launch needs: what leno-run runs and leno-dbg steps.
#pragma once

#include "asm/Executable.h"
#include "emu/ParallelRun.h"
#include "runtime/DataFile.h"
#include "runtime/LaunchOptions.h"
#include <memory>

namespace leno::runtime {

/// A launch at its first instruction, with its buffers filled. Nothing is written before writeOutputs.
class PreparedLaunch {
public:
  /// Loads `file` (assembly source, an object or an executable), chooses the kernel, checks every --arg
  /// against its parameters, reads the inputs, and checks that the outputs can be written. All mistakes are
  /// found here, before anything runs. `diagnostics` receives what the assembler has to say. A malformed
  /// --arg is an ArgumentError.
  static llvm::Expected<std::unique_ptr<PreparedLaunch>>
  create(llvm::StringRef file, const LaunchOptions &options, llvm::raw_ostream &diagnostics);
  PreparedLaunch(const PreparedLaunch &) = delete;
  PreparedLaunch &operator=(const PreparedLaunch &) = delete;

  /// The grid. A restart ends it and makes another. With LaunchOptions::threads it is a parallelRun().
  GridRun &run() { return *grid; }
  ParallelRun &parallelRun() { return *parallelGrid; }
  const Executable &executable() const { return theExecutable; }
  const KernelInfo &kernel() const { return *theKernel; }
  Device &device() { return *theDevice; }
  const LaunchOptions &options() const { return theOptions; }

  /// Fresh memory, constants and grid: the state before the first instruction, whatever ran since.
  llvm::Error restart();

  /// Reads the output buffers back and writes their files, all or none. For after the grid has finished.
  llvm::Error writeOutputs();
  struct OutputFile {
    std::string path; ///< or "print:"
    std::string what; ///< "f32[1024,4]"
  };
  std::vector<OutputFile> outputs() const;

  /// A trap in words: kind, label and offset, source line, CTA, warp, lanes and what went wrong.
  std::string describe(const Trap &trap) const;

private:
  /// A parameter with its argument; a buffer keeps the bytes it starts with.
  struct Bound {
    ArgumentSpec spec;
    const KernelParam *param;
    Array initial; ///< In, InOut: the file's; Out: zeroes without bytes
    uint64_t address = 0;
  };

  PreparedLaunch(Executable executable, const LaunchOptions &options, MachineConfig machine)
      : theExecutable(std::move(executable)), theOptions(options), machine(machine) {}
  llvm::Error bind(std::vector<ArgumentSpec> specs);
  llvm::Error readInputs();
  llvm::Error checkOutputFiles() const;

  Executable theExecutable;
  LaunchOptions theOptions;
  MachineConfig machine;
  const KernelInfo *theKernel = nullptr;
  std::vector<Bound> arguments;
  const Engine *engine = nullptr;
  std::optional<Program> program; ///< as placed on the device
  std::unique_ptr<Device> theDevice;
  std::unique_ptr<GridRun> grid;
  std::unique_ptr<ParallelRun> parallelGrid;
};

} // namespace leno::runtime
