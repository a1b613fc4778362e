//===- ConstantBanks.h - c[0..15] of one launch ---------------------------===//
// S2, Architecture.md 7: up to 64 KiB each; bank 0 holds launch geometry and
// kernel parameters.
//===----------------------------------------------------------------------===//
#pragma once
#include "asm/KernelInfo.h"
#include "emu/warp/WarpState.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <vector>

namespace leno {

/// Byte offsets in c[0] (CHOICE). The parameters follow in the order of the
/// kernel's .param lines.
namespace bank0 {
inline constexpr u32 blockDim = 0x00; ///< NTID.xyz
inline constexpr u32 gridDim = 0x0c;  ///< NCTAID.xyz
inline constexpr u32 gridId = 0x18;
inline constexpr u32 sharedBytes = 0x1c;
inline constexpr u32 hostWords = 0x20; ///< eight, the host's own: LaunchSpec::hostWords
inline constexpr u32 parameters = parameterBase;
} // namespace bank0

class ConstantBanks {
public:
  static constexpr unsigned count = 16;
  static constexpr u64 maxBytes = constantBankBytes;

  /// Writes bytes into a bank, which grows to hold them. Fails past bank 15 or 64 KiB.
  llvm::Error write(unsigned bank, u64 offset, llvm::ArrayRef<uint8_t> bytes);
  void clear(unsigned bank) { banks[bank].clear(); }
  llvm::ArrayRef<uint8_t> bank(unsigned index) const { return banks[index]; }
  /// The word at c[bank][offset]; false when it is not all inside the bank.
  bool word(unsigned bank, u64 offset, u32 &value) const;
  /// What handlers read: base 0, the bank's size and bytes.
  std::array<MemoryWindow, count> windows();

private:
  std::array<std::vector<uint8_t>, count> banks;
};

} // namespace leno
