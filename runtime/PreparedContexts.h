// A context file made into a device that is about to run: what `--contexts` of leno-run and leno-dbg is.
#pragma once

#include "asm/Executable.h"
#include "emu/Machine.h"
#include "runtime/ContextFile.h"
#include "runtime/DataBuffer.h"
#include <map>
#include <memory>

namespace leno::runtime {

struct ContextOptions {
  std::string file;
  /// The machine is the default one, then `machineFile`, then the context file's own keys, then these.
  std::string machineFile;
  std::vector<std::string> machineSettings;
  AssembleOptions source = {}; ///< for the files that are source
};

/// Contexts at cycle 0, all their commands in their pushbuffers. Nothing is written before writeOutputs.
class PreparedContexts {
public:
  /// Reads the file and all that it names. All mistakes are found here, before anything runs, and are located
  /// in the file. `diagnostics` receives what the assembler has to say. `others` are the files that the tool
  /// reads and writes besides: no output may be one of them, or of those read here.
  static llvm::Expected<std::unique_ptr<PreparedContexts>>
  create(const ContextOptions &options, llvm::raw_ostream &diagnostics, RunFiles others = {});
  PreparedContexts(const PreparedContexts &) = delete;
  PreparedContexts &operator=(const PreparedContexts &) = delete;

  /// The device, its contexts in the file's order. A restart ends it and makes another.
  Machine &run() { return *device; }
  const MachineConfig &config() const { return machine; }
  const std::string &fileName() const { return file.name(); }
  /// What is read and written, `others` included.
  const RunFiles &files() const { return theFiles; }

  /// Launch number i of a context is the LaunchRecord of that number, once the front end has taken it.
  struct Launch {
    std::string file;
    const Executable *executable;
    const KernelInfo *kernel;
    LaunchSpec spec;
  };
  const std::vector<Launch> &launches(const Context &context) const { return parts[context.id()].launches; }
  /// Of the grid in progress, or of the one that ended last; null before the first.
  const Launch *current(const Context &context) const;
  /// As the file has it.
  std::string semaphoreName(u32 number) const { return semaphoreNames[number]; }
  /// Why a context has ended, with label and source line; more than one line.
  std::string describeEnd(const Context &context) const;
  /// Who waits for what; "" when nobody waits for a semaphore.
  std::string describeWaits() const;

  /// For observers: before a grid's first instruction, and after its end or trap. The number is the launch's.
  std::function<void(Context &, size_t launch, GridRun &)> onStart, onEnd;

  /// The state before the first cycle, whatever ran since.
  llvm::Error restart();

  /// Reads the output buffers of the contexts that have finished back and writes their files, all or none.
  /// For after all have come to their end. `report` goes to standard output behind what is printed there;
  /// when it cannot be written no file is.
  llvm::Error writeOutputs(std::function<llvm::Error(llvm::raw_ostream &)> report = nullptr) {
    return writeOutputs(nullptr, std::move(report));
  }
  /// The same, with what goes to `print:` on `printed` instead of standard output.
  llvm::Error writeOutputs(llvm::raw_ostream &printed) { return writeOutputs(&printed, nullptr); }
  struct OutputFile {
    DataName file;
    std::string what; ///< "f32[1024,4]"
    bool isWritten;   ///< its context has finished
  };
  std::vector<OutputFile> outputs() const;
  /// Has outputs that are not written: it has failed, or waits for ever.
  bool losesOutputs(const Context &context) const;

private:
  /// A file of a program, linked once.
  struct LinkedFile {
    std::string bytes;
    std::optional<Executable> executable;
  };
  /// A program in a context's memory.
  struct PlacedFile {
    const LinkedFile *linked;
    std::string name;
    std::optional<Program> program; ///< as placed: a fresh device gives the same addresses
  };
  struct BoundLaunch {
    const ContextFile::Launch *launch;
    size_t placed; ///< of the context's files
    const KernelInfo *kernel = nullptr;
    // Of each parameter:
    std::vector<const ContextFile::Launch::Argument *> arguments = {};
    std::vector<DataBuffer> own = {}; ///< those that name a buffer are scalars here
    std::vector<size_t> shared = {};  ///< the context's buffer, or NoBuffer
  };
  struct Part {
    explicit Part(const ContextFile::Context *context) : context(context) {}
    const ContextFile::Context *context;
    std::vector<PlacedFile> files;
    std::vector<DataBuffer> buffers;
    std::vector<BoundLaunch> bound;
    std::vector<Launch> launches;
  };
  static constexpr size_t NoBuffer = ~size_t(0);

  PreparedContexts(ContextFile file, const MachineConfig &machine)
      : file(std::move(file)), machine(machine) {}
  llvm::Expected<const LinkedFile *> link(const ContextFile::Launch &launch, llvm::raw_ostream &diagnostics);
  llvm::Error load(Part &part, llvm::raw_ostream &diagnostics);
  llvm::Error bind(Part &part, const ContextFile::Launch &launch, llvm::raw_ostream &diagnostics);
  llvm::Error checkBanks(const Part &part, const ContextFile::Launch &launch, const LinkedFile &added) const;
  llvm::Error checkConstants(const Part &part, const ContextFile::Constants &constants) const;
  llvm::Error checkOutputFiles();
  llvm::Error place(Part &part, Context &context);
  llvm::Error submit(Part &part, Context &context);
  u32 semaphoreNumber(const std::string &name);
  struct LabelledOutput {
    const DataBuffer *buffer;
    const Context *context; ///< null before there is a device
    std::string label;
    bool isWritten() const { return context && context->alive() && Machine::isDone(*context); }
  };
  std::vector<LabelledOutput> labelledOutputs() const;
  llvm::Error writeOutputs(llvm::raw_ostream *printed,
                           std::function<llvm::Error(llvm::raw_ostream &)> report);

  ContextFile file;
  MachineConfig machine;
  AssembleOptions assembling;
  RunFiles theFiles;
  const Engine *engine = nullptr;
  std::map<std::string, LinkedFile> linked; ///< by name
  std::vector<Part> parts;                  ///< by context
  std::vector<std::string> semaphoreNames;  ///< by number
  std::unique_ptr<Machine> device;
};

} // namespace leno::runtime
