# Operations and types that do not go together are no instructions.
# RUN: %leno-as %s -o %t
# RUN: %leno-objdump %t | FileCheck %s
# RUN: not %leno-run %t 2>&1 | FileCheck --check-prefix=TRAP %s
# TRAP: ILLEGAL_INSTRUCTION{{.*}}d202600000604027 is not an instruction
  .kernel k
  NOP
  .quad 0xd202600000604027       # ATOM.inc.s32 R1, [R2], R3
  .quad 0xd386080000604027       # ATOM.CAS.f32 R1, [R2], R3, R4
  .quad 0xd802000000004027       # LDLK.u8 P0, R1, [R2]
# CHECK-COUNT-3: not an instruction
  EXIT
  .endkernel
