//===- Caches.cpp - info caches, info cache: counts, and lines ------------===//
#include "dbg/Facts.h"
#include "dbg/Interpreter.h"
#include "dbg/Text.h"
#include "runtime/CountReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

/// The same for programs: leno-run --json has these keys too.
static json::Object factsOfCaches(const CountTables &tables, const StackCounters &stacks, StringRef model) {
  json::Object found{{"kind", "caches"}};
  for (const CountTable &table : tables)
    found[table.key] = runtime::jsonOf(table);
  found["stacks"] =
      json::Object{{"model", model},
                   {"pushes", int64_t(stacks.pushes)},
                   {"pops", int64_t(stacks.pops)},
                   {"deepest", int64_t(stacks.deepest)},
                   {"entriesSpilled", int64_t(stacks.spills.entries)},
                   {"entriesRestored", int64_t(stacks.restores.entries)},
                   {"transactions", int64_t(stacks.spills.transactions + stacks.restores.transactions)},
                   {"cyclesWaited", int64_t(stacks.stallCycles)}};
  return found;
}

static Error caches(Interpreter &in, const Invocation &) {
  GridRun &grid = in.session.focus().grid();
  StackCounters stacks = grid.stackCounters();
  static constexpr StringLiteral models[] = {"on chip", "in a stack cache", "in memory"};
  const MachineConfig &config = grid.device().config();
  CountTables tables = grid.countTables();
  in.note(factsOfCaches(tables, stacks, models[config.stack.model]));
  in.out << formatv("stacks {0}: pushes {1}, pops {2}, deepest {3}\n", models[config.stack.model],
                    stacks.pushes, stacks.pops, stacks.deepest);
  if (config.stack.model != MachineConfig::Stack::Chip)
    in.out << formatv("  entries spilled {0}, restored {1}; transactions {2}; cycles waited {3}\n",
                      stacks.spills.entries, stacks.restores.entries,
                      stacks.spills.transactions + stacks.restores.transactions, stacks.stallCycles);
  if (config.l2.model == MachineConfig::L2::Off)
    in.out << "L2 slices: none (l2.model=off)\n";
  runtime::printCounts(in.out, tables);
  return Error::success();
}

//===--- Lines ------------------------------------------------------------===//

static constexpr u64 linesOfPage = 256;

namespace {

/// The lines of a cache that are shown at once: some sets, or a part of a large one.
struct CachePage {
  explicit CachePage(const CacheView &cache, u64 firstSet, u64 firstWay)
      : cache(cache), waysAtMost(std::min(cache.ways, linesOfPage)), setsAtMost(linesOfPage / waysAtMost),
        set(firstSet), way(firstWay / waysAtMost * waysAtMost), sets(std::min(setsAtMost, cache.sets - set)),
        ways(std::min(waysAtMost, cache.ways - way)) {}
  using Start = std::pair<u64, u64>;
  std::optional<Start> next() const {
    if (way + ways < cache.ways)
      return Start{set, way + ways};
    return set + sets < cache.sets ? std::optional(Start{set + sets, 0}) : std::nullopt;
  }
  std::optional<Start> before() const {
    if (way)
      return Start{set, way - waysAtMost};
    if (set == 0)
      return std::nullopt;
    return Start{set - std::min(set, setsAtMost), (cache.ways - 1) / waysAtMost * waysAtMost};
  }

  const CacheView &cache;
  u64 waysAtMost, setsAtMost;
  u64 set, way, sets, ways;
};

} // namespace

/// "l1[0] to l1[15], host"
static std::string namesOf(ArrayRef<CacheView> caches) {
  std::string text;
  auto kindOf = [](const CacheView &cache) { return StringRef(cache.name).split('[').first; };
  for (size_t first = 0, end; first < caches.size(); first = end) {
    for (end = first + 1; end < caches.size() && kindOf(caches[end]) == kindOf(caches[first]);)
      ++end;
    text += (first ? ", " : "") + caches[first].name;
    if (end > first + 1)
      text += " to " + caches[end - 1].name;
  }
  return text;
}

/// Those of the set that are there, the one used last first.
static std::vector<u64> waysByUse(const CacheView &cache, u64 set) {
  std::vector<std::pair<u64, u64>> uses;
  for (u64 way = 0; way < cache.ways; ++way)
    if (CacheView::Line line = cache.line(set, way); line.present)
      uses.push_back({line.lastUse, way});
  sort(uses, std::greater<>());
  std::vector<u64> ways;
  for (auto [use, way] : uses)
    ways.push_back(way);
  return ways;
}

static std::string startText(CachePage::Start start) {
  return std::to_string(start.first) + (start.second ? " " + std::to_string(start.second) : "");
}

