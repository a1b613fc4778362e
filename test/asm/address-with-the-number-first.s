# RUN: %leno-as --show-encoding %s | grep -v CHECK | FileCheck %s
# A shared variable or a label may stand before the register: the same words.
  .kernel k
  .param u32 n
  .shared first, 16
  .shared w, 64
# CHECK: STS [R10+0x10], R1;{{.*}}encoding: [[A:.*]]
# CHECK: STS [R10+0x10], R1;{{.*}}encoding: [[A]]
  STS [R10+w], R1
  STS [w+R10], R1
# CHECK: STS [R10+0x18], R1;{{.*}}encoding: [[B:.*]]
# CHECK: STS [R10+0x18], R1;{{.*}}encoding: [[B]]
# CHECK: STS [R10+0x18], R1;{{.*}}encoding: [[B]]
  STS [R10+w+8], R1
  STS [w+R10+8], R1
  STS [w+8+R10], R1
# CHECK: LDG R1, [R2.64+0x4]
  LDG R1, [4+R2.64]
# CHECK: LDC R1, c[0][R4+0x40]
# CHECK: LDC R1, c[0][R4+0x3c]
  LDC R1, c[0][n+R4]
  LDC R1, c[0][n+R4-4]
  EXIT
  .endkernel
