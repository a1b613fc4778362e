# FFMA's word has no room for .CC beside an immediate.
# RUN: not %leno-as %s -o %t.o 2>&1 | FileCheck %s
# CHECK: flags-of-ffma-with-an-immediate.s:[[#@LINE+1]]:10: error: FFMA with such operands takes no .CC
    FFMA.CC R1, R2, 0.5, R3
    FFMA.CC R1, R2, R4, R3
# CHECK-NOT: :[[#]]: error
