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

class I2IInst<bits<2> form, Operand kind>
    : ComputeD<OP_I2I, form, "I2I",
               (ins ModToInt:$dst, ModIntType:$src, ModBytePart:$part, ModSAT:$SAT, kind:$rb), "$dst$src$part$SAT",
               "$rd, $rb"> {
  bits<3> dst;
  bits<3> src;
  bits<2> part;
  bits<1> SAT;
  let Inst{44-43} = part;
  let Inst{48-46} = src;
  let Inst{51-49} = dst;
  let Inst{52} = SAT;
  let Inst{54} = rb{20};
  let Inst{53} = rb{21};
  let Summary = "convert an integer to an integer, of a byte, a half or a word";
  let Meaning = [{
The first format is the destination's and must be written, the second the source's (`.s32` implied). A format of n bits
is signed (`s`) or unsigned (`u`). The source begins at byte 0 of b, or where `.b1`, `.b2` or `.b3` says; bits above
b's are 0. All steps are exact:

    x  = the low n bits of (unsigned b >> 8 * byte), in the source's format
    x  = |x|, when the source is written so
    x  = -x, when the source is written so
    x  = with .SAT: x clamped to the destination's range
         without:   the low n bits of x, in the destination's format
    rd = x mod 2^32                         (so it is sign- or zero-extended)

An immediate is sign-extended from 20 bits.
}];
  let Example = [{
I2I.u8.SAT R1, R2             # R2 clamped to 0..255
I2I.s32.u8.b2 R1, R2          # byte 2 of R2
I2I.s32 R1, |R2|              # the absolute value: IABS R1, R2
}];
}
def I2I_R : I2IInst<0, RegNA>;
def I2I_I : I2IInst<1, Imm20>;
def I2I_C : I2IInst<2, ConstNA>;

class IABSInst<bits<2> form, Operand kind>
    : ComputeD<OP_I2I, form, "IABS", (ins ModSAT:$SAT, kind:$rb), "$SAT", "$rd, $rb"> {
  bits<1> SAT;
  let Inst{52} = SAT;
  let Inst{54} = rb{20};
  let Inst{53} = rb{21};
  let Semantic = "I2I";
  let isAsmParserOnly = 1;
  let Summary = "alias of I2I.s32 rd, |b|; .SAT gives 0x7fffffff for 0x80000000";
}
def IABS_R : IABSInst<0, RegAbs>;
def IABS_C : IABSInst<2, ConstAbs>;
