# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: constant-offset-out-of-bank.s:[[#@LINE+1]]:14: error: offset 65536 is outside the bank: it has bytes 0 to 65535
MOV R1, c[0][0x10000]
