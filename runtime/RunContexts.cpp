#include "runtime/RunContexts.h"

#include "asm/support/AtomicFile.h"
#include "asm/support/Interrupts.h"
#include "asm/support/Tool.h"
#include "emu/observe/Statistics.h"
#include "runtime/ContextReport.h"
#include "runtime/StatisticsReport.h"
#include "runtime/TrapText.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include <map>

using llvm::Error;

namespace leno::runtime {
namespace {

constexpr int ExitInterrupted = 130;
/// How a run is cut changes nothing in it.
constexpr u64 CyclesOfAPiece = 20000;

class ContextsTool {
public:
  ContextsTool(const char *name, const RunContextsOptions &options) : name(name), options(options) {}
  int main();

private:
  int fail(Error error) const { return leno::fail(name, std::move(error)); }
  llvm::raw_ostream &error() const { return llvm::WithColor::error(llvm::errs(), name, !useColours()); }
  Error checkStandardOutput() const;
  void count();
  void run();
  Error runTraced();
  int finish();
  bool tellFailures();
  Error report(llvm::raw_ostream &os) const;
  void printJson(llvm::raw_ostream &os) const;
  void printStatisticsOfLaunches(llvm::raw_ostream &os) const;
  FrontEnd::Contexts contexts() const { return prepared->run().contexts(); }

