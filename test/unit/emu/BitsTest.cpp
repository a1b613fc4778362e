#include "emu/semantics/Bits.h"
#include "emu/semantics/Convert.h"
#include "test/unit/Effort.h"
#include "gtest/gtest.h"
#include <bitset>
#include <random>

// Expected values are put together bit by bit, after the public PTX rules for these operations.
using namespace leno;
using namespace leno::sem;

namespace {

const u32 interesting[] = {0,          1,          2,          31,         32,         33,
                           0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xffff,     0x8000,
                           0x10000,    0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef, 0x7f,
                           0xffffff80, 0xff,       0x0420,     0x2000,     0x081c,     0x0120};

template <class F> void eachTriple(F check) {
  for (u32 a : interesting)
    for (u32 b : interesting)
      for (u32 c : interesting)
        check(a, b, c);
  std::mt19937 random(21);
  for (unsigned i = 0; i < test::effort(5000); ++i) {
    u32 b = u32(random());
    check(u32(random()), i & 1 ? b : b & 0x3f3f, u32(random()));
  }
}

bool bit(u32 word, unsigned i) { return i < 32 && (word >> i & 1); }

} // namespace

TEST(SHF, IsAWordOfTheShiftedPair) {
  eachTriple([](u32 a, u32 b, u32 c) {
    for (bool wrap : {false, true}) {
      isa::SHFMods m;
      m.W = wrap;
      unsigned n = wrap ? b % 32 : b > 32 ? 32 : b;
      unsigned __int128 both = (unsigned __int128)c << 32 | a;
      m.dir = isa::Direction::L;
      ASSERT_EQ(SHF::lane(m, a, b, c), u32(both << n >> 32));
      m.dir = isa::Direction::R;
      ASSERT_EQ(SHF::lane(m, a, b, c), u32(both >> n));
    }
  });
}

TEST(BFE, EveryBitComesFromTheFieldOrItsSign) {
  eachTriple([](u32 a, u32 b, u32) {
    unsigned position = b & 0xff, length = b >> 8 & 0xff;
    for (bool isUnsigned : {false, true}) {
      isa::BFEMods m;
      m.u32 = isUnsigned;
      bool fill = !isUnsigned && length && bit(a, std::min(position + length - 1, 31u));
      u32 expected = 0;
      for (unsigned i = 0; i < 32; ++i)
        expected |= u32(i < length && position + i <= 31 ? bit(a, position + i) : fill) << i;
      ASSERT_EQ(BFE::lane(m, a, b), expected) << std::hex << a << " " << b;
    }
  });
}

TEST(BFI, EveryBitComesFromTheSourceOrTheBase) {
  eachTriple([](u32 a, u32 b, u32 c) {
    unsigned position = b & 0xff, length = b >> 8 & 0xff;
    u32 expected = c;
    for (unsigned i = 0; i < length && position + i <= 31; ++i)
      expected = (expected & ~(1u << (position + i))) | u32(bit(a, i)) << (position + i);
    ASSERT_EQ(BFI::lane({}, a, b, c), expected) << std::hex << a << " " << b << " " << c;
  });
}

TEST(BREV, TurnsAllBitsAround) {
  eachTriple([](u32 a, u32, u32) {
    u32 expected = 0;
    for (unsigned i = 0; i < 32; ++i)
      expected |= u32(bit(a, 31 - i)) << i;
    ASSERT_EQ(BREV::lane({}, 0, a), expected);
  });
}

TEST(POPC, CountsTheOnes) {
  eachTriple([](u32 a, u32, u32) {
    isa::POPCMods m;
    ASSERT_EQ(POPC::lane(m, 0, a), std::bitset<32>(a).count());
    m.invB = true;
    ASSERT_EQ(POPC::lane(m, 0, a), 32 - std::bitset<32>(a).count());
  });
}

TEST(FLO, FindsTheHighestBitThatCounts) {
  eachTriple([](u32 a, u32, u32) {
    for (unsigned modifiers = 0; modifiers < 8; ++modifiers) {
      isa::FLOMods m;
      m.u32 = modifiers & 1, m.SH = modifiers & 2, m.invB = modifiers & 4;
      u32 x = m.invB ? ~a : a;
      bool unlike = !m.u32 && bit(x, 31);
      u32 expected = 0xffffffff;
      for (unsigned i = 0; i < 32; ++i)
        if (bit(x, i) != unlike)
          expected = m.SH ? 31 - i : i;
      ASSERT_EQ(FLO::lane(m, 0, a), expected) << std::hex << a << " modifiers " << modifiers;
    }
  });
}

TEST(PRMT, EveryModeAndSelector) {
  // The bytes of d from high to low for selectors 0 to 3, as the PTX manual's table has them.
  static const unsigned table[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                                       {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                                       {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  eachTriple([](u32 a, u32 b, u32 c) {
    unsigned char bytes[8];
    for (unsigned i = 0; i < 4; ++i)
      bytes[i] = u8(a >> 8 * i), bytes[4 + i] = u8(c >> 8 * i);
    for (unsigned mode = 0; mode < 7; ++mode) {
      isa::PRMTMods m;
      m.mode = isa::Permute(mode);
      unsigned selector = mode ? table[mode - 1][b & 3] : b & 0xffff;
      u32 expected = 0;
      for (unsigned k = 0; k < 4; ++k) {
        unsigned nibble = selector >> 4 * k & 15, byte = bytes[nibble & 7];
        expected |= (nibble & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << 8 * k;
      }
      ASSERT_EQ(PRMT::lane(m, a, b, c), expected) << "mode " << mode << std::hex << " " << b;
    }
  });
}

TEST(I2I, EveryFormatPartAndSign) {
  static const s64 low[] = {INT32_MIN, 0, -32768, 0, -128, 0};
  static const s64 high[] = {INT32_MAX, UINT32_MAX, 32767, 65535, 127, 255};
  auto read = [](unsigned format, u64 bits) -> s64 {
    s64 size = high[format] - low[format] + 1, value = s64(bits % u64(size));
    return value > high[format] ? value - size : value;
  };
  eachTriple([&](u32 a, u32, u32) {
    for (unsigned to = 0; to < 6; ++to)
      for (unsigned from = 0; from < 6; ++from)
        for (unsigned rest = 0; rest < 32; ++rest) {
          isa::I2IMods m;
          m.dst = isa::IntType(to), m.src = isa::IntType(from), m.part = isa::BytePart(rest & 3);
          m.SAT = rest & 4, m.negB = rest & 8, m.absB = rest & 16;
          s64 x = read(from, a >> 8 * (rest & 3));
          if (m.absB)
            x = std::abs(x);
          if (m.negB)
            x = -x;
          x = m.SAT ? std::clamp(x, low[to], high[to]) : read(to, u64(x));
          ASSERT_EQ(I2I::lane(m, 0, a), u32(x)) << a << " from " << from << " to " << to << " rest " << rest;
        }
  });
}
