//===- Float.td - Floating point (IEEE 754) -------------------------------===//

// What single-precision results have in common.
defvar SingleResult = [{
Sources are taken after their signs, `|x|` first, then `-x`; signs are bits and change nothing else, in a NaN either.
The rounding is to nearest (`.RN`, when none is written), of two numbers that are as near to the one whose last bit is
0 (IEEE 754 roundTiesToEven; there is no roundTiesToAway), down (`.RM`, roundTowardNegative), up (`.RP`,
roundTowardPositive) or toward zero (`.RZ`, roundTowardZero). A result too large is rounded as if the exponent had no
bound, and then becomes infinity under `.RN`, the largest finite number under `.RZ`, and whichever of the two lies in
the direction under `.RM` and `.RP`. A result too small is rounded to the subnormals; where that is zero it keeps the
exact result's sign. Any NaN result is the canonical NaN `0x7fffffff`, whatever the NaNs of the sources were. There are
no exception flags. `.FTZ`: before the operation a subnormal source counts as a zero of its sign, and a result that is
subnormal after rounding becomes a zero of its sign, whatever the direction of the rounding: under `.RP` too, a tiny
positive result is +0 and not the least normal number, and under `.RM` a tiny negative one -0. `.SAT`, after that:
results of 0 and less, -0 and NaN become +0, results of 1 and more become 1.
}];

// The flags of a floating-point result.
defvar FloatFlags = [{

`.CC` writes the flags of the lanes that execute, by the result as it is stored; without it they stay:

    ZF = rd is +0, -0 or a NaN
    SF = rd is less than zero, or a NaN
    CF = OF = 0

so that CSETP and branches find it less than, equal to or greater than zero, or unordered.
}];

class FloatBinary<Opcode opcode, string mnemonic, bits<2> form, Operand kind, dag codes = (ins), string text = "">
    : ComputeDA<opcode, form, mnemonic,
                !con((ins ModRound:$rnd, ModFTZ:$FTZ, ModSAT:$SAT), codes, (ins RegNA:$ra, kind:$rb)),
                "$rnd$FTZ$SAT" # text, "$rd, $ra, $rb"> {
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
class FlaggedBinary<Opcode opcode, string mnemonic, bits<2> form, Operand kind>
    : FloatBinary<opcode, mnemonic, form, kind, (ins ModCC:$CC), "$CC"> {
  bits<1> CC;
  let Inst{43} = CC;
  let Cold = ["CC"];
}
class FADDInst<bits<2> form, Operand kind> : FlaggedBinary<OP_FADD, "FADD", form, kind> {
  let Summary = "add single-precision floats";
  let Meaning = !strconcat([{
`rd = round(a + b)`: the IEEE 754 binary32 sum, rounded once. An exact zero sum of operands of unlike sign is +0, and
-0 under `.RM`; of like sign it keeps the sign. Infinity minus infinity is a NaN; infinity plus any other number is
that infinity.
}], SingleResult, FloatFlags);
  let Example = [{
FADD R1, R2, -R3;          # R1 = R2 - R3
FADD.RP.FTZ R1, |R2|, 0.5; # rounded up, subnormals flushed
FADD.CC RZ, R2, -R3;       # flags alone: how R2 and R3 compare
}];
}
def FADD_R : FADDInst<0, RegNA>;
def FADD_I : FADDInst<1, FImm20>;
def FADD_C : FADDInst<2, ConstNA>;

class FMULInst<bits<2> form, Operand kind> : FlaggedBinary<OP_FMUL, "FMUL", form, kind> {
  let Summary = "multiply single-precision floats";
  let Meaning = !strconcat([{
`rd = round(a * b)`: the IEEE 754 binary32 product, rounded once. The sign of a product that is no NaN is the exclusive
or of the operands' signs. Zero times infinity is a NaN.
}], SingleResult, FloatFlags);
  let Example = [{
FMUL R1, R2, R3;           # R1 = R2 * R3
FMUL.SAT R1, R2, 1.5;      # clamped to 0..1
}];
}
def FMUL_R : FMULInst<0, RegNA>;
def FMUL_I : FMULInst<1, FImm20>;
def FMUL_C : FMULInst<2, ConstNA>;

