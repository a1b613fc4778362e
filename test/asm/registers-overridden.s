# .registers asks for more than the instructions name; barriers are counted.
# RUN: %leno-as %s -o %t
# RUN: %leno-objdump --kernels %t | FileCheck %s
# RUN: %leno-objdump %t | FileCheck --check-prefix=TEXT %s
# RUN: %leno-objdump %t | %leno-as - -o %t.2
# RUN: cmp %t %t.2
# CHECK: kernel a
# CHECK-NEXT: registers 40 (given)
# CHECK-NEXT: barriers 4
# CHECK: kernel b
# CHECK-NEXT: registers 8{{$}}
# CHECK-NEXT: barriers 0
# TEXT: .kernel a
# TEXT-NEXT: .registers 40
# TEXT: .kernel b
# TEXT-NOT: .registers
  .kernel a
  .registers 40
  IADD R1, R2, R7
  BAR.SYNC 3
  EXIT
  .endkernel
  .kernel b
  IADD R1, R2, R7
  EXIT
  .endkernel
