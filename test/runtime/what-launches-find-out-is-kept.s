// What a launch finds out of accesses is kept with its code: here that lanes read crossed over, for which the first code is
// left again and again. The next process takes the code that was made then where the first one is left for the first time.
// A launch that is as guessed stays in the first one.
// REQUIRES: compiled
// RUN: rm -rf %t && mkdir -p %t && %python -c "import sys; open(sys.argv[1], 'wb').write(bytes(range(256)))" %t/in.bin
// RUN: env LENO_CACHE=%t/cache %leno-run %s --grid 1 --block 64 --arg in:%t/in.bin --arg out:u32[64]:%t/first.bin --arg u32:21 --tier compiled --stats 2>&1 | FileCheck --check-prefix MADE %s
// RUN: env LENO_CACHE=%t/cache %leno-run %s --grid 1 --block 64 --arg in:%t/in.bin --arg out:u32[64]:%t/second.bin --arg u32:21 --tier compiled --stats 2>&1 | FileCheck --check-prefix KEPT %s
// RUN: %leno-run %s --grid 1 --block 64 --arg in:%t/in.bin --arg out:u32[64]:%t/right.bin --arg u32:21 --tier interpreter
// RUN: cmp %t/first.bin %t/right.bin && cmp %t/second.bin %t/right.bin
// RUN: env LENO_CACHE=%t/cache %leno-run %s --grid 1 --block 64 --arg in:%t/in.bin --arg out:u32[64]:%t/third.bin --arg u32:0 --tier compiled --stats 2>&1 | FileCheck --check-prefix FIRST %s
// RUN: %leno-run %s --grid 1 --block 64 --arg in:%t/in.bin --arg out:u32[64]:%t/plain.bin --arg u32:0 --tier interpreter
// RUN: cmp %t/third.bin %t/plain.bin
// MADE: compiled 2 codes in {{[0-9]+}} ms, 0 of them known
// KEPT: compiled 2 codes in {{[0-9]+}} ms, 2 of them known
// FIRST: compiled 1 code in {{[0-9]+}} ms, 1 of them known
.kernel crossed
.param ptr in
.param ptr out
.param u32 crossing
  S2R R0, SR_TID.X
  LOP.xor R1, R0, c[0][crossing]
  SHL R1, R1, 2
  SHL R0, R0, 2
  MOV R6, 300
again:
  IADD.CC R2, R1, c[0][in]
  IADD.X R3, RZ, c[0][in+4]
  LDG R4, [R2.64]
  IADD R5, R5, R4
  IADD R6, R6, -1
  ISETP.ne P0, R6, RZ
  @P0 BRA again
  IADD.CC R2, R0, c[0][out]
  IADD.X R3, RZ, c[0][out+4]
  STG [R2.64], R5
  EXIT
.endkernel
