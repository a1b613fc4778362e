//===- BlockHeat.h - How often the blocks of a graph have executed --------===//
#pragma once

#include "asm/ProfileFile.h"

#include "llvm/ADT/ArrayRef.h"

namespace leno {

/// The counts of a profile by instruction, over all its launches.
class BlockHeat {
public:
  explicit BlockHeat(const ProfileFile &profile);
  /// Fails when the profile is of another program: at the first address where the words differ. `words`: of a
  /// linked program, from address 0 on.
  llvm::Error check(llvm::ArrayRef<uint64_t> words) const;
  /// Of the instructions at byte addresses from `begin` up to `end`: a line for people, "120 times, lanes
  /// 87.5%, divergences: 12".
  std::string note(uint64_t begin, uint64_t end) const;
  /// Attributes of a node of Graphviz: the redder, the more of all warp instructions are its.
  std::string attributes(uint64_t begin, uint64_t end) const;

private:
  struct Row {
    std::string word;
    uint64_t warps = 0, lanes = 0, divergences = 0, reconvergences = 0;
  };
  Row sum(uint64_t begin, uint64_t end) const;

  std::map<uint64_t, Row> rows; ///< by address
  uint64_t total = 0;           ///< warp instructions
};

} // namespace leno
