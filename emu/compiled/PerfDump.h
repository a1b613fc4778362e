#pragma once
#include <cstddef>

namespace leno::compiled {

/// Adds code to the JIT dump of this process for the host's perf, in .debug/jit of $JITDUMPDIR or of the home
/// folder, where that can be written. For any thread.
void addToPerfDump(const char *name, const void *code, size_t size);

} // namespace leno::compiled
