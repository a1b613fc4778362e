kernel void reduction(global const float *in, global float *sums, uint n, uint from, uint to) {
  local float partial[256];
  uint thread = get_local_id(0), i = get_group_id(0) * 512 + thread;
  partial[thread] = (i < n ? in[from + i] : 0.0f) + (i + 256 < n ? in[from + i + 256] : 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_ = 128; half_ > 0; half_ /= 2) {
    if (thread < half_)
      partial[thread] += partial[thread + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0)
    sums[to + get_group_id(0)] = partial[0];
}
