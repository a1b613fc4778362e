# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s
# CHECK: flag-test-unknown.s:[[#@LINE+1]]:10: error: there is no test of the flags 'CC.LTX'; did you mean 'CC.ltu'?
  BRA CC.LTX, .+8
# CHECK: flag-test-unknown.s:[[#@LINE+1]]:7: error: expected a label, or an offset from here such as .+16
  BRA 8
