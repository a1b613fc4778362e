//===- Integer.td - Integer and bit operations ----------------------------===//

class IADDInst<bits<2> form, Operand kind>
    : ComputeDA<OP_IADD, form, "IADD", (ins ModX:$X, ModCC:$CC, ModSAT:$SAT, RegN:$ra, kind:$rb),
                "$X$CC$SAT", "$rd, $ra, $rb"> {
  bits<1> X;
  bits<1> CC;
  bits<1> SAT;
  let Inst{49} = X;
  let Inst{50} = CC;
  let Inst{51} = SAT;
  let Inst{53} = ra{20};
  let Inst{54} = rb{20};
  let Summary = "add or subtract integers; .CC writes the flags, .X adds CF";
}
def IADD_R : IADDInst<0, RegN>;
def IADD_I : IADDInst<1, Imm20>;
def IADD_C : IADDInst<2, ConstN>;

class IMULInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_IMUL, form, "IMUL", (ins ModHI:$HI, ModMulSign:$sign, GPR:$ra, kind:$rb),
                "$HI$sign", "$rd, $ra, $rb"> {
  bits<1> HI;
  bits<2> sign;
  let Inst{49} = HI;
  let Inst{51-50} = sign;
  let Summary = "multiply integers: the low or the high word of the 64-bit product";
}
def IMUL_R : IMULInst<0, GPR>;
def IMUL_I : IMULInst<1, Imm20>;
def IMUL_C : IMULInst<2, Const>;

class IMADInst<bits<2> form, DAGOperand kb, DAGOperand kc>
    : Compute3<OP_IMAD, form, "IMAD",
               (ins ModHI:$HI, ModMulSign:$sign, ModCC:$CC, ModX:$X, GPR:$ra, kb:$rb, kc:$rc),
               "$HI$sign$CC$X", "$rd, $ra, $rb, $rc"> {
  bits<1> HI;
  bits<2> sign;
  bits<1> CC;
  bits<1> X;
  let Inst{49} = HI;
  let Inst{51-50} = sign;
  let Inst{52} = CC;
  let Inst{53} = X;
  let Summary = "multiply and add integers: a word of the product plus c; .CC and .X as IADD";
}
def IMAD_R  : IMADInst<0, GPR, GPR>;
def IMAD_I  : IMADInst<1, Imm20, GPR>;
def IMAD_C  : IMADInst<2, Const, GPR>;
def IMAD_RC : IMADInst<3, GPR, Const>;

class LOPInst<bits<2> form, Operand kind>
    : ComputeDA<OP_LOP, form, "LOP", (ins ModLogicOp:$op, RegI:$ra, kind:$rb), "$op", "$rd, $ra, $rb"> {
  bits<2> op;
  let Inst{50-49} = op;
  let Inst{53} = ra{20};
  let Inst{54} = rb{20};
  let Summary = "bitwise and, or, xor, pass; each source may be inverted";
}
def LOP_R : LOPInst<0, RegI>;
def LOP_I : LOPInst<1, Imm20>;
def LOP_C : LOPInst<2, ConstI>;

class LOP3Inst<bits<2> form, DAGOperand kb, DAGOperand kc>
    : Compute3<OP_LOP3, form, "LOP3", (ins GPR:$ra, kb:$rb, kc:$rc, TruthTable:$table), "",
               "$rd, $ra, $rb, $rc, $table"> {
  bits<8> table;
  let Inst{40-21} = 0; // b and c have 18 bits here
  let Inst{38-21} = !if(!eq(form, 3), rc{17-0}, rb{17-0});
  let Inst{54-49} = table{7-2};
  let Inst{40-39} = table{1-0};
  let Summary = "any bitwise function of three sources, by its truth table";
  let Meaning = [{
Bit i of `rd` is bit `4 * a + 2 * b + c` of the table, where a, b and c are bit i of the three sources. So the
table of a function is that function of the bytes 0xf0 (a), 0xcc (b) and 0xaa (c):

    for i in 0..31:
        rd[i] = table[4 * a[i] + 2 * b[i] + c[i]]

An immediate has 18 bits here, and is sign-extended.
}];
  let Example = [{
LOP3 R1, R2, R3, R4, 0xe8     # the majority of each three bits
LOP3 R1, R2, R3, R4, 0xf0 & ~0xcc | 0xaa # (R2 & ~R3) | R4
}];
}
def LOP3_R  : LOP3Inst<0, GPR, GPR>;
def LOP3_I  : LOP3Inst<1, Imm18, GPR>;
def LOP3_C  : LOP3Inst<2, Const, GPR>;
def LOP3_RC : LOP3Inst<3, GPR, Const>;

class SHLInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_SHL, form, "SHL", (ins ModW:$W, GPR:$ra, kind:$rb), "$W", "$rd, $ra, $rb"> {
  bits<1> W;
  let Inst{49} = W;
  let Summary = "shift left; amounts of 32 and more give 0, or wrap with .W";
}
def SHL_R : SHLInst<0, GPR>;
def SHL_I : SHLInst<1, Imm20>;
def SHL_C : SHLInst<2, Const>;

class SHRInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_SHR, form, "SHR", (ins ModW:$W, ModUnsigned:$u32, GPR:$ra, kind:$rb), "$W$u32", "$rd, $ra, $rb"> {
  bits<1> W;
  bits<1> u32;
  let Inst{49} = W;
  let Inst{50} = u32;
  let Summary = "shift right, arithmetic or (.u32) logical; large amounts clamp, or wrap with .W";
}
def SHR_R : SHRInst<0, GPR>;
def SHR_I : SHRInst<1, Imm20>;
def SHR_C : SHRInst<2, Const>;
