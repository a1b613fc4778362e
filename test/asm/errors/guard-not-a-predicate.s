# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: guard-not-a-predicate.s:[[#@LINE+1]]:2: error: expected a predicate after '@': @P0, @!P3 or @PT
@R1 EXIT
