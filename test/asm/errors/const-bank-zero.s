# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: const-bank-zero.s:[[#@LINE+1]]:10: error: bank 0 holds the launch's geometry and parameters; data go to banks 1 to 15
  .const 0
