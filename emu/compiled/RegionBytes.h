//===- RegionBytes.h - A region on its way to another process -------------===//
// Both are of one build: arrays go as they are.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "emu/compiled/TakenBytes.h"
#include <cerrno>
#include <cstring>
#include <string>
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

/// All of it by one of the host's functions; false: the stream has ended.
template <class Byte, class Transfer> bool transferAll(Byte *at, size_t size, Transfer transfer) {
  while (size > 0) {
    const ssize_t count = transfer(at, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    at += count, size -= size_t(count);
  }
  return true;
}
inline bool sendAll(int socket, const void *from, size_t size) {
  return transferAll(static_cast<const char *>(from), size,
                     [&](const char *at, size_t left) { return send(socket, at, left, MSG_NOSIGNAL); });
}
inline bool receiveAll(int socket, void *to, size_t size) {
  return transferAll(static_cast<char *>(to), size,
                     [&](char *at, size_t left) { return recv(socket, at, left, 0); });
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
  std::vector<Operation> operations;
  std::vector<PoolWord> pool;
  std::vector<StackShape> stacks;

  Region region() const {
    return {Warps(header.warps), header.width,       operations.data(),       header.count,
            pool.data(),         header.poolSize,    stacks.data(),           header.stackCount,
            header.entry,        header.counts != 0, header.sharesWords != 0, false};
  }
  /// False: these are not the bytes of one.
  bool receive(std::string_view all) {
    TakenBytes bytes{all};
    return bytes.take(&header, sizeof(header)) && header.version == Compiler::current &&
           !header.width[sizeof(header.width) - 1] && bytes.takeAll(operations, header.count) &&
           bytes.takeAll(pool, header.poolSize) && bytes.takeAll(stacks, header.stackCount) &&
           bytes.rest.empty();
  }
};

} // namespace leno::compiled
