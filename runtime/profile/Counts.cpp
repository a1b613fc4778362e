#include "runtime/profile/Counts.h"

#include <iterator>

namespace leno::profile {

static constexpr CountKind kinds[] = {
    {"warps", "warp instructions", "execution", "times that warps executed it"},
    {"lanes", "lanes used", "execution", "lanes that executed it, over all times; a warp has 32"},
    {"taken", "taken", "branches", "times that every active lane took the branch"},
    {"notTaken", "not taken", "branches", "times that no lane took the branch"},
    {"divergences", "divergences", "branches", "times that some lanes took the branch and others did not"},
    {"reconvergences", "reconvergences", "branches", "times that lanes which had waited ran on from here"},
    {"pushes", "stack pushes", "stack", "entries pushed on divergence stacks"},
    {"pops", "stack pops", "stack", "entries popped from divergence stacks"},
    {"spilled", "entries spilled", "stack", "entries that went from the chip to memory"},
    {"restored", "entries restored", "stack", "entries that came back from memory"},
    {"barrierArrivals", "barrier arrivals", "execution", "warps that arrived at a barrier"},
    {"requests", "memory requests", "memory", "accesses of warps to global and local memory"},
    {"bytes", "memory bytes", "memory", "bytes that lanes accessed in global and local memory"},
    {"sectors", "sectors", "memory", "pieces of 32 bytes that the requests touched, each request by itself"},
    {"lines", "lines", "memory", "pieces of 128 bytes that the requests touched, each request by itself"},
    {"l1Hits", "L1 hits", "caches", "lines that loads found in the SM's L1 (l1.model)"},
    {"l1Misses", "L1 misses", "caches", "lines that loads did not find there"},
    {"l2Hits", "L2 hits", "caches", "requests behind the crossbar that found their line in L2 (l2.model)"},
    {"l2Misses", "L2 misses", "caches", "requests behind the crossbar that did not"},
    {"sharedRequests", "shared requests", "shared memory", "accesses of warps to shared memory"},
    {"sharedBytes", "shared bytes", "shared memory", "bytes that lanes accessed in shared memory"},
    {"sharedPasses", "shared passes", "shared memory",
     "words of the bank that a request wants most of, over all requests: 32 banks of 4 bytes"},
    {"bankConflicts", "bank conflicts", "shared memory",
     "of the passes, those that the same words spread evenly over the banks would not need"},
    {"constantRequests", "constant loads", "constants", "LDC of warps"},
    {"constantL1", "constants from L1", "constants", "constant words found in the SM's L1 (constants.model)"},
    {"constantL2", "constants from L2", "constants", "constant words that came from L2"},
    {"constantMemory", "constants from memory", "constants", "constant words that came from memory"},
    {"memoryWait", "wait for memory", "cycles", "cycles that warps waited for loads and atomics"},
    {"stackWait", "wait for the stack", "cycles", "cycles that warps waited for stack entries under way"},
    {"barrierWait", "wait at barriers", "cycles", "cycles that warps waited at a barrier for others"},
    {"fetchWait", "wait for instructions", "cycles",
     "cycles that warps waited for the instruction after it (icache.model)"},
    {"resultWait", "wait for results", "cycles",
     "cycles that warps waited before it for what it reads or writes again (units.model)"},
    {"otherWait", "other waits", "cycles", "cycles that warps waited for constants or the driver"},
    {"turnWait", "wait for a turn", "cycles", "cycles that warps could run while their SM ran others"},
};
static_assert(std::size(kinds) == countOfCounts);

llvm::ArrayRef<CountKind> countKinds() { return kinds; }

} // namespace leno::profile
