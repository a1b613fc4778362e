# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: indexed-constant-outside-ldc.s:[[#@LINE+1]]:9: error: only LDC reads a constant at a register's offset
MOV R1, c[0][R2]
