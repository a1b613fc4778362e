# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .reg loop, R1
# CHECK: name-of-a-label.s:[[#@LINE+2]]:1: error: 'loop' is the name of a register; a label needs another
# CHECK: name-of-a-label.s:[[#@LINE-2]]:8: note: it is declared here
loop:
  EXIT
