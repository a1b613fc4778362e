//===- NearMiss.h - "did you mean" ----------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

namespace leno {

/// Finds the closest of some names to a mistyped one, and lists the names there are.
class NearMiss {
public:
  /// Names up to a third of the letters away are near, or up to `slips`.
  explicit NearMiss(llvm::StringRef typed) : NearMiss(typed, unsigned(typed.size() + 1) / 3) {}
  NearMiss(llvm::StringRef typed, unsigned slips)
      : typed(typed.lower()), letters(lettersOf(typed)), bestDistance(slips + 1) {}

  /// `name` is what is compared, `text` how it is told; `text` lives as long as this.
  void consider(llvm::StringRef name, llvm::StringRef text) {
    if (name.empty())
      return;
    names.push_back(text);
    if (leastSlips(name) >= bestDistance)
      return;
    unsigned distance = slipsBetween(typed, name.lower(), bestDistance);
    if (distance < bestDistance && distance < typed.size()) {
      bestDistance = distance;
      best = text.str();
    }
  }
  bool found() const { return !best.empty(); }
  llvm::StringRef nearest() const { return best; }
  /// "; did you mean 'x'?" or nothing.
  std::string hint(llvm::StringRef prefix = "") const {
    return found() ? "; did you mean '" + prefix.str() + best + "'?" : "";
  }
  /// ".a .b .c"
  std::string all(llvm::StringRef prefix = "") const {
    std::string text;
    for (llvm::StringRef name : names)
      text += (text.empty() ? "" : " ") + prefix.str() + name.str();
    return text.empty() ? "none" : text;
  }

private:
  /// A set of the letters, in either case, and other characters that a text has: 64 kinds of them.
  static uint64_t lettersOf(llvm::StringRef text) {
    uint64_t letters = 0;
    for (char c : text)
      letters |= uint64_t(1) << (llvm::toLower(c) & 63);
    return letters;
  }
  /// No slip changes the length by more than one, or more than one letter that the other text has not.
  unsigned leastSlips(llvm::StringRef name) const {
    uint64_t others = lettersOf(name);
    size_t longer = std::max(name.size(), typed.size()), shorter = std::min(name.size(), typed.size());
    return unsigned(std::max({longer - shorter, size_t(std::popcount(letters & ~others)),
                              size_t(std::popcount(others & ~letters))}));
  }
  /// Letters added, left out, changed, or exchanged with the next: "optimal string alignment". From `limit`
  /// on the number does not matter, and most names are given up early: a file of garbage has a mistake a
  /// line, and a mistake is compared with every mnemonic.
  static unsigned slipsBetween(llvm::StringRef a, llvm::StringRef b, unsigned limit) {
    llvm::SmallVector<unsigned, 96> rows(3 * (b.size() + 1));
    unsigned *before = rows.data(), *last = before + b.size() + 1, *now = last + b.size() + 1;
    std::iota(now, now + b.size() + 1, 0);
    unsigned least = 0; // in the row, and what the row before it had
    for (size_t i = 1; i <= a.size(); ++i) {
      std::swap(before, last);
      std::swap(last, now);
      unsigned lastLeast = std::exchange(least, now[0] = unsigned(i));
      for (size_t j = 1; j <= b.size(); ++j) {
        unsigned slips = std::min(std::min(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          slips = std::min(slips, before[j - 2] + 1);
        now[j] = slips;
        least = std::min(least, slips);
      }
      if (std::min(least, lastLeast + 1) >= limit) // an exchange goes on from the row before the last
        return limit;
    }
    return now[b.size()];
  }

  std::string typed, best;
  uint64_t letters;
  unsigned bestDistance;
  llvm::SmallVector<llvm::StringRef, 16> names;
};

} // namespace leno
