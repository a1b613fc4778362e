//===- Table.cpp - info table: expressions over all lanes -----------------===//
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "dbg/WarpText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace leno::dbg {

namespace {

struct Cell {
  std::string text;
  bool changed = false;
};

struct Column {
  std::string header;
  Cell cells[laneCount];
  size_t width() const {
    size_t most = header.size();
    for (const Cell &cell : cells)
      most = std::max(most, cell.text.size());
    return most;
  }
};

} // namespace

static constexpr unsigned mostColumns = 64;

/// "R4..R7" and "P0..P3" at the start of `text`, one expression each.
static std::vector<std::string> takeRange(StringRef &text) {
  static const Regex pattern("^([RPrp])([0-9]{1,3}) *\\.\\. *([RPrp])([0-9]{1,3})([ \t,]|$)");
  SmallVector<StringRef, 6> parts;
  unsigned first, last;
  if (!pattern.match(text, &parts) || !parts[1].equals_insensitive(parts[3]) ||
      parts[2].getAsInteger(10, first) || parts[4].getAsInteger(10, last) || last < first)
    return {};
  std::vector<std::string> names;
  for (unsigned number = first; number <= last && names.size() < mostColumns; ++number)
    names.push_back(parts[1].upper() + std::to_string(number));
  text = text.substr(parts[0].size());
  return names;
}

/// Expressions between blanks or commas.
static Expected<std::vector<std::string>> splitColumns(StringRef whole) {
  std::vector<std::string> columns;
  for (StringRef rest = whole; !(rest = rest.ltrim(" \t,")).empty();) {
    if (columns.size() >= mostColumns)
      return textError(whole, columnIn(whole, rest),
                       "a table has at most " + Twine(mostColumns) + " columns");
    std::vector<std::string> names = takeRange(rest);
    if (!names.empty()) {
      columns.insert(columns.end(), names.begin(), names.end());
      continue;
    }
    StringRef after;
    Expected<Expression> expression = Expression::parsePrefix(rest, after);
    if (!expression)
      return handleErrors(expression.takeError(), [&](const TextError &error) {
        return textError(whole, columnIn(whole, rest) + error.column, error.message);
      });
    size_t end = after.data() ? columnIn(rest, after) : rest.size();
    if (end == 0)
      return textError(whole, columnIn(whole, rest), "expected an expression");
    columns.push_back(rest.take_front(end).rtrim().str());
    rest = rest.substr(end);
  }
  return columns;
}

static std::string textOf(Interpreter &in, const Value &value, char format) {
  if (value.type == ValueType::Bool && !format)
    return value.bits ? "1" : "0";
  return in.format(value, format || value.type != ValueType::Word ? format : 'd');
}

/// Fails when no lane has a value.
static Expected<Column> compute(Interpreter &in, const std::string &text, char format) {
  Expected<Expression> expression = Expression::parse(text);
  if (!expression)
    return expression.takeError();
  Column column{text, {}};
  Warp *warp = in.session.focus().warp();
  bool hasPast = in.session.focus().past();
  std::optional<Error> failure; // of the first lane
  bool any = false;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    Expected<Value> value = expression->evaluate(in.session.focus().contextOf(warp, lane));
    if (!value) {
      if (failure)
        consumeError(value.takeError());
      else
        failure.emplace(value.takeError());
      column.cells[lane].text = "-";
      continue;
    }
    any = true;
    column.cells[lane].text = textOf(in, *value, format);
    if (!hasPast)
      continue;
    Expected<Value> old = expression->evaluate(in.session.focus().contextOfPast(warp, lane));
    if (old)
      column.cells[lane].changed = old->bits != value->bits;
    else
      consumeError(old.takeError());
  }
  if (!any)
    return std::move(*failure);
  if (failure)
    consumeError(std::move(*failure));
  return column;
}

/// R0 to R7 and P0 to P6, as far as the kernel has them.
static std::string usualColumns(const Warp &warp) {
  unsigned last = std::min(8u, warp.registers());
  return (last ? formatv("R0..R{0} ", last - 1).str() : "") + "P0..P6";
}

