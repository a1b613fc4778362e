// leno-run: runs a launch, or the contexts of a file, and writes the results.
#include "asm/LoadProgram.h"
#include "asm/support/AtomicFile.h"
#include "asm/support/Interrupts.h"
#include "asm/support/ProgressLine.h"
#include "asm/support/Tool.h"
#include "emu/compiled/CompiledKernel.h"
#include "emu/compiled/CompilerLibrary.h"
#include "emu/compiled/TierChoice.h"
#include "emu/observe/Statistics.h"
#include "emu/sm/Cta.h"
#include "runtime/CompiledListing.h"
#include "runtime/ContextReport.h"
#include "runtime/CountReport.h"
#include "runtime/RunReport.h"
#include "runtime/StatisticsReport.h"
#include "runtime/Trace.h"
#include "runtime/TrapText.h"
#include "runtime/checks/CheckedRun.h"
#include "runtime/profile/ProfileDiff.h"
#include "runtime/profile/ProfileOptions.h"
#include "runtime/profile/ProfiledRun.h"
#include "runtime/profile/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>

using namespace leno;
using namespace leno::runtime;
using llvm::Error;
using llvm::Expected;

namespace {

constexpr const char *Name = "leno-run";
constexpr int ExitInterrupted = 130; // as shells have it: 128 + SIGINT
constexpr const char *Description =
    "Launches a kernel over data from files and writes its results. Exit "
    "status: 0 when the grid has ended and all\n"
    "outputs are written, 1 on a mistake in a file or a guest trap (then no "
    "output is written), 2 on bad usage,\n"
    "3 when --check has found something, 130 when interrupted; the trace, --stats and --json then tell what "
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
      several contexts on one machine: how each fared, and every event of the device
  leno-run saxpy.s --profile slow ... ; leno-run saxpy2.s --profile fast ...
      where lanes idle and what memory is asked for, by line: slow/report.html
  leno-run --profile-diff slow fast
      both beside each other, line by line
  leno-run reduce.s --check all ...
      the same run, looked at for races, stray accesses, barriers and locks that do not fit)";

struct Options {
  LaunchOptions launch;
  bool statistics = false, json = false;
  std::string trace;
  profile::ProfileOptions profile;
  checks::CheckOptions checks;
  unsigned threads = 0;
  bool listsCompiled = false;
};

class Tool {
public:
  explicit Tool(const Options &options) : options(options) {}
  int main();

private:
  static int fail(Error error) { return leno::fail(Name, std::move(error)); }
  static llvm::raw_ostream &error() { return llvm::WithColor::error(llvm::errs(), Name, !useColours()); }
  Error checkStandardOutput() const;
  std::optional<unsigned> threads() const;
  void observe();
  void run();
  Error runTraced();
  Error runWithTimeline();
  int finish();
  bool tellFailures() const;
  void tellFindings(int &status);
  void tellCause(u32 context) const;
  void tellInterrupt() const;
  void tellLostOutputs() const;
  void tellWritten() const;
  int tellLostTrace() const;
  Error report(llvm::raw_ostream &os) const;
  void printTables(llvm::raw_ostream &os) const;
  RunReport reported() const { return {*prepared, statistics, stop}; }
  bool isAlone() const { return prepared->isAlone(); }
  ParallelRun &grid() const { return *prepared->parallelRun(); }
  FrontEnd::Contexts contexts() const { return prepared->run().contexts(); }
  /// "context 'a'", or nothing
  std::string nameOf(u32 context) const {
    return isAlone() ? "" : "context '" + contexts()[context]->name() + "'";
  }

  const Options &options;
  std::optional<Interrupts> interrupts; ///< while it runs
  std::atomic<bool> &interrupted = Interrupts::flag();
  std::unique_ptr<Prepared> prepared;
  RunReport::Counts statistics;
  std::optional<profile::ProfiledRun> profile;
  std::unique_ptr<checks::CheckedRun> checked; ///< null: nothing is checked
  struct Abandoned {
    u64 count, of;
  };
  std::map<u32, Abandoned> abandoned;     ///< CTAs of the last grid of a context
  StopReason stop = StopReason::Finished; ///< Budget: it was stopped before its end
  double seconds = 0;
};

