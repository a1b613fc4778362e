//===- Tally.h - How much was compared ------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "isa/Modifiers.h"
#include <string>

namespace leno::test {

/// Counts what a test compares. When it ends it is printed, and left as a line in a file of the folder
/// $LENO_ORACLE_TALLY, if that is set, for tally.py.
class Tally {
public:
  /// What is counted together: an instruction and its rounding mode or function, such as "FADD RM"; `part`
  /// tells cases of it apart.
  Tally(std::string operation, std::string part = "")
      : operation(std::move(operation)), part(std::move(part)) {}
  Tally(const Tally &) = delete;
  Tally &operator=(const Tally &) = delete;
  ~Tally();
  /// A warp of tuples of operands, each tried with so many variants of modifiers that do not round.
  void addWarp(u64 variants = 1) { tuples += laneCount, results += laneCount * variants; }

private:
  std::string operation, part;
  u64 tuples = 0, results = 0;
};

const char *nameOf(isa::Round);
const char *nameOf(isa::FloatFormat);
const char *nameOf(isa::IntFormat);

} // namespace leno::test
