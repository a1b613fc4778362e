# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: error: with a size above 255 the address cannot take its index's place
# CHECK: error: with a size above 255 the address cannot take its base's place
  .include "leno/structured.inc"
  ADDRESS R4, c[0][0x40], R4, 256
  ADDRESS R4, R4, R6, 256
