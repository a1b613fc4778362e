// The engine with AVX-512 F, BW, DQ, VL; see Handlers.inc.
#include "emu/engine/Engines.h"
#include "emu/engine/Handlers.inc"

const leno::Engine leno::avx512Engine = {"avx512", 512, &handler, &sharedHandler};
