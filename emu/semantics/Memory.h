//===- Memory.h - Loads and stores ----------------------------------------===//
// Architecture.md 8: natural alignment; a misaligned access or one outside of any
// allocation traps, and an instruction that traps writes nothing. Several
// lanes that store to one address: the highest active lane wins (CHOICE). Generic
// addresses reach shared and local memory through windows [S1]; each lane's
// address tells its space.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/engine/Services.h"
#include "isa/Modifiers.h"

namespace leno::sem {

using leno::MemorySpace;

constexpr unsigned bytesOf(isa::MemSize size) {
  switch (size) {
  case isa::MemSize::U8:
  case isa::MemSize::S8:
    return 1;
  case isa::MemSize::U16:
  case isa::MemSize::S16:
    return 2;
  case isa::MemSize::B32:
    return 4;
  case isa::MemSize::B64:
    return 8;
  case isa::MemSize::B128:
    return 16;
  }
  return 4;
}

/// Registers that the datum fills: an aligned pair for 64 bits, an aligned quad for 128.
constexpr unsigned registersOf(isa::MemSize size) { return bytesOf(size) <= 4 ? 1 : bytesOf(size) / 4; }

/// One lane's datum of at most 32 bits, extended as the format says.
constexpr u32 extended(isa::MemSize size, u32 raw) {
  return size == isa::MemSize::S8 ? u32(int8_t(raw)) : size == isa::MemSize::S16 ? u32(int16_t(raw)) : raw;
}

struct Access {
  MemorySpace space;
  bool isStore;
};
struct LD {
  static constexpr Access access{MemorySpace::Generic, false};
};
struct ST {
  static constexpr Access access{MemorySpace::Generic, true};
};
struct LDG {
  static constexpr Access access{MemorySpace::Global, false};
};
struct STG {
  static constexpr Access access{MemorySpace::Global, true};
};
struct LDS {
  static constexpr Access access{MemorySpace::Shared, false};
};
struct STS {
  static constexpr Access access{MemorySpace::Shared, true};
};
struct LDL {
  static constexpr Access access{MemorySpace::Local, false};
};
struct STL {
  static constexpr Access access{MemorySpace::Local, true};
};
// S1: the locks of addresses. LDLK and LDSLK load and try to take the lock, STUL and STSUL store and give it
// back.
struct LDLK {
  static constexpr Access lock{MemorySpace::Global, false};
};
struct STUL {
  static constexpr Access lock{MemorySpace::Global, true};
};
struct LDSLK {
  static constexpr Access lock{MemorySpace::Shared, false};
};
struct STSUL {
  static constexpr Access lock{MemorySpace::Shared, true};
};
struct LDC {
  static constexpr Access access{MemorySpace::Constant, false};
};

/// MEMBAR: accesses are performed in the order in which they execute, so that there is nothing to wait for.
struct MEMBAR {
  static const Op *warp(WarpState &, const Op &op, isa::MEMBARMods, LaneMask) { return &op + 1; }
};
/// CCTL: tells the caches of a line; no data change and no address is judged.
struct CCTL {
  static const Op *warp(WarpState &, const Op &op, isa::CCTLMods, LaneMask) { return &op + 1; }
};

} // namespace leno::sem