  const char *name;
  const RunContextsOptions &options;
  std::optional<Interrupts> interrupts; ///< while it runs
  const std::atomic<bool> &interrupted = Interrupts::flag();
  std::unique_ptr<PreparedContexts> prepared;
  std::map<std::pair<u32, size_t>, Statistics> statistics; ///< by context and launch
  StopReason stop = StopReason::Cycle;
};

/// Standard output holds one JSON text, or lines, never a mix.
Error ContextsTool::checkStandardOutput() const {
  const char *other = options.trace == "-" ? "--trace -" : options.statistics ? "--stats" : nullptr;
  for (const PreparedContexts::OutputFile &output : prepared->outputs())
    if (output.file.format == FileFormat::Print)
      other = "a print: output";
  if (!options.json || !other)
    return Error::success();
  return llvm::createStringError(std::string("--json and ") + other +
                                 " both want standard output; keep one of them, or name a file");
}

void ContextsTool::count() {
  prepared->onStart = [this](Context &context, size_t launch, GridRun &grid) {
    grid.addObserver(statistics[{context.id(), launch}]);
  };
}

void ContextsTool::run() {
  Machine &device = prepared->run();
  bool onTerminal = llvm::sys::Process::StandardErrIsDisplayed(), shown = false;
  u64 pieces = 0;
  do {
    stop = device.runUntil(device.cycle() + CyclesOfAPiece).reason;
    if (onTerminal && ++pieces % 64 == 0) {
      llvm::errs() << llvm::format("\r\x1b[Kcycle %llu", static_cast<unsigned long long>(device.cycle()));
      shown = true;
    }
  } while (stop == StopReason::Cycle && !interrupted && !llvm::outs().has_error());
  if (shown)
    llvm::errs() << "\r\x1b[K";
}

Error ContextsTool::runTraced() {
  auto traced = [&](llvm::raw_ostream &os) -> Error {
    prepared->run().onEvent = [&](const DeviceEvent &event) { os << eventText(event, contexts()) << '\n'; };
    run();
    prepared->run().onEvent = nullptr;
    return Error::success();
  };
  return options.trace == "-" ? traced(llvm::outs()) : writeFileAtomically(options.trace, traced);
}

int ContextsTool::main() {
  RunFiles others;
  if (!options.trace.empty())
    others.writes(options.trace);
  if (Error error =
          PreparedContexts::create(options.contexts, llvm::errs(), std::move(others)).moveInto(prepared))
    return fail(std::move(error));
  if (Error error = checkStandardOutput()) {
    fail(std::move(error));
    return ExitUsage;
  }
  if (options.statistics || options.json)
    count();
  interrupts.emplace();
  if (options.trace.empty())
    run();
  else if (Error error = runTraced())
    return fail(std::move(error));
  if (stop != StopReason::Cycle || interrupted)
    return finish();
  if (Error error = finishOutput()) // nobody reads the trace any more
    return fail(std::move(error));
  return ExitFailure;
}

/// False: all is well.
bool ContextsTool::tellFailures() {
  bool any = stop == StopReason::Stuck;
  for (const auto &context : contexts()) {
    if (context->alive())
      continue;
    any = true;
    error() << "context '" << context->name() << "': " << prepared->describeEnd(*context) << '\n';
  }
  if (stop == StopReason::Stuck)
    error() << "the contexts wait for semaphores that nobody will release: " << prepared->describeWaits()
            << '\n';
  for (const auto &context : contexts())
    if (prepared->losesOutputs(*context))
      llvm::errs() << "note: the outputs of context '" << context->name() << "' were not written\n";
  return any;
}

int ContextsTool::finish() {
  interrupts.reset(); // AtomicFile leaves nothing half-written
  auto report = [this](llvm::raw_ostream &os) { return this->report(os); };
  if (stop == StopReason::Cycle) {
    error() << "interrupted at cycle " << prepared->run().cycle()
            << (prepared->outputs().empty() ? "\n" : "; no output was written\n");
    if (Error error = report(llvm::outs()))
      return fail(std::move(error));
    return ExitInterrupted;
  }
  bool failed = tellFailures();
  // The files are there only when the report could be written too.
  if (Error error = prepared->writeOutputs(report))
    return fail(std::move(error));
  if (llvm::sys::Process::StandardErrIsDisplayed())
    for (const PreparedContexts::OutputFile &output : prepared->outputs())
      if (output.isWritten && output.file.format != FileFormat::Print)
        llvm::errs() << "wrote " << output.file.path << " (" << output.what << ")\n";
  return failed ? ExitFailure : ExitSuccess;
}

/// What standard output gets behind the data; `os` is it.
Error ContextsTool::report(llvm::raw_ostream &os) const {
  if (options.json) {
    printJson(os);
    return finishOutput();
  }
  os << "cycles " << prepared->run().cycle() << "\n\n";
  printContexts(os, contexts());
  os << '\n';
  printLaunches(os, contexts());
  if (options.statistics)
    printStatisticsOfLaunches(os);
  return finishOutput();
}

void ContextsTool::printStatisticsOfLaunches(llvm::raw_ostream &os) const {
  for (const auto &[place, counts] : statistics) {
    const Context &context = *contexts()[place.first];
    const PreparedContexts::Launch &launch = prepared->launches(context)[place.second];
    os << "\ncontext " << context.name() << ", launch " << place.second << ", " << launch.kernel->name
       << '\n';
    printStatistics(os, counts, *launch.executable);
  }
}

void ContextsTool::printJson(llvm::raw_ostream &os) const {
  llvm::json::OStream json(os, 2);
  auto writeOne = [&](const Context &context) {
    writeContext(json, context);
    if (!context.alive())
      json.attribute("why", context.whyEnded());
    if (const PreparedContexts::Launch *launch = prepared->current(context); launch && context.trap())
      json.attributeObject("trap", [&] { writeTrap(json, *launch->executable, *context.trap()); });
    json.attributeArray("launches", [&] {
      for (size_t i = 0; i < context.launches().size(); ++i)
        json.object([&] {
          writeLaunch(json, context.launches()[i]);
          if (auto counted = statistics.find({context.id(), i}); counted != statistics.end())
            json.attributeObject("statistics", [&] {
              writeStatistics(json, counted->second, *prepared->launches(context)[i].executable);
            });
        });
    });
  };
  json.object([&] {
    json.attribute("cycles", prepared->run().cycle());
    bool good = stop == StopReason::Finished;
    for (const auto &context : contexts())
      good &= context->alive();
    json.attribute("status", good                        ? "finished"
                             : stop == StopReason::Stuck ? "stuck"
                             : stop == StopReason::Cycle ? "interrupted"
                                                         : "failed");
    if (stop == StopReason::Stuck)
      json.attribute("waits", prepared->describeWaits());
    json.attributeArray("contexts", [&] {
      for (const auto &context : contexts())
        json.object([&] { writeOne(*context); });
    });
  });
  os << '\n';
}

} // namespace

int runContexts(const char *tool, const RunContextsOptions &options) {
  return ContextsTool(tool, options).main();
}

} // namespace leno::runtime
