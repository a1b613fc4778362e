//===- Move.td - Moves, select, predicate moves, lane exchange ------------===//

defvar MoveText = [{
`Rd = b`: the 32 bits of a register or a constant, or an immediate of 20 bits sign-extended.
}];
defvar MoveExample = [{
MOV R1, -5;            # R1 = 0xfffffffb
MOV R2, c[0][0x40];    # R2 = the kernel's first parameter
}];

class MOVInst<bits<2> form, Operand kind>
    : ComputeD<OP_MOV, form, "MOV", (ins kind:$rb), "", "$rd, $rb"> {
  let Distinct = 1;
  let Summary = "copy a register, an immediate or a constant";
  let Class = "move";
  let Meaning = MoveText;
  let Example = MoveExample;
}
class MOVReg : ComputeD<OP_MOV, 0, "MOV", (ins GPR:$rb), "", "$rd, $rb"> {
  let Distinct = 1;
  let Summary = "copy a register, an immediate or a constant";
  let Class = "move";
  let Meaning = MoveText;
  let Example = MoveExample;
}
def MOV_R : MOVReg;
def MOV_I : MOVInst<1, Imm20> { let Pattern = [(set i32:$rd, Imm20:$rb)]; }
def MOV_C : MOVInst<2, Const>;

// The assembler takes MOV32I for what MOV's immediate cannot hold.
def MOV_32 : Guarded<OP_MOV32I, 0, "MOV32I", "MOV", (outs GPR:$rd), (ins Imm32:$rb), "", "$rd, $rb"> {
  bits<8> rd;
  bits<32> rb;
  let Inst{12-5} = rd;
  let Inst{52-21} = rb;
  let isAsmParserOnly = 1;
  let Summary = "copy a register, an immediate or a constant";
  let Class = "move";
}
def MOV32I : Guarded<OP_MOV32I, 0, "MOV32I", "MOV32I", (outs GPR:$rd), (ins Imm32:$rb), "", "$rd, $rb"> {
  bits<8> rd;
  bits<32> rb;
  let Inst{12-5} = rd;
  let Inst{52-21} = rb;
  let Pattern = [(set i32:$rd, Imm32:$rb)];
  let Summary = "set a register to 32 bits: an integer, a float or a label";
  let Class = "move";
  let Meaning = [{
`Rd` is the 32 bits of the word's field. The assembler takes an integer from -2147483648 to 4294967295, a float (its
single-precision pattern, rounded to nearest even), or an expression of labels (the byte address, filled in by the
linker).
}];
  let Example = [{
MOV32I R1, 0xdeadbeef;
MOV32I R2, 0.1;        # R2 = 0x3dcccccd
}];
}

def S2R : Guarded<OP_S2R, 0, "S2R", "S2R", (outs GPR:$rd), (ins Special:$sr), "", "$rd, $sr"> {
  bits<8> rd;
  bits<8> sr;
  let Inst{12-5} = rd;
  let Inst{28-21} = sr;
  let Summary = "read a special register [S1]";
  let Class = "move";
  let Meaning = [{
`Rd` is the value of the special register in each lane; the table of special registers in front says which holds what.
They are set at launch and cannot be written. CLOCKLO and CLOCKHI are the halves of the multiprocessor's cycle counter
when this instruction issues.
}];
  let Traps = ["ILLEGAL_OPERAND: the number names no special register"];
  let Example = [{
S2R R0, SR_TID.X;      # R0 = the thread's index in its CTA along x
}];
}

class SELInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_SEL, form, "SEL", (ins GPR:$ra, kind:$rb, PredSource:$pp), "", "$rd, $ra, $rb, $pp"> {
  bits<4> pp;
  let Inst{44-41} = pp;
  let Pattern = [(set i32:$rd, (select PredSource:$pp, GPR:$ra, kind:$rb))];
  let Summary = "select: the first source where the predicate is true, else the second [S1]";
  let Class = "move";
  let Meaning = [{
`Rd = Pp ? a : b` in each lane, 32 bits copied. An immediate is sign-extended from 20 bits.
}];
  let Example = [{
SEL R1, R2, R3, P0;    # R1 = P0 ? R2 : R3
SEL R1, R1, -1, !P0;   # where P0 is true: -1
}];
}
def SEL_R : SELInst<0, GPR>;
def SEL_I : SELInst<1, Imm20>;
def SEL_C : SELInst<2, Const>;

def VOTE : Guarded<OP_VOTE, 0, "VOTE", "VOTE", (outs OptRegDest:$rd, PR:$pu),
                   (ins ModVoteMode:$mode, PredSource:$pp), "$mode", "$rd$pu, $pp"> {
  bits<8> rd;
  bits<3> pu;
  bits<4> pp;
  bits<2> mode;
  let Inst{12-5} = rd;
  let Inst{15-13} = pu;
  let Inst{44-41} = pp;
  let Inst{50-49} = mode;
  let Summary = "reduce a predicate over the active lanes and tell all of them; optionally the ballot [S1]";
  let Class = "predicate";
  let Meaning = [{
E is the set of the executing lanes: active, with a guard that is true. B is the set of those lanes of E whose Pp is
true. Every lane of E gets

    Pu = .all: B == E      .any: B is not empty      .eq: B == E or B is empty
    Rd = B as 32 bits, lane 0 in bit 0; bits of lanes outside E are 0

Rd may be left out. With an empty E nothing happens.
}];
  let Example = [{
VOTE.any P1, P0;       # P1 = P0 holds in some lane
VOTE.all R2, P1, !P0;  # R2 = the lanes where P0 does not hold
}];
}

// The 16-bit predicate register [S1]; layout: Architecture.md 2 (CHOICE).
defvar PredicateRegister = [{
The predicate register of a lane is 16 bits:

    bit   0  1  2  3  4  5  6  7  8   9   10  11  12..15
    is    P0 P1 P2 P3 P4 P5 P6 0  ZF  SF  CF  OF  0

}];

class P2RInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_P2R, form, "P2R", (ins ModRegHalf:$hi, GPR:$ra, kind:$rb), "$hi", "$rd, $ra, $rb"> {
  bits<1> hi;
  let Inst{49} = hi;
  let Summary = "copy predicates and flags into a half of a register, under a mask [S1]";
  let Reads = ["CC:rb", "P:rb"];
  let Class = "predicate";
  let Meaning = PredicateRegister # [{
`P2R Rd, Ra, mask` puts it into the low or the high half of a copy of Ra; bits that the mask does not select keep Ra's
value, as does the other half:

    shift = .hi ? 16 : 0
    m = (mask & 0xffff) << shift
    Rd = (Ra & ~m) | (predicates << shift & m)

Selected bits 7 and 12 to 15 become 0. Write Rd as Ra to change a part of Rd. The mask may differ between lanes.
}];
  let Example = [{
P2R R1, RZ, 0x7f;      # R1 = P0..P6 in bits 0 to 6
P2R.hi R1, R1, 0xf00;  # ZF SF CF OF into bits 24 to 27 of R1
}];
}
def P2R_R : P2RInst<0, GPR>;
def P2R_I : P2RInst<1, Imm20>;
def P2R_C : P2RInst<2, Const>;