// An immediate takes the bit of .CC: that form writes no flags.
class FFMAInst<bits<2> form, DAGOperand kb, Operand kc>
    : Compute3<OP_FFMA, form, "FFMA",
               (ins ModRound:$rnd, ModFTZ:$FTZ, ModSAT:$SAT, ModCC:$CC, RegN:$ra, kb:$rb, kc:$rc),
               "$rnd$FTZ$SAT$CC", "$rd, $ra, $rb, $rc"> {
  bits<2> rnd;
  bits<1> FTZ;
  bits<1> SAT;
  let Inst{50-49} = rnd;
  let Inst{51} = FTZ;
  let Inst{52} = SAT;
  let Inst{53} = ra{20};
  let Inst{54} = rc{20};
  let Cold = ["CC"];
  let Summary = "fused multiply-add of single-precision floats, rounded once";
  let Meaning = !strconcat([{
`rd = round(a * b + c)`: the exact product plus `c`, rounded once (IEEE 754 fusedMultiplyAdd of binary32). `-a` negates
the product, `-c` the addend. The product is not rounded, neither overflows nor underflows, and is not flushed. An
exact zero result of a product and an addend of unlike signs is +0, and -0 under `.RM`; of like signs it keeps the
sign. Zero times infinity, whatever `c` is, and infinity minus infinity are NaNs.
}], SingleResult, FloatFlags, [{
The form with an immediate has no room for `.CC`.
}]);
  let Example = [{
FFMA R1, R2, R3, R4;       # R1 = R2 * R3 + R4
FFMA R1, -R2, 0.5, R4;     # R1 = R4 - R2 / 2
}];
  let Class = "float";
}
class FlaggedFFMA<bits<2> form, DAGOperand kb, Operand kc> : FFMAInst<form, kb, kc> {
  bits<1> CC;
  let Inst{40} = CC;
}
def FFMA_R  : FlaggedFFMA<0, GPR, RegN>;
def FFMA_I  : FFMAInst<1, FImm20, RegN> {
  bits<1> CC = 0;
  let Only = ["CC="];
}
def FFMA_C  : FlaggedFFMA<2, Const, RegN>;
def FFMA_RC : FlaggedFFMA<3, GPR, ConstN>;

// 32 bits of immediate take the form bits too, and leave four: there is no rounding modifier.
class FloatImm32<Opcode opcode, string semantic, dag inputs, string args>
    : Guarded<opcode, 0, semantic, semantic # "32I", (outs GPR:$rd), !con((ins ModFTZ:$FTZ, ModSAT:$SAT), inputs),
              "$FTZ$SAT", args> {
  bits<8> rd;
  bits<22> ra;
  bits<32> rb;
  bits<1> FTZ;
  bits<1> SAT;
  let Inst{12-5} = rd;
  let Inst{20-13} = ra{7-0};
  let Inst{52-21} = rb;
  let Inst{53} = FTZ;
  let Inst{54} = SAT;
  let Inst{55} = ra{20};
  let Class = "float";
}
defvar Float32I = [{ and an immediate of all 32 bits, rounded to nearest even: the word has no room for
another rounding.

}];
def FADD32I : FloatImm32<OP_FADD32I, "FADD", (ins RegNA:$ra, FImm32:$rb), "$rd, $ra, $rb"> {
  let Inst{56} = ra{21};
  let Summary = "add a single-precision float of 32 bits";
  let Meaning = !strconcat("FADD with a register", Float32I, [{
`rd = round(a + b)`: the IEEE 754 binary32 sum. An exact zero sum of operands of unlike sign is +0; of like sign it
keeps the sign. Infinity minus infinity is a NaN; infinity plus any other number is that infinity. Any NaN result is the
canonical NaN `0x7fffffff`. Signs, `.FTZ` and `.SAT` are those of FADD.
}]);
  let Example = [{
FADD32I R1, -R2, 0.1;      # R1 = 0.1 - R2, with 0.1 as the nearest single
}];
}
def FMUL32I : FloatImm32<OP_FMUL32I, "FMUL", (ins RegNA:$ra, FImm32:$rb), "$rd, $ra, $rb"> {
  let Inst{56} = ra{21};
  let Summary = "multiply by a single-precision float of 32 bits";
  let Meaning = !strconcat("FMUL with a register", Float32I, [{
`rd = round(a * b)`: the IEEE 754 binary32 product. The sign of a product that is no NaN is the exclusive or of the
operands' signs. Zero times infinity is a NaN. Any NaN result is the canonical NaN `0x7fffffff`. Signs, `.FTZ` and `.SAT`
are those of FMUL.
}]);
  let Example = [{
FMUL32I R1, R2, 3.14159265;
FMUL32I.FTZ R1, |R2|, 0x3f800001;  # not a decimal: the bits of the float
}];
}
def FFMA32I : FloatImm32<OP_FFMA32I, "FFMA", (ins RegN:$ra, FImm32:$rb, RegTiedN:$rc), "$rd, $ra, $rb, $rc"> {
  bits<22> rc;
  let Inst{56} = rc{20};
  let Summary = "fused multiply-add with a single-precision float of 32 bits: adds to its destination";
  let Meaning = !strconcat("FFMA with a register", Float32I, [{
`rd = round(a * b + c)`: the exact product plus `c`, rounded once. c is the destination, read before it is written: the
word has one field for both, and the text names the register twice. `-a` negates the product, `-c` the addend. An exact
zero result of a product and an addend of unlike signs is +0; of like signs it keeps the sign. Zero times infinity,
whatever `c` is, and infinity minus infinity are NaNs. Any NaN result is the canonical NaN `0x7fffffff`. `.FTZ` and
`.SAT` are those of FFMA.
}]);
  let Example = [{
FFMA32I R1, R2, 0.1, R1;   # R1 = R2 * 0.1 + R1
FFMA32I R1, -R2, 0.1, -R1;
}];
}

