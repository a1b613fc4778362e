//===- CodeImage.h - Code of a region, wherever it may lie ----------------===//
// What the compiler makes and the disk keeps: pages that find each other by
// their distance, and which of their words are to hold addresses. It is this
// header, functions, segments, addresses, names and pages, one after the other,
// of one build as of one host.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"

namespace leno::compiled {

struct CodeImage {
  u32 bytes; ///< of all pages
  u32 hasTurns; ///< the second function is a TurnsEntry
  u32 functions, segments, addresses, nameBytes;
  /// By its distance from the first page, and its name among the names. The first one is an Entry or a
  /// GroupEntry; behind those that are entered are all that they call.
  struct Function {
    u32 offset, bytes, name;
  };

  static constexpr u32 pageBytes = 4096;
  /// To be protected alike: whole pages.
  struct Segment {
    u32 offset, bytes;
    u32 isCode; ///< it may be executed
  };
  /// The word at `offset` is `addend` behind what the process has by that name, or behind the first page.
  struct Address {
    u32 offset;
    u32 name;
    s64 addend;
    static constexpr u32 ofPages = ~u32(0);
  };
};

} // namespace leno::compiled
