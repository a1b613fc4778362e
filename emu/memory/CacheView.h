//===- CacheView.h - A cache for those who look at it ---------------------===//
// What any cache of the memory models has, line by line. Looking changes
// nothing, and holds for as long as the models stand still.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include <functional>
#include <string>

namespace leno {

struct CacheView {
  struct Line {
    bool present = false;
    bool dirty = false; ///< memory does not have some of its bytes
    u64 address = 0;    ///< of its first byte
    u64 context = 0;    ///< whose it is, where `ofContexts`
    u64 since = 0;      ///< the cycle in which it has come, or comes
    u64 lastUse = 0;    ///< larger: later
  };
  std::string name;  ///< as it is asked for: "l1[0]"
  std::string title; ///< "L1 of SM 0"
  u64 lineBytes;     ///< of a TLB those of a page
  u64 sets = 0, ways = 0;
  bool ofContexts = false; ///< several can have lines of it, by their own addresses
  std::function<Line(u64 set, u64 way)> line{};

  /// One of several: "l1", "L1 of SM" and 0.
  static CacheView numbered(const char *name, const char *title, u64 number, u64 lineBytes) {
    std::string text = std::to_string(number);
    return {name + ("[" + text + "]"), title + (" " + text), lineBytes};
  }
};

} // namespace leno
