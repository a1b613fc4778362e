# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: const-bank-unknown.s:[[#@LINE+1]]:10: error: there is no constant bank 16: data go to banks 1 to 15
  .const 16
