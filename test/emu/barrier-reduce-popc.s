# BAR.RED.POPC counts a predicate over all threads of the CTA: lanes past the block's end and lanes that have exited do not
# take part. 80 threads, of which those with thread % 3 == 1 bring a true one and thread 79 has gone.
# RUN: %leno-run %s --block 80 --arg out:u32[80]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 79, sum(t % 3 == 1 for t in range(79)), 0)"
# RUN: %leno-run %s --block 80 --arg out:u32[80]:%t.npy --set barrier.divergent=count
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 79, sum(t % 3 == 1 for t in range(79)), 0)"
  .include "Inputs/lane.inc"
  begin
  ISETP.eq P1, R0, 79
  @P1 EXIT
  IMUL R1, R0, 0x5556           # R0 / 3 for small numbers
  SHR.u32 R1, R1, 16
  IMUL R1, R1, 3
  IADD R1, R0, -R1
  ISETP.eq P0, R1, 1
  BAR.RED.POPC R2, 0, P0
  store R2
