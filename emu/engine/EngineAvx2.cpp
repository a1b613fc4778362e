// The engine with AVX2 and FMA; see Handlers.inc.
#include "emu/engine/Engines.h"
#include "emu/engine/Handlers.inc"

const leno::Engine leno::avx2Engine = {"avx2", 256, &handler, &sharedHandler};
