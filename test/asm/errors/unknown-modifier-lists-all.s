# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: unknown-modifier-lists-all.s:[[#@LINE+1]]:6: error: VOTE has no modifier '.some'; it takes .all .any .eq .S
VOTE.some P0, P1
