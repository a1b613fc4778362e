// leno-run: launches a kernel and writes its results.
#include "asm/support/AtomicFile.h"
#include "asm/support/Interrupts.h"
#include "asm/support/ProgressLine.h"
#include "asm/support/Tool.h"
#include "emu/observe/Statistics.h"
#include "emu/sm/Cta.h"
#include "runtime/CountReport.h"
#include "runtime/PreparedLaunch.h"
#include "runtime/RunContexts.h"
#include "runtime/StatisticsReport.h"
#include "runtime/Trace.h"
#include "runtime/TrapText.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdlib>

using namespace leno;
using namespace leno::runtime;
using llvm::Error;

namespace {

constexpr const char *Name = "leno-run";
constexpr int ExitInterrupted = 130; // as shells have it: 128 + SIGINT
constexpr const char *Description = "Launches a kernel over data from files and writes its results. Exit "
                                    "status: 0 when the grid has ended and all\n"
                                    "outputs are written, 1 on a mistake in a file or a guest trap (then no "
                                    "output is written), 2 on bad usage,\n"
                                    "130 when interrupted; the trace, --stats and --json then tell what "
                                    "ran.";
constexpr const char *Examples =
    R"(  leno-run saxpy.s --grid 4 --block 256 --arg u32:1000 --arg f32:2.5 \
           --arg in:x.npy --arg inout:y.npy:z.npy
      z = 2.5 x + y; source is assembled and linked in memory
  leno-run iota.s --block 8 --arg 'out:u32[8]:print:'
      print: shows a buffer on standard output
  leno-run mandelbrot.s --grid 20,15 --block 32,8 --arg 'out:u8[120,640]:m.pgm' --stats
      writes an image, then counts what the machine did
  leno-run saxpy.s --block 256 --arg x=in:x.npy --arg y=inout:y.csv:- --arg n=256 --arg a=2.5 | ...
      by name, numbers of the parameter's type; '-' is standard input or output
  leno-run saxpy.s --trace trace.txt ...
      one line for each warp instruction: CTA, warp, PC, lanes, label, text
  leno-run --contexts two.yaml --set contexts.allocation=static --trace events.txt
      several contexts on one machine: how each fared, and every event of the device)";

struct Options {
  std::string file, contexts;
  LaunchOptions launch;
  bool statistics = false, json = false;
  std::string trace;
  unsigned threads = 0;
};

class Tool {
public:
  explicit Tool(const Options &options) : options(options) {}
  int main();

private:
  static int fail(Error error) { return leno::fail(Name, std::move(error)); }
  Error checkStandardOutput() const;
  std::optional<unsigned> threads() const;
  void runGrid();
  Error runTraced();
  int finish();
  int tellTrap();
  int tellInterrupt();
  int tellLostOutput();
  Error writeOutputs();
  Error report(llvm::raw_ostream &os) const;
  void printJson(llvm::raw_ostream &os) const;

  const Options &options;
  std::optional<Interrupts> interrupts; ///< while it runs
  std::atomic<bool> &interrupted = Interrupts::flag();
  std::unique_ptr<PreparedLaunch> launch;
  Statistics statistics;
  StopReason stop = StopReason::Finished;
  bool cutShort = false; ///< the grid ran, and was stopped before its end
  double seconds = 0;
};

/// Standard output holds one JSON text, or one array, or lines, never a mix.
Error Tool::checkStandardOutput() const {
  std::vector<std::string> whole, lines; // who wants it, for itself and with others
  for (const PreparedLaunch::OutputFile &output : launch->outputs()) {
    if (output.file.format == FileFormat::Print)
      lines.push_back("a print: output");
    else if (output.file.path == "-") {
      whole.push_back("the data of " + output.what + ":-");
      bool isText = output.file.format == FileFormat::Csv || output.file.format == FileFormat::Txt;
      if (!isText && llvm::sys::Process::StandardOutIsDisplayed())
        return llvm::createStringError(
            whole.back() + " are no text for a terminal: print: shows them, csv:- writes numbers");
    }
  }
  if (options.json)
    whole.push_back("--json");
  if (options.trace == "-")
    lines.push_back("--trace -");
  if (options.statistics)
    lines.push_back("--stats");
  if (whole.empty() || whole.size() + lines.size() == 1)
    return Error::success();
  return llvm::createStringError(whole.front() + " and " + (whole.size() > 1 ? whole[1] : lines.front()) +
                                 " both want standard output; keep one of them, or name a file");
}

