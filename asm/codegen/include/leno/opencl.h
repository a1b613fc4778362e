// OpenCL C's builtin functions on this machine: those that there are so far.
#include "leno/kernel.h"

#define LENO_BUILTIN static inline __attribute__((overloadable, always_inline))

#define LENO_INDEX(name, read, otherwise)                                                                    \
  LENO_BUILTIN size_t name(uint d) {                                                                         \
    return d == 0 ? read##_x() : d == 1 ? read##_y() : d == 2 ? read##_z() : otherwise;                      \
  }
LENO_INDEX(get_local_id, leno_tid, 0)
LENO_INDEX(get_local_size, leno_ntid, 1)
LENO_INDEX(get_group_id, leno_ctaid, 0)
LENO_INDEX(get_num_groups, leno_nctaid, 1)
#undef LENO_INDEX
LENO_BUILTIN size_t get_global_id(uint d) {
  return (uint)get_group_id(d) * (uint)get_local_size(d) + (uint)get_local_id(d);
}
LENO_BUILTIN size_t get_global_size(uint d) { return (uint)get_num_groups(d) * (uint)get_local_size(d); }
LENO_BUILTIN size_t get_global_offset(uint d) { return 0; }

#define barrier(flags) leno_barrier(0)
#define work_group_barrier(...) leno_barrier(0)

#define LENO_MATH(name, builtin)                                                                             \
  LENO_BUILTIN float name(float x) { return builtin(x); }
LENO_MATH(sqrt, __builtin_sqrtf)
LENO_MATH(fabs, __builtin_fabsf)
LENO_MATH(floor, __builtin_floorf)
LENO_MATH(ceil, __builtin_ceilf)
LENO_MATH(trunc, __builtin_truncf)
LENO_MATH(rint, __builtin_rintf)
LENO_MATH(exp2, __builtin_exp2f)
LENO_MATH(log2, __builtin_log2f)
LENO_MATH(sin, __builtin_sinf)
LENO_MATH(cos, __builtin_cosf)
#undef LENO_MATH
LENO_BUILTIN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
LENO_BUILTIN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
LENO_BUILTIN float mad(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
LENO_BUILTIN float fmin(float a, float b) { return __builtin_fminf(a, b); }
LENO_BUILTIN float fmax(float a, float b) { return __builtin_fmaxf(a, b); }

#define LENO_INTEGER(type)                                                                                   \
  LENO_BUILTIN type min(type a, type b) { return a < b ? a : b; }                                            \
  LENO_BUILTIN type max(type a, type b) { return a > b ? a : b; }                                            \
  LENO_BUILTIN type clamp(type x, type low, type high) { return min(max(x, low), high); }
LENO_INTEGER(int)
LENO_INTEGER(uint)
LENO_INTEGER(long)
LENO_INTEGER(ulong)
#undef LENO_INTEGER

#define LENO_ATOMIC(name, builtin)                                                                           \
  LENO_BUILTIN int name(volatile __global int *p, int v) { return builtin(p, v, __ATOMIC_RELAXED); }         \
  LENO_BUILTIN uint name(volatile __global uint *p, uint v) { return builtin(p, v, __ATOMIC_RELAXED); }      \
  LENO_BUILTIN int name(volatile __local int *p, int v) { return builtin(p, v, __ATOMIC_RELAXED); }          \
  LENO_BUILTIN uint name(volatile __local uint *p, uint v) { return builtin(p, v, __ATOMIC_RELAXED); }
LENO_ATOMIC(atomic_add, __atomic_fetch_add)
LENO_ATOMIC(atomic_sub, __atomic_fetch_sub)
LENO_ATOMIC(atomic_and, __atomic_fetch_and)
LENO_ATOMIC(atomic_or, __atomic_fetch_or)
LENO_ATOMIC(atomic_xor, __atomic_fetch_xor)
LENO_ATOMIC(atomic_min, __atomic_fetch_min)
LENO_ATOMIC(atomic_max, __atomic_fetch_max)
LENO_ATOMIC(atomic_xchg, __atomic_exchange_n)
#undef LENO_ATOMIC
#undef LENO_BUILTIN
