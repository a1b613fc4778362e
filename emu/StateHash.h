//===- StateHash.h - A number for a state ---------------------------------===//
// What decides how things go on adds itself, in an order of its own that does
// not depend on how it came there: not what is only kept to be fast. Equal
// states have equal numbers, on every host; others differ, as good as always.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <optional>

namespace leno {

class StateHash {
public:
  // FNV-1a, a word at a time.
  void number(u64 word) { sum = (sum ^ word) * 0x100000001b3; }
  template <class... T> void add(const T &...words) { (number(u64(words)), ...); }
  void bytes(const void *data, size_t size) {
    number(llvm::xxh3_64bits(llvm::ArrayRef(static_cast<const u8 *>(data), size)));
  }
  void text(llvm::StringRef text) { bytes(text.data(), text.size()); }
  void maybe(const std::optional<u64> &word) { add(word.has_value(), word.value_or(0)); }
  /// How many, and each.
  template <class Numbers> void all(const Numbers &numbers) {
    number(numbers.size());
    for (const auto &word : numbers)
      number(u64(word));
  }
  void all(const std::map<u32, u64> &numbers) {
    number(numbers.size());
    for (auto [key, word] : numbers)
      add(key, word);
  }
  void all(const llvm::DenseMap<u32, u32> &numbers) {
    all(std::map<u32, u64>(numbers.begin(), numbers.end())); // in one order
  }
  u64 value() const { return sum; }

private:
  u64 sum = 0xcbf29ce484222325;
};

} // namespace leno
