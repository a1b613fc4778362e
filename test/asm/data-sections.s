# Constants, global data and zeroes: the sections, what the disassembler makes of them, and the way back.
# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump %t.o > %t.2.s
# RUN: FileCheck %s < %t.2.s
# RUN: %leno-as -c %t.2.s -o %t.2.o
# RUN: cmp %t.o %t.2.o
# RUN: %leno-as %s -o %t.exe
# RUN: %leno-objdump %t.exe > %t.3.s
# RUN: FileCheck --check-prefix=LINKED %s < %t.3.s
# RUN: %leno-as %t.3.s -o %t.3.exe
# RUN: cmp %t.exe %t.3.exe
  .const 3
table: .word 1, 2, 3
text:  .asciz "two\n\"lines\""
  .balign 8
here:  .quad datum+4, code
  .global
  .balign 32
datum: .word 0x12345678
       .byte 1
       .zero 40
  .globl shared_out
shared_out: .half 9
  .bss
zeroes: .zero 4096
  .kernel k
code:
  MOV R1, c[3][table+4]
# CHECK: MOV R1, c[3][table+4];
# LINKED: MOV R1, c[3][0x4];
  LDC.u8 R2, c[3][R1+text]
# CHECK: LDC.u8 R2, c[3][R1+text];
# LINKED: LDC.u8 R2, c[3][R1+0xc];
  MOV32I R3, lo(datum)
# CHECK: MOV32I R3, lo(datum);
# LINKED: MOV32I R3, lo(datum);
  MOV32I R4, hi(zeroes+16)
# CHECK: MOV32I R4, hi(zeroes+16);
# LINKED: MOV32I R4, hi(zeroes+16);
  MOV32I R5, text
# CHECK: MOV32I R5, text;
# LINKED: MOV32I R5, 0x0000000c;
  MOV32I R6, lo(shared_out)
# CHECK: MOV32I R6, lo(shared_out);
# LINKED: MOV32I R6, lo({{.*}});
  EXIT
  .endkernel
# CHECK: .const 3
# CHECK: .balign 8
# CHECK: table:
# CHECK-NEXT: .word 0x1, 0x2, 0x3
# CHECK-NEXT: text:
# CHECK-NEXT: .asciz "two\n\"lines\""
# CHECK: here:
# CHECK-NEXT: .quad datum+4
# CHECK: .global
# CHECK-NEXT: .balign 32
# CHECK-NEXT: datum:
# CHECK-NEXT: .word 0x12345678, 0x1
# CHECK-NEXT: .zero 37
# CHECK: .bss
# CHECK-NEXT: zeroes:
# CHECK-NEXT: .zero 4096
