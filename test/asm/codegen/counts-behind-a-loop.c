// What a loop counts is one number for all lanes inside of it, and each lane's own behind it where they leave at different times: as a
// bound, as a condition, as an address, behind two loops, and around a vote.
// RUN: %leno-cc -S %s -o - | FileCheck %s
// RUN: %leno-cc %s -o %t && %leno-run %t --block 32 --arg out:u32[32]:%t.bin --arg u32:3 && od -An -tu4 -v -w32 %t.bin | FileCheck --check-prefix=RESULT %s
// RUN: %leno-cc -O0 %s -o %t0 && %leno-run %t0 --block 32 --arg out:u32[32]:%t0.bin --arg u32:3 && cmp %t.bin %t0.bin
// RUN: %leno-cc -O3 %s -o %t3 && %leno-run %t3 --block 32 --arg out:u32[32]:%t3.bin --arg u32:3 && cmp %t.bin %t3.bin
// CHECK: .kernel counts
// Lane t counts to t % 5; then 1 + 2 + ... of that, and the number of lanes that have counted as far.
// RESULT: 700 701 603 606 610 700 701 603
// RESULT-NEXT: 606 610 700 701 603 606 610 700
// RESULT-NEXT: 701 603 606 610 700 701 603 606
// RESULT-NEXT: 610 700 701 603 606 610 700 701
#include <leno/kernel.h>
static const unsigned char text[] = {1, 2, 3, 4, 0};

__kernel void counts(__global unsigned *out, unsigned three) {
  unsigned t = leno_tid_x(), length = 0, sum = 0, other = 0;
  const unsigned char *from = text + 4 - t % 5;
  while (from[length])
    ++length;
  for (unsigned i = 1; i <= length; ++i)
    sum += i;
  for (unsigned turn = 0; turn < three; ++turn) {
    unsigned n = 0;
    while (from[n])
      ++n;
    other = n;
  }
  if (other != length)
    sum = 99;
  for (unsigned lane = 0; lane < 5; ++lane)
    if (lane == length)
      sum += 100 * (unsigned)__builtin_popcount(leno_ballot(1));
  out[t] = sum;
}
