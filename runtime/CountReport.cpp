#include "runtime/CountReport.h"

#include "llvm/Support/Format.h"

namespace leno::runtime {

static void printRows(llvm::raw_ostream &os, const CountTable &table) {
  using Row = std::vector<std::string>;
  std::vector<Row> rows(1, Row{table.of});
  for (const CountName &name : table.names)
    rows[0].push_back(name.label);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    if (llvm::all_of(table.rows[i], [](uint64_t count) { return count == 0; }))
      continue;
    Row &row = rows.emplace_back(Row{std::to_string(i)});
    for (uint64_t count : table.rows[i])
      row.push_back(std::to_string(count));
  }
  os << table.title << '\n';
  for (const Row &row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      size_t width = 0;
      for (const Row &other : rows)
        width = std::max(width, other[i].size());
      os << (i ? "  " : "") << llvm::right_justify(row[i], unsigned(width));
    }
    os << '\n';
  }
}

static void printSentence(llvm::raw_ostream &os, const CountTable &table) {
  const char *before = ": ";
  os << table.title;
  for (size_t i = 0; i < table.names.size(); ++i)
    if (table.names[i].label) {
      os << before << table.rows[0][i] << ' ' << table.names[i].label;
      before = ", ";
    }
  os << '\n';
}

void printCounts(llvm::raw_ostream &os, const CountTables &tables) {
  for (const CountTable &table : tables)
    switch (table.shape) {
    case CountTable::Rows:
      if (table.always || !table.isZero())
        printRows(os, table);
      break;
    case CountTable::Lines:
      for (size_t i = 0; i < table.names.size(); ++i)
        os << table.names[i].label << "  " << table.rows[0][i] << '\n';
      break;
    case CountTable::Sentence:
      if (!table.isZero())
        printSentence(os, table);
      break;
    }
}

void writeCounts(llvm::json::OStream &json, const CountTables &tables) {
  for (const CountTable &table : tables) {
    auto writeRow = [&](const std::vector<uint64_t> &row) {
      for (size_t i = 0; i < row.size(); ++i)
        json.attribute(table.names[i].key, row[i]);
    };
    if (table.shape == CountTable::Rows)
      json.attributeArray(table.key, [&] {
        for (const auto &row : table.rows)
          json.object([&] { writeRow(row); });
      });
    else
      json.attributeObject(table.key, [&] { writeRow(table.rows[0]); });
  }
}

llvm::json::Value jsonOf(const CountTable &table) {
  llvm::json::Array rows;
  for (const auto &row : table.rows) {
    llvm::json::Object object;
    for (size_t i = 0; i < row.size(); ++i)
      object[table.names[i].key] = row[i];
    rows.push_back(std::move(object));
  }
  return table.shape == CountTable::Rows ? llvm::json::Value(std::move(rows)) : std::move(rows[0]);
}

} // namespace leno::runtime
