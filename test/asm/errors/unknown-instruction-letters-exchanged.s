# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: letters-exchanged.s:[[#@LINE+1]]:3: error: unknown instruction 'ISTEP'; did you mean 'ISETP'?
  ISTEP.lt P0, R1, R2
