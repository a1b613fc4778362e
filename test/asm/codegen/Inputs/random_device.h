// The device's side of random kernels: places are where the program stands.
#include <leno/kernel.h>
#define ALL leno_vote_all
#define ANY leno_vote_any
#define SAME leno_vote_eq
#define MASK leno_ballot
#define VOTE(kind, value, ...) kind((value) != 0)
#define EXCHANGE(value, with, ...) leno_shuffle_bfly(value, with, 0x1f)
#define BARRIER(...) leno_barrier(0)
#define CALL(call, ...) (call)
