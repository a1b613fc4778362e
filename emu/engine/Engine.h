//===- Engine.h - The execution core, one for each vector width -----------===//
// One source, Handlers.inc, is compiled for several instruction sets of the
// host; the widest it has is chosen when the program runs. The same semantics
// stand behind each, and each gives the same bits.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/engine/Engines.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstring>

namespace leno {

/// The engines this host can run, narrowest first.
llvm::ArrayRef<const Engine *> availableEngines();
/// By name; fails, naming those there are, when this host has no such engine.
llvm::Expected<const Engine *> findEngine(llvm::StringRef name);
/// The widest, or the one that the environment variable LENO_VECTOR names.
llvm::Expected<const Engine *> chooseEngine();

/// The engine's handler of a semantic with these modifiers (isa::XMods).
template <class Mods> Handler handlerFor(const Engine &engine, Semantic semantic, const Mods &mods) {
  Mods plain = Mods::withHot(Mods(), mods.hotIndex());
  return engine.handler(semantic, mods.hotIndex(), std::memcmp(&plain, &mods, sizeof(Mods)) == 0);
}

} // namespace leno