void Tool::runGrid() {
  // How a run is cut changes nothing in it.
  static constexpr auto Slice = std::chrono::milliseconds(200);
  ParallelRun &run = launch->parallelRun();
  ProgressLine progress;
  do {
    stop = run.run(Slice, &interrupted);
    progress.update([&](llvm::raw_ostream &os) {
      os << llvm::format("%.0f s: %llu of %llu CTAs started, %.1f M warp instructions", progress.seconds(),
                         static_cast<unsigned long long>(run.ctasStarted()),
                         static_cast<unsigned long long>(run.launch().grid.count()),
                         double(run.instructions()) / 1e6);
    });
  } while (stop == StopReason::Budget && !interrupted && !llvm::outs().has_error());
  cutShort = stop == StopReason::Budget;
  seconds = progress.seconds();
}

Error Tool::runTraced() {
  auto traced = [&](llvm::raw_ostream &os) -> Error {
    Trace trace(launch->executable(), os);
    launch->parallelRun().addObserver(trace);
    runGrid();
    return Error::success();
  };
  if (options.trace != "-")
    return writeFileAtomically(options.trace, traced);
  return traced(llvm::outs());
}

/// How many host threads; none: two wishes are at odds.
std::optional<unsigned> Tool::threads() const {
  // CHOICE: what is counted up to a trap is the same from run to run, unless the environment asks for more.
  bool isCounted = (options.statistics || options.json) && !std::getenv("LENO_THREADS");
  if (options.trace.empty())
    return options.threads || !isCounted ? options.threads : 1;
  if (options.threads <= 1)
    return 1;
  return std::nullopt;
}

int Tool::main() {
  LaunchOptions launchOptions = options.launch;
  launchOptions.threads = threads();
  if (!launchOptions.threads) {
    fail(llvm::createStringError("--trace writes one order of instructions: leave --threads out"));
    return ExitUsage;
  }
  RunFiles others;
  if (!options.trace.empty())
    others.writes(options.trace);
  if (Error error = PreparedLaunch::create(options.file, launchOptions, llvm::errs(), std::move(others))
                        .moveInto(launch)) {
    fail(std::move(error));
    return ExitFailure;
  }
  if (Error error = checkStandardOutput()) {
    fail(std::move(error));
    return ExitUsage;
  }
  if (options.statistics || options.json)
    launch->parallelRun().addObserver(statistics);
  interrupts.emplace();
  if (options.trace.empty())
    runGrid();
  else if (Error error = runTraced())
    return fail(std::move(error));
  return cutShort && !interrupted ? tellLostOutput() : finish();
}

int Tool::finish() {
  interrupts.reset(); // AtomicFile leaves nothing half-written
  int status = ExitSuccess;
  if (cutShort)
    status = tellInterrupt();
  else if (stop == StopReason::Trapped)
    status = tellTrap();
  if (Error error = status == ExitSuccess ? writeOutputs() : report(llvm::outs()))
    return fail(std::move(error));
  if (options.statistics)
    llvm::errs() << llvm::format("%.3f s, %.1f M warp instructions/s", seconds,
                                 double(launch->parallelRun().instructions()) / 1e6 / std::max(seconds, 1e-9))
                 << " (counting; " << launch->device().engine().name << ")\n";
  return status;
}

/// The files are there only when the report could be written too.
Error Tool::writeOutputs() {
  if (Error error = launch->writeOutputs([this](llvm::raw_ostream &os) { return report(os); }))
    return error;
  if (llvm::sys::Process::StandardErrIsDisplayed())
    for (const PreparedLaunch::OutputFile &output : launch->outputs())
      if (output.file.format != FileFormat::Print && output.file.path != "-")
        llvm::errs() << "wrote " << output.file.path << " (" << output.what << ")\n";
  return Error::success();
}

