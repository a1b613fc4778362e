//===- Engines.h - The engines compiled into this build -------------------===//
// Plain data again: the engines' own sources include this.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/program/Op.h"

namespace leno {

struct Engine {
  const char *name; ///< sse2 (neon on AArch64): the baseline of any host; avx2 or avx512
  unsigned vectorBits;
  /// The handler of a semantic whose hot modifiers have this index (isa::XMods::hotIndex). `isPlain`: the
  /// others all have their defaults.
  Handler (*handler)(Semantic semantic, unsigned hotIndex, bool isPlain);
  /// Where CTAs run on several host threads: the handler of an instruction that needs another one then, or
  /// null.
  Handler (*sharedHandler)(Semantic semantic);
};

extern const Engine baselineEngine;
#ifdef __x86_64__
extern const Engine avx2Engine, avx512Engine;
#endif

} // namespace leno
