//===- Convert.td - Conversions -------------------------------------------===//

class I2FInst<bits<2> form, DAGOperand kind>
    : ComputeD<OP_I2F, form, "I2F", (ins ModIntType:$src, ModRound:$rnd, kind:$rb), "$src$rnd", "$rd, $rb"> {
  bits<3> src;
  bits<2> rnd;
  let Inst{51-49} = src;
  let Inst{46-45} = rnd;
  let Summary = "convert an integer to single precision";
  let Class = "float";
}
def I2F_R : I2FInst<0, GPR>;
def I2F_I : I2FInst<1, Imm20>;
def I2F_C : I2FInst<2, Const>;

class F2IInst<bits<2> form, Operand kind>
    : ComputeD<OP_F2I, form, "F2I", (ins ModIntType:$dst, ModRoundZ:$rnd, ModFTZ:$FTZ, kind:$rb), "$dst$rnd$FTZ",
               "$rd, $rb"> {
  bits<3> dst;
  bits<2> rnd;
  bits<1> FTZ;
  let Inst{51-49} = dst;
  let Inst{46-45} = rnd;
  let Inst{53} = FTZ;
  let Inst{54} = rb{20};
  let Inst{42} = rb{21};
  let Summary = "convert single precision to an integer; out of range clamps, NaN gives 0";
  let Class = "float";
}
def F2I_R : F2IInst<0, RegNA>;
def F2I_I : F2IInst<1, FImm20>;
def F2I_C : F2IInst<2, ConstNA>;
