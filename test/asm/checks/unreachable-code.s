# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  BRA end
  MOV R0, 1
# CHECK: [[#@LINE-1]]:3: warning: these 2 instructions are never reached [-Wunreachable]
# CHECK: [[#@LINE-2]]:3: note: no branch, push, call or instruction before leads here
  MOV R1, 2
end:
  @!PT BRA switched_off   # whoever wrote this knows: silent
  BRA on
switched_off:
  MOV R2, 3
on:
  CAL f
  EXIT
  NOP
# CHECK: [[#@LINE-1]]:3: warning: this instruction is never reached [-Wunreachable]
  .quad 0                 # data is no code: silent
  .endkernel
f:
  RET
  NOP
# CHECK: [[#@LINE-1]]:3: warning: this instruction is never reached [-Wunreachable]
unused:                   # others may call it: silent
  RET
# CHECK-NOT: warning
