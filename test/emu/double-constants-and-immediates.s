# A constant is two adjacent words; an immediate the upper 20 bits; RZ is 0.0: (p - 1.5) * -|p| + RZ.
# RUN: %leno-run %s --block 1 --arg out:f64[1]:%t.npy --arg f64:-0.3
# RUN: %python %tools/expect.py %t.npy "(-0.3 - 1.5) * -0.3 + 0.0"
  .kernel test
  .param ptr out
  .param f64 p
  DADD R2, RZ, c[0][p]
  DADD R2, R2, -1.5
  DMUL R2, R2, -|c[0][p]|
  DADD R2, RZ, R2
  MOV R0, c[0][out]
  MOV R1, c[0][out+4]
  STG.64 [R0.64], R2
  EXIT
  .endkernel
