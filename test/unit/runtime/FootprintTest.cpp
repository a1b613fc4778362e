//===- FootprintTest.cpp - What accesses touch, beside sets of pieces -----===//
// Sectors, lines and banks of random accesses, counted once more with sets of
// the bytes that each lane has.
//===----------------------------------------------------------------------===//
#include "runtime/profile/Footprint.h"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace leno;
using namespace leno::profile;

namespace {

struct Access {
  std::array<u64, laneCount> addresses;
  MemoryAccess of;
};

template <class Each> void forEachByte(const MemoryAccess &access, Each each) {
  for (unsigned lane = 0; lane < laneCount; ++lane)
    if (access.lanes >> lane & 1)
      for (u64 i = 0; i < access.bytes; ++i)
        each(lane, access.addresses[lane] + i);
}

/// Rows, steps of some bytes forth and back, one address for all, and none of these.
void makeRandom(Access &access, MemorySpace space, std::mt19937_64 &random) {
  const unsigned bytes = 1u << random() % 5;
  const u64 start = random() % 4096 * 16, step = random() % 70 * bytes, pattern = random() % 4;
  for (unsigned lane = 0; lane < laneCount; ++lane)
    access.addresses[lane] = pattern == 0   ? start + step * lane
                             : pattern == 1 ? start + step * (laneCount - 1 - lane)
                             : pattern == 2 ? start + step * (lane / 8) + lane % 3 * bytes
                                            : random() % 512 * bytes;
  const LaneMask lanes = random() % 3 ? allLanes : LaneMask(random());
  access.of = {space, MemoryAccess::Kind::Load, bytes, lanes, access.addresses.data()};
}

TEST(Footprint, SectorsAndLinesAreThoseOfTheBytes) {
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 20000; ++i) {
    Access access;
    makeRandom(access, i % 2 ? MemorySpace::Local : MemorySpace::Global, random);
    std::set<u64> sectors, lines;
    forEachByte(access.of, [&](unsigned lane, u64 address) {
      if (i % 2) // a word of all lanes lies in a row
        address = address / 4 * 128 + lane * 4 + address % 4;
      sectors.insert(address / 32);
      lines.insert(address / 128);
    });
    const Footprint footprint = footprintOf(access.of);
    ASSERT_EQ(footprint.sectors, sectors.size()) << i;
    ASSERT_EQ(footprint.lines, lines.size()) << i;
  }
}

TEST(Footprint, PassesAreTheWordsOfTheBusiestBank) {
  std::mt19937_64 random(2);
  for (unsigned i = 0; i < 20000; ++i) {
    Access access;
    makeRandom(access, MemorySpace::Shared, random);
    std::map<u64, std::set<u64>> wordsOfBank;
    std::set<u64> words;
    forEachByte(access.of, [&](unsigned, u64 address) {
      wordsOfBank[address / 4 % 32].insert(address / 4);
      words.insert(address / 4);
    });
    size_t most = 0;
    for (const auto &[bank, its] : wordsOfBank)
      most = std::max(most, its.size());
    const BankUse use = bankUseOf(access.of);
    ASSERT_EQ(use.passes, most) << i;
    ASSERT_EQ(use.conflicts, most - (words.size() + 31) / 32) << i;
  }
}

} // namespace
