// An atomic operation whose old value nobody wants has no destination, in global memory it is RED, and counters that
// are never full add.
// RUN: %leno-cc -S %s -o - | FileCheck %s
// RUN: %leno-cc %s -o %t && %leno-run %t --kernel count --block 64 --grid 2 --arg out:u32[4]:print: | FileCheck %s --check-prefix RAN
// RUN: %leno-cc -O0 %s -o %t0 && %leno-run %t0 --kernel count --block 64 --grid 2 --arg out:u32[4]:print: | FileCheck %s --check-prefix RAN
// CHECK-LABEL: .kernel count
kernel void count(global uint *counts) {
  local uint bins[2];
  uint t = get_local_id(0);
  if (t < 2)
    bins[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  // CHECK: ATOMS.add RZ
  atomic_inc(&bins[t & 1]);
  // CHECK: ATOMS.exch RZ
  if (t == 70)
    atomic_xchg(&bins[1], 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  // CHECK: RED.add
  if (t < 2)
    atomic_add(&counts[t], bins[t]);
  // CHECK: RED.add
  atomic_dec(&counts[2]);
  // CHECK: RED.max
  atomic_max(&counts[3], t);
  // CHECK: EXIT
}
// RAN: [0] 64 64 4294967168 63

// Who wants the old value gets it, and what is no store stays an exchange.
// CHECK-LABEL: .kernel tickets
kernel void tickets(global uint *next, global uint *mine) {
  // CHECK: ATOM.add R
  mine[get_global_id(0)] = atomic_inc(next);
  // CHECK: ATOM.exch RZ
  atomic_xchg(&next[1], get_global_id(0));
}

// A counter that begins again counts so.
// CHECK-LABEL: .kernel ring
kernel void ring(global uint *next, global uint *mine) {
  // CHECK: ATOM.inc R
  mine[get_global_id(0)] = __builtin_amdgcn_atomic_inc32(next, 7, __ATOMIC_RELAXED, "agent");
}
