//===- ConstantReport.h - Where a constant is, in words -------------------===//
// S2's protocols keep a word of the constants in the L1 of each SM, in the L2, in protocol B's backup, and in
// the queue before the L2. Under protocol A a word that a constant command wrote is locked and dirty in an L1
// until the L2 has it.
//===----------------------------------------------------------------------===//
#pragma once

#include "emu/constants/ConstantCacheConfig.h"
#include "emu/constants/ConstantWordState.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace leno::dbg {

/// Of a table of words: headers, and the cells of one word. `sm`: whose L1 is in the column "L1".
std::vector<std::string> columnsOfConstants(u64 protocol);
std::vector<std::string> cellsOfConstant(const ConstantWordState &state, u64 protocol,
                                         std::optional<unsigned> sm);
/// All of one word: a line on the protocol and a table with a row for each copy. `sm` is marked.
void printConstant(llvm::raw_ostream &os, const ConstantWordState &state, u64 protocol,
                   std::optional<unsigned> sm);
/// The same for programs.
llvm::json::Object factsOf(const ConstantWordState &state, u64 protocol);

} // namespace leno::dbg
