// A file and launch options made into everything a launch needs: what leno-run runs and leno-dbg steps.
#pragma once

#include "asm/Executable.h"
#include "emu/launch/ParallelRun.h"
#include "runtime/DataBuffer.h"
#include "runtime/LaunchOptions.h"
#include <memory>

namespace leno::runtime {

/// A launch at its first instruction, with its buffers filled. Nothing is written before writeOutputs.
class PreparedLaunch {
public:
  /// Loads `file` (assembly source, an object or an executable), chooses the kernel, checks every --arg
  /// against its parameters, reads the inputs, and checks that the outputs can be written. All mistakes are
  /// found here, before anything runs. `diagnostics` receives what the assembler has to say. A malformed
  /// --arg is an ArgumentError. `others` are the files that the tool reads and writes besides: no output may
  /// be one of them, or of those read here.
  static llvm::Expected<std::unique_ptr<PreparedLaunch>> create(llvm::StringRef file,
                                                                const LaunchOptions &options,
                                                                llvm::raw_ostream &diagnostics,
                                                                RunFiles others = {});
  /// All that a launch is made of, whatever becomes of the files it came from.
  struct Saved {
    std::string name;    ///< of the file the program came from, for messages
    std::string program; ///< the executable's bytes
    LaunchOptions options;
    std::vector<Array> inputs; ///< of the In and InOut arguments, in their order
  };
  Saved save() const;
  /// A launch as it was saved. It reads no files, and writes none.
  static llvm::Expected<std::unique_ptr<PreparedLaunch>> create(Saved saved);
  PreparedLaunch(const PreparedLaunch &) = delete;
  PreparedLaunch &operator=(const PreparedLaunch &) = delete;

  /// What runs it. A restart ends it and makes another. With LaunchOptions::threads it is a parallelRun().
  Machine &run() { return *alone; }
  ParallelRun &parallelRun() { return *parallelGrid; }
  const Executable &executable() const { return theExecutable; }
  const KernelInfo &kernel() const { return *theKernel; }
  /// Where the program's own global data are; 0: it has none.
  uint64_t globalBase() const { return globalData; }
  Device &device() { return *theDevice; }
  const LaunchOptions &options() const { return theOptions; }
  /// Of the file that the program was loaded from.
  llvm::StringRef programName() const { return theName; }
  /// What it reads and writes, `others` included; nothing for a launch that was saved.
  const RunFiles &files() const { return theFiles; }
  const RunFiles &otherFiles() const { return theOthers; }
  /// False for a launch that was saved: what does not go to `print:` is left out.
  bool writesFiles() const { return !isSaved; }

  /// For the next restart().
  void setMaximumInstructions(uint64_t most) { theOptions.maximumInstructions = most; }
  /// Fresh memory, constants and grid: the state before the first instruction, whatever ran since.
  llvm::Error restart();

  /// Reads the output buffers back and writes their files, all or none. For after the grid has finished.
  /// `report` goes to standard output behind what is printed there; when it cannot be written no file is.
  llvm::Error writeOutputs(std::function<llvm::Error(llvm::raw_ostream &)> report = nullptr);
  /// The same, with what goes to `print:` on `printed` instead of standard output.
  llvm::Error writeOutputs(llvm::raw_ostream &printed);
  struct OutputFile {
    DataName file;
    std::string what; ///< "f32[1024,4]"
  };
  std::vector<OutputFile> outputs() const;

  /// A trap in words: kind, label and offset, source line, CTA, warp, lanes and what went wrong.
  std::string describe(const Trap &trap) const;

private:
  PreparedLaunch(Executable executable, const LaunchOptions &options, MachineConfig machine)
      : theExecutable(std::move(executable)), theOptions(options), machine(machine) {}
  static llvm::Expected<std::unique_ptr<PreparedLaunch>> load(Saved saved, std::vector<ArgumentSpec> specs);
  llvm::Error bind(std::vector<ArgumentSpec> specs);
  llvm::Error readInputs();
  llvm::Error checkOutputFiles() const;
  llvm::Error writeOutputs(llvm::raw_ostream *printed,
                           std::function<llvm::Error(llvm::raw_ostream &)> report);

  Executable theExecutable;
  std::string theName, programBytes;
  bool isSaved = false;
  RunFiles theFiles, theOthers;
  LaunchOptions theOptions;
  MachineConfig machine;
  const KernelInfo *theKernel = nullptr;
  std::vector<DataBuffer> arguments; ///< of each parameter
  const Engine *engine = nullptr;
  std::optional<Program> program; ///< as placed on the device
  uint64_t globalData = 0;
  std::unique_ptr<Device> theDevice;
  std::unique_ptr<Machine> alone;
  std::unique_ptr<ParallelRun> parallelGrid;
};

} // namespace leno::runtime
