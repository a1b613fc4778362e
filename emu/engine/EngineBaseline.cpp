// The engine of any host; see Handlers.inc.
#include "emu/engine/Handlers.inc"
#include "emu/engine/Engines.h"

const leno::Engine leno::baselineEngine = {"sse2", 128, &handler};
