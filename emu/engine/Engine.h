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

namespace leno {

/// The engines this host can run, narrowest first.
llvm::ArrayRef<const Engine *> availableEngines();
/// By name; fails, naming those there are, when this host has no such engine.
llvm::Expected<const Engine *> findEngine(llvm::StringRef name);
/// The widest, or the one that the environment variable LENO_VECTOR names.
llvm::Expected<const Engine *> chooseEngine();

} // namespace leno
