//===- LinkedCode.h - Code of a region that can be run --------------------===//
// Loaded as it was made or kept, without the compiler. Pages are written first
// and executable afterwards, never both.
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/Memory.h"
#include <memory>

namespace leno::compiled {

class LinkedCode {
public:
  /// Fails where it is no image, and where this process lacks what it calls. For any number of threads.
  static llvm::Expected<std::unique_ptr<LinkedCode>> load(llvm::StringRef image);

  void *entry() const { return entryAt; }
  /// Null: there is none.
  void *turns() const { return turnsAt; }

private:
  llvm::sys::OwningMemoryBlock memory;
  void *entryAt = nullptr, *turnsAt = nullptr;
};

} // namespace leno::compiled
