//===- Footprint.h - What the lanes of an access touch together -----------===//
#pragma once
#include "emu/memory/MemoryAccess.h"

namespace leno::profile {

inline constexpr u64 sectorBytes = 32, lineBytes = 128, bankCount = 32, bankBytes = 4;

struct Footprint {
  unsigned sectors = 0; ///< different pieces of 32 bytes
  unsigned lines = 0;   ///< different pieces of 128 bytes
};
/// Of an access to global or local memory. Local memory is counted as it lies: a word of all lanes is a line.
Footprint footprintOf(const MemoryAccess &access);

struct BankUse {
  unsigned passes = 0;    ///< the most different words that one bank is asked for; a word that several lanes
                          ///< want is one
  unsigned conflicts = 0; ///< of these, how many more than as many words, spread evenly, would need
};
/// Of an access to shared memory.
BankUse bankUseOf(const MemoryAccess &access);

} // namespace leno::profile
