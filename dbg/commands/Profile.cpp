//===- Profile.cpp - info profile, profile DIR: what was executed costs ----===//
#include "dbg/Facts.h"
#include "dbg/ProfileCommands.h"
#include "dbg/Text.h"
#include "runtime/LateObserver.h"
#include "runtime/profile/ProfiledRun.h"
#include "runtime/profile/Report.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg {

using profile::Count, profile::CountRow, profile::ProfiledLaunch, profile::ProfiledRun;

/// All that was executed up to here is executed again, and counted. Nothing stops meanwhile; fails, and
/// changes nothing, on Ctrl-C.
static Error countPast(Interpreter &in, ProfiledRun &run) {
  runtime::Prepared &work = in.session.prepared();
  Timeline &timeline = in.session.timeline();
  auto add = [&] {
    if (!work.isAlone()) {
      work.onStart = [&run](u32 context, size_t launch, GridRun &grid) {
        grid.addObserver(run.of(context, launch));
      };
      return;
    }
    if (work.run().grid()->hasBegun())
      runtime::tellBeginning(run.of(0, 0), *work.run().grid());
    work.run().addObserver(run.of(0, 0));
  };
  auto remove = [&] {
    if (work.isAlone())
      work.run().removeObserver(run.of(0, 0));
    work.onStart = nullptr;
  };
  Stops::Unwatched quiet(in.session.stops());
  bool isDone = timeline.tellPast(add, remove);
  if (isDone)
    remove();
  // Of several contexts, the grids that are kept for going back know who counted: they are made anew.
  if (!work.isAlone())
    timeline.tellPast([] {}, [] {});
  return isDone ? Error::success() : interrupted();
}

/// "saxpy.s:5", or an instruction's label.
static std::string placeOf(const profile::LineRow &row) {
  return formatv("{0}:{1}", sys::path::filename(row.line.file), row.line.line);
}

static std::string lanesOf(const CountRow &counts) {
  u64 warps = counts[Count::Warps];
  return warps ? formatv("{0:f1}", double(counts[Count::Lanes]) / double(warps)).str() : "-";
}

static constexpr Count columns[] = {Count::Divergences,    Count::Spilled,    Count::Sectors,
                                    Count::BankConflicts,  Count::MemoryWait, Count::StackWait,
                                    Count::BarrierWait};

/// The lines that have executed most, and what they cost; counts that nothing has had are left out.
static void printLaunch(Interpreter &in, const ProfiledLaunch &launch, size_t most) {
  CountRow total = totalOf(launch);
  in.out << formatv("{0}: {1}, {2} lanes each\n", launch.name(),
                    plural(total[Count::Warps], "warp instruction"), lanesOf(total));
  std::vector<Count> shown;
  std::vector<std::string> header = {"Line", "Warps", "Lanes"};
  for (Count count : columns)
    if (total[count]) {
      shown.push_back(count);
      header.push_back(profile::kindOf(count).label);
    }
  header.push_back("Source");
  Table table(header);
  std::vector<profile::InstructionRow> instructions = instructionRows(launch);
  std::vector<profile::LineRow> lines = lineRows(instructions);
  auto row = [&](const std::string &place, const CountRow &counts, StringRef source) {
    std::vector<std::string> cells = {place, std::to_string(counts[Count::Warps]), lanesOf(counts)};
    for (Count count : shown)
      cells.push_back(std::to_string(counts[count]));
    cells.push_back(source.trim().str());
    table.row(cells);
  };
  auto byWarps = [](const auto &a, const auto &b) {
    return a.counts[Count::Warps] > b.counts[Count::Warps];
  };
  llvm::stable_sort(lines, byWarps);
  llvm::stable_sort(instructions, byWarps);
  for (const profile::LineRow &line : ArrayRef(lines).take_front(most))
    row(placeOf(line), line.counts, in.sources.line(line.line.file, line.line.line).value_or(""));
  if (lines.empty())
    for (const profile::InstructionRow &one : ArrayRef(instructions).take_front(most))
      row(one.label, one.counts, one.text);
  table.print(in.out);
}

static json::Object factsOf(const ProfiledLaunch &launch) {
  auto counted = [](const CountRow &counts, json::Object object) {
    for (size_t i = 0; i < profile::countOfCounts; ++i)
      if (counts[Count(i)])
        object[profile::kindOf(Count(i)).key] = int64_t(counts[Count(i)]);
    return object;
  };
  return json::Object{{"launch", facts::text(launch.name())},
                      {"total", counted(totalOf(launch), {})},
                      {"lines", facts::list(lineRows(instructionRows(launch)), [&](const profile::LineRow &row) {
                         return counted(row.counts, json::Object{{"file", facts::text(row.line.file)},
                                                                 {"line", int64_t(row.line.line)}});
                       })}};
}

static Error infoProfile(Interpreter &in, const Invocation &invocation) {
  size_t most = 10;
  if (StringRef text = invocation.arguments; !text.empty() && (text.getAsInteger(10, most) || most == 0))
    return textError(text, 0, "expected how many lines to show");
  ProfiledRun run(in.session.prepared(), /*memory=*/true);
  if (Error error = countPast(in, run))
    return error;
  std::vector<ProfiledLaunch> launches = run.launches();
  for (const ProfiledLaunch &launch : launches)
    printLaunch(in, launch, most);
  in.note({{"kind", "profile"}, {"launches", facts::list(launches, factsOf)}});
  return Error::success();
}

static Error writeProfile(Interpreter &in, const Invocation &invocation) {
  std::string folder = invocation.arguments.str();
  if (folder.empty())
    return textError("profile", 7, "expected the folder to write the report to; `info profile` shows it here");
  RunFiles files = in.session.prepared().files();
  if (Error error = profile::noteReport(folder, files, "profile"))
    return error;
  if (Error error = files.check())
    return error;
  ProfiledRun run(in.session.prepared(), /*memory=*/true);
  if (Error error = countPast(in, run))
    return error;
  if (Error error = run.write(folder))
    return error;
  in.note({{"kind", "profiled"}, {"folder", facts::text(folder)}});
  in.out << "Wrote the profile up to tick " << in.session.timeline().now() << " to " << folder
         << ": report.html, profile.json and others\n";
  return Error::success();
}

ArrayRef<Command> profileCommands() {
  static constexpr Command commands[] = {
      {"profile", "", Command::General, Command::NeedsLaunch | Command::AnyContext | Command::Outside, "FOLDER",
       "write the profile of all that was executed up to here",
       "The report of `leno-run --profile FOLDER` (runtime/profile/Profile.md), as if the run had ended here: "
       "exact\n"
       "counts, by instruction and line. The past is executed again for it; nothing is to be switched on "
       "before.\n"
       "\n"
       "(leno) profile slow",
       writeProfile},
      {"info profile", "", Command::Looking, Command::NeedsLaunch | Command::AnyContext, "[LINES]",
       "show what the lines cost that were executed up to here",
       "Those that most warps have executed, ten unless LINES says otherwise: warp instructions, lanes that "
       "took part in\n"
       "each, and what else there was: divergences, entries spilled, sectors, bank conflicts, waits.\n"
       "\n"
       "(leno) info profile",
       infoProfile},
  };
  return commands;
}

} // namespace leno::dbg
