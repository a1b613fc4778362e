# RUN: %leno-as -c -D SIZE=0x40 -D ON %s -o %t.o
# RUN: %leno-objdump %t.o | FileCheck %s
# RUN: not %leno-as -c -D SIZE=many %s -o %t.o 2>&1 | FileCheck --check-prefix=BAD %s
# BAD: error: -D SIZE=many: expected SYMBOL=INTEGER
  MOV R0, SIZE
# CHECK: MOV R0, 64;
  .if ON
  MOV R1, 1
  .endif
# CHECK: MOV R1, 1;
