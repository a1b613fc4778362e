# An error in an included file says who included it.
# RUN: rm -rf %t && mkdir %t && echo "AAA" > %t/inc.s
# RUN: not %leno-as -c -I %t %s -o %t/o 2>&1 | FileCheck %s
# CHECK: included from {{.*}}inside-an-include.s:[[#@LINE+2]]:
# CHECK-NEXT: {{.*}}inc.s:1:1: error: unknown instruction 'AAA'
  .include "inc.s"
