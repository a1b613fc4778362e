#include "test/bench/KernelSources.h"

#include "asm/support/Assert.h"

#include <utility>

namespace leno::bench {

static const std::pair<const char *, const char *> sources[] = {
#include "KernelSources.inc"
};

std::string kernelSource(const std::string &path) {
  for (const auto &[known, source] : sources)
    if (path == known)
      return source;
  LENO_ASSERT(false, ("leno-bench has no kernel source " + path).c_str());
  return "";
}

} // namespace leno::bench
