# What only laying out the file finds is told once.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: space-of-an-unknown-label.s:[[#@LINE+2]]:3: error: expected assembly-time absolute expression
# CHECK-NOT: error: expected
  .zero here - there
# CHECK: leno-as: error: {{.*}}: 1 error
