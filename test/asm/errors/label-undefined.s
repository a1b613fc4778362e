# An undefined label is told by the linker step, with its name.
# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s
# CHECK: error: {{.*}}label-undefined.s: 'nowhere' is undefined: no object defines it
  BRA nowhere
