// Barriers and votes behind control flow that parts the lanes: break, continue, goto, a loop with two ways out, a switch
// that falls through and returns. All lanes are together again at each; what they compute is told by Python.
// RUN: %python %S/Inputs/barriers.py > %t.want.bin
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 64 --arg out:u32[128]:%t.out.bin && cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --block 64 --arg out:u32[128]:%t.out0.bin && cmp %t.out0.bin %t.want.bin
kernel void f(global uint *out) {
  uint t = get_local_id(0);
  uint s = 0;
  for (uint i = 0; i < t % 7; i++) {
    if (i == 3)
      break;
    if (i & 1)
      continue;
    s += i + 1;
  }
  barrier(0);
  if (t & 1) {
    if (t & 2)
      s += leno_ballot(1);
    else
      goto out;
    s += 1;
  }
out:
  barrier(0);
  while (1) { s++; if (s % 5 == 0) break; if (s % 7 == 0 && t > 3) break; }
  out[t] = s ^ leno_ballot(1);
  barrier(0);
  switch (t % 4) { case 0: s += 5; case 1: s *= 3; break; case 3: s = ~s; return; }
  out[t + 64] = s;
}
