# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .if 1
  .if 0
  .endif
  EXIT
# CHECK: unclosed-if.s:2:3: error: .if without its .endif
# CHECK-NEXT: .if 1
# CHECK: 1 error
