// A word whose highest bit is set is printed as the operand's bits and no more.
// RUN: %leno-cc -S %s -o - | FileCheck %s
// CHECK: FMUL {{R[0-9]+}}, {{R[0-9]+}}, 0xff800000;
#include <leno/kernel.h>
__kernel void away(__global float *x) { *x *= -__builtin_inff(); }
