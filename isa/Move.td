//===- Move.td - Moves, select, vote --------------------------------------===//

class MOVInst<bits<2> form, Operand kind>
    : ComputeD<OP_MOV, form, "MOV", (ins kind:$rb), "", "$rd, $rb"> {
  let Summary = "copy a register, an immediate or a constant";
  let Class = "move";
}
class MOVReg : ComputeD<OP_MOV, 0, "MOV", (ins GPR:$rb), "", "$rd, $rb"> {
  let Summary = "copy a register, an immediate or a constant";
  let Class = "move";
}
def MOV_R : MOVReg;
def MOV_I : MOVInst<1, Imm20>;
def MOV_C : MOVInst<2, Const>;

def MOV32I : Guarded<OP_MOV32I, 0, "MOV32I", "MOV32I", (outs GPR:$rd), (ins Imm32:$rb), "", "$rd, $rb"> {
  bits<8> rd;
  bits<32> rb;
  let Inst{12-5} = rd;
  let Inst{52-21} = rb;
  let Summary = "set a register to 32 bits: an integer, a float or a label";
  let Class = "move";
}

def S2R : Guarded<OP_S2R, 0, "S2R", "S2R", (outs GPR:$rd), (ins Special:$sr), "", "$rd, $sr"> {
  bits<8> rd;
  bits<8> sr;
  let Inst{12-5} = rd;
  let Inst{28-21} = sr;
  let Summary = "read a special register";
  let Class = "move";
}

class SELInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_SEL, form, "SEL", (ins GPR:$ra, kind:$rb, PredSource:$pp), "", "$rd, $ra, $rb, $pp"> {
  bits<4> pp;
  let Inst{44-41} = pp;
  let Summary = "select: the first source where the predicate is true, else the second [S1]";
  let Class = "move";
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
}
