// What the models of the machine have counted (emu/CountTable.h), beside the other counts.
#pragma once

#include "emu/CountTable.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::runtime {

/// For people.
void printCounts(llvm::raw_ostream &os, const CountTables &tables);

/// The same as attributes of an object, all rows.
void writeCounts(llvm::json::OStream &json, const CountTables &tables);
/// And as a value: a list of objects, or an object.
llvm::json::Value jsonOf(const CountTable &table);

} // namespace leno::runtime
