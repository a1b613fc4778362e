// What global accesses met in the L2 slices, by slice and by SM, and reads of constants in their caches:
// with l2.model=slices and constants.model=caches, beside the other counts.
#pragma once

#include "emu/constants/ConstantUnit.h"
#include "emu/memory/L2Traffic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::runtime {

/// Tables, a row for each slice and each SM that was used: of all, of global and local memory and of stacks.
void printMemory(llvm::raw_ostream &os, const L2Traffic &traffic);

/// The same as the attributes "l2Slices", "globalBySm", "localBySm", "stackBySm" and "host" of an object, all
/// slices and SMs.
void writeMemory(llvm::json::OStream &json, const L2Traffic &traffic);

/// What reads of constants met in the device's caches: with constants.model=caches. Two tables, by SM and of
/// the L2.
void printConstants(llvm::raw_ostream &os, const ConstantUnit &constants);

/// The same as the attributes "constantsBySm" and "constantsL2" of an object.
void writeConstants(llvm::json::OStream &json, const ConstantUnit &constants);

} // namespace leno::runtime
