//===- RegionBytes.h - A region on its way to another process -------------===//
// Both are of one build: arrays go as they are.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace leno::compiled {

/// Before a region.
struct RequestHeader {
  u64 size;
  u8 key[32]; ///< CodeCache's
};

/// Before the image that comes back.
struct ImageHeader {
  u64 size;
};

/// Of a stream; false: it has ended.
inline bool sendAll(int socket, const void *from, size_t size) {
  for (const char *at = static_cast<const char *>(from); size > 0;) {
    const ssize_t count = send(socket, at, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    at += count, size -= size_t(count);
  }
  return true;
}
inline bool receiveAll(int socket, void *to, size_t size) {
  for (char *at = static_cast<char *>(to); size > 0;) {
    const ssize_t count = recv(socket, at, size, 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    at += count, size -= size_t(count);
  }
  return true;
}

struct RegionHeader {
  u32 version = Compiler::current;
  u32 warps, count, poolSize, stackCount, entry, counts, sharesWords;
  char width[12] = {};
};

inline std::string bytesOf(const Region &region) {
  RegionHeader header{.warps = u32(region.warps),
                      .count = region.count,
                      .poolSize = region.poolSize,
                      .stackCount = region.stackCount,
                      .entry = region.entry,
                      .counts = region.counts,
                      .sharesWords = region.sharesWords};
  std::strncpy(header.width, region.width, sizeof(header.width) - 1);
  std::string bytes;
  auto add = [&](const void *from, size_t size) { bytes.append(static_cast<const char *>(from), size); };
  add(&header, sizeof(header));
  add(region.operations, region.count * sizeof(Operation));
  add(region.pool, region.poolSize * sizeof(PoolWord));
  add(region.stacks, region.stackCount * sizeof(StackShape));
  return bytes;
}

/// Owns what the region points to.
struct ReceivedRegion {
  RegionHeader header;
  std::unique_ptr<Operation[]> operations;
  std::unique_ptr<PoolWord[]> pool;
  std::unique_ptr<StackShape[]> stacks;

  Region region() const {
    return {Warps(header.warps),     header.width, operations.get(),  header.count, pool.get(),
            header.poolSize,         stacks.get(), header.stackCount, header.entry, header.counts != 0,
            header.sharesWords != 0, false};
  }
  /// False: these are not the bytes of one.
  bool receive(std::string_view bytes) {
    auto take = [&](void *to, size_t size) {
      if (bytes.size() < size)
        return false;
      std::memcpy(to, bytes.data(), size);
      bytes.remove_prefix(size);
      return true;
    };
    auto takeAll = [&]<class T>(std::unique_ptr<T[]> &to, u32 count) {
      if (bytes.size() / sizeof(T) < count)
        return false;
      to = std::make_unique<T[]>(count);
      return take(static_cast<void *>(to.get()), count * sizeof(T));
    };
    return take(&header, sizeof(header)) && header.version == Compiler::current &&
           !header.width[sizeof(header.width) - 1] && takeAll(operations, header.count) &&
           takeAll(pool, header.poolSize) && takeAll(stacks, header.stackCount) && bytes.empty();
  }
};

} // namespace leno::compiled
