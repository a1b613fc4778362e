# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: unknown-modifier.s:[[#@LINE+1]]:7: error: ISETP has no modifier '.lx'; did you mean '.lt'?
ISETP.lx P0, R1, R2
