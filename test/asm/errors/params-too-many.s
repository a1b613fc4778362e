# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# Bank 0 ends at 64 KiB, and the launch's geometry takes the first 64 bytes.
# CHECK-NOT: n8183
# CHECK: params-too-many.s:[[#@LINE+6]]:3: error: the parameters do not fit in constant bank 0 (64 KiB)
# CHECK-NEXT: .param u64 n\@
# CHECK: note: the line as it is expanded
# CHECK-NEXT: .param u64 n8184
# CHECK: params-too-many.s:[[#@LINE+8]]:3: note: while in macro instantiation
  .macro eight
  .param u64 n\@
  .endm
  .kernel k
  .rept 8184
  eight
  .endr
  eight
  EXIT
  .endkernel
