// Work-groups, sub-groups and their collectives; blocks that are no multiple of a warp, and of two dimensions.
// RUN: rm -rf %t && mkdir %t && %leno-cc --llvm -verify-machineinstrs %s -o %t/k
// RUN: %leno-run %t/k --kernel collectives --grid 2 --block 80 --arg out:i32[2880]:%t/c.npy
// RUN: %python %tools/expect.py %t/c.npy "np.array([v for g in range(2) for t in range(80) for w in [t // 32 * 32] for n in [min(80, w + 32)] for v in (sum(range(80)), t * (t + 1) // 2, t * (t - 1) // 2, 79 + g, 0, 1, 0, sum(range(w, n)), sum(range(w, t + 1)), sum(range(w, t)), 17 + g, w + 3, w + ((t - w) ^ 1), t // 32, n - w, int(w == 0), g * 80 + t, 3)], dtype=np.int32)"
// RUN: %leno-run %t/k --kernel square --grid 2,3 --block 5,7 --arg out:i32[210]:%t/s.npy
// RUN: %python %tools/expect.py %t/s.npy "np.arange(210).astype(np.int32)"
kernel void collectives(global int *out) {
  int t = get_local_id(0), g = get_group_id(0);
  out += 18 * get_global_id(0);
  out[0] = work_group_reduce_add(t);
  out[1] = work_group_scan_inclusive_add(t);
  out[2] = work_group_scan_exclusive_add(t);
  out[3] = work_group_reduce_max(t + g);
  out[4] = work_group_all(t < 79);
  out[5] = work_group_any(t == 50);
  out[6] = work_group_reduce_min(t);
  out[7] = sub_group_reduce_add(t);
  out[8] = sub_group_scan_inclusive_add(t);
  out[9] = sub_group_scan_exclusive_add(t);
  out[10] = work_group_broadcast(t + g, 17);
  out[11] = sub_group_broadcast(t, 3);
  out[12] = sub_group_shuffle_xor(t, 1);
  out[13] = get_sub_group_id();
  out[14] = get_sub_group_size();
  out[15] = sub_group_all(t < 32);
  out[16] = get_global_linear_id();
  out[17] = get_num_sub_groups();
}
kernel void square(global int *out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_global_linear_id();
}
