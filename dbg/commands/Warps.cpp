//===- Warps.cpp - info warps: filters, rows that are alike, pages --------===//
#include "dbg/Focus.h"
#include "dbg/InfoWarps.h"
#include "dbg/Text.h"
#include "dbg/WarpText.h"
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

namespace {

struct Filter {
  StringRef state; ///< empty: any
  std::optional<Dim3> cta;
  std::optional<unsigned> sm;
  std::optional<Location> at;
  std::shared_ptr<const Expression> condition;
  bool all = false; ///< every row at once
};

/// Warps of one CTA, or of several that follow each other, of which the same is told.
struct Row {
  u64 cta, lastCta; ///< linear numbers
  unsigned warp, lastWarp;
  bool focused;
  std::vector<std::string> cells; ///< behind CTA and Warp
  bool isLike(const Row &other) const { return !focused && !other.focused && cells == other.cells; }
};

} // namespace

static StringRef stateOf(const Warp &warp) {
  switch (warp.status) {
  case WarpStatus::AtBarrier:
    return "barrier";
  case WarpStatus::Exited:
    return "exited";
  case WarpStatus::Trapped:
    return "trapped";
  case WarpStatus::AwaitsConstants:
    return "waiting";
  default:
    return StringRef(describeState(warp)).starts_with("waits") ? "waiting" : "running";
  }
}

static Expected<Filter> readFilter(Interpreter &in, StringRef text) {
  Filter filter;
  StringRef rest = text;
  while (!(rest = rest.ltrim()).empty()) {
    StringRef word = rest.take_until([](char c) { return isSpace(c); });
    rest = rest.drop_front(word.size()).ltrim();
    auto value = [&] {
      StringRef part = rest.take_until([](char c) { return isSpace(c); });
      rest = rest.drop_front(part.size());
      return part;
    };
    if (word == "all")
      filter.all = true;
    else if (is_contained({"running", "barrier", "exited", "trapped", "waiting"}, word))
      filter.state = word;
    else if (word == "cta") {
      Expected<Dim3> index = parseIndex(value());
      if (!index)
        return index.takeError();
      filter.cta = *index;
    } else if (word == "sm") {
      Expected<unsigned> number =
          parseNumber(value(), unsigned(in.session.focus().device().config().sm.count) - 1, "an SM");
      if (!number)
        return number.takeError();
      filter.sm = *number;
    } else if (word == "at") {
      Expected<Location> location = in.location(value());
      if (!location)
        return location.takeError();
      filter.at = std::move(*location);
    } else if (word == "if") {
      auto condition = in.session.stops().readCondition(rest);
      if (!condition)
        return condition.takeError();
      filter.condition = std::move(*condition);
      break;
    } else
      return textError(
          text, columnIn(text, word),
          "expected running, barrier, exited, trapped or waiting; cta X,Y,Z; sm NUMBER; at LOCATION; "
          "if CONDITION; or all");
  }
  return filter;
}

/// Whether a warp is wanted. Fails where the condition cannot be computed.
static Expected<bool> isWanted(Interpreter &in, const Filter &filter, Warp &warp) {
  if (!filter.state.empty() && stateOf(warp) != filter.state)
    return false;
  if (filter.at && (warp.exited() || !is_contained(filter.at->addresses, warp.pcBytes())))
    return false;
  if (!filter.condition)
    return true;
  if (warp.exited())
    return false;
  Expected<LaneMask> lanes = filter.condition->lanesWhereTrue(
      in.session.focus().contextOf(&warp, in.session.focus().position().lane));
  return lanes ? Expected<bool>(*lanes != 0) : lanes.takeError();
}

static std::vector<std::string> cellsOf(Interpreter &in, const Cta &cta, const Warp &warp) {
  if (!in.session.focus().isOnChip(cta))
    return {"-", "-", "-", "-", "-", "in context storage"};
  std::string line = in.describeLine(warp.pcBytes());
  bool gone = warp.exited();
  return {gone ? "-" : in.session.code().describe(warp.pcBytes()),
          gone || line.empty() ? "-" : line,
          "0x" + utohexstr(warp.active, true, 8),
          laneRanges(warp.active),
          std::to_string(warp.divergence().depth()),
          describeState(warp)};
}

