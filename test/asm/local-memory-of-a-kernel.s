# .local is in the metadata and comes back out of an object and a program.
# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump %t.o | FileCheck %s
# RUN: %leno-objdump %t.o > %t.again.s
# RUN: %leno-as -c %t.again.s -o %t.again.o
# RUN: %leno-objdump %t.again.o | FileCheck %s
# RUN: %leno-as %s -o %t
# RUN: %leno-objdump --kernels %t | FileCheck --check-prefix=KERNELS %s
# CHECK: .kernel with
# CHECK: .local 4096
# CHECK: .kernel without
# CHECK-NOT: .local
# KERNELS: kernel with
# KERNELS: local      4096 bytes a lane
# KERNELS: kernel without
# KERNELS: local      0 bytes a lane
  .kernel with
  .local 0x1000
  LDL R1, [RZ]
  EXIT
  .endkernel
  .kernel without
  EXIT
  .endkernel
