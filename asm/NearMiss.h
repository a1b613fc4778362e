//===- NearMiss.h - "did you mean" ----------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace leno {

/// Finds the closest of some names to a mistyped one, and lists the names there are.
class NearMiss {
public:
  /// Names up to a third of the letters away are near, or up to `slips`.
  explicit NearMiss(llvm::StringRef typed) : NearMiss(typed, unsigned(typed.size() + 1) / 3) {}
  NearMiss(llvm::StringRef typed, unsigned slips) : typed(typed.lower()), bestDistance(slips + 1) {}

  void consider(llvm::StringRef name, llvm::StringRef text) {
    if (name.empty())
      return;
    names.push_back(text.str());
    unsigned distance = slipsBetween(typed, name.lower());
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
    for (const std::string &name : names)
      text += (text.empty() ? "" : " ") + prefix.str() + name;
    return text.empty() ? "none" : text;
  }

private:
  /// Letters added, left out, changed, or exchanged with the next: "optimal string alignment".
  static unsigned slipsBetween(llvm::StringRef a, llvm::StringRef b) {
    llvm::SmallVector<unsigned, 24> before, last, now(b.size() + 1);
    std::iota(now.begin(), now.end(), 0);
    for (size_t i = 1; i <= a.size(); ++i) {
      before = std::exchange(last, now);
      now[0] = unsigned(i);
      for (size_t j = 1; j <= b.size(); ++j) {
        now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    return now[b.size()];
  }

  std::string typed, best;
  unsigned bestDistance;
  llvm::SmallVector<std::string, 16> names;
};

} // namespace leno
