# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: membar-without-scope.s:[[#@LINE+1]]:7: error: MEMBAR needs a modifier (who sees the order: the CTA, the context, the host too): one of .CTA .GL .SYS
MEMBAR