/// Standard output holds one JSON text, or one array, or lines, never a mix.
Error Tool::checkStandardOutput() const {
  std::vector<std::string> whole, lines; // who wants it, for itself and with others
  for (const Prepared::OutputFile &output : prepared->outputs()) {
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
  if (options.profile.timeline == "-")
    whole.push_back("--timeline -");
  if (options.checks.json == "-")
    whole.push_back("--check-json -");
  if (options.checks.sarif == "-")
    whole.push_back("--check-sarif -");
  if (options.checks.newSuppressions == "-")
    whole.push_back("--check-write-suppressions -");
  if (options.trace == "-")
    lines.push_back("--trace -");
  if (options.statistics)
    lines.push_back("--stats");
  if (whole.empty() || whole.size() + lines.size() == 1)
    return Error::success();
  return llvm::createStringError(whole.front() + " and " + (whole.size() > 1 ? whole[1] : lines.front()) +
                                 " both want standard output; keep one of them, or name a file");
}

/// How many host threads; none: two wishes are at odds.
std::optional<unsigned> Tool::threads() const {
  // CHOICE: what is counted up to a trap is the same from run to run, unless the environment asks for more.
  bool isCounted =
      (options.statistics || options.json || !options.profile.folder.empty()) && !std::getenv("LENO_THREADS");
  if (!options.checks.checks.empty() && options.trace.empty() && options.profile.timeline.empty())
    return 1; // the same reports for every number
  if (options.trace.empty() && options.profile.timeline.empty())
    return options.threads || !isCounted ? options.threads : 1;
  if (options.threads <= 1)
    return 1;
  return std::nullopt;
}

//===--- Running ----------------------------------------------------------===//

void Tool::observe() {
  bool isCounted = options.statistics || options.json;
  if (!options.profile.folder.empty())
    profile.emplace(*prepared, options.profile.memory);
  if (checked)
    checked->watch(*prepared);
  auto watch = [this, isCounted](u32 context, size_t launch, auto &run) {
    if (isCounted)
      run.addObserver(statistics[{context, launch}]);
    if (profile)
      run.addObserver(profile->of(context, launch));
  };
  if (isAlone())
    return watch(0, 0, grid());
  prepared->onStart = watch;
  prepared->onEnd = [this](u32 context, size_t, GridRun &run) {
    abandoned[context] = {run.ctasAbandoned(), run.launch().grid.count()};
  };
}

void Tool::run() {
  // How a run is cut changes nothing in it.
  static constexpr auto Slice = std::chrono::milliseconds(200);
  ProgressLine progress;
  auto show = [&](llvm::raw_ostream &os) {
    os << llvm::format("%.0f s: ", progress.seconds());
    if (isAlone())
      os << grid().ctasStarted() << " of " << grid().launch().grid.count() << " CTAs started";
    else
      os << "cycle " << prepared->run().cycle();
    os << llvm::format(", %.1f M warp instructions", double(prepared->instructions()) / 1e6);
  };
  do {
    stop = prepared->runFor(Slice, &interrupted);
    progress.update(show);
  } while (stop == StopReason::Budget && !interrupted && !llvm::outs().has_error());
  seconds = progress.seconds();
  if (isAlone())
    abandoned[0] = {grid().ctasAbandoned(), grid().launch().grid.count()};
}

/// The instructions of a launch alone, else what happens on the device, and to stacks.
Error Tool::runTraced() {
  auto traced = [&](llvm::raw_ostream &os) -> Error {
    if (isAlone()) {
      Trace trace(*prepared->launches()[0].executable, os);
      grid().addObserver(trace);
      run();
      return Error::success();
    }
    ContextTrace trace(*prepared, os);
    prepared->run().addObserver(trace);
    run();
    prepared->run().removeObserver(trace);
    return Error::success();
  };
  if (options.trace.empty()) {
    run();
    return Error::success();
  }
  return options.trace == "-" ? traced(llvm::outs()) : writeFileAtomically(options.trace, traced);
}

Error Tool::runWithTimeline() {
  if (options.profile.timeline.empty())
    return runTraced();
  std::optional<u64> cut;
  auto write = [&](llvm::raw_ostream &os) -> Error {
    auto describe = [&](const DeviceEvent &event) { return eventText(event, contexts()); };
    profile::Timeline timeline(os, options.profile.part, describe);
    for (u32 i = 0; i < prepared->contextCount(); ++i)
      timeline.addContext(i, isAlone() ? prepared->launches()[0].file : contexts()[i]->name());
    if (isAlone())
      grid().addObserver(timeline);
    else
      prepared->run().addObserver(timeline);
    Error error = runTraced();
    if (isAlone())
      timeline.addLaunch(prepared->launches()[0].kernel->name);
    else {
      prepared->run().removeObserver(timeline);
      for (const auto &context : contexts())
        timeline.addLaunches(*context, prepared->run().cycle());
    }
    timeline.finish();
    cut = timeline.cutAt();
    return error;
  };
  const std::string &file = options.profile.timeline;
  if (Error error = file == "-" ? write(llvm::outs()) : writeFileAtomically(file, write))
    return error;
  if (cut)
    llvm::errs() << "note: the timeline has its size and ends at " << *cut
                 << ": --timeline-window FROM:TO shows another part, --timeline-bytes N allows more\n";
  return Error::success();
}

int Tool::main() {
  LaunchOptions launch = options.launch;
  launch.threads = threads();
  if (!launch.threads) {
    fail(llvm::createStringError((options.trace.empty() ? "--timeline" : "--trace") +
                                 llvm::StringRef(" writes one order of instructions: leave --threads out")));
    return ExitUsage;
  }
  RunFiles others;
  if (!options.trace.empty())
    others.writes(options.trace);
  if (!options.profile.timeline.empty())
    others.writes(options.profile.timeline);
  if (!options.profile.folder.empty())
    if (Error error = profile::noteReport(options.profile.folder, others))
      return fail(std::move(error));
  if (options.statistics || options.json)
    others.writes("-");
  if (!options.checks.checks.empty())
    if (Error error = checks::CheckedRun::create(options.checks, others).moveInto(checked))
      return fail(std::move(error));
  if (Error error = Prepared::create(launch, llvm::errs(), std::move(others)).moveInto(prepared))
    return fail(std::move(error));
  if (Error error = checkStandardOutput()) {
    fail(std::move(error));
    return ExitUsage;
  }
  observe();
  interrupts.emplace();
  if (Error error = runWithTimeline())
    return fail(std::move(error));
  return stop == StopReason::Budget && !interrupted ? tellLostTrace() : finish();
}

//===--- How it ended -----------------------------------------------------===//

int Tool::finish() {
  interrupts.reset(); // AtomicFile leaves nothing half-written
  if (profile)
    if (Error error = profile->write(options.profile.folder))
      return fail(std::move(error));
  auto report = [this](llvm::raw_ostream &os) { return this->report(os); };
  int status = ExitInterrupted;
  if (stop == StopReason::Budget)
    tellInterrupt();
  else
    status = tellFailures() ? ExitFailure : ExitSuccess;
  if (checked)
    tellFindings(status);
  tellLostOutputs();
  // The files are there only when the reports could be written too.
  if (checked)
    if (Error error = checked->writeFiles())
      return fail(std::move(error));
  if (Error error = prepared->writeOutputs(report))
    return fail(std::move(error));
  tellWritten();
  if (options.statistics)
    llvm::errs() << llvm::format("%.3f s, %.1f M warp instructions/s", seconds,
                                 double(prepared->instructions()) / 1e6 / std::max(seconds, 1e-9))
                 << " (counting; " << prepared->device().engine().name << ")\n";
  if (const compiled::CompiledKernel::Totals made = compiled::CompiledKernel::totals(); options.statistics && made.codes)
    llvm::errs() << llvm::format("compiled %llu %s in %.0f ms, %llu of them known; %.1f KiB\n",
                                 (unsigned long long)made.codes, made.codes == 1 ? "code" : "codes", made.seconds * 1e3,
                                 (unsigned long long)made.known, double(made.bytes) / 1024);
  if (Expected<TierChoice> tier = usualTier(); tier && *tier == TierChoice::Compiled) {
    if (Error error = compiled::checkCompiler()) // it was not there when something was to be made
      llvm::errs() << "note: all was interpreted: " << toString(std::move(error)) << '\n';
  } else
    consumeError(tier.takeError());
  return status;
}

/// False: all is well.
bool Tool::tellFailures() const {
  bool any = stop == StopReason::Stuck;
  for (u32 i = 0; i < prepared->contextCount(); ++i) {
    if (std::string wrong = prepared->describeHost(i); !wrong.empty()) {
      any = true;
      llvm::errs() << wrong << '\n';
    }
    std::string why = prepared->describeEnd(i);
    if (why.empty())
      continue;
    any = true;
    error() << nameOf(i) << (isAlone() ? "" : ": ") << why << '\n';
    tellCause(i);
  }
  if (stop == StopReason::Stuck)
    error() << "the contexts wait for what will not come: " << prepared->describeWaits() << '\n';
  return any;
}

/// What the checks have found; `status` becomes theirs where all else is well.
void Tool::tellFindings(int &status) {
  (void)checked->gather();
  checked->print(llvm::errs(), useColours());
  if (status == ExitSuccess && !checked->isClean())
    status = options.checks.status;
}

void Tool::tellLostOutputs() const {
  for (u32 i = 0; i < prepared->contextCount(); ++i)
    if (prepared->losesOutputs(i))
      llvm::errs() << (isAlone() ? "note: no output was written"
                                 : "note: the outputs of " + nameOf(i) + " were not written")
                   << '\n';
}

/// What would let a launch go on, and what of it did.
void Tool::tellCause(u32 context) const {
  const std::optional<Trap> &trap = prepared->trap(context);
  if (!trap)
    return;
  if (trap->kind == TrapKind::Timeout)
    llvm::errs() << "note: "
                 << (isAlone() ? "--max-instructions N sets the limit, 0 removes it"
                               : "max-instructions of a launch and watchdog of a context are the limits")
                 << '\n';
  auto ended = abandoned.find(context);
  if (ended != abandoned.end() && ended->second.count && endsCtaOnly(trap->kind))
    llvm::errs() << "note: " << ended->second.count << " of " << ended->second.of
                 << " CTAs ended so; the rest of the grid went on\n";
}

void Tool::tellInterrupt() const {
  error() << "interrupted";
  if (!isAlone())
    llvm::errs() << " at cycle " << prepared->run().cycle();
  for (u32 i = 0; i < prepared->contextCount(); ++i)
    if (const Warp *warp = prepared->someWarp(i)) {
      Dim3 cta = warp->cta().index();
      llvm::errs() << (isAlone() ? "" : ", ") << nameOf(i) << " at "
                   << describePlace(*prepared->current(i)->executable, warp->pcBytes()) << ", CTA (" << cta.x
                   << ',' << cta.y << ',' << cta.z << "), warp " << warp->index();
    }
  llvm::errs() << ", after " << prepared->instructions() << " warp instructions\n";
}

void Tool::tellWritten() const {
  if (!llvm::sys::Process::StandardErrIsDisplayed())
    return;
  for (const Prepared::OutputFile &output : prepared->outputs())
    if (output.isWritten && output.file.format != FileFormat::Print && output.file.path != "-")
      llvm::errs() << "wrote " << output.file.path << " (" << output.what << ")\n";
}

/// Nobody reads the trace any more (quiet, as `| head` expects it), or it cannot be written.
int Tool::tellLostTrace() const {
  if (Error error = finishOutput())
    return fail(std::move(error));
  return ExitFailure;
}

//===--- What standard output gets behind the data ------------------------===//

Error Tool::report(llvm::raw_ostream &os) const {
  if (options.json)
    reported().writeJson(os, [this](llvm::json::OStream &json) {
      if (checked)
        checked->write(json);
    });
  else
    printTables(os);
  return finishOutput();
}

void Tool::printTables(llvm::raw_ostream &os) const {
  if (!isAlone()) {
    os << "cycles " << prepared->run().cycle() << "\n\n";
    printContexts(os, contexts());
    os << '\n';
    printLaunches(os, contexts());
  }
  if (!options.statistics)
    return;
  for (const auto &[place, counts] : statistics) {
    auto [context, number] = place;
    const Prepared::Launch &launch = prepared->launches(context)[number];
    if (!isAlone())
      os << "\ncontext " << contexts()[context]->name() << ", launch " << number << ", "
         << launch.kernel->name << '\n';
    printStatistics(os, counts, *launch.executable);
  }
  for (u32 i = 0; i < prepared->contextCount(); ++i) {
    CountTables all = reported().tables(i);
    if (!isAlone() && !all.empty())
      os << "\ncontext " << contexts()[i]->name() << '\n';
    printCounts(os, all);
  }
  if (!isAlone())
    if (CountTables all = reported().sharedTables(); !all.empty()) {
      os << "\nall contexts\n";
      printCounts(os, all);
    }
}

//===--- The command line -------------------------------------------------===//

void addOptions(CLI::App &app, Options &options) {
  app.add_option(
      "FILE", options.launch.file,
      "source (.s .c .cl .ll .bc .spv), an object or an executable; '-': assembly on standard input");
  addLaunchOptions(app, options.launch);
  addContextsOption(app, options.launch.contexts);
  app.add_flag("--stats", options.statistics, "count what the machine did; the time goes to standard error");
  app.add_flag("--json", options.json, "the result and the counts as JSON on standard output");
  app.add_option("--trace", options.trace,
                 "a line for each warp instruction, with --contexts for each event of the device; '-': "
                 "standard output")
      ->type_name("FILE");
  profile::addProfileOptions(app, options.profile);
  checks::addCheckOptions(app, options.checks);
  app.add_option(
         "--threads", options.threads,
         "host threads, at most one for each SM; the results of programs without races are the same. 0: all "
         "cores of the host,\nor 1 where the order of CTAs can be seen: by atomics with results, locks, "
         "clocks, a trace, counts [0]")
      ->check(CLI::Range(0u, 1024u))
      ->type_name("N")
      ->excludes("--contexts");
  app.add_option_function<std::string>(
         "--tier",
         [](const std::string &name) {
           if (!tierNamed(name))
             throw CLI::ValidationError("--tier", "there is no tier '" + name + "': it can be " + tierNames);
           setenv(tierVariable, name.c_str(), 1);
         },
         "what runs warps: auto, which makes machine code beside long launches and uses it where it is faster;"
         "\ncompiled, which makes that of each kernel first; or interpreter. The results are the same. "
         "LENO_TIER in the\nenvironment names the usual one [auto]")
      ->type_name("TIER");
  app.add_flag(
      "--list-compiled", options.listsCompiled,
      "the machine code that the compiled tier makes of the kernel, below its instructions; nothing runs");
}

/// --list-compiled
Error listCompiled(const LaunchOptions &launch) {
  Expected<Executable> executable = loadProgram(launch.file, launch.source, llvm::errs());
  if (!executable)
    return executable.takeError();
  Expected<const KernelInfo *> kernel = executable->kernel(launch.kernel);
  if (!kernel)
    return kernel.takeError();
  if (Error error = printCompiled(*executable, **kernel, llvm::outs()))
    return error;
  return finishOutput();
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app(Description);
  describeTool(app, Name, Examples);
  addOptions(app, options);
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  if (!options.profile.diff.empty()) {
    Error error =
        profile::writeDiff(llvm::outs(), options.profile.diff[0], options.profile.diff[1], options.json);
    if (!error)
      error = finishOutput();
    return error ? fail(Name, std::move(error)) : ExitSuccess;
  }
  options.launch.source.colours = useColours();
  if (options.listsCompiled) {
    Error error = listCompiled(options.launch);
    return error ? fail(Name, std::move(error)) : ExitSuccess;
  }
  return Tool(options).main();
}
