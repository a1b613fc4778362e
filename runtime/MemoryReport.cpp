#include "runtime/MemoryReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <array>

namespace leno::runtime {
namespace {

/// A count with its name in both reports.
struct Column {
  const char *key, *label;
  uint64_t value;
};

struct Sender {
  L2Traffic::Sender kind;
  const char *key, *label;
};
constexpr Sender sendersOfSms[] = {{L2Traffic::Global, "globalBySm", "global memory"},
                                   {L2Traffic::Local, "localBySm", "local memory"},
                                   {L2Traffic::Stack, "stackBySm", "stack entries spilled or restored"}};

std::array<Column, 7> columnsOfSlice(const L2Traffic &traffic, unsigned slice) {
  const L2Slice::Counts &c = traffic.slice(slice);
  return {{{"requests", "requests", traffic.requestsOf(slice)},
           {"readHits", "read hits", c.readHits},
           {"readMisses", "read misses", c.readMisses},
           {"writeHits", "write hits", c.writeHits},
           {"writeMisses", "write misses", c.writeMisses},
           {"evictions", "evictions", c.evictions},
           {"writeBacks", "write-backs", c.writeBacks}}};
}

std::array<Column, 4> columnsOf(const L2Traffic::Counts &c) {
  return {{{"accesses", "accesses", c.accesses},
           {"requests", "requests", c.requests},
           {"hits", "hits", c.hits},
           {"waitCycles", "wait cycles", c.waitCycles}}};
}

std::array<Column, 9> columnsOfConstants(const ConstantUnit &constants, unsigned sm) {
  const ConstantCounts &c = constants.sm(sm);
  return {{{"reads", "reads", c.reads},
           {"hits", "hits", c.hits},
           {"misses", "misses", c.misses},
           {"lockStalls", "lock stalls", c.lockStalls},
           {"waitCycles", "wait cycles", constants.waitCycles(sm)},
           {"writtenWords", "words written", c.writtenWords},
           {"copiedWords", "copied", c.copiedWords},
           {"invalidations", "invalidations", c.invalidations},
           {"versions", "versions", c.versions}}};
}

std::array<Column, 5> columnsOfConstantL2(const ConstantUnit &constants) {
  ConstantL2::Counts c = constants.l2();
  return {{{"commands", "constant commands", constants.commands()},
           {"hits", "L2 hits", c.hits},
           {"misses", "L2 misses", c.misses},
           {"writeBacks", "words written back", c.writeBacks},
           {"backupReads", "backup reads", constants.backupReads()}}};
}

/// Rows of nothing but zeros are left out.
template <typename ColumnsOf>
void printTable(llvm::raw_ostream &os, const char *name, unsigned count, const ColumnsOf &columnsOf) {
  using Row = std::vector<std::string>;
  std::vector<Row> rows(1, Row{name});
  for (const Column &column : columnsOf(0))
    rows[0].push_back(column.label);
  for (unsigned i = 0; i < count; ++i) {
    auto columns = columnsOf(i);
    if (llvm::all_of(columns, [](const Column &column) { return column.value == 0; }))
      continue;
    Row &row = rows.emplace_back(Row{std::to_string(i)});
    for (const Column &column : columns)
      row.push_back(std::to_string(column.value));
  }
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

template <typename ColumnsOf>
void writeArray(llvm::json::OStream &json, const char *key, unsigned count, const ColumnsOf &columnsOf) {
  json.attributeArray(key, [&] {
    for (unsigned i = 0; i < count; ++i)
      json.object([&] {
        for (const Column &column : columnsOf(i))
          json.attribute(column.key, column.value);
      });
  });
}

} // namespace

void printMemory(llvm::raw_ostream &os, const L2Traffic &traffic) {
  os << "memory by L2 slice\n";
  printTable(os, "slice", traffic.slices(), [&](unsigned i) { return columnsOfSlice(traffic, i); });
  for (const Sender &sender : sendersOfSms) {
    auto columns = [&](unsigned i) { return columnsOf(traffic.sm(i, sender.kind)); };
    bool any = false;
    for (unsigned i = 0; i < traffic.sms(); ++i)
      any |= columns(i)[0].value != 0;
    if (!any && sender.kind != L2Traffic::Global)
      continue;
    os << sender.label << " by SM\n";
    printTable(os, "SM", traffic.sms(), columns);
  }
  if (traffic.host().accesses)
    os << "host: " << traffic.host().requests << " requests to the slices, " << traffic.host().hits
       << " hits\n";
}

void printConstants(llvm::raw_ostream &os, const ConstantUnit &constants) {
  os << "constants by SM\n";
  printTable(os, "SM", constants.sms(), [&](unsigned i) { return columnsOfConstants(constants, i); });
  for (const Column &column : columnsOfConstantL2(constants))
    os << column.label << "  " << column.value << '\n';
}

void writeConstants(llvm::json::OStream &json, const ConstantUnit &constants) {
  writeArray(json, "constantsBySm", constants.sms(),
             [&](unsigned i) { return columnsOfConstants(constants, i); });
  json.attributeObject("constantsL2", [&] {
    for (const Column &column : columnsOfConstantL2(constants))
      json.attribute(column.key, column.value);
  });
}

void writeMemory(llvm::json::OStream &json, const L2Traffic &traffic) {
  writeArray(json, "l2Slices", traffic.slices(), [&](unsigned i) { return columnsOfSlice(traffic, i); });
  for (const Sender &sender : sendersOfSms)
    writeArray(json, sender.key, traffic.sms(),
               [&](unsigned i) { return columnsOf(traffic.sm(i, sender.kind)); });
  json.attributeObject("host", [&] {
    for (const Column &column : columnsOf(traffic.host()))
      json.attribute(column.key, column.value);
  });
}

} // namespace leno::runtime
