# The address of JMP and JCAL is a label or a multiple of 8 that fits.
# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s
# CHECK: code-address.s:[[#@LINE+1]]:7: error: expected {{.*}}a label or a multiple of 8 from 0 to 134217720
  JMP 0x44
# CHECK: code-address.s:[[#@LINE+1]]:8: error: expected a label or a multiple of 8 from 0 to 134217720
  JCAL 0x8000000
# CHECK: code-address.s:[[#@LINE+1]]:3: error: JCAL cannot be predicated
  @P0 JCAL 0x40
