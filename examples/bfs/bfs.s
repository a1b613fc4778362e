# Breadth-first search, a level at a time: every thread whose node was reached at the last level reaches the neighbours
# that nobody has reached yet. Of several that find the same one, ATOM.CAS lets one do it.

        .kernel level
        .param  u32 nodes
        .param  u32 depth                       # of the last level
        .param  ptr first                       # node n's neighbours: edges first[n] to first[n + 1] - 1
        .param  ptr edges
        .param  ptr distance                    # -1: not reached
        .param  ptr found                       # how many this level reaches
        .reg    node, R0
        .reg    edge, R2
        .reg    end, R3
        .reg    neighbour, R6
        S2R     node, SR_TID.X;
        S2R     R1, SR_CTAID.X;
        IMAD    node, R1, c[0][0], node;        # c[0][0] is NTID.x
        ISETP.ge.u32 P0, node, c[0][nodes];
  @P0   EXIT;
        LEA.CC  R4, node, c[0][distance], 2;
        LEA.HI.X R5, node, c[0][distance+4], RZ, 2;
        LDG.cv  R1, [R4.64];                    # others may reach this node meanwhile
        ISETP.ne P0, R1, c[0][depth];
  @P0   EXIT;
        LEA.CC  R4, node, c[0][first], 2;
        LEA.HI.X R5, node, c[0][first+4], RZ, 2;
        LDG     edge, [R4.64];
        LDG     end, [R4.64+4];
        MOV     R8, -1;
        IADD    R9, R1, 1;
        MOV     R14, RZ;                        # what this thread has found

        PBK     done;
next:   ISETP.ge.u32 P0, edge, end;
  @P0   BRK;
        LEA.CC  R4, edge, c[0][edges], 2;
        LEA.HI.X R5, edge, c[0][edges+4], RZ, 2;
        LDG     neighbour, [R4.64];
        LEA.CC  R4, neighbour, c[0][distance], 2;
        LEA.HI.X R5, neighbour, c[0][distance+4], RZ, 2;
        ATOM.CAS R7, [R4.64], R8, R9;
        ISETP.eq P0, R7, R8;
  @P0   IADD    R14, R14, 1;
        IADD    edge, edge, 1;
        BRA     next;
done:   ISETP.eq P0, R14, RZ;
  @P0   EXIT;
        MOV     R4, c[0][found];
        MOV     R5, c[0][found+4];
        RED.add [R4.64], R14;
        EXIT;
        .endkernel
