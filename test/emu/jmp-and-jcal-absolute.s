# JMP and JCAL name an address, which the linker fills in.
# RUN: split-file %s %t
# RUN: cp %S/Inputs/lane.inc %t
# RUN: %leno-as -c -I %t %t/a.s -o %t/a.o && %leno-as -c %t/b.s -o %t/b.o
# RUN: %leno-objdump %t/a.o | FileCheck --check-prefix=OBJECT %s
# OBJECT: JCAL five;
# OBJECT: @P0 JMP CC.nsf, skip;
# OBJECT: JMX R2, five+8;
# RUN: %leno-ld -o %t/p %t/b.o %t/a.o
# RUN: %leno-objdump %t/p | FileCheck %s
# CHECK: JCAL five;
# CHECK: @P0 JMP CC.nsf, skip;
# RUN: %leno-objdump %t/p > %t/p.s && %leno-as %t/p.s -o %t/q && %leno-objdump %t/q | diff %t/p.s -
# RUN: %leno-run %t/p --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 7, 5, 9) + 5"
#--- a.s
  .include "lane.inc"
  begin
  JCAL five
  ISETP.lt P0, R0, 7
  MOV R3, RZ
  IADD.CC RZ, R0, RZ
  SSY join
  @P0 JMP CC.NSF, skip
  MOV R1, 9
skip:
  SYNC
join:
  PRET home
  MOV R2, RZ
  JMX R2, five+8
home:
  IADD R1, R1, R4
  store R1
#--- b.s
  .globl five
five:
  MOV R1, 5
  MOV R4, 5
  RET
