//===- LaunchConstants.h - A launch's constants through the caches --------===//
// With constants.model=caches every word of c[b][o] that an instruction reads
// is asked of its SM's L1 before the instruction executes: the rows and banks
// that handlers read then hold what the caches answered. Before the first
// answer they hold its complement, so that no value can come past the caches.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/constants/ConstantUnit.h"
#include "emu/program/Program.h"
#include "llvm/ADT/SmallVector.h"

namespace leno {

class Warp;

class LaunchConstants {
public:
  /// `banks` are the launch's, final. All must live longer.
  LaunchConstants(ConstantUnit &unit, const ConstantBanks &banks, const Program &program);

  /// What handlers on an SM read of c[0..15].
  const MemoryWindow *windows(unsigned sm) const { return images[sm].windows.data(); }
  /// Whether an operation reads constants; one that traps instead does not.
  bool areReadBy(const Op &op) const;

  /// What `op` reads of constants. False: an SM's L1 has no room, and nothing was read.
  bool read(Warp &warp, const Op &op);

private:
  struct Image {
    std::array<std::vector<uint8_t>, ConstantBanks::count> bytes;
    std::array<MemoryWindow, ConstantBanks::count> windows;
  };
  /// A word that an operation reads.
  struct Word {
    u32 bank, offset;
    llvm::SmallVector<s32, 2> rows{}; ///< that get it: bytes from R0's row
  };
  /// Each once.
  struct Words {
    llvm::SmallVector<Word, 2> distinct;
    Word &add(u32 bank, u32 offset);
  };
  Words operandsOf(const Op &op) const;
  void indexedOf(const Warp &warp, const Op &op, Words &words) const;

  ConstantUnit &unit;
  const ConstantBanks &banks;
  const Program &program;
  std::vector<Words> operands; ///< of each operation
  std::vector<Image> images;   ///< of each SM's state
};

} // namespace leno
