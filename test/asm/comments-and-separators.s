# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump %t.o | FileCheck %s
  NOP; EXIT // two statements, and both kinds of comment
  /* a block */ RET   # the newline ends an instruction too
# CHECK: NOP;
# CHECK-NEXT: EXIT;
# CHECK-NEXT: RET;
