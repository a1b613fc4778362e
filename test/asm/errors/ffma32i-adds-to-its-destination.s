# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: ffma32i-adds-to-its-destination.s:[[#@LINE+1]]:26: error: FFMA32I adds to its destination: beside an immediate of 32 bits the word has no room for another register
  FFMA32I R1, R2, 0.1,   -R3
# CHECK: ffma32i-adds-to-its-destination.s:[[#@LINE+2]]:16: error: this value needs more than the 20 bits
# CHECK: note: FADD32I takes these operands
  FADD R1, R2, 0.1
# CHECK: error: this value needs more than the 20 bits
# CHECK: note: FFMA32I takes these operands
  FFMA R1, R2, 0.1, R1
# CHECK: error: this value needs more than the 20 bits
# CHECK-NOT: FFMA32I
  FFMA R1, R2, 0.1, R3
