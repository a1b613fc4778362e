//===- ConstantKernel.h - Kernels that read constants, and what they compute --===//
// Random kernels whose loops read c[1..3] in every way there is, and the same
// in a few lines of C++: the plainest model of constants is a copy of all of
// them for each launch, as they stood at its place in the stream.
//===----------------------------------------------------------------------===//
#pragma once
#include "Harness.h"
#include "test/unit/Support.h"
#include "llvm/Support/FormatVariadic.h"

namespace leno::test {

inline constexpr unsigned banks = 3, bankWords = 48;
using Constants = std::array<std::vector<u32>, banks + 1>; ///< c[1..3]

/// One read of the kernel's loop, and what becomes of it.
struct Item {
  enum Kind { Add, Xor, Double, Byte, Half, Word, Pair } kind;
  unsigned bank;
  u32 offset; ///< in bytes
  u32 spread; ///< lanes read from as many places
};

/// A kernel that goes round a loop of reads, guarded ones among them, and stores what they come to.
struct Kernel {
  std::vector<Item> items;
  std::optional<Program> program;

  explicit Kernel(std::mt19937 &random) {
    for (unsigned left = 1 + random() % 10; left > 0; --left) {
      Item item{Item::Kind(random() % 7), unsigned(1 + random() % banks), 0, u32(1) << random() % 5};
      u32 bytes = bytesOf(item.kind);
      item.offset =
          u32(random() % (bankWords * 4 / bytes - (item.kind < Item::Byte ? 0 : item.spread))) * bytes;
      items.push_back(item);
    }
    program = assembled(text());
  }

  static u32 bytesOf(Item::Kind kind) {
    static constexpr u32 bytes[] = {4, 4, 8, 1, 2, 4, 8};
    return bytes[kind];
  }

  std::string text() const {
    std::string s = ".kernel k\n.param ptr out\n.param u32 trips\n"
                    "S2R R0, SR_TID.X;\nS2R R1, SR_CTAID.X;\nS2R R2, SR_NTID.X;\nIMAD R3, R1, R2, R0;\n"
                    "MOV R10, 0;\nMOV R11, c[0][trips];\n"
                    "LOP.and R4, R0, 1;\nISETP.eq P1, R4, 0;\nhead:\n";
    for (const Item &i : items) {
      std::string place = llvm::formatv("c[{0}][{1}]", i.bank, i.offset).str();
      static constexpr const char *sizes[] = {"", "", "", ".u8", ".u16", "", ".64"};
      if (i.kind >= Item::Byte)
        s += llvm::formatv("LOP.and R5, R3, {0};\nIMUL R5, R5, {1};\nLDC{2} R12, c[{3}][R5+{4}];\n",
                           i.spread - 1, bytesOf(i.kind), sizes[i.kind], i.bank, i.offset);
      switch (i.kind) {
      case Item::Add:
        s += "@P1 IADD R10, R10, " + place + ";\n";
        break;
      case Item::Xor:
        s += "LOP.xor R10, R10, " + place + ";\n";
        break;
      case Item::Double:
        s += "DADD R14, RZ, " + place + ";\nIADD R10, R10, R14;\nIADD R10, R10, R15;\n";
        break;
      case Item::Pair:
        s += "IADD R10, R10, R13;\n";
        [[fallthrough]];
      default:
        s += "IADD R10, R10, R12;\n";
      }
    }
    return s + "IADD R11, R11, -1;\nISETP.ne P0, R11, 0;\n@P0 BRA head;\n"
               "SHL R3, R3, 2;\nIADD R3, R3, c[0][out];\nSTG [R3], R10;\nEXIT;\n.endkernel\n";
  }

  u32 result(const Constants &constants, u32 thread, u32 threadsOfCta, u32 trips) const {
    u32 sum = 0;
    for (; trips > 0; --trips)
      for (const Item &i : items) {
        u32 bytes = bytesOf(i.kind);
        u32 at = i.offset + (i.kind >= Item::Byte ? (thread & (i.spread - 1)) * bytes : 0);
        const u32 *word = &constants[i.bank][at / 4];
        u32 value = bytes == 8   ? word[0] + word[1]
                    : bytes == 4 ? word[0]
                                 : word[0] >> at % 4 * 8 & ((1u << bytes * 8) - 1);
        if (i.kind == Item::Xor)
          sum ^= value;
        else if (i.kind != Item::Add || thread % threadsOfCta % 2 == 0)
          sum += value;
      }
    return sum;
  }
};

/// Never the upper half of a NaN.
inline u32 randomWord(std::mt19937 &random) { return u32(random()) & 0xbfffffff; }

} // namespace leno::test
