kernel void collatz(global uint *steps) {
  uint thread = get_global_id(0), count = 0;
  ulong n = thread + 1;
  for (; n != 1; ++count)
    n = n & 1 ? 3 * n + 1 : n >> 1;
  steps[thread] = count;
}
