# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: ffma32i-adds-to-its-destination.s:[[#@LINE+1]]:26: error: FFMA32I adds to its destination: beside an immediate of 32 bits the word has no room for another register
  FFMA32I R1, R2, 0.1,   -R3
# CHECK: ffma32i-adds-to-its-destination.s:[[#@LINE+2]]:16: error: 0.1 does not fit: an immediate here has 20 bits
# CHECK: note: write FADD32I R1, R2, 0.1
  FADD R1, R2, 0.1
# CHECK: error: 0.1 does not fit: an immediate here has 20 bits
# CHECK: note: write FFMA32I R1, R2, 0.1, R1
  FFMA R1, R2, 0.1, R1
# CHECK: error: 0.1 does not fit: an immediate here has 20 bits
# CHECK-NOT: FFMA32I
  FFMA R1, R2, 0.1, R3