// Packed halves: two operations at once. A word has no room for an immediate of two halves.
defvar PackedHalves = [{
Each word holds two IEEE 754 binary16 numbers, and each half of `rd` is worked out from the same half of the sources on
its own:

    for h in low (bits 15-0), high (bits 31-16):

}];
defvar HalfResult = [{

A sign of a source (`|x|` first, then `-x`) is that of both its halves. Each half is rounded once, and rounding, `.FTZ`
and `.SAT` are those of FADD with the bounds of binary16: its largest finite number is 65504, its smallest normal 2^-14.
Any NaN result is the canonical NaN `0x7fff`.
}];
class HADD2Inst<bits<2> form, Operand kind> : FloatBinary<OP_HADD2, "HADD2", form, kind> {
  let Summary = "add two pairs of halves";
  let Meaning = !strconcat(PackedHalves, [{
        rd.h = round(a.h + b.h)

An exact zero sum of operands of unlike sign is +0, and -0 under `.RM`; of like sign it keeps the sign. Infinity minus
infinity is a NaN.
}], HalfResult);
  let Example = [{
HADD2 R1, R2, -R3;         # both halves of R2 less those of R3
}];
}
def HADD2_R : HADD2Inst<0, RegNA>;
def HADD2_C : HADD2Inst<2, ConstNA>;

class HMUL2Inst<bits<2> form, Operand kind> : FloatBinary<OP_HMUL2, "HMUL2", form, kind> {
  let Summary = "multiply two pairs of halves";
  let Meaning = !strconcat(PackedHalves, [{
        rd.h = round(a.h * b.h)

The sign of a product that is no NaN is the exclusive or of the operands' signs. Zero times infinity is a NaN.
}], HalfResult);
  let Example = [{
HMUL2.SAT R1, R2, |R3|;    # each product, clamped to 0..1
}];
}
def HMUL2_R : HMUL2Inst<0, RegNA>;
def HMUL2_C : HMUL2Inst<2, ConstNA>;

class HFMA2Inst<bits<2> form, DAGOperand kb, Operand kc>
    : Compute3<OP_HFMA2, form, "HFMA2", (ins ModRound:$rnd, ModFTZ:$FTZ, ModSAT:$SAT, RegN:$ra, kb:$rb, kc:$rc),
               "$rnd$FTZ$SAT", "$rd, $ra, $rb, $rc"> {
  bits<2> rnd;
  bits<1> FTZ;
  bits<1> SAT;
  let Inst{50-49} = rnd;
  let Inst{51} = FTZ;
  let Inst{52} = SAT;
  let Inst{53} = ra{20};
  let Inst{54} = rc{20};
  let Summary = "fused multiply-add of two triples of halves, rounded once";
  let Meaning = !strconcat(PackedHalves, [{
        rd.h = round(a.h * b.h + c.h)

The exact product plus `c`, rounded once. An exact zero result of a product and an addend of unlike signs is +0, and -0
under `.RM`; of like signs it keeps the sign. Zero times infinity, whatever `c` is, and infinity minus infinity are NaNs.
}], HalfResult);
  let Example = [{
HFMA2 R1, R2, R3, R4;      # two multiply-adds
}];
  let Class = "float";
}
def HFMA2_R  : HFMA2Inst<0, GPR, RegN>;
def HFMA2_C  : HFMA2Inst<2, Const, RegN>;
def HFMA2_RC : HFMA2Inst<3, GPR, ConstN>;

