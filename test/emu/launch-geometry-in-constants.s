# c[0] below the parameters: NTID.XYZ, NCTAID.XYZ, the grid's number, the CTA's bytes of shared memory.
# RUN: %leno-run %s --block 8,2,1 --grid 3,1,2 --arg out:u32[8]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([8, 2, 1, 3, 1, 2, 0, 80])"
  .kernel geometry
  .param ptr out
  .shared unused, 80
  S2R R0, SR_GRIDID
  ISETP.ne P0, R0, c[0][24]
  @P0 BPT 1
  IMAD.WIDE.u32 R2, RZ, 4, c[0][out]
  .irp n, 0, 1, 2, 3, 4, 5, 7
  MOV R4, c[0][4*\n]
  STG [R2.64+4*\n], R4
  .endr
  EXIT
  .endkernel
