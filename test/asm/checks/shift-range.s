# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=warning %s
  .kernel k
  S2R R1, SR_TID.X
# CHECK: shift-range.s:[[#@LINE+2]]:15: warning: a shift by 32 leaves 0: a register has 32 bits [-Wshift-range]
# CHECK: shift-range.s:[[#@LINE+1]]:15: note: .W takes the amount modulo 32
  SHL R2, R1, 32
# CHECK: shift-range.s:[[#@LINE+1]]:15: warning: a shift by 33 leaves only copies of the sign
  SHR R2, R1, 33
# CHECK: shift-range.s:[[#@LINE+1]]:15: warning: a shift by -1 is one by more than 31
  SHL R2, R1, -1
# CHECK: shift-range.s:[[#@LINE+1]]:17: warning: a shift by 33 is one by 32
  SHF.L R2, R1, 33, R1
  SHL R2, R1, 31
  SHL.W R2, R1, 33
  SHF.L R2, R1, 32, R1
  STS [R1], R2
  EXIT
  .endkernel
