//===- Float.td - Floating point (IEEE 754) -------------------------------===//

class FloatBinary<Opcode opcode, string mnemonic, bits<2> form, Operand kind>
    : ComputeDA<opcode, form, mnemonic, (ins ModRound:$rnd, ModFTZ:$FTZ, ModSAT:$SAT, RegNA:$ra, kind:$rb),
                "$rnd$FTZ$SAT", "$rd, $ra, $rb"> {
  bits<2> rnd;
  bits<1> FTZ;
  bits<1> SAT;
  let Inst{50-49} = rnd;
  let Inst{51} = FTZ;
  let Inst{52} = SAT;
  let Inst{53} = ra{20};
  let Inst{54} = rb{20};
  let Inst{41} = ra{21};
  let Inst{42} = rb{21};
  let Class = "float";
}
class FADDInst<bits<2> form, Operand kind> : FloatBinary<OP_FADD, "FADD", form, kind> {
  let Summary = "add single-precision floats";
}
def FADD_R : FADDInst<0, RegNA>;
def FADD_I : FADDInst<1, FImm20>;
def FADD_C : FADDInst<2, ConstNA>;

class FMULInst<bits<2> form, Operand kind> : FloatBinary<OP_FMUL, "FMUL", form, kind> {
  let Summary = "multiply single-precision floats";
}
def FMUL_R : FMULInst<0, RegNA>;
def FMUL_I : FMULInst<1, FImm20>;
def FMUL_C : FMULInst<2, ConstNA>;

class FFMAInst<bits<2> form, DAGOperand kb, Operand kc>
    : Compute3<OP_FFMA, form, "FFMA", (ins ModRound:$rnd, ModFTZ:$FTZ, ModSAT:$SAT, RegN:$ra, kb:$rb, kc:$rc),
               "$rnd$FTZ$SAT", "$rd, $ra, $rb, $rc"> {
  bits<2> rnd;
  bits<1> FTZ;
  bits<1> SAT;
  let Inst{50-49} = rnd;
  let Inst{51} = FTZ;
  let Inst{52} = SAT;
  let Inst{53} = ra{20};
  let Inst{54} = rc{20};
  let Summary = "fused multiply-add of single-precision floats, rounded once";
  let Class = "float";
}
def FFMA_R  : FFMAInst<0, GPR, RegN>;
def FFMA_I  : FFMAInst<1, FImm20, RegN>;
def FFMA_C  : FFMAInst<2, Const, RegN>;
def FFMA_RC : FFMAInst<3, GPR, ConstN>;
