//===- ByteMask.h - Some bytes of a line ----------------------------------===//
#pragma once
#include "emu/StateHash.h"
#include <array>

namespace leno {

/// A bit for each byte of a line of 256 at most.
class ByteMask {
public:
  static constexpr unsigned mostBytes = 256;

  ByteMask() = default;
  /// `count` bytes from `first` on.
  static ByteMask range(u64 first, u64 count) {
    ByteMask mask;
    mask.add(first, count);
    return mask;
  }
  void add(u64 first, u64 count) {
    if (u64 bit = first % 64; bit + count <= 64) {
      words[first / 64] |= ~u64(0) >> (64 - count) << bit;
      return;
    }
    for (u64 k = 0; k < words.size(); ++k)
      words[k] |= below(first + count, k) & ~below(first, k);
  }
  bool operator[](u64 byte) const { return words[byte / 64] >> byte % 64 & 1; }
  bool any() const { return words[0] | words[1] | words[2] | words[3]; }
  /// Whether all bytes of `other` are in this one.
  bool covers(const ByteMask &other) const {
    u64 missing = 0;
    for (size_t k = 0; k < words.size(); ++k)
      missing |= other.words[k] & ~words[k];
    return !missing;
  }
  ByteMask &operator|=(const ByteMask &other) {
    for (size_t k = 0; k < words.size(); ++k)
      words[k] |= other.words[k];
    return *this;
  }
  void reset() { words = {}; }
  void addTo(StateHash &hash) const { hash.all(words); }
  /// `count` bytes from `first` on, as if the line began there.
  ByteMask part(u64 first, u64 count) const {
    ByteMask moved;
    for (u64 k = first / 64; k < words.size(); ++k) {
      moved.words[k - first / 64] = words[k] >> first % 64;
      if (first % 64 && k + 1 < words.size())
        moved.words[k - first / 64] |= words[k + 1] << (64 - first % 64);
    }
    for (u64 k = 0; k < words.size(); ++k)
      moved.words[k] &= below(count, k);
    return moved;
  }
  /// The same bytes, `by` bytes further on.
  ByteMask movedUp(u64 by) const {
    ByteMask moved;
    for (u64 k = by / 64; k < words.size(); ++k) {
      moved.words[k] = words[k - by / 64] << by % 64;
      if (by % 64 && k > by / 64)
        moved.words[k] |= words[k - by / 64 - 1] >> (64 - by % 64);
    }
    return moved;
  }

private:
  /// The bits of word k that are of bytes below `end`.
  static u64 below(u64 end, u64 k) {
    return end <= 64 * k ? 0 : end >= 64 * k + 64 ? ~u64(0) : (u64(1) << end % 64) - 1;
  }

  std::array<u64, mostBytes / 64> words{};
};

} // namespace leno
