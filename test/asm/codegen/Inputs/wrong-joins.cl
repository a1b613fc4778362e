// What each lane sees of the others is written at each vote: at a branch's sides and behind it, in a loop that lanes leave one by one, and
// behind that.
kernel void f(global uint *out) {
  uint t = get_local_id(0), s = 0;
  out += t * 8;
  for (uint i = 0; i < t % 4; i++) {
    if (t * i & 2) {
      out[0] += leno_ballot(1) * 3;
      s += i;
    } else {
      out[1] += leno_ballot(1) * 5;
      s += out[1];
    }
    out[2] ^= leno_ballot(1) + i;
    if (s % 3 == 2)
      break;
  }
  out[3] = leno_ballot(1);
  if (t & 8) {
    if (t & 1)
      s ^= leno_ballot(1);
    out[4] = leno_ballot(1);
  }
  out[5] = leno_ballot(1);
  out[6] = s;
}