/// What standard output gets behind the data; `os` is it.
Error Tool::report(llvm::raw_ostream &os) const {
  if (options.statistics) {
    printStatistics(os, statistics, launch->executable());
    printCounts(os, launch->parallelRun().countTables());
  }
  if (options.json)
    printJson(os);
  return finishOutput();
}

int Tool::tellTrap() {
  const Trap &trap = *launch->parallelRun().trap();
  llvm::WithColor::error(llvm::errs(), Name, !useColours())
      << describeTrapWithSource(launch->executable(), trap) << '\n';
  if (trap.kind == TrapKind::Timeout)
    llvm::errs() << "note: --max-instructions N sets the limit, 0 removes it\n";
  if (uint64_t ctas = launch->parallelRun().ctasAbandoned(); ctas && endsCtaOnly(trap.kind))
    llvm::errs() << "note: " << ctas << " of " << launch->parallelRun().launch().grid.count()
                 << " CTAs ended so; the rest of the grid went on\n";
  if (!launch->outputs().empty())
    llvm::errs() << "note: no output was written\n";
  return ExitFailure;
}

int Tool::tellInterrupt() {
  llvm::WithColor::error(llvm::errs(), Name, !useColours()) << "interrupted";
  if (const Warp *warp = launch->parallelRun().someWarp()) {
    Dim3 cta = warp->cta().index();
    llvm::errs() << " at " << describePlace(launch->executable(), warp->pcBytes()) << ", CTA (" << cta.x
                 << ',' << cta.y << ',' << cta.z << "), warp " << warp->index();
  }
  llvm::errs() << ", after " << launch->parallelRun().instructions() << " warp instructions"
               << (launch->outputs().empty() ? "" : "; no output was written") << '\n';
  return ExitInterrupted;
}

/// Nobody reads the trace any more (quiet, as `| head` expects it), or it cannot be written.
int Tool::tellLostOutput() {
  if (Error error = finishOutput())
    return fail(std::move(error));
  return ExitFailure;
}

void Tool::printJson(llvm::raw_ostream &os) const {
  const std::optional<Trap> &trap = launch->parallelRun().trap();
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("kernel", launch->kernel().name);
    json.attribute("status", trap ? "trapped" : cutShort ? "interrupted" : "finished");
    if (trap)
      json.attributeObject("trap", [&] { writeTrap(json, launch->executable(), *trap); });
    json.attributeObject("statistics", [&] {
      writeStatistics(json, statistics, launch->executable());
      writeCounts(json, launch->parallelRun().countTables());
    });
  });
  os << '\n';
}

void addOptions(CLI::App &app, Options &options) {
  app.add_option("FILE", options.file,
                 "assembly source (.s), an object or an executable; '-': source on standard input");
  addLaunchOptions(app, options.launch);
  addContextsOption(app, options.contexts);
  app.add_flag("--stats", options.statistics, "count what the machine did; the time goes to standard error");
  app.add_flag("--json", options.json, "the result and the counts as JSON on standard output");
  app.add_option("--trace", options.trace,
                 "a line for each warp instruction, with --contexts for each event of the device; '-': "
                 "standard output")
      ->type_name("FILE");
  app.add_option(
         "--threads", options.threads,
         "host threads, at most one for each SM; the results of programs without races are the same. 0: all "
         "cores of the host,\nor 1 where the order of CTAs can be seen: by atomics with results, locks, "
         "clocks, a trace, counts [0]")
      ->check(CLI::Range(0u, 1024u))
      ->type_name("N")
      ->excludes("--contexts");
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app(Description);
  describeTool(app, Name, Examples);
  addOptions(app, options);
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  options.launch.source.colours = useColours();
  if (options.contexts.empty())
    return Tool(options).main();
  ContextOptions contexts{options.contexts, options.launch.machineFile, options.launch.machineSettings,
                          options.launch.source};
  return runContexts(Name, {contexts, options.statistics, options.json, options.trace});
}
