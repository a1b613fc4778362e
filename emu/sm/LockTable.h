//===- LockTable.h - Lock flags of one memory [S1] ------------------------===//
// S1: LDLK loads a value and tries to acquire the lock associated with the
// memory address. CHOICE: every aligned 4-byte word of memory has a flag; an
// access of 8 bytes takes the flags of both of its words, or none.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace leno {

class Warp;

class LockTable {
public:
  struct Holder {
    const Warp *warp;
    unsigned lane;
    bool operator==(const Holder &) const = default;
  };

  /// Takes the flags of the words of [address, address + bytes), all or none. False: one is taken, by
  /// whomever.
  bool acquire(u64 address, unsigned bytes, Holder holder);
  /// Whether `holder` holds the flags of all those words.
  bool holds(u64 address, unsigned bytes, Holder holder) const;
  /// Gives the flags of those words back; the caller has asked `holds`.
  void release(u64 address, unsigned bytes);
  /// Gives back all that a warp holds.
  void releaseAll(const Warp *warp);
  /// By address of the word.
  const std::map<u64, Holder> &all() const { return flags; }
  /// Who holds a flag of those words, or null.
  const Holder *holder(u64 address, unsigned bytes) const;
  /// The words that `lanes` of a warp hold, lowest address first.
  llvm::SmallVector<std::pair<u64, unsigned>> heldBy(const Warp *warp, LaneMask lanes) const;

private:
  std::map<u64, Holder> flags; ///< by address of the word
};

} // namespace leno
