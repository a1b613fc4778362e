# A write on one way, under a guard, in a callee or by a loop's last turn is a write: silent.
# RUN: %leno-as -c %s -o %t.o 2>&1 | count 0
  .kernel test
  S2R R0, SR_TID.X
  ISETP.lt P0, R0, 4
  @P0 MOV R1, 1
  IADD R1, R1, 1
  SSY join
  @P0 BRA else_
  MOV R2, 2
  SYNC
else_:
  SYNC
join:
  IADD R2, R2, R1
  CAL f
  IADD R3, R3, R2
  MOV R7, RZ
  PBK done
loop:
  ISETP.ne P1, R7, RZ
  @P1 IADD R8, R8, R3
  MOV R8, 1
  IADD R7, R7, 1
  ISETP.ge P2, R7, R0
  @P2 BRK
  BRA loop
done:
  MOV32I R11, 0x3ff00000   # 1.0 in R11:R10, whose low word is 0 when the kernel starts
  DADD R12, R10, R10
  EXIT
  .endkernel
f:
  MOV R3, R9            # an argument as far as the function knows
  RET
