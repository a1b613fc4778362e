# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: push-is-not-predicable.s:[[#@LINE+1]]:1: error: SSY cannot be predicated: it pushes for all active lanes
@P0 SSY .+16
