# PSETP Pu, Pp, Pq leaves Pv and Pr out; four operands are Pu, Pv, Pp, Pq and five as ever. What is printed assembles to the
# same words. CSETP Pu leaves out Pv and Pp.
# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump %t.o > %t.s
# RUN: FileCheck %s < %t.s
# RUN: %leno-as -c %t.s -o %t.2.o
# RUN: llvm-objcopy -O binary --only-section=.text %t.o %t.1.bin
# RUN: llvm-objcopy -O binary --only-section=.text %t.2.o %t.2.bin
# RUN: cmp %t.1.bin %t.2.bin
  PSETP.and P2, P0, P1;
# CHECK: PSETP.and P2, PT, P0, P1;
  PSETP.xor.or P2, !P0, !P1;
# CHECK-NEXT: PSETP.xor.or P2, PT, !P0, !P1;
  PSETP.and P2, P0, P1, PT;
# CHECK-NEXT: PSETP.and P2, P0, P1, PT;
  PSETP.and P2, P0, P1, !P3;
# CHECK-NEXT: PSETP.and P2, P0, P1, !P3;
  PSETP.and.or P0, P1, !P2, P3, !P4;
# CHECK-NEXT: PSETP.and.or P0, P1, !P2, P3, !P4;
  @!P3 CSETP.hi P0;
# CHECK-NEXT: @!P3 CSETP.hi P0, PT;
  CSETP.hi P0, P1;
# CHECK-NEXT: CSETP.hi P0, P1;
  CSETP.hi.or P0, P1, !P2;
# CHECK-NEXT: CSETP.hi.or P0, P1, !P2;
