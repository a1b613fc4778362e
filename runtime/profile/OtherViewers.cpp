// The formats of other programs: callgrind.out for callgrind_annotate and KCachegrind, speedscope.json for
// speedscope.
#include "runtime/profile/Report.h"

#include "asm/support/Tool.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace leno::profile {

//===--- Callgrind --------------------------------------------------------===//
// valgrind's manual, "Callgrind Format Specification". The events are our counts, as many as have happened;
// calls are not told: what a function costs is its own cost, whoever calls it.

void writeCallgrind(llvm::raw_ostream &os, Launches launches) {
  CountRow total;
  for (const ProfiledLaunch &launch : launches)
    total += totalOf(launch);
  std::vector<Count> events;
  for (size_t i = 0; i < countOfCounts; ++i)
    if (Count(i) <= Count::Lanes || total[Count(i)])
      events.push_back(Count(i));
  auto writeCounts = [&](const CountRow &counts) {
    for (Count event : events)
      os << ' ' << counts[event];
    os << '\n';
  };
  os << "# callgrind format\nversion: 1\ncreator: leno-run\npositions: instr line\n";
  for (Count event : events)
    os << "event: " << kindOf(event).key << " : " << kindOf(event).label << '\n';
  os << "events:";
  for (Count event : events)
    os << ' ' << kindOf(event).key;
  os << "\nsummary:";
  writeCounts(total);
  for (const ProfiledLaunch &launch : launches) {
    os << "\nob=" << launch.program << (launch.context.empty() ? "" : " (" + launch.name() + ")") << '\n';
    std::string file, function;
    for (const InstructionRow &row : instructionRows(launch)) {
      std::string itsFile = row.line ? row.line->file : "???";
      if (itsFile != file || row.function != function)
        os << "fl=" << itsFile << "\nfn=" << row.function << '\n';
      file = itsFile, function = row.function;
      os << "0x" << llvm::utohexstr(row.address, true) << ' ' << (row.line ? row.line->line : 0);
      writeCounts(row.counts);
    }
  }
}

//===--- Speedscope -------------------------------------------------------===//
// https://www.speedscope.app/file-format-schema.json, profiles of type "sampled": a sample for each line, its
// stack the function and the line, its weight the count.

namespace {
struct Measure {
  const char *name;
  u64 (*of)(const CountRow &counts);
  bool ProfileSettings::*needs = nullptr;
};
u64 cyclesOf(const CountRow &counts) {
  return counts[Count::Warps] + counts[Count::MemoryWait] + counts[Count::StackWait] +
         counts[Count::BarrierWait] + counts[Count::FetchWait] + counts[Count::ResultWait] +
         counts[Count::OtherWait] + counts[Count::TurnWait];
}
constexpr Measure measures[] = {
    {"warp instructions", [](const CountRow &counts) { return counts[Count::Warps]; }},
    {"lanes not used", [](const CountRow &c) { return c[Count::Warps] * laneCount - c[Count::Lanes]; }},
    {"sectors", [](const CountRow &counts) { return counts[Count::Sectors]; }, &ProfileSettings::memory},
    {"cycles of warps", cyclesOf, &ProfileSettings::cycles},
};

class Frames {
public:
  size_t of(const std::string &name, const std::string &file, unsigned line) {
    auto [found, isNew] = numbers.try_emplace({name, file, line}, all.size());
    if (isNew) {
      llvm::json::Object frame{{"name", llvm::json::fixUTF8(name)}};
      if (!file.empty())
        frame["file"] = llvm::json::fixUTF8(file);
      if (line)
        frame["line"] = line;
      all.push_back(std::move(frame));
    }
    return found->second;
  }
  llvm::json::Array all;

private:
  std::map<std::tuple<std::string, std::string, unsigned>, size_t> numbers;
};
} // namespace

static llvm::json::Object sampled(const std::string &name, const Measure &measure,
                                  llvm::ArrayRef<InstructionRow> rows, Frames &frames) {
  llvm::json::Array samples, weights;
  u64 sum = 0;
  for (const InstructionRow &row : rows)
    if (u64 weight = measure.of(row.counts)) {
      std::string file = row.line ? row.line->file : "";
      std::string place = row.line ? file + ":" + std::to_string(row.line->line) : row.label;
      samples.push_back(llvm::json::Array{frames.of(row.function, file, 0),
                                          frames.of(place, file, row.line ? row.line->line : 0),
                                          frames.of(row.text, file, row.line ? row.line->line : 0)});
      weights.push_back(weight);
      sum += weight;
    }
  return llvm::json::Object{{"type", "sampled"},
                            {"name", name + ": " + measure.name},
                            {"unit", "none"},
                            {"startValue", 0},
                            {"endValue", sum},
                            {"samples", std::move(samples)},
                            {"weights", std::move(weights)}};
}

void writeSpeedscope(llvm::raw_ostream &os, Launches launches) {
  Frames frames;
  llvm::json::Array profiles;
  for (const ProfiledLaunch &launch : launches) {
    const std::vector<InstructionRow> rows = instructionRows(launch);
    const ProfileSettings &settings = launch.profile->settings;
    for (const Measure &measure : measures)
      if (!measure.needs || settings.*measure.needs)
        profiles.push_back(sampled(launch.name(), measure, rows, frames));
  }
  os << llvm::json::Value(
            llvm::json::Object{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                               {"exporter", "leno-run"},
                               {"name", launches.empty() ? std::string() : launches[0].program},
                               {"activeProfileIndex", 0},
                               {"shared", llvm::json::Object{{"frames", std::move(frames.all)}}},
                               {"profiles", std::move(profiles)}})
     << '\n';
}

} // namespace leno::profile
