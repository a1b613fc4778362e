//===- ConstantCacheConfig.h - Sizes and times of the constant caches -----===//
#pragma once
#include "emu/memory/CacheArray.h"

namespace leno {

struct ConstantCacheConfig {
  enum Protocol : u64 { OldestL2, CurrentL2, Drained };
  u64 protocol = OldestL2;
  CacheShape l1{8192, 64, 4};
  CacheShape l2{65536, 64, 8};
  u64 backupWords = 1024; ///< of protocol B's L2 backup
  u64 queueWords = 64;    ///< written, and not yet taken by protocol B's L2

  /// Fails, naming the key, when the sizes make no caches.
  llvm::Error check() const;
};

struct ConstantLatencies {
  u64 l1Latency = 1;    ///< also of the baseline's store
  u64 l2Latency = 20;   ///< beside it, of a miss
  u64 l2Interval = 1;   ///< between two requests or written words
  u64 copyLatency = 20; ///< from L1 to L1, and a cycle for each word
};

/// Where a word came from. Stalled: nowhere; the read is to be tried again when some SM has become inactive.
enum class ConstantSource : u8 { L1, L2, Memory, Stalled };

/// A warp's read of one word.
struct ConstantAccess {
  unsigned bank;
  u32 offset, value;
  ConstantSource source;
};

} // namespace leno
