# A time step of bodies that attract each other. A thread moves one body; its CTA brings the bodies, 128 at a time, into
# shared memory, where all its threads read each of them at once.
#
#       a = sum of m_j (x_j - x) / (|x_j - x|^2 + s)^(3/2)      v += a dt      x += v dt
#
# A body at its own place adds nothing; bodies past the end have no mass.

        .set    threads, 128

        .kernel step
        .param  u32 count
        .param  f32 dt
        .param  f32 softening                   # s, more than 0
        .param  ptr bodies                      # x, y, z, mass
        .param  ptr velocities                  # x, y, z, nothing
        .param  ptr moved                       # where the bodies go: others still read the old places
        .shared near, threads * 16
        .reg    body, R0
        .reg    thread, R1
        .reg    begin, R2                       # of the bodies in shared memory
        .reg    at, R3
        .reg    own[0:3], R4
        .reg    pull[0:2], R8
        .reg    other[0:3], R12
        .reg    way[0:2], R16
        .pred   inside, P0

        S2R     thread, SR_TID.X;
        S2R     R20, SR_CTAID.X;
        IMAD    body, R20, threads, thread;
        ISETP.lt.u32 inside, body, c[0][count];
        LEA.CC  R20, body, c[0][bodies], 4;
        LEA.HI.X R21, body, c[0][bodies+4], RZ, 4;
        MOV     own[0], RZ;
        MOV     own[1], RZ;
        MOV     own[2], RZ;
        MOV     own[3], RZ;
  @inside LDG.128 own[0], [R20.64];
        MOV     pull[0], RZ;
        MOV     pull[1], RZ;
        MOV     pull[2], RZ;
        MOV     begin, RZ;

tiles:  IADD    R22, begin, thread;
        ISETP.lt.u32 P1, R22, c[0][count];
        LEA.CC  R20, R22, c[0][bodies], 4;
        LEA.HI.X R21, R22, c[0][bodies+4], RZ, 4;
        MOV     other[0], RZ;
        MOV     other[1], RZ;
        MOV     other[2], RZ;
        MOV     other[3], RZ;
  @P1   LDG.128 other[0], [R20.64];
        SHL     R23, thread, 4;
        STS.128 [R23+near], other[0];
        BAR.SYNC 0;
        MOV     at, RZ;
bodies1:
        LDS.128 other[0], [at+near];
        FADD    way[0], other[0], -own[0];
        FADD    way[1], other[1], -own[1];
        FADD    way[2], other[2], -own[2];
        FFMA    R24, way[0], way[0], c[0][softening];
        FFMA    R24, way[1], way[1], R24;
        FFMA    R24, way[2], way[2], R24;
        MUFU.RSQ R24, R24;                      # 1 / distance
        FMUL    R25, R24, R24;
        FMUL    R24, R24, other[3];
        FMUL    R24, R24, R25;                  # mass / distance^3
        FFMA    pull[0], R24, way[0], pull[0];
        FFMA    pull[1], R24, way[1], pull[1];
        FFMA    pull[2], R24, way[2], pull[2];
        IADD    at, at, 16;
        ISETP.lt.u32 P1, at, threads * 16;
  @P1   BRA.U   bodies1;
        BAR.SYNC 0;
        IADD    begin, begin, threads;
        ISETP.lt.u32 P1, begin, c[0][count];
  @P1   BRA.U   tiles;

  @!inside EXIT;
        LEA.CC  R20, body, c[0][velocities], 4;
        LEA.HI.X R21, body, c[0][velocities+4], RZ, 4;
        LDG.128 R12, [R20.64];
        MOV     R26, c[0][dt];
        FFMA    R12, pull[0], R26, R12;
        FFMA    R13, pull[1], R26, R13;
        FFMA    R14, pull[2], R26, R14;
        STG.128 [R20.64], R12;
        FFMA    own[0], R12, R26, own[0];
        FFMA    own[1], R13, R26, own[1];
        FFMA    own[2], R14, R26, own[2];
        LEA.CC  R20, body, c[0][moved], 4;
        LEA.HI.X R21, body, c[0][moved+4], RZ, 4;
        STG.128 [R20.64], own[0];
        EXIT;
        .endkernel
