// What global accesses met in the L2 slices, by slice and by SM: with l2.model=slices, beside the other
// counts.
#pragma once

#include "emu/memory/GlobalTraffic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::runtime {

/// Two tables, a row for each slice and each SM that was used.
void printMemory(llvm::raw_ostream &os, const GlobalTraffic &traffic);

/// The same as the attributes "l2Slices" and "globalBySm" of an object, all slices and SMs.
void writeMemory(llvm::json::OStream &json, const GlobalTraffic &traffic);

} // namespace leno::runtime
