# shared:TYPE[SHAPE] is room in shared memory behind the kernel's own variables; its parameter says where. A launch that asks for more
# than an SM has is told.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy --arg 'shared:u32[32]' --arg 'more=shared:u8[3]' --arg 'last=shared:f64[2]'
# RUN: %python %tools/expect.py %t.npy "np.where(lane == 0, 32, np.where(lane == 1, 160, np.where(lane == 2, 176, 31 - lane)))"
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy --arg 'shared:u32[32]' --arg 'shared:u8[3]' --arg 'shared:f64[10000]' 2>&1 | FileCheck --check-prefix=MUCH %s
# MUCH: kernel 'f'{{.*}}80176 bytes of shared memory
# RUN: not %leno-run %s --block 32 --arg 'shared:u32[32]' --arg 'shared:u32' 2>&1 | FileCheck --check-prefix=SHAPE %s
# SHAPE: expected the shape in brackets, such as u32[1024,4]
# RUN: not %leno-run %s --block 32 --arg 'shared:u32[4]' --arg 'shared:u32[4]' --arg 'shared:u32[4]' --arg 'shared:u32[4]' 2>&1 | FileCheck --check-prefix=PTR %s
# PTR: parameter 'out' is a ptr: give a buffer
  .kernel f
  .param ptr out
  .param u32 room
  .param u32 more
  .param u32 last
  .shared own, 20, 16
  S2R R0, SR_TID.X
  SHL R1, R0, 2
  IADD R2, R1, c[0][room]
  STS [R2], R0
  BAR.SYNC 0
  IADD R3, -R1, 124
  IADD R3, R3, c[0][room]
  LDS R4, [R3]
  ISETP.eq P0, R0, 0
  @P0 MOV R4, c[0][room]
  ISETP.eq P0, R0, 1
  @P0 MOV R4, c[0][more]
  ISETP.eq P0, R0, 2
  @P0 MOV R4, c[0][last]
  IADD R1, R1, c[0][out]
  STG [R1], R4
  EXIT
  .endkernel
