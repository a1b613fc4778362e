//===- Dram.h - The memory behind a cache ---------------------------------===//
// Bytes by physical address; pages come as they are written, the rest is 0.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <map>
#include <memory>

namespace leno {

class Dram {
public:
  void read(u64 address, llvm::MutableArrayRef<u8> bytes) const;
  void write(u64 address, llvm::ArrayRef<u8> bytes);
  /// Accesses so far.
  u64 reads() const { return readCount; }
  u64 writes() const { return writeCount; }

private:
  static constexpr u64 pageBytes = 4096;
  std::map<u64, std::unique_ptr<std::array<u8, pageBytes>>> pages;
  mutable u64 readCount = 0;
  u64 writeCount = 0;
};

} // namespace leno
