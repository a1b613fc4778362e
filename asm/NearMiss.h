//===- NearMiss.h - "did you mean" ----------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

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
    unsigned distance = llvm::StringRef(typed).edit_distance(name.lower());
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
  std::string typed, best;
  unsigned bestDistance;
  llvm::SmallVector<std::string, 16> names;
};

} // namespace leno
