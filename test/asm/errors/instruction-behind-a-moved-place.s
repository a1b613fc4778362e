# `.` is moved without a directive; what follows has to begin at a word all the same.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  NOP
. = 12
# CHECK: instruction-behind-a-moved-place.s:[[#@LINE+1]]:3: error: this instruction would begin at byte 12 of .text, which is no multiple of 8
  NOP
