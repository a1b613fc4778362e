# Every error is told, not the first alone; --max-errors stops earlier.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# RUN: not %leno-as -c --max-errors 1 %s -o %t 2>&1 | FileCheck --check-prefix=ONE %s
# CHECK: :[[#@LINE+2]]:1: error: unknown instruction 'AAA'
# ONE: :[[#@LINE+1]]:1: error: unknown instruction 'AAA'
AAA
# CHECK: :[[#@LINE+2]]:1: error: unknown instruction 'BBB'
# ONE-NOT: BBB
BBB
# CHECK: leno-as: error: {{.*}}: 2 errors
