// The engine of any host; see Handlers.inc.
#include "emu/engine/Engines.h"
#include "emu/engine/Handlers.inc"

const leno::Engine leno::baselineEngine = {"sse2", 128, &handler, &sharedHandler};
