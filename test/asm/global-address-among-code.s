# The loader fills addresses in global memory into data and instructions; a word among code has no place for one.
# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s
# CHECK: error: {{.*}}: the reference at .text+0x8 to 'x' is an address in global memory among code: put it into .data, or a .const bank
        .data
x:      .quad 5
        .text
f:      RET
        .quad x
