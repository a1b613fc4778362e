// The engine of any host; see Handlers.inc.
#include "emu/engine/Engines.h"
#include "emu/engine/Handlers.inc"

#ifdef __aarch64__
const leno::Engine leno::baselineEngine = {"neon", 128, &handler, &sharedHandler};
#else
const leno::Engine leno::baselineEngine = {"sse2", 128, &handler, &sharedHandler};
#endif
