//===- ConstantL2.h - The shared level of the constant caches -------------===//
// S2: on a miss "L2 reads the data from memory and stores the data". Together
// with the memory behind it, it holds one version of all constants; which one
// is the protocol's to say.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/constants/ConstantCache.h"
#include "llvm/ADT/DenseMap.h"

namespace leno {

class ConstantL2 {
public:
  struct Counts {
    u64 hits = 0, misses = 0, writeBacks = 0; ///< written back are words
  };

  explicit ConstantL2(const CacheShape &shape);

  /// What the constants are before anything runs: 0 unless set.
  void preset(u32 word, u32 value) { memory[word] = value; }
  /// Words of one line, one access; true when the L2 had them all, false when the line came from memory.
  bool read(u32 first, llvm::MutableArrayRef<u32> values);
  void write(u32 word, u32 value);
  const Counts &counts() const { return counters; }
  void addTo(StateHash &hash) const {
    cache.addTo(hash);
    hash.all(memory);
  }
  /// Of `state`, what is here and in the memory behind.
  void look(u32 word, ConstantWordState &state) const {
    state.l2 = cache.copyOf(word);
    state.memory = memory.lookup(word);
  }

private:
  void writeBack(const std::vector<ConstantCache::Word> &words);

  ConstantCache cache;
  llvm::DenseMap<u32, u32> memory;
  Counts counters;
};

} // namespace leno
