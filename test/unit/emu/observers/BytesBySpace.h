//===- BytesBySpace.h - How many bytes warps move, by memory space --------===//
// The example of emu/observe/Observers.md: a tool that observes, all of it.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/observe/Observers.h"
#include <array>
#include <bit>

namespace leno::test {

class BytesBySpace final : public ValueObserver<BytesBySpace> {
public:
  std::array<u64, 4> bytes{}; ///< by MemorySpace

  Interests interests() const override { return Memory; }
  void memory(const Warp &, const Op &, const MemoryAccess &access) override {
    bytes[size_t(access.space)] += u64(access.bytes) * std::popcount(access.lanes);
  }
  BytesBySpace &operator+=(const BytesBySpace &part) {
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] += part.bytes[i];
    return *this;
  }
};

} // namespace leno::test
