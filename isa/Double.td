//===- Double.td - Double precision (IEEE 754) ----------------------------===//
// Every operand is an aligned pair of registers; doubles are never flushed.

// What double-precision results have in common.
defvar DoubleResult = [{
Operands and result are register pairs, the low word in the lower register. The rounding is to nearest (`.RN`, when
none is written), of two numbers that are as near to the one whose last bit is 0 (IEEE 754 roundTiesToEven; there is no
roundTiesToAway), down (`.RM`, roundTowardNegative), up (`.RP`, roundTowardPositive) or toward zero (`.RZ`,
roundTowardZero). A result too large is rounded as if the exponent had no bound, and then becomes infinity under `.RN`,
the largest finite number under `.RZ`, and whichever of the two lies in the direction under `.RM` and `.RP`. A result
too small is rounded to the subnormals; where that is zero it keeps the exact result's sign. Subnormal sources are
taken as they are: nothing is flushed. Any NaN result is the canonical NaN `0x7fffffffffffffff`, whatever the NaNs of
the sources were. There are no exception flags.
}];

class DoubleBinary<Opcode opcode, string mnemonic, bits<2> form, Operand kind>
    : ComputeDA<opcode, form, mnemonic, (ins ModRound:$rnd, ModCC:$CC, RegNA:$ra, kind:$rb), "$rnd$CC",
                "$rd, $ra, $rb"> {
  bits<2> rnd;
  bits<1> CC;
  let Inst{50-49} = rnd;
  let Inst{51} = CC;
  let Cold = ["CC"];
  let Inst{53} = ra{20};
  let Inst{54} = rb{20};
  let Inst{41} = ra{21};
  let Inst{42} = rb{21};
  let Wide = ["rd=2", "ra=2", "rb=2"];
  let Class = "double";
}
class DADDInst<bits<2> form, Operand kind> : DoubleBinary<OP_DADD, "DADD", form, kind> {
  let Summary = "add double-precision floats";
  let Meaning = !strconcat([{
`rd = round(a + b)`: the IEEE 754 binary64 sum of `a` and `b`, each after its signs (`|x|` first, then `-x`), rounded
once by the rounding modifier. An exact zero sum of operands of unlike sign is +0, and -0 under `.RM`; of like sign it
keeps the sign. Infinity minus infinity is a NaN; infinity plus any other number is that infinity.
}], DoubleResult, FloatFlags);
  let Example = [{
DADD R4, R0, -R2;       # R5:R4 = R1:R0 - R3:R2
DADD.RP R4, R4, 1.5;    # rounded up
DADD.CC RZ, R0, -R2;    # flags alone: how R1:R0 and R3:R2 compare
}];
}
def DADD_R : DADDInst<0, RegNA>;
def DADD_I : DADDInst<1, DImm20>;
def DADD_C : DADDInst<2, ConstNA>;

class DMULInst<bits<2> form, Operand kind> : DoubleBinary<OP_DMUL, "DMUL", form, kind> {
  let Summary = "multiply double-precision floats";
  let Meaning = !strconcat([{
`rd = round(a * b)`: the IEEE 754 binary64 product of `a` and `b`, each after its signs (`|x|` first, then `-x`),
rounded once by the rounding modifier. The sign of a product that is no NaN is the exclusive or of the operands' signs.
Zero times infinity is a NaN.
}], DoubleResult, FloatFlags);
  let Example = [{
DMUL R4, R0, R2;        # R5:R4 = R1:R0 * R3:R2
DMUL.RZ R4, |R4|, 0.1015625;
}];
}
def DMUL_R : DMULInst<0, RegNA>;
def DMUL_I : DMULInst<1, DImm20>;
def DMUL_C : DMULInst<2, ConstNA>;

class DFMAInst<bits<2> form, DAGOperand kb, Operand kc>
    : Compute3<OP_DFMA, form, "DFMA", (ins ModRound:$rnd, ModCC:$CC, RegN:$ra, kb:$rb, kc:$rc), "$rnd$CC",
               "$rd, $ra, $rb, $rc"> {
  bits<2> rnd;
  bits<1> CC;
  let Inst{50-49} = rnd;
  let Inst{51} = CC;
  let Cold = ["CC"];
  let Inst{53} = ra{20};
  let Inst{54} = rc{20};
  let Wide = ["rd=2", "ra=2", "rb=2", "rc=2"];
  let Class = "double";
  let Summary = "fused multiply-add of double-precision floats, rounded once";
  let Meaning = !strconcat([{
`rd = round(a * b + c)`: the exact product plus `c`, rounded once by the rounding modifier (IEEE 754 fusedMultiplyAdd).
`-a` negates the product, `-c` the addend. The product is not rounded and neither overflows nor underflows. An exact
zero result of a product and an addend of unlike signs is +0, and -0 under `.RM`; of like signs it keeps the sign. Zero
times infinity, whatever `c` is, and infinity minus infinity are NaNs.
}], DoubleResult, FloatFlags);
  let Example = [{
DFMA R6, R0, R2, -R4;   # R7:R6 = R1:R0 * R3:R2 - R5:R4
}];
}
def DFMA_R  : DFMAInst<0, GPR, RegN>;
def DFMA_I  : DFMAInst<1, DImm20, RegN>;
def DFMA_C  : DFMAInst<2, Const, RegN>;
def DFMA_RC : DFMAInst<3, GPR, ConstN>;

class DMNMXInst<bits<2> form, Operand kind>
    : FloatMinMax<OP_DMNMX, form, "DMNMX", (ins ModNaN:$NaN, RegNA:$ra, kind:$rb, PredSource:$pp), "$NaN",
                  "$rd, $ra, $rb, $pp"> {
  bits<4> pp;
  let Inst{44-41} = pp;
  let Wide = ["rd=2", "ra=2", "rb=2"];
  let Summary = "double-precision minimum where the predicate is false, maximum where it is true [S1]";
  let Meaning = FloatMinMaxRule # [{
The canonical NaN is `0x7fffffffffffffff`.
}];
  let Example = [{
DMNMX R4, R0, R2, PT;   # the greater of R1:R0 and R3:R2: DMAX R4, R0, R2
DMNMX.NaN R4, R0, R2, P0; # NaN when either is one
}];
  let Class = "double";
}
def DMNMX_R : DMNMXInst<0, RegNA>;
def DMNMX_I : DMNMXInst<1, DImm20>;
def DMNMX_C : DMNMXInst<2, ConstNA>;

class DMNMXAlias<string mnemonic, bits<2> form, Operand kind, bit maximum>
    : FloatMinMax<OP_DMNMX, form, mnemonic, (ins ModNaN:$NaN, RegNA:$ra, kind:$rb), "$NaN", "$rd, $ra, $rb"> {
  let Inst{44-41} = !if(maximum, 0b0111, 0b1111);
  let Wide = ["rd=2", "ra=2", "rb=2"];
  let Semantic = "DMNMX";
  let isAsmParserOnly = 1;
  let Summary = "alias of DMNMX rd, a, b, " # !if(maximum, "PT", "!PT");
}
def DMIN_R : DMNMXAlias<"DMIN", 0, RegNA, 0>;
def DMIN_I : DMNMXAlias<"DMIN", 1, DImm20, 0>;
def DMIN_C : DMNMXAlias<"DMIN", 2, ConstNA, 0>;
def DMAX_R : DMNMXAlias<"DMAX", 0, RegNA, 1>;
def DMAX_I : DMNMXAlias<"DMAX", 1, DImm20, 1>;
def DMAX_C : DMNMXAlias<"DMAX", 2, ConstNA, 1>;
