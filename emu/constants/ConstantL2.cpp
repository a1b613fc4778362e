#include "emu/constants/ConstantL2.h"
#include "asm/support/Assert.h"
#include "llvm/ADT/SmallVector.h"

using namespace leno;

ConstantL2::ConstantL2(const CacheShape &shape) : cache(shape, ConstantCache::Marked::WrittenBack) {}

bool ConstantL2::read(u32 first, llvm::MutableArrayRef<u32> values) {
  auto take = [&] {
    for (u32 i = 0; i < values.size(); ++i)
      if (std::optional<u32> word = cache.read(first + i))
        values[i] = *word;
      else
        return false;
    return true;
  };
  if (take()) {
    ++counters.hits;
    return true;
  }
  ++counters.misses;
  u32 start = first - first % cache.lineWords();
  llvm::SmallVector<u32, 64> line;
  for (unsigned i = 0; i < cache.lineWords(); ++i)
    line.push_back(memory.lookup(start + i));
  writeBack(cache.fill(start, line));
  LENO_ASSERT(take(), "a request to the constants' L2 crosses a line");
  return false;
}

void ConstantL2::write(u32 word, u32 value) { writeBack(cache.write(word, value, 1)); }

void ConstantL2::writeBack(const std::vector<ConstantCache::Word> &words) {
  counters.writeBacks += words.size();
  for (const ConstantCache::Word &word : words)
    memory[word.word] = word.value;
}
