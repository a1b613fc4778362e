//===- CodeCache.h - Machine code that was made before --------------------===//
// Images of regions, and what launches have found out, in files, for any number of processes: in LENO_CACHE,
// or else $XDG_CACHE_HOME/leno or ~/.cache/leno. The folder is the user's own and nobody else's, as what is
// in it will be executed: else there is no cache. A file that is damaged is as good as none.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <optional>

namespace leno::compiled {

class CodeCache {
public:
  using Key = llvm::BLAKE3Result<>; ///< of all that the code follows from

  /// The compiler's library with the forms in it, LLVM's, the host and the region. Fails where there is no
  /// compiler.
  static llvm::Expected<Key> keyOf(const Region &region);

  /// That of the process, as the environment says.
  static const CodeCache &get();

  bool isThere() const { return !folder.empty(); }
  /// Null: there is none.
  std::unique_ptr<llvm::MemoryBuffer> find(const Key &key) const;
  /// Whole or not at all; where all together would pass `mostBytes`, those go that were used longest ago.
  void keep(const Key &key, llvm::StringRef image) const;

  static constexpr uint64_t mostBytes = uint64_t(64) << 20;

private:
  CodeCache();
  std::string place(const Key &key) const;
  void makeRoom(uint64_t bytes) const;

  std::string folder; ///< empty: nothing is kept
};

} // namespace leno::compiled
