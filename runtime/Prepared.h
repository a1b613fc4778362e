// What leno-run runs and leno-dbg steps: a launch alone, as the command line has it, or the contexts of a
// file. Both are the same description (ContextFile.h); one code makes it into a machine that is about to run.
#pragma once

#include "asm/Executable.h"
#include "emu/launch/ParallelRun.h"
#include "runtime/ContextFile.h"
#include "runtime/DataBuffer.h"
#include "runtime/LaunchImage.h"
#include "runtime/LaunchOptions.h"
#include <deque>
#include <memory>

namespace leno::runtime {

/// Contexts at their beginning, all their commands in their pushbuffers, all buffers filled. A launch alone
/// is one context without a name: number 0. Nothing is written before writeOutputs.
class Prepared {
public:
  /// Reads all that the options name: LaunchOptions::contexts, or else LaunchOptions::file, which is assembly
  /// source, an object or an executable. All mistakes are found here, before anything runs, and are located
  /// where a file says it; a malformed --arg is an ArgumentError. `diagnostics` receives what the assembler
  /// has to say. `others` are the files that the tool reads and writes besides: no output may be one of them,
  /// or of those read here.
  static llvm::Expected<std::unique_ptr<Prepared>>
  create(const LaunchOptions &options, llvm::raw_ostream &diagnostics, RunFiles others = {});
  /// All that it is made of, whatever becomes of the files it came from.
  struct Saved {
    LaunchOptions options;             ///< `file` and `contexts` are names for messages; every machine key
    std::string contexts;              ///< the text of the context file, where options.contexts names one
    std::vector<std::string> programs; ///< the executables' bytes, in the order in which launches name them
    std::vector<uint64_t> limits;      ///< maximumInstructions of each launch, context by context
    std::vector<Array> inputs;         ///< of the In and InOut buffers and arguments, context by context
    std::string image; ///< LaunchImage of a host program's launch, which has all of that; else empty
  };
  Saved save() const;
  /// As it was saved. It reads no files, and writes none.
  static llvm::Expected<std::unique_ptr<Prepared>> create(Saved saved);
  /// A launch of a host program, as a launch alone. It writes no files.
  static llvm::Expected<std::unique_ptr<Prepared>> create(std::shared_ptr<const LaunchImage> image);
  Prepared(const Prepared &) = delete;
  Prepared &operator=(const Prepared &) = delete;

  /// The machine has one launch only, from the command line; else what it runs has contexts and cycles.
  bool isAlone() const { return options().contexts.empty(); }
  /// What runs it. A restart ends it and makes another. Not with LaunchOptions::threads.
  Machine &run() { return *machine; }
  const Machine &run() const { return *machine; }
  /// Of a launch alone with LaunchOptions::threads; else null.
  ParallelRun *parallelRun() const { return parallel.get(); }
  const MachineConfig &config() const { return settings; }
  const LaunchOptions &options() const { return theOptions; }
  /// The file that says what runs: the program's of a launch alone, or that of the contexts.
  llvm::StringRef programName() const { return isAlone() ? options().file : options().contexts; }
  /// What is read and written, `others` included; nothing of what was saved.
  const RunFiles &files() const { return theFiles; }
  const RunFiles &otherFiles() const { return theOthers; }
  /// False when it was saved: what does not go to `print:` is left out.
  bool writesFiles() const { return !isSaved; }

  // Contexts have the numbers of Machine::contexts().
  size_t contextCount() const { return parts.size(); }
  Device &device(u32 context = 0) const { return alone ? *alone : machine->device(context); }
  struct Launch {
    std::string file; ///< of the program
    const Executable *executable;
    const KernelInfo *kernel;
    LaunchSpec spec;
    uint64_t globalBase; ///< where the program's own global data are in its context; 0: it has none
  };
  /// Number i is the LaunchRecord of that number, once the front end has taken it. They stay where they are.
  const std::vector<Launch> &launches(u32 context = 0) const { return parts[context].launches; }
  /// The one that trapped, else of the oldest grid in progress, or of the one that was taken last; null
  /// before the first. A launch alone is always in progress.
  const Launch *current(u32 context = 0) const;
  const Launch &launchOf(const GridRun &grid) const;
  /// As the file has it.
  std::string semaphoreName(u32 number) const { return semaphoreNames[number]; }

  /// For observers: before a grid's first instruction, and after its end or trap; with several contexts.
  std::function<void(u32 context, size_t launch, GridRun &)> onStart, onEnd;
  /// A launch's LaunchSpec::maxInstructions from the next restart() on; 0: no limit.
  void setMaximumInstructions(uint64_t most, u32 context = 0, size_t launch = 0);
  /// Fresh memory, constants and grids: the state before the first instruction, whatever ran since.
  llvm::Error restart();
  /// Several contexts, or a launch with LaunchOptions::threads: to the end, or about so long, or until soon
  /// after `*stop` is true: Finished, Trapped (alone), Stuck (several), or Budget when there is more to do.
  StopReason runFor(std::chrono::nanoseconds duration, const std::atomic<bool> *stop = nullptr);

