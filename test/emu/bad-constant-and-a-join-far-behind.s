# A constant outside its bank traps where it is read, and is not mistaken for the distance of a join.
# RUN: not %leno-run %s 2>&1 | FileCheck %s
# CHECK: error: INVALID_CONSTANT_ADDRESS at behind {{.*}}c[3][0x100]
  .kernel test
  BRA start
  EXIT
behind:
  MOV R0, c[3][0x100]
  EXIT
  .rept 1500
  NOP
  .endr
start:
  BRA.SSY go, behind
go:
  SYNC
  .endkernel
