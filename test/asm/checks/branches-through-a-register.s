# Where a branch through a register may lead, nothing is called unreachable, and what the walk cannot see is not told.
# RUN: %leno-as -c %s -o %t.o 2>&1 | count 0
  .kernel test
  S2R R0, SR_TID.X
  SHL R1, R0, 4
  SSY join
  BRX R1, table
table:
  MOV R2, 1
  BRA mark
  MOV R2, 2
  BRA mark
mark:
  SYNC
join:
  PRET back
  JMX R1, 0x40
back:
  IADD R2, R3, 1
  EXIT
  .endkernel
