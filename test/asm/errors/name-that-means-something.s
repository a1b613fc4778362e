# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: name-that-means-something.s:[[#@LINE+1]]:8: error: 'c' means something in operands: choose another name
  .reg c, R1
# CHECK: name-that-means-something.s:[[#@LINE+1]]:8: error: 'R7' is a register itself: choose another name
  .reg R7, R1
# CHECK: name-that-means-something.s:[[#@LINE+1]]:8: error: names that begin with SR_ are those of special registers
  .reg SR_X, R1
# CHECK: name-that-means-something.s:[[#@LINE+1]]:8: error: the name of a register has no '.': what follows one is a modifier
  .reg a.b, R1
  .set known, 5
# CHECK: name-that-means-something.s:[[#@LINE+1]]:8: error: 'known' is already defined
  .reg known, R1
