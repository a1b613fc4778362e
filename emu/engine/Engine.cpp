#include "emu/engine/Engine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace leno;
using namespace llvm;

ArrayRef<const Engine *> leno::availableEngines() {
  static const SmallVector<const Engine *, 3> engines = [] {
    SmallVector<const Engine *, 3> found{&baselineEngine};
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
      found.push_back(&avx2Engine);
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        found.push_back(&avx512Engine);
    }
#endif
    return found;
  }();
  return engines;
}

Expected<const Engine *> leno::findEngine(StringRef name) {
  for (const Engine *engine : availableEngines())
    if (name == engine->name)
      return engine;
  std::string names = join(map_range(availableEngines(), [](const Engine *e) { return e->name; }), ", ");
  return createStringError(formatv("this host has no vector engine '{0}': it has {1}", name, names));
}

Expected<const Engine *> leno::chooseEngine() {
  if (const char *wanted = std::getenv("LENO_VECTOR"); wanted && *wanted) {
    Expected<const Engine *> found = findEngine(wanted);
    if (!found)
      return createStringError("LENO_VECTOR in the environment: " + toString(found.takeError()));
    return found;
  }
  return availableEngines().back();
}
