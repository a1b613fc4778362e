//===- Convert.td - Conversions -------------------------------------------===//

defvar FormatsInRegisters = [{
A value of 64 bits is an aligned pair of registers. An `f16` source is the low half of its register, whatever the upper
half holds; an `f16` result is zero-extended.
}];

class I2FInst<bits<2> form, DAGOperand kind>
    : ComputeD<OP_I2F, form, "I2F", (ins ModFloatFormat:$dst, ModIntFormat:$src, ModRound:$rnd, kind:$rb),
               "$dst$src$rnd", "$rd, $rb"> {
  bits<2> dst;
  bits<3> src;
  bits<2> rnd;
  let Inst{51-49} = src;
  let Inst{48-47} = dst;
  let Inst{46-45} = rnd;
  let Wide = ["rd=dst", "rb=src"];
  let Summary = "convert an integer to a float";
  let Class = "float";
  let Meaning = !strconcat([{
rd is the integer b, rounded once by the rounding modifier to the float format (`.f32` when none is written): to
nearest even (`.RN`, when none is written), down (`.RM`), up (`.RP`) or toward zero (`.RZ`). The integer format (`.s32`
when none is written) tells which low bits of b count and whether they are signed (two's complement). Zero is +0 in
every rounding mode. A magnitude that `.f16` cannot hold (65520 and more to nearest, more than 65504 away from zero)
gives infinity where the rounding is to nearest or away from zero, else 65504, with its sign; no other format
overflows.
}], FormatsInRegisters, [{
An immediate is sign-extended from 20 bits to the width of the source's registers before the format applies.
}]);
  let Example = [{
I2F R1, R0;                # signed 32 bits to single precision
I2F.f64.u8 R2, R0;         # the low byte to a double in R3:R2
I2F.s64.RZ R1, R2;         # R3:R2 to single precision, toward zero
}];
}
def I2F_R : I2FInst<0, GPR>;
def I2F_I : I2FInst<1, Imm20>;
def I2F_C : I2FInst<2, Const>;

class F2IInst<bits<2> form, Operand kind>
    : ComputeD<OP_F2I, form, "F2I",
               (ins ModIntFormat:$dst, ModFloatFormat:$src, ModRoundZ:$rnd, ModFTZ:$FTZ, kind:$rb),
               "$dst$src$rnd$FTZ", "$rd, $rb"> {
  bits<3> dst;
  bits<2> src;
  bits<2> rnd;
  bits<1> FTZ;
  let Inst{51-49} = dst;
  let Inst{48-47} = src;
  let Inst{46-45} = rnd;
  let Inst{53} = FTZ;
  let Inst{54} = rb{20};
  let Inst{42} = rb{21};
  let Wide = ["rd=dst", "rb=src"];
  let Cold = ["FTZ"];
  let Summary = "convert a float to an integer; out of range clamps, NaN gives 0";
  let Class = "float";
  let Meaning = !strconcat([{
The float b of format src (`.f32` when none is written), after its signs (`|x|` first, then `-x`), is rounded to a
whole number: toward zero (`.RZ`, when none is written), to nearest (`.RN`; of two as near, the even one), down (`.RM`)
or up (`.RP`). If that number, not b itself, lies outside of the range of dst (`.s32` when none is written), the result
is the end of the range it lies beyond; infinities likewise. NaN gives 0 in every format: where the source is `.f64` or
the result has 64 bits, PTX gives 1 << (n - 1) for a result of n bits instead, unsigned ones too. Signed results of 8
and 16 bits are sign-extended, unsigned ones zero-extended, to 32. `.FTZ`: a subnormal `.f32` source counts as zero;
the other formats are never flushed.
}], FormatsInRegisters, [{
An immediate is a number of single precision, taken in the source's format (`.f16`: rounded to nearest even).
}]);
  let Example = [{
F2I R1, R2;                # toward zero, as C does
F2I.u8.RN R1, R2;          # nearest even, clamped to 0..255
F2I.FLOOR.s64.f64 R4, -R2; # R5:R4 = floor(-R3:R2): F2I.s64.f64.RM
}];
}
def F2I_R : F2IInst<0, RegNA>;
def F2I_I : F2IInst<1, FImm20>;
def F2I_C : F2IInst<2, ConstNA>;

class F2FInst<bits<2> form, Operand kind>
    : ComputeD<OP_F2F, form, "F2F",
               (ins ModToFloat:$dst, ModFromFloat:$src, ModRound:$rnd, ModIntegral:$integral, ModFTZ:$FTZ, ModSAT:$SAT,
                    kind:$rb),
               "$dst$src$rnd$integral$FTZ$SAT", "$rd, $rb"> {
  bits<2> dst;
  bits<2> src;
  bits<2> rnd;
  bits<3> integral;
  bits<1> FTZ;
  bits<1> SAT;
  let Inst{50-49} = dst;
  let Inst{52-51} = src;
  let Inst{46-45} = rnd;
  let Inst{15-13} = integral;
  let Inst{53} = FTZ;
  let Inst{47} = SAT;
  let Inst{54} = rb{20};
  let Inst{42} = rb{21};
  let Wide = ["rd=dst", "rb=src"];
  let Cold = ["FTZ", "SAT"];
  let Summary = "convert between float formats, or round to a whole number";
  let Class = "float";
  let Meaning = !strconcat([{
Both formats are written, the result's first. In this order: the signs of b apply (`|x|` first, then `-x`); with `.FTZ`
a subnormal `.f32` source becomes a zero of its sign; with `.ROUND` (to nearest even), `.FLOOR`, `.CEIL` or `.TRUNC` b
is rounded to a whole number, which its format always holds, and which keeps b's sign when it is zero; b is rounded
once by the rounding modifier to the format of the result (to nearest even, `.RN`, when none is written; down `.RM`, up
`.RP`, toward zero `.RZ`), where a number too large becomes infinity under `.RN`, the largest finite number under
`.RZ`, and whichever of the two lies in the direction under `.RM` and `.RP`, and one too small a subnormal or a zero of
its sign; with `.FTZ` a subnormal `.f32` result becomes a zero of its sign; with `.SAT` results of 0 and less, -0 and
NaN become +0, results of 1 and more become 1. Where both formats are the same and no whole number is asked for, only
the signs, `.FTZ`, `.SAT` and the canonical NaN change anything. Any NaN result is the canonical NaN: `0x7fff` in
`.f16`, `0x7fffffff` in `.f32`, `0x7fffffffffffffff` in `.f64`. `.FTZ` touches neither `.f16` nor `.f64`.
}], FormatsInRegisters, [{
An immediate is a number of single precision, taken in the source's format (`.f16`: rounded to nearest even).
}]);
  let Example = [{
F2F.f64.f32 R2, R0;        # exact
F2F.f16.f32.RZ R1, R0;     # toward zero
F2F.f32.f32.FLOOR R1, -R0; # floor(-R0)
}];
}
def F2F_R : F2FInst<0, RegNA>;
def F2F_I : F2FInst<1, FImm20>;
def F2F_C : F2FInst<2, ConstNA>;

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
