# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: bad-constant-bank.s:[[#@LINE+1]]:11: error: there is no constant bank 16: banks are 0 to 15
MOV R1, c[16][0]
