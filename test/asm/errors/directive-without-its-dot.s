# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: directive-without-its-dot.s:[[#@LINE+1]]:3: error: unknown instruction 'kernel'; did you mean the directive '.kernel'?
  kernel k
# CHECK: directive-without-its-dot.s:[[#@LINE+1]]:3: error: unknown instruction 'BYTE'; did you mean the directive '.byte'?
  BYTE 5
