/* A kernel whose results tell apart the floating-point environments that a host may have. */
#pragma once

#include <stdint.h>

enum { FloatWords = 16, FloatCtas = 4 };

/* Each CTA, of one thread, writes its own FloatWords words. */
static const char floatKernel[] = ".kernel floats\n"
                                  ".param ptr out\n"
                                  "  S2R R60, SR_CTAID.X\n"
                                  "  SHL R60, R60, 6\n"
                                  "  IADD.CC R60, R60, c[0][out]\n"
                                  "  IADD.X R61, RZ, c[0][out+4]\n"
                                  "  MOV R1, 3\n" /* 3 * 2^-149 */
                                  "  FADD R2, R1, R1\n"
                                  "  STG [R60.64], R2\n"
                                  "  MOV32I R2, -126.5\n"
                                  "  MUFU.EX2 R2, R2\n"
                                  "  STG [R60.64+4], R2\n"
                                  "  MOV32I R3, 1.0\n"
                                  "  FADD R2, R3, R1\n"
                                  "  STG [R60.64+8], R2\n"
                                  "  FADD.RP R2, R3, R1\n"
                                  "  STG [R60.64+12], R2\n"
                                  "  FADD.RM R2, R3, -R1\n"
                                  "  STG [R60.64+16], R2\n"
                                  "  MOV32I R4, 0x3eaaaaab\n" /* a third, rounded up */
                                  "  MOV32I R5, 3.0\n"
                                  "  FMUL R2, R4, R5\n"
                                  "  STG [R60.64+20], R2\n"
                                  "  FFMA.RZ R2, R4, R5, RZ\n"
                                  "  STG [R60.64+24], R2\n"
                                  "  MOV32I R6, 16777217\n"
                                  "  I2F R2, R6\n"
                                  "  STG [R60.64+28], R2\n"
                                  "  F2F.f64.f32 R8, R1\n" /* 3 * 2^-149 is normal there */
                                  "  STG [R60.64+32], R9\n"
                                  "  F2F.f64.f32 R10, R3\n"
                                  "  DADD R8, R8, R10\n"
                                  "  STG [R60.64+36], R8\n"
                                  "  STG [R60.64+40], R9\n"
                                  "  FSETP.eq P0, R1, RZ\n"
                                  "  SEL R2, R3, R1, P0\n"
                                  "  STG [R60.64+44], R2\n"
                                  "  MOV32I R7, 0x7f000000\n" /* 2^127 */
                                  "  MUFU.RCP R2, R7\n"
                                  "  STG [R60.64+48], R2\n"
                                  "  STG [R60.64+52], R1\n"
                                  "  RED.add.f32 [R60.64+52], R1\n"
                                  "  MOV32I R2, 0.1\n"
                                  "  STG [R60.64+56], R2\n"
                                  "  MOV32I R2, 1e-45\n"
                                  "  STG [R60.64+60], R2\n"
                                  "  EXIT\n"
                                  ".endkernel\n";

/* By IEEE 754 in its default environment; 2^-126.5 is 0xb504f3 p-150 to nearest, half of that as a subnormal.
 */
static const uint32_t floatResults[FloatWords] = {
    6,          /* 3 + 3 units of the last place */
    0x005a827a, /* sqrt(2)'s digits */
    0x3f800000, /* to nearest */
    0x3f800001, /* the next number above 1 */
    0x3f7fffff, /* and below */
    0x3f800000, /* 1 + 2^-25 is a tie: to even */
    0x3f800000, /* toward zero */
    0x4b800000, /* 2^24 + 1 is a tie: to even */
    0x36b80000, /* the upper word of 1.5 * 2^-148 */
    0x00000000, /* 1 and very little more, */
    0x3ff00000, /* in two words */
    3,          /* a subnormal is no zero: it is chosen */
    0x00400000, /* 2^-127 */
    6,          /* an atomic is the same */
    0x3dcccccd, /* what the assembler makes of 0.1, */
    1,          /* and of the least subnormal */
};

/* The number of the first word that is wrong, or FloatWords * FloatCtas. */
static inline unsigned firstWrongFloat(const uint32_t *words) {
  unsigned i = 0;
  while (i < FloatWords * FloatCtas && words[i] == floatResults[i % FloatWords])
    ++i;
  return i;
}
