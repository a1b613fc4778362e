# Bytes, halves, pairs and quads of local memory, which is interleaved by words behind.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane + (lane + 1) * 256 + (lane + 2) * 65536 + (lane + 3) + (lane * 3 - 100)"
  .include "Inputs/lane.inc"
  begin
  .local 32
  IADD R4, R0, 1
  IADD R5, R0, 2
  IADD R6, R0, 3
  STL.u8 [0], R0
  STL.u8 [1], R4
  STL.u16 [2], R5
  LDL R8, [RZ]            # lane, lane + 1, lane + 2 in its bytes
  IMUL R9, R0, 3
  IADD R9, R9, -100
  MOV R10, R8
  MOV R11, R9
  MOV R12, R6
  MOV R13, RZ
  STL.128 [16], R8        # R8, R9, R10, R11
  STL.64 [8], R12
  LDL.64 R14, [24]        # R10, R11
  IADD R14, R14, R15
  LDL R15, [8]
  IADD R14, R14, R15
  STL.u8 [31], R9
  LDL.s8 R15, [31]
  ISETP.ne P0, R15, R9    # -100 to -7 fit in a byte
  @P0 MOV R14, RZ
  store R14
