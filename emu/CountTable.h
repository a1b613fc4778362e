//===- CountTable.h - What a model has counted, with its words ------------===//
// A model says once what its counts are called; tables for people, JSON, the
// debugger and the reports of contexts all print these (runtime/CountReport.h).
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdint>
#include <vector>

namespace leno {

struct CountName {
  const char *key;                ///< in JSON
  const char *label;              ///< for people; null: only in JSON
  const char *sumKey = nullptr;   ///< a context's report has the sum of all counts with this key
  const char *sumLabel = nullptr; ///< and calls it so
};

struct CountTable {
  enum Shape : uint8_t {
    Rows,     ///< a line for each row that is not all zero, under a title; in JSON a list of objects
    Lines,    ///< a line for each count of the only row; in JSON an object
    Sentence, ///< the title and the only row's counts in one line, if there are any; in JSON an object
  };
  const char *key; ///< in JSON
  const char *title;
  const char *of; ///< what a row is of: "SM"
  llvm::ArrayRef<CountName> names;
  std::vector<std::vector<uint64_t>> rows{};
  Shape shape = Rows;
  bool always = true; ///< Rows: shown though all counts are zero

  bool isZero() const {
    return llvm::all_of(rows,
                        [](const auto &row) { return llvm::all_of(row, [](uint64_t n) { return !n; }); });
  }
};

using CountTables = std::vector<CountTable>;

/// Adds the counts of the same models in another time; one of the two may be empty.
inline CountTables &operator+=(CountTables &tables, const CountTables &others) {
  if (tables.empty())
    return tables = others;
  for (size_t t = 0; t < others.size(); ++t)
    for (size_t row = 0; row < others[t].rows.size(); ++row)
      for (size_t i = 0; i < others[t].rows[row].size(); ++i)
        tables[t].rows[row][i] += others[t].rows[row][i];
  return tables;
}

} // namespace leno
