# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=warning %s
# RUN: %leno-as -c -Wno-parameter-offset %s -o %t.o 2>&1 | count 0
# RUN: not %leno-as -c -Werror=parameter-offset %s -o %t.o 2>&1 | FileCheck --check-prefix=ERROR %s
  .kernel k
  .param u32 n
  .shared tile, 64
# CHECK: parameter-offset.s:[[#@LINE+4]]:11: warning: this is where the parameter lies in c[0], 64, and not its value [-Wparameter-offset]
# CHECK: parameter-offset.s:[[#@LINE+3]]:11: note: c[0][n] is the value
# ERROR: parameter-offset.s:[[#@LINE+2]]:11: error: {{.*}} [-Werror=parameter-offset]
# ERROR: 1 error
  MOV R0, n
  MOV R1, c[0][n]
  MOV R2, tile
  MOV R3, n+0
  STS [R2], R0
  STS [R2], R1
  STS [R2], R3
  EXIT
  .endkernel
