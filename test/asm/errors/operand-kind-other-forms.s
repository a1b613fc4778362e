# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# What there is instead: the same operation in another type, or another order.
# CHECK: operand-kind-other-forms.s:[[#@LINE+2]]:16: error: {{.*}}found a float
# CHECK: operand-kind-other-forms.s:[[#@LINE+1]]:3: note: DADD or FADD takes these operands
  IADD R1, R2, 2.5
# CHECK: operand-kind-other-forms.s:[[#@LINE+2]]:12: error: {{.*}}found
# CHECK: operand-kind-other-forms.s:[[#@LINE+1]]:15: note: write IADD R1, R2, 5
  IADD R1, 5, R2
# CHECK: operand-kind-other-forms.s:[[#@LINE+2]]:19: error: {{.*}}found a label or expression
# CHECK: operand-kind-other-forms.s:[[#@LINE+1]]:3: note: write LOP32I.and R1, R2, ~x
  LOP.and R1, R2, ~x