class R2PInst<bits<2> form, DAGOperand kind>
    : Compute<OP_R2P, form, "R2P", (outs), (ins ModRegHalf:$hi, GPR:$ra, kind:$rb), "$hi", "$ra, $rb"> {
  bits<8> ra;
  bits<1> hi;
  let Inst{20-13} = ra;
  let Inst{49} = hi;
  let Summary = "set predicates and flags from a half of a register, under a mask [S1]";
  let Writes = ["CC:rb", "P:rb"];
  let Class = "predicate";
  let Meaning = PredicateRegister # [{
`R2P Ra, mask` copies the bits that the mask selects from the low or the high half of Ra into it; the other predicates
and flags keep their values:

    for each of P0..P6, ZF, SF, CF, OF at bit k:
        if mask[k]: it = Ra[k + (.hi ? 16 : 0)]

Bits 7 and 12 to 15 have no effect, nor have bits of the mask above 15. The mask may differ between lanes.
}];
  let Example = [{
R2P R1, 0x7f;          # P0..P6 = bits 0 to 6 of R1
R2P.hi R1, 0xf00;      # the flags = bits 24 to 27 of R1
}];
}
def R2P_R : R2PInst<0, GPR>;
def R2P_I : R2PInst<1, Imm20>;
def R2P_C : R2PInst<2, Const>;

// Lane exchange. form bit 0: b is an immediate (25-21) and not a register (28-21); form bit 1: c is an immediate (41-29)
// and not a register (48-41).
class SHFLInst<bits<2> form, DAGOperand kb, DAGOperand kc>
    : Guarded<OP_SHFL, form, "SHFL", "SHFL", (outs LeadingPredDest:$pu, GPR:$rd),
              (ins ModShflMode:$mode, GPR:$ra, kb:$rb, kc:$rc), "$mode", "$pu$rd, $ra, $rb, $rc"> {
  bits<3> pu;
  bits<8> rd;
  bits<2> mode;
  bits<8> ra;
  let Inst{12-5} = rd;
  let Inst{20-13} = ra;
  let Inst{50-49} = mode;
  let Inst{53-51} = pu;
  let Summary = "read a register of another lane: by number, from below, from above, or from a butterfly partner";
  let Class = "predicate";
  let Meaning = [{
Every executing lane (active, with a guard that is true) reads Ra of the lane that b and c name. Both may be registers,
and then differ between lanes. As PTX's `shfl`, the steps for lane L (0 to 31) are

    bval = b & 31;  clamp = c & 31;  segment = c >> 8 & 31
    minLane = L & segment
    maxLane = minLane | (clamp & ~segment)
    .up:    j = L - bval;   inRange = j >= maxLane
    .down:  j = L + bval;   inRange = j <= maxLane
    .bfly:  j = L ^ bval;   inRange = j <= maxLane
    .idx:   j = minLane | (bval & ~segment);  inRange = j <= maxLane

j is a signed integer; the other bits of b and c have no effect. Then

    valid = inRange and lane j is executing this instruction
    Rd = Ra of lane (valid ? j : L)
    Pu = valid

All lanes read before any is written. Pu may be left out. For segments of w lanes (a power of two) c is
`(32 - w) << 8 | 31`, for `.up` `(32 - w) << 8`.
}];
  let Example = [{
SHFL.bfly R1, R0, 1, 0x1f;         # R1 = R0 of the neighbour
SHFL.up P0, R1, R0, 4, 0;          # R1 = R0 of lane - 4, where there is one: P0
SHFL.idx R1, R0, R2, 0x181f;       # R1 = R0 of lane R2 of the segment of 8
}];
}
def SHFL_RR : SHFLInst<0, GPR, GPR> {
  bits<8> rb;
  bits<8> rc;
  let Inst{28-21} = rb;
  let Inst{48-41} = rc;
}
def SHFL_IR : SHFLInst<1, ShuffleLane, GPR> {
  bits<5> rb;
  bits<8> rc;
  let Inst{25-21} = rb;
  let Inst{48-41} = rc;
}
def SHFL_RI : SHFLInst<2, GPR, ShuffleClamp> {
  bits<8> rb;
  bits<13> rc;
  let Inst{28-21} = rb;
  let Inst{41-29} = rc;
}
def SHFL_II : SHFLInst<3, ShuffleLane, ShuffleClamp> {
  bits<5> rb;
  bits<13> rc;
  let Inst{25-21} = rb;
  let Inst{41-29} = rc;
}
