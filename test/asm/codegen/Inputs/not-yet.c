// Each kernel holds something that there is no code for.
#include <leno/kernel.h>
struct big { int a[20]; };
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__kernel void double_quotient(__global double *o) { o[0] = o[1] / o[2]; }
__kernel void half(__global _Float16 *o) { o[0] = o[1] + o[2]; }
__kernel void f(__global float *o, struct big b) { o[0] = b.a[3]; }
__kernel void vla(__global int *o, int n) {
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = o[i];
  o[0] = a[n / 2];
}
__kernel void recursion(__global int *o, int n) { o[0] = fib(n); }
