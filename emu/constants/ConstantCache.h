//===- ConstantCache.h - Cached words of the constant banks ---------------===//
// S2: a cache of constants, as level 1 in an SM and as the shared level 2.
// Words of a line are valid one by one, since constant commands write single
// words. A written word is marked:
//
//   in an L1 under protocol A it is locked, and dirty: "the location is locked,
//     preventing it from being overwritten prior to either invalidation of the
//     L1 or moving the constant to L2"; its stamp tells the version that wrote it;
//   in an L2 it goes back to memory when its line has to go.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/constants/ConstantWordState.h"
#include "emu/memory/CacheArray.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace leno {

/// c[bank][offset] as the number of a word: banks of 64 KiB one after the other.
inline constexpr u32 constantBankWords = 16384;
/// The other way.
struct ConstantPlace {
  unsigned bank;
  u32 offset;
};
inline constexpr ConstantPlace constantPlace(u32 word) {
  return {word / constantBankWords, word % constantBankWords * 4};
}
inline constexpr u32 constantWord(unsigned bank, u32 offset) { return bank * constantBankWords + offset / 4; }

class ConstantCache {
public:
  enum class Marked { Locked, WrittenBack };
  struct Word {
    u32 word, value;
    u64 stamp;
  };

  ConstantCache(const CacheShape &shape, Marked marked);

  unsigned lineWords() const { return unsigned(wordsOfLine); }
  /// A read of the machine: the word if it is there and valid.
  std::optional<u32> read(u32 word);
  /// Whether a write or fill of the word's line can go on: false when every way of its set is locked.
  bool hasRoomFor(u32 word) const;
  /// The word becomes valid and, unless it is a copy of what lies behind, marked. Returns the marked words of
  /// the line that had to go.
  std::vector<Word> write(u32 word, u32 value, u64 stamp, bool mark = true);
  /// A line from behind, its first word `firstWord`: words that are valid already stay as they are.
  std::vector<Word> fill(u32 firstWord, llvm::ArrayRef<u32> values);

  /// The marked words with stamps above `after`, in the order of their numbers.
  std::vector<Word> markedSince(u64 after) const;
  /// Words with stamps up to `stamp` are what lies behind: no longer marked.
  void unmark(u64 stamp);
  void invalidate();
  /// All but the marked words.
  void invalidateUnmarked();
  u64 markedWords() const;
  void addTo(StateHash &hash) const {
    array.addTo(hash, [&](const Line &line) {
      hash.add(line.valid, line.marked);
      hash.all(line.values);
      hash.all(line.stamps);
    });
  }
  /// Looks, and is no use of the line.
  std::optional<ConstantWordState::Copy> copyOf(u32 word) const;

private:
  struct Line {
    u64 valid = 0, marked = 0; ///< a bit for each word
    std::vector<u32> values;
    std::vector<u64> stamps;
  };
  u64 lineOf(u32 word) const { return wordsOfLine.quotient(word); }
  u64 placeOf(u32 word) const { return wordsOfLine.remainder(word); }
  u64 bitOf(u32 word) const { return u64(1) << placeOf(word); }
  bool mayGo(const Line &line) const { return !locks || line.marked == 0; }
  Line &place(u32 word, std::vector<Word> &evicted);
  void collect(const Line &line, u64 number, u64 after, std::vector<Word> &words) const;

  Divisor wordsOfLine;
  bool locks;
  CacheArray<Line> array;
};

} // namespace leno