static void printHeader(Interpreter &in, ArrayRef<Column> columns) {
  std::string line = "Lane  State   ";
  for (const Column &column : columns)
    line += "  " + std::string(column.width() - column.header.size(), ' ') + column.header + " ";
  in.out << StringRef(line).rtrim() << '\n';
}

static void printRow(Interpreter &in, const Warp &warp, unsigned lane, ArrayRef<Column> columns) {
  bool active = warp.active >> lane & 1;
  std::string head = formatv("{0,4}  {1,-8}", lane, describeLane(warp, lane).state).str();
  std::string line = active ? head : in.dim(head);
  for (const Column &column : columns) {
    const Cell &cell = column.cells[lane];
    std::string text =
        std::string(column.width() - cell.text.size(), ' ') + cell.text + (cell.changed ? "*" : " ");
    line += "  " + (cell.changed ? in.marked(text) : active ? text : in.dim(text));
  }
  in.out << StringRef(line).rtrim() << '\n';
}

/// The columns, each with the texts of all lanes; null: it has no value there.
static json::Object factsOf(const Warp &warp, ArrayRef<Column> columns) {
  json::Array all;
  for (const Column &column : columns) {
    json::Array cells, changed;
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      const Cell &cell = column.cells[lane];
      cells.push_back(cell.text == "-" ? json::Value(nullptr) : json::Value(facts::text(cell.text)));
      if (cell.changed)
        changed.push_back(int64_t(lane));
    }
    all.push_back(json::Object{{"expression", facts::text(column.header)},
                               {"lanes", std::move(cells)},
                               {"changed", std::move(changed)}});
  }
  json::Array states;
  for (unsigned lane = 0; lane < laneCount; ++lane)
    states.push_back(describeLane(warp, lane).state);
  return json::Object{{"kind", "lanes"},
                      {"launched", facts::mask(warp.lanesLaunched())},
                      {"active", facts::mask(warp.active)},
                      {"states", std::move(states)},
                      {"columns", std::move(all)}};
}

static Error table(Interpreter &in, const Invocation &invocation) {
  const Warp &warp = *in.session.focus().warp();
  Expected<char> format = formatLetter(invocation);
  if (!format)
    return format.takeError();
  bool told = !invocation.arguments.empty();
  std::string wanted = told                      ? invocation.arguments.str()
                       : in.tableColumns.empty() ? usualColumns(warp)
                                                 : in.tableColumns;
  char letter = *format ? *format : told ? 0 : in.tableFormat;
  Expected<std::vector<std::string>> names = splitColumns(wanted);
  if (!names)
    return names.takeError();
  std::vector<Column> columns;
  for (const std::string &name : *names) {
    Expected<Column> column = compute(in, name, letter);
    if (!column)
      return column.takeError();
    columns.push_back(std::move(*column));
  }
  if (told) // the usual ones are those of whichever kernel is in focus
    in.tableColumns = wanted;
  in.tableFormat = letter;

  in.note(factsOf(warp, columns));
  in.out << in.describeWarp(warp) << '\n';
  printHeader(in, columns);
  for (unsigned lane = 0; lane < laneCount; ++lane)
    if (warp.lanesLaunched() >> lane & 1)
      printRow(in, warp, lane, columns);
  return Error::success();
}

ArrayRef<Command> tableCommands() {
  static constexpr Command commands[] = {
      {"info table", "", Command::Looking, Command::NeedsWarp | Command::TakesFormat, "[EXPRESSION...]",
       "show expressions over all lanes of the focused warp",
       "A row for each lane, a column for each expression: registers, predicates, R4..R7, or anything that "
       "print "
       "takes, between\n"
       "blanks or commas. What the last step or run has changed in registers, predicates and flags is marked "
       "with a "
       "star; on a\n"
       "terminal lanes that are not active are dimmed. Without expressions those of the last table, at first "
       "R0..R7 "
       "P0..P6.\n"
       "Formats: x d u f t.\n"
       "\n"
       "(leno) info table R0..R2 P0 R1*4",
       table},
  };
  return commands;
}

} // namespace leno::dbg
