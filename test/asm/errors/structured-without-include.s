# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: structured-without-include.s:[[#@LINE+1]]:3: error: 'IF' is a macro: .include "leno/structured.inc" before it
  IF P0
# CHECK: structured-without-include.s:[[#@LINE+1]]:7: error: 'BREAK' is a macro: .include "leno/structured.inc" before it
  @P0 BREAK