// Minimum and maximum: the predicate where rc is [S1].
class FloatMinMax<Opcode opcode, bits<2> form, string mnemonic, dag inputs, string mods, string args>
    : ComputeDA<opcode, form, mnemonic, inputs, mods, args> {
  let Inst{53} = ra{20};
  let Inst{54} = rb{20};
  let Inst{51} = ra{21};
  let Inst{52} = rb{21};
  bits<1> NaN;
  let Inst{50} = NaN;
}
defvar FloatMinMaxRule = [{
    rd = Pp ? max(a, b) : min(a, b)

after the signs of the sources (`|x|` first, then `-x`): the result is one of the two values so made, unrounded. -0 is
less than +0. When one of a and b is a NaN, quiet or signaling, the result is the other; when both are, it is the
canonical NaN (minimumNumber and maximumNumber of IEEE 754-2019). With `.NaN` the result is the canonical NaN when
either is one (minimum and maximum of IEEE 754-2019). The predicate Pp is read for each lane, `!Pp` is its inverse.
}];

class FMNMXInst<bits<2> form, Operand kind>
    : FloatMinMax<OP_FMNMX, form, "FMNMX", (ins ModFTZ:$FTZ, ModNaN:$NaN, RegNA:$ra, kind:$rb, PredSource:$pp),
                  "$FTZ$NaN", "$rd, $ra, $rb, $pp"> {
  bits<1> FTZ;
  bits<4> pp;
  let Inst{49} = FTZ;
  let Inst{44-41} = pp;
  let Summary = "single-precision minimum where the predicate is false, maximum where it is true [S1]";
  let Meaning = FloatMinMaxRule # [{
The canonical NaN is `0x7fffffff`. With `.FTZ` a subnormal source counts as a zero of its sign.
}];
  let Example = [{
FMNMX R1, R2, R3, P0;      # the greater where P0, else the lesser
FMNMX.FTZ R1, |R2|, 1.0, !PT; # the lesser: FMIN.FTZ R1, |R2|, 1.0
FMNMX.NaN R1, R2, R3, PT;  # the greater, or NaN: FMAX.NaN R1, R2, R3
}];
  let Class = "float";
}
def FMNMX_R : FMNMXInst<0, RegNA>;
def FMNMX_I : FMNMXInst<1, FImm20>;
def FMNMX_C : FMNMXInst<2, ConstNA>;

class FMNMXAlias<string mnemonic, bits<2> form, Operand kind, bit maximum>
    : FloatMinMax<OP_FMNMX, form, mnemonic, (ins ModFTZ:$FTZ, ModNaN:$NaN, RegNA:$ra, kind:$rb), "$FTZ$NaN",
                  "$rd, $ra, $rb"> {
  bits<1> FTZ;
  let Inst{49} = FTZ;
  let Inst{44-41} = !if(maximum, 0b0111, 0b1111);
  let Semantic = "FMNMX";
  let isAsmParserOnly = 1;
  let Summary = "alias of FMNMX rd, a, b, " # !if(maximum, "PT", "!PT");
}
def FMIN_R : FMNMXAlias<"FMIN", 0, RegNA, 0>;
def FMIN_I : FMNMXAlias<"FMIN", 1, FImm20, 0>;
def FMIN_C : FMNMXAlias<"FMIN", 2, ConstNA, 0>;
def FMAX_R : FMNMXAlias<"FMAX", 0, RegNA, 1>;
def FMAX_I : FMNMXAlias<"FMAX", 1, FImm20, 1>;
def FMAX_C : FMNMXAlias<"FMAX", 2, ConstNA, 1>;