/// `now`: what comes later than in this cycle is under way.
static void tellLines(Interpreter &in, const CachePage &page, u64 now, json::Object found) {
  const CacheView &cache = page.cache;
  std::vector<std::string> columns = {"Set", "Way", "Address", "State", "Age"};
  if (cache.ofContexts)
    columns.push_back("Context");
  Table table(columns);
  json::Array lines;
  for (u64 set = page.set; set < page.set + page.sets; ++set) {
    std::vector<u64> byUse = waysByUse(cache, set);
    for (u64 way = page.way; way < page.way + page.ways; ++way) {
      CacheView::Line line = cache.line(set, way);
      if (!line.present)
        continue;
      u64 age = u64(find(byUse, way) - byUse.begin());
      bool comes = line.since > now;
      std::vector<std::string> cells = {std::to_string(set), std::to_string(way), hexAddress(line.address, 5),
                                        comes        ? "comes in cycle " + std::to_string(line.since)
                                        : line.dirty ? "dirty"
                                                     : "valid",
                                        std::to_string(age)};
      if (cache.ofContexts)
        cells.push_back(in.session.focus().contextName(u32(line.context)));
      table.row(std::move(cells));
      json::Object one{{"set", int64_t(set)},
                       {"way", int64_t(way)},
                       {"address", facts::hex(line.address)},
                       {"dirty", line.dirty},
                       {"age", int64_t(age)}};
      if (cache.ofContexts)
        one["context"] = int64_t(line.context);
      if (comes)
        one["comes"] = int64_t(line.since);
      lines.push_back(std::move(one));
    }
  }
  found["name"] = cache.name;
  found["title"] = cache.title;
  found["sets"] = int64_t(cache.sets);
  found["ways"] = int64_t(cache.ways);
  found["lineBytes"] = int64_t(cache.lineBytes);
  found["shown"] = json::Object{{"set", int64_t(page.set)},
                                {"sets", int64_t(page.sets)},
                                {"way", int64_t(page.way)},
                                {"ways", int64_t(page.ways)}};
  found["lines"] = std::move(lines);
  if (std::optional<CachePage::Start> before = page.before())
    found["before"] = startText(*before);
  in.out << formatv("{0}, {1}: {2} of {3} of {4}\n", cache.name, cache.title, plural(cache.sets, "set"),
                    plural(cache.ways, "line"), plural(cache.lineBytes, "byte"));
  table.printOr(in.out, "None of these lines is there.");
  if (std::optional<CachePage::Start> next = page.next()) {
    found["next"] = startText(*next);
    if (page.sets > 1)
      in.out << formatv("sets {0} to {1} of {2}", page.set, page.set + page.sets - 1, cache.sets);
    else
      in.out << formatv("set {0} of {1}", page.set, cache.sets);
    if (page.ways < cache.ways)
      in.out << formatv(", ways {0} to {1} of {2}", page.way, page.way + page.ways - 1, cache.ways);
    in.out << formatv(": `info cache {0} {1}` shows more\n", cache.name, found["next"].getAsString());
  }
  in.note(std::move(found));
}

static Error cache(Interpreter &in, const Invocation &invocation) {
  GridRun &grid = in.session.focus().grid();
  const MemoryChain *chain = grid.memoryChain();
  std::vector<CacheView> all;
  if (chain)
    all = chain->cacheViews();
  StringRef whole = invocation.arguments;
  if (all.empty()) {
    if (!whole.empty())
      return textError(whole, 0,
                       "the machine has no such caches: set l1.model, tlb.model, icache.model, "
                       "l15.model, l2.model or host.model");
    in.note({{"kind", "cache"}, {"caches", json::Array()}});
    in.out << "The machine has no caches of lines.\n";
    return Error::success();
  }
  Interpreter::CacheShown shown = in.cacheShown;
  if (!whole.empty()) {
    auto [name, rest] = getToken(whole);
    auto [setText, wayText] = getToken(rest);
    shown = {};
    shown.name = name.str();
    auto named = find_if(all, [&, name = name](const CacheView &one) { return one.name == name; });
    if (named == all.end())
      return textError(whole, 0, "no cache is called " + name + "; there are " + namesOf(all));
    for (auto [text, most, what, number] : {std::tuple(setText, named->sets, "a set", &shown.set),
                                            {wayText.trim(), named->ways, "a way", &shown.way}})
      if (!text.empty()) {
        Expected<unsigned> parsed = parseNumber(text, unsigned(most - 1), what + (" of " + named->name));
        if (!parsed)
          return parsed.takeError();
        *number = *parsed;
      }
    in.cacheShown = shown;
  } else {
    in.out << "caches: " << namesOf(all) << '\n';
  }
  // What was looked at last may be gone: another context has other caches.
  const CacheView *found = &all.front();
  for (const CacheView &one : all)
    if (one.name == shown.name && shown.set < one.sets && shown.way < one.ways)
      found = &one;
  if (found->name != shown.name)
    shown = {};
  json::Array names = facts::list(
      all, [](const CacheView &one) { return json::Object{{"name", one.name}, {"title", one.title}}; });
  bool timed = grid.device().config().timing.model == MachineConfig::Timing::Cycles;
  tellLines(in, CachePage(*found, shown.set, shown.way), timed ? grid.time().now() : ~u64(0),
            json::Object{{"kind", "cache"}, {"caches", std::move(names)}});
  return Error::success();
}

ArrayRef<Command> cacheCommands() {
  static constexpr Command commands[] = {
      {"info caches", "", Command::Looking, Command::NeedsLaunch | Command::NoArguments, "",
       "show what the caches have counted",
       "Of the stacks: pushes, pops, what was spilled and restored. Of the models of memory and constants\n"
       "that are on what each has counted, by SM or by slice, as leno-run --stats tells it.\n"
       "\n"
       "(leno) info caches",
       caches},
      {"info cache", "", Command::Looking, Command::NeedsLaunch, "[NAME [SET [WAY]]]",
       "show the lines of a cache, set by set",
       "NAME is l1[0] (of data, of an SM), tlb[0] (of an SM), icache[0], l15[0], l2[0] (a slice) or host "
       "(the "
       "CPU's), as far\n"
       "as they are modelled: of each line that is there its set and way, its address (of a TLB its page's), "
       "whether it is\n"
       "dirty or still comes, and its age, how many of its set were used since. At most 256 lines are shown, "
       "from SET on,\n"
       "and of sets that are larger from WAY on. Without arguments all names, and the cache that was looked "
       "at "
       "last.\n"
       "\n"
       "(leno) info cache",
       cache},
  };
  return commands;
}

} // namespace leno::dbg
