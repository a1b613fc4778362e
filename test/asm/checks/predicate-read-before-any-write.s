# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  @!P3 EXIT
# CHECK: [[#@LINE-1]]:5: warning: P3 is read, but nothing has written it [-Wunset-read]
# CHECK-NEXT:   @!P3 EXIT
# CHECK-NEXT:     ^
# CHECK-NEXT: [[#@LINE-4]]:5: note: it is false when the kernel starts; PT is always true
  ISETP.lt.and P0, RZ, 1, P0
# CHECK: [[#@LINE-1]]:27: warning: P0 is read, but nothing has written it [-Wunset-read]
  EXIT
  .endkernel
# CHECK-NOT: warning
