kernel void histogram(global const uint *data, global uint *counts) {
  local uint bins[256];
  uint thread = get_local_id(0), first = get_group_id(0) * 1024 + thread;
  bins[thread] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < 4; ++i)
    atomic_inc(&bins[data[first + 256 * i] & 255]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[thread], bins[thread]);
}