  // How contexts fared.
  /// Of a context that has ended by one, or of a launch alone.
  const std::optional<Trap> &trap(u32 context = 0) const;
  /// A trap in words: kind, label and offset, source line, CTA, warp, lanes and what went wrong.
  std::string describe(const Trap &trap, u32 context = 0) const;
  /// Why a context has ended before its time, with label and source line; more than one line. Empty: it has
  /// not.
  std::string describeEnd(u32 context = 0) const;
  /// What came of the program of the context's host: replies that are not as expected, and what it waits for
  /// in vain, each with its line. Empty: nothing is wrong.
  std::string describeHost(u32 context = 0) const;
  /// Who waits for what; "" when nobody waits for a semaphore.
  std::string describeWaits() const;
  /// It has done all that it had to do.
  bool hasFinished(u32 context = 0) const;
  /// Has outputs that are not written: it has failed, or has not come to its end.
  bool losesOutputs(u32 context = 0) const;
  /// Warp instructions, of all contexts.
  u64 instructions() const;
  /// A warp that could run on, of the lowest CTA of the grid in progress; null when there is none.
  const Warp *someWarp(u32 context = 0) const;

  /// Asks for all buffers that began as zeroes, where they are and how large.
  void forZeroed(llvm::function_ref<void(u32 context, const DataBuffer &, u64 bytes)> use) const;

  struct OutputFile {
    DataName file;
    std::string what; ///< "f32[1024,4]"
    bool isWritten;   ///< its context has finished
  };
  std::vector<OutputFile> outputs() const;
  struct OutputArray {
    DataName file;
    std::string name; ///< with several contexts "context.buffer", or "context.kernel.parameter"
    Array array;
  };
  /// What the output buffers of the contexts that have finished hold.
  llvm::Expected<std::vector<OutputArray>> outputArrays() const;
  /// Reads the output buffers of the contexts that have finished back and writes their files, all or none.
  /// For after all have come to their end, or were interrupted. `report` goes to standard output behind what
  /// is printed there; when it cannot be written no file is.
  llvm::Error writeOutputs(std::function<llvm::Error(llvm::raw_ostream &)> report = nullptr) {
    return writeOutputs(nullptr, std::move(report));
  }
  /// The same, with what goes to `print:` on `printed` instead of standard output.
  llvm::Error writeOutputs(llvm::raw_ostream &printed) { return writeOutputs(&printed, nullptr); }

private:
  /// A file of a program, linked once.
  struct LinkedFile {
    std::string name, bytes;
    std::shared_ptr<const Executable> executable;
  };
  /// A program in a context's memory.
  struct PlacedFile {
    const LinkedFile *linked;
    std::optional<Program> program; ///< as placed: a fresh device gives the same addresses
  };
  struct BoundLaunch {
    ContextFile::Launch *launch;
    size_t placed; ///< of the context's files
    // Of each parameter:
    std::vector<const ContextFile::Launch::Argument *> arguments;
    std::vector<DataBuffer> own; ///< those that name a buffer are scalars here
    std::vector<size_t> shared;  ///< the context's buffer, or NoBuffer
  };
  struct Part {
    explicit Part(ContextFile::Context *context) : context(context) {}
    ContextFile::Context *context;
    std::vector<PlacedFile> files;
    std::vector<DataBuffer> buffers;
    std::vector<BoundLaunch> bound;
    std::vector<Launch> launches; ///< of each that is bound
  };
  struct LabelledOutput {
    const DataBuffer *buffer;
    u32 context;
    std::string label;
  };
  static constexpr size_t NoBuffer = ~size_t(0);
  /// Where the bytes of an executable come from, and the data that a buffer starts with.
  using Link = llvm::function_ref<llvm::Expected<std::string>(const std::string &file)>;
  using Read = llvm::function_ref<llvm::Error(DataBuffer &)>;

  explicit Prepared(const LaunchOptions &options) : theOptions(options) {}
  static llvm::Expected<std::unique_ptr<Prepared>> readDescription(const LaunchOptions &options,
                                                                   const std::string *contexts);
  llvm::Error prepare(Link link, Read read);
  llvm::Expected<const LinkedFile *> linked(const ContextFile::Launch &launch, Link link);
  llvm::Error loadPrograms(Part &part, Link link);
  llvm::Error loadProgram(Part &part, ContextFile::Launch &launch, Link link);
  llvm::Error checkBanks(const Part &part, const ContextFile::Launch &launch, const LinkedFile &added) const;
  llvm::Error checkConstants(const Part &part, const ContextFile::Constants &constants) const;
  llvm::Error noteFiles();
  llvm::Error readData(Part &part, Read read);
  llvm::Error bind(Part &part, size_t number);
  llvm::Error place(Part &part, Device &device);
  llvm::Error placeImage(Part &part, Device &device);
  llvm::Error submit(Part &part, Context &context);
  llvm::Error placeBuffer(Part &part, size_t number, Device &device);
  llvm::Error startHost(const Part &part, const Context &context);
  u32 semaphoreNumber(const std::string &name);
  std::vector<LabelledOutput> labelledOutputs() const;
  llvm::Error writeOutputs(llvm::raw_ostream *printed,
                           std::function<llvm::Error(llvm::raw_ostream &)> report);

  LaunchOptions theOptions;
  ContextFile file;
  MachineConfig settings;
  RunFiles theFiles, theOthers;
  bool isSaved = false;
  std::shared_ptr<const LaunchImage> image; ///< null: it is no host program's
  const Engine *engine = nullptr;
  std::deque<LinkedFile> programs;         ///< in the order in which launches name them
  std::vector<Part> parts;                 ///< by context
  std::vector<std::string> semaphoreNames; ///< by number
  std::unique_ptr<Device> alone;           ///< of a launch alone
  std::unique_ptr<Machine> machine;
  std::unique_ptr<ParallelRun> parallel; ///< instead of it
};

} // namespace leno::runtime