static Expected<std::vector<Row>> rowsOfCta(Interpreter &in, const Filter &filter, Cta &cta, u64 number) {
  std::vector<Row> rows;
  bool onChip = in.session.focus().isOnChip(cta);
  for (Warp *warp : cta.warps()) {
    Expected<bool> wanted = onChip ? isWanted(in, filter, *warp) : Expected<bool>(filter.state.empty());
    if (!wanted)
      return wanted.takeError();
    if (!*wanted)
      continue;
    Row row{number,
            number,
            warp->index(),
            warp->index(),
            warp == in.session.focus().warp(),
            cellsOf(in, cta, *warp)};
    if (!rows.empty() && rows.back().lastWarp + 1 == row.warp && rows.back().isLike(row))
      rows.back().lastWarp = row.warp;
    else
      rows.push_back(std::move(row));
  }
  return rows;
}

Error infoWarps(Interpreter &in, const Invocation &invocation) {
  static constexpr size_t rowsOfPage = 40;
  Expected<Filter> filter = readFilter(in, invocation.arguments);
  if (!filter)
    return filter.takeError();
  GridRun &grid = in.session.focus().grid();
  std::vector<Cta *> ctas = grid.residentCtas();
  llvm::sort(ctas, [&](Cta *a, Cta *b) { return grid.linear(a->index()) < grid.linear(b->index()); });
  std::vector<Row> rows;
  size_t lastCta = 0; // where the rows of the CTA before begin
  for (Cta *cta : ctas) {
    if ((filter->cta && !(*filter->cta == cta->index())) ||
        (filter->sm && *filter->sm != cta->multiprocessor().index()))
      continue;
    u64 number = grid.linear(cta->index());
    Expected<std::vector<Row>> own = rowsOfCta(in, *filter, *cta, number);
    if (!own)
      return own.takeError();
    // As a whole like the one before?
    size_t count = own->size();
    bool alike = count > 0 && rows.size() - lastCta == count;
    for (size_t i = 0; alike && i < count; ++i) {
      const Row &before = rows[lastCta + i], &row = (*own)[i];
      alike = before.lastCta + 1 == number && before.warp == row.warp && before.lastWarp == row.lastWarp &&
              before.isLike(row);
    }
    if (alike) {
      for (size_t i = 0; i < count; ++i)
        rows[lastCta + i].lastCta = number;
      continue;
    }
    if (count > 0)
      lastCta = rows.size();
    llvm::append_range(rows, *own);
  }
  // Programs get all of them.
  bool paged = !filter->all && !in.onAnswer;
  size_t first = paged && invocation.repeated && in.warpsNext < rows.size() ? in.warpsNext : 0;
  size_t end = paged ? std::min(rows.size(), first + rowsOfPage) : rows.size();
  Dim3 size = grid.launch().grid;
  auto index = [&](u64 linear) {
    return describeIndex(
        {u32(linear % size.x), u32(linear / size.x % size.y), u32(linear / size.x / size.y)});
  };
  Table table({" ", "CTA", "Warp", "PC", "Line", "Active", "Lanes", "Stack", "State"});
  for (size_t i = first; i < end; ++i) {
    const Row &row = rows[i];
    std::vector<std::string> cells = {
        row.focused ? "*" : " ", index(row.cta) + (row.lastCta > row.cta ? " to " + index(row.lastCta) : ""),
        std::to_string(row.warp) + (row.lastWarp > row.warp ? "-" + std::to_string(row.lastWarp) : "")};
    llvm::append_range(cells, row.cells);
    table.row(std::move(cells));
  }
  table.printOr(in.out, invocation.arguments.empty() || invocation.arguments == "all" ? "No warps run."
                                                                                      : "No such warps.");
  in.warpsNext = end;
  if (end < rows.size())
    in.out << formatv("rows {0} to {1} of {2}: an empty line shows more, `info warps all` shows every row\n",
                      first + 1, end, rows.size());
  return Error::success();
}

} // namespace leno::dbg
