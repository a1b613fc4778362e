// Lanes come to a vote by several ways, and are together there: a side that two branches share, a loop with two ways in, loops that
// are left and gone on with from inside others. What each lane votes and computes is told by Python.
// RUN: %python %S/Inputs/votes.py %t.want
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t && %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t0 && %leno-cc -O3 %s -o %t3
// RUN: %leno-run %t --kernel shared_side --block 64 --arg out:u32[128]:%t.bin && cmp %t.bin %t.want.shared_side
// RUN: %leno-run %t0 --kernel shared_side --block 64 --arg out:u32[128]:%t.bin && cmp %t.bin %t.want.shared_side
// RUN: %leno-run %t3 --kernel shared_side --block 64 --arg out:u32[128]:%t.bin && cmp %t.bin %t.want.shared_side
// RUN: %leno-run %t --kernel two_ways_in --block 64 --arg out:u32[128]:%t.bin && cmp %t.bin %t.want.two_ways_in
// RUN: %leno-run %t0 --kernel two_ways_in --block 64 --arg out:u32[128]:%t.bin && cmp %t.bin %t.want.two_ways_in
// RUN: %leno-run %t3 --kernel two_ways_in --block 64 --arg out:u32[128]:%t.bin && cmp %t.bin %t.want.two_ways_in
// RUN: %leno-run %t --kernel loops --block 64 --arg out:u32[128]:%t.bin && cmp %t.bin %t.want.loops
// RUN: %leno-run %t0 --kernel loops --block 64 --arg out:u32[128]:%t.bin && cmp %t.bin %t.want.loops
// RUN: %leno-run %t3 --kernel loops --block 64 --arg out:u32[128]:%t.bin && cmp %t.bin %t.want.loops
uint shuffled(uint x) { return x * 2654435761u >> 7; }
kernel void shared_side(global uint *out) {
  uint t = get_local_id(0), s = t;
  if (t & 1) {
    if (shuffled(t) & 1) { out[t + 64] = 1; goto vote; }
    s += 3;
  } else {
    if (t & 4) { s *= 7; goto vote; }
    out[t + 64] = 5;
  }
  s ^= 0x55;
  goto rest;
vote:
  s += leno_ballot(1);
rest:
  out[t] = s;
}
kernel void two_ways_in(global uint *out) {
  uint t = get_local_id(0), s = t, n = 0;
  if (shuffled(t) & 2) goto middle;
  do {
    s += 3;
    if (s > 200) break;
middle:
    s ^= t + n;
    n++;
  } while (n < t % 5);
  barrier(0);
  out[t] = s;
  out[t + 64] = leno_ballot(1);
}
kernel void loops(global uint *out) {
  uint t = get_local_id(0), s = t, votes = 0;
  for (uint i = 0; i < 6; i++) {
    for (uint j = 0; j < t % 4; j++) {
      if (shuffled(s) % 5 == 0) goto next;
      if (shuffled(s) % 7 == 0) goto twice;
      s += j + 1;
    }
    s += 5;
  twice:
    s = s * 2 + popcount(leno_ballot(1));
  next:
    votes += popcount(leno_ballot(1));
    if (i == t % 9) break;
  }
  out[t] = s;
  out[t + 64] = votes;
}
