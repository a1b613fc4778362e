// Each kernel holds something that there is no code for.
#include <leno/kernel.h>
struct big { int a[20]; };

typedef __bf16 brain;
__kernel void bfloat(__global brain *o) { o[0] = (brain)((float)o[1] + (float)o[2]); }
__kernel void f(__global float *o, _BitInt(77) b) { o[0] = b > 5; }
static __local int shared[4];
__attribute__((noinline)) static int deep(int n) {
  if (n < 1)
    return n + shared[n & 3];
  return deep(n - 1) * deep(n - 2);
}
__kernel void recursion(__global int *o, int n) {
  shared[n & 3] = n;
  o[0] = deep(n);
}
