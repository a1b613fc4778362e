# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .reg a, R1
# CHECK: name-twice.s:[[#@LINE+2]]:8: error: 'a' is declared twice
# CHECK: name-twice.s:[[#@LINE-2]]:8: note: the first time is here
  .reg a, R2
