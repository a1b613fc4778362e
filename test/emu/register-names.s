# Names for registers and predicates, single and in ranges, in every place where one can stand; a kernel's names hide
# those of the file.
# RUN: %leno-run %s --block 8 --arg out:u32[8]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 3, 43 + 2 * lane, 41 - lane)"
  .include "Inputs/lane.inc"
  .reg id, R0
  .reg sum, R99
  .pred flags[0:1], P3
  begin
  .reg sum, R20
  .reg m[1:4], R8
  .reg pair, m[3]
  .pred small, flags[1]
  ISETP.lt flags[1], id, 3
  MOV m[1], 40
  MOV sum, -3
  MOV m[2], sum
  IADD m[2], -m[2], id
  IADD m[2], m[2], -sum
  IADD m[2], m[2], sum
  MOV pair, 41
  @small IADD m[1], m[1], m[2]
  @!flags[1] MOV m[1], RZ
  @small IADD sum, m[1], id
  @!small IADD sum, pair, -id
  SHL R30, id, 2
  IADD.CC m[3], R30, c[0][out]
  IADD.X m[4], RZ, c[0][out+4]
  STG [m[3].64+0], sum
  LDG R31, [pair.64]
  store R31
