//===- Integer.td - Integer arithmetic ------------------------------------===//

// What every adding instruction does with the flags, after the record has said what x, y and the carry in are.
defvar SumAndFlags = [{
    sum = x + y + carry                     (exact, all three unsigned)
    rd  = sum mod 2^32

`.CC` writes the flags of the lanes that execute; without it they stay:

    CF = sum >= 2^32
    OF = the exact signed sum of x, y and the carry is not from -2^31 to 2^31 - 1
    SF = bit 31 of sum
    ZF = (sum mod 2^32 == 0), and with .X also the old ZF was 1
}];

defvar MeaningIADD = !strconcat([{
A negated source is its inverse and a carry in, so CF after a subtraction is 1 when there was no borrow:

    x = a negated ? ~a : a
    y = b negated ? ~b : b
    carry = with .X:    CF, and 1 more when both sources are negated
            without it: the number of negated sources
}], SumAndFlags, [{
`.SAT` clamps the exact signed sum to -2^31 and 2^31 - 1 in `rd`; the flags stay those of the sum not clamped.
An immediate is sign-extended from 20 bits (IADD32I has all 32). ISUB is the same with the sign of b the other way
round; its immediate is subtracted as a register of that value is, flags included.
}]);

class IADDInst<bits<2> form, Operand kind, string mnemonic = "IADD">
    : ComputeDA<OP_IADD, form, mnemonic, (ins ModX:$X, ModCC:$CC, ModSAT:$SAT, RegN:$ra, kind:$rb),
                "$X$CC$SAT", "$rd, $ra, $rb"> {
  bits<1> X;
  bits<1> CC;
  bits<1> SAT;
  let Inst{49} = X;
  let Inst{50} = CC;
  let Inst{51} = SAT;
  let Inst{53} = ra{20};
  let Inst{54} = rb{20};
  let Semantic = "IADD";
  let Pattern = [(set i32:$rd, (add RegN:$ra, kind:$rb))];
  let Distinct = 1;
  let Summary = "add or subtract integers; .CC writes the flags, .X adds CF";
  let Meaning = MeaningIADD;
  let Example = [{
IADD R1, R2, -R3              # R1 = R2 - R3
IADD.CC R4, R6, R8            # R5:R4 = R7:R6 + R9:R8, with the next line
IADD.X R5, R7, R9
}];
}
def IADD_R : IADDInst<0, RegN>;
def IADD_I : IADDInst<1, Imm20> { let Inst{54} = 0; }
def IADD_C : IADDInst<2, ConstN>;

// Subtraction. An immediate cannot carry a sign of its own, so that form is an instruction; the others are spellings.
class ISUBInst<bits<2> form, Operand kind> : IADDInst<form, kind, "ISUB"> {
  let Pattern = [];
  let Summary = "subtract integers: IADD with the sign of b the other way round";
  let Example = [{
ISUB R1, R2, 5                # R1 = R2 - 5
ISUB.CC R4, R4, 1             # R5:R4 = R5:R4 - 1, with the next line
ISUB.X R5, R5, 0
}];
}
def ISUB_R : ISUBInst<0, RegMinus> { let isAsmParserOnly = 1; }
def ISUB_I : ISUBInst<1, Imm20> {
  let Inst{54} = 1;
  let Sets = ["negB"];
}
def ISUB_C : ISUBInst<2, ConstMinus> { let isAsmParserOnly = 1; }
def : Pat<(i32 (sub RegN:$a, RegMinus:$b)), (IADD_R RegN:$a, RegMinus:$b)>;
def : Pat<(i32 (sub RegN:$a, ConstMinus:$b)), (IADD_C RegN:$a, ConstMinus:$b)>;

class INEGInst<bits<2> form, Operand kind>
    : ComputeD<OP_IADD, form, "INEG", (ins ModX:$X, ModCC:$CC, ModSAT:$SAT, kind:$rb), "$X$CC$SAT", "$rd, $rb"> {
  bits<1> X;
  bits<1> CC;
  bits<1> SAT;
  let Inst{20-13} = 255;
  let Inst{49} = X;
  let Inst{50} = CC;
  let Inst{51} = SAT;
  let Inst{54} = rb{20};
  let Semantic = "IADD";
  let isAsmParserOnly = 1;
  let Summary = "alias of IADD rd, RZ, -b";
}
def INEG_R : INEGInst<0, RegMinus>;
def INEG_C : INEGInst<2, ConstMinus>;

// 32 bits of immediate take the form bits too.
def IADD32I : Guarded<OP_IADD32I, 0, "IADD", "IADD32I", (outs GPR:$rd),
                      (ins ModX:$X, ModCC:$CC, ModSAT:$SAT, RegN:$ra, Imm32:$rb), "$X$CC$SAT", "$rd, $ra, $rb"> {
  bits<8> rd;
  bits<22> ra;
  bits<32> rb;
  bits<1> X;
  bits<1> CC;
  bits<1> SAT;
  let Inst{12-5} = rd;
  let Inst{20-13} = ra{7-0};
  let Inst{52-21} = rb;
  let Inst{53} = X;
  let Inst{54} = CC;
  let Inst{55} = SAT;
  let Inst{56} = ra{20};
  let Pattern = [(set i32:$rd, (add RegN:$ra, Imm32:$rb))];
  let AddedComplexity = 15;
  let Distinct = 1;
  let Summary = "add an integer of 32 bits; .CC writes the flags, .X adds CF";
  let Meaning = MeaningIADD;
  let Example = [{
IADD32I R1, R2, 0x12345678    # R1 = R2 + 0x12345678
}];
}

class IADD3Inst<bits<2> form, Operand kb, Operand kc>
    : Compute3<OP_IADD3, form, "IADD3", (ins RegN:$ra, kb:$rb, kc:$rc), "", "$rd, $ra, $rb, $rc"> {
  let Inst{53} = ra{20};
  let Inst{52} = !if(!eq(form, 1), 0, rb{20});
  let Inst{54} = rc{20};
  let Distinct = 1;
  let Summary = "add three integers, each negated or not";
  let Meaning = [{
    rd = (a + b + c) mod 2^32

each source after its sign. An immediate is sign-extended from 20 bits. No flags are read or written: the carry of three
words does not fit in CF. Sums of longer numbers are IADD's, with `.CC` and `.X`.
}];
  let Example = [{
IADD3 R1, R2, R3, R4          # R1 = R2 + R3 + R4
IADD3 R1, R2, -1, -R3         # R1 = R2 - 1 - R3
}];
}
def IADD3_R  : IADD3Inst<0, RegN, RegN>;
def IADD3_I  : IADD3Inst<1, Imm20, RegN>;
def IADD3_C  : IADD3Inst<2, ConstN, RegN>;
def IADD3_RC : IADD3Inst<3, RegN, ConstN>;

defvar MeaningProduct = [{
The factors are exact integers, each signed or unsigned: `.s32` (implied) both signed, `.u32` both unsigned, `.us32` a
unsigned and b signed, `.su32` a signed and b unsigned.

    product = a * b                         (exact, mod 2^64)
    word    = with .HI: bits 63-32 of product, without: bits 31-0
}];

class IMULInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_IMUL, form, "IMUL", (ins ModHI:$HI, ModMulSign:$sign, GPR:$ra, kind:$rb),
                "$HI$sign", "$rd, $ra, $rb"> {
  bits<1> HI;
  bits<2> sign;
  let Inst{49} = HI;
  let Inst{51-50} = sign;
  let Distinct = 1;
  let Summary = "multiply integers: the low or the high word of the 64-bit product";
  let Meaning = MeaningProduct # [{
    rd      = word

An immediate is sign-extended from 20 bits to 32, which then are signed or unsigned as the modifier says.
}];
  let Example = [{
IMUL R1, R2, 10               # R1 = 10 * R2
IMUL.HI.u32 R1, R2, R3        # the upper word of the unsigned product
}];
}
def IMUL_R : IMULInst<0, GPR>;
def IMUL_I : IMULInst<1, Imm20>;
def IMUL_C : IMULInst<2, Const>;
// Told: .HI, and whose sign. The low word does not know of signs.
defm : Chosen<"IMUL", (ops 0, 0), mul, GPR, GPR, Const>;
defm : Chosen<"IMUL", (ops 1, 0), mulhs, GPR, GPR, Const>;
defm : Chosen<"IMUL", (ops 1, 3), mulhu, GPR, GPR, Const>;

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
  let Distinct = 1;
  let Summary = "multiply and add integers: a word of the product plus c; .CC and .X as IADD";
  let Meaning = !strconcat(MeaningProduct, [{
    x       = word
    y       = c
    carry   = with .X: CF, without: 0
}], SumAndFlags, [{
The flags are those of that addition alone. An immediate is sign-extended from 20 bits to 32, which then are signed or
unsigned as the modifier says.
}]);
  let Example = [{
IMAD R1, R2, R3, R4           # R1 = R2 * R3 + R4
IMAD.u32.CC R4, R2, R3, R6    # R5:R4 = R2 * R3 + R7:R6, with the next line
IMAD.HI.u32.X R5, R2, R3, R7
}];
}
def IMAD_R  : IMADInst<0, GPR, GPR>;
def IMAD_I  : IMADInst<1, Imm20, GPR>;
def IMAD_C  : IMADInst<2, Const, GPR>;
def IMAD_RC : IMADInst<3, GPR, Const>;
let AddedComplexity = 30 in {
  def : Pat<(i32 (add (mul GPR:$a, GPR:$b), GPR:$c)), (IMAD_R 0, 0, GPR:$a, GPR:$b, GPR:$c)>;
  def : Pat<(i32 (add (mul GPR:$a, Imm20:$b), GPR:$c)), (IMAD_I 0, 0, GPR:$a, Imm20:$b, GPR:$c)>;
  def : Pat<(i32 (add (mul GPR:$a, Const:$b), GPR:$c)), (IMAD_C 0, 0, GPR:$a, Const:$b, GPR:$c)>;
  def : Pat<(i32 (add (mul GPR:$a, GPR:$b), Const:$c)), (IMAD_RC 0, 0, GPR:$a, GPR:$b, Const:$c)>;
}

class IMADWInst<bits<2> form, DAGOperand kb, DAGOperand kc>
    : Compute3<OP_IMADW, form, "IMAD.WIDE", (ins ModMulSign:$sign, ModCC:$CC, ModX:$X, GPR:$ra, kb:$rb, kc:$rc),
               "$sign$CC$X", "$rd, $ra, $rb, $rc"> {
  bits<2> sign;
  bits<1> CC;
  bits<1> X;
  let Inst{51-50} = sign;
  let Inst{52} = CC;
  let Inst{53} = X;
  let Semantic = "IMADW";
  let Wide = ["rd=2", "rc=2"];
  let Cold = ["sign"];
  let Summary = "multiply and add integers to 64 bits: the whole product plus a pair";
  let Meaning = [{
`rd` and c are pairs. The factors are exact integers, each signed or unsigned: `.s32` (implied) both signed, `.u32` both
unsigned, `.us32` a unsigned and b signed, `.su32` a signed and b unsigned.

    x   = (a * b) mod 2^64
    sum = x + c + (with .X: CF, without: 0)     (exact, all unsigned)
    rd  = sum mod 2^64

`.CC` writes the flags of the lanes that execute; without it they stay:

    CF = sum >= 2^64
    OF = the exact sum of x and c, both signed, and the carry is not from -2^63 to 2^63 - 1
    SF = bit 63 of sum
    ZF = (sum mod 2^64 == 0), and with .X also the old ZF was 1

An immediate is sign-extended from 20 bits to 32, beside a constant c from 9 bits, which then are signed or unsigned as
the modifier says.
}];
  let Example = [{
IMAD.WIDE R4, R2, R3, R6      # R5:R4 = R2 * R3 + R7:R6
IMAD.WIDE.u32 R4, R2, 4, R6   # R5:R4 = R7:R6 + 4 * R2: the address of a word
IMAD.WIDE.u32 R4, R2, 12, c[0][0x40]  # element R2, of 12 bytes, behind the pointer in c[0][0x40]
}];
}
def IMADW_R  : IMADWInst<0, GPR, GPR>;
def IMADW_I  : IMADWInst<1, Imm20, GPR>;
def IMADW_C  : IMADWInst<2, Const, GPR>;
def IMADW_RC : IMADWInst<3, GPR, Const> { let Inst{40-39} = 0; }
// A pointer is a constant mostly, and an element's size small: both fit, where c leaves bits of its place free.
def IMADW_IC : IMADWInst<3, Imm9, Const> {
  let Inst{39} = 1;
  let Inst{40} = rb{8};
}

class ISCADDInst<bits<2> form, Operand kind>
    : ComputeDA<OP_ISCADD, form, "ISCADD", (ins ModCC:$CC, RegN:$ra, kind:$rb, ShiftAmount:$shift), "$CC",
                "$rd, $ra, $rb, $shift"> {
  bits<1> CC;
  bits<5> shift;
  let Inst{45-41} = shift;
  let Inst{50} = CC;
  let Inst{53} = ra{20};
  let Inst{54} = rb{20};
  let Pattern = [(set i32:$rd, (add (shl RegN:$ra, ShiftAmount:$shift), kind:$rb))];
  let AddedComplexity = 30;
  let Distinct = 1;
  let Summary = "scale and add integers: a << n, plus b";
  let Meaning = !strconcat([{
    s     = (a << shift) mod 2^32
    x     = a negated ? ~s : s
    y     = b negated ? ~b : b
    carry = the number of negated sources
}], SumAndFlags, [{
Bits that the shift loses count for no flag. An immediate is sign-extended from 20 bits.
}]);
  let Example = [{
ISCADD R1, R2, R3, 2          # R1 = 4 * R2 + R3
ISCADD R1, -R2, R3, 4         # R1 = R3 - 16 * R2
}];
}
def ISCADD_R : ISCADDInst<0, RegN>;
def ISCADD_I : ISCADDInst<1, Imm20>;
def ISCADD_C : ISCADDInst<2, ConstN>;

class LEAInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_LEA, form, "LEA", (ins ModX:$X, ModCC:$CC, GPR:$ra, kind:$rb, ShiftAmount:$shift), "$X$CC",
                "$rd, $ra, $rb, $shift"> {
  bits<1> X;
  bits<1> CC;
  bits<5> shift;
  let Inst{45-41} = shift;
  let Inst{49} = X;
  let Inst{50} = CC;
  let Distinct = 1;
  let Summary = "address of an element: a << n, plus b; the low word of a 64-bit address with .CC";
  let Meaning = !strconcat([{
    x     = (a << shift) mod 2^32
    y     = b
    carry = with .X: CF, without: 0
}], SumAndFlags, [{
An immediate is sign-extended from 20 bits.
}]);
  let Example = [{
LEA.CC R4, R0, c[0][0x40], 2          # R5:R4 = 4 * R0 + the pointer in c[0][0x40], with the next line
LEA.HI.X R5, R0, c[0][0x44], RZ, 2
}];
}
def LEA_R : LEAInst<0, GPR>;
def LEA_I : LEAInst<1, Imm20>;
def LEA_C : LEAInst<2, Const>;

class LEAHIInst<bits<2> form, DAGOperand kind>
    : Compute3<OP_LEAHI, form, "LEA.HI",
               (ins ModX:$X, ModCC:$CC, GPR:$ra, kind:$rb, GPR:$rc, ShiftAmount:$shift), "$X$CC",
               "$rd, $ra, $rb, $rc, $shift"> {
  bits<1> X;
  bits<1> CC;
  bits<5> shift;
  let Semantic = "LEAHI";
  let Inst{40-21} = 0; // b has 18 bits here
  let Inst{38-21} = rb{17-0};
  let Inst{39} = X;
  let Inst{40} = CC;
  let Inst{53-49} = shift;
  let Summary = "the high word of an address: bits 63-32 of c:a << n, plus b";
  let Meaning = !strconcat([{
c and a are the high and the low word of the index (c is RZ for an unsigned one of 32 bits).

    x     = bits 63-32 of ((c * 2^32 + a) << shift)
    y     = b
    carry = with .X: CF, without: 0
}], SumAndFlags, [{
An immediate is sign-extended from 18 bits.
}]);
  let Example = [{
LEA.CC R4, R2, R6, 3          # R5:R4 = 8 * R3:R2 + R7:R6, with the next line
LEA.HI.X R5, R2, R7, R3, 3
}];
}
def LEAHI_R : LEAHIInst<0, GPR>;
def LEAHI_I : LEAHIInst<1, Imm18>;
def LEAHI_C : LEAHIInst<2, Const>;

class IMNMXInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_IMNMX, form, "IMNMX", (ins ModUnsigned:$u32, GPR:$ra, kind:$rb, PredSource:$pp), "$u32",
                "$rd, $ra, $rb, $pp"> {
  bits<1> u32;
  bits<4> pp;
  let Inst{44-41} = pp;
  let Inst{49} = u32;
  let Summary = "minimum where the predicate is false, maximum where it is true [S1]";
  let Meaning = [{
    rd = Pp ? max(a, b) : min(a, b)

signed, or unsigned with `.u32`. An immediate is sign-extended from 20 bits, also with `.u32`.
}];
  let Example = [{
IMNMX R1, R2, R3, P0          # the greater where P0, else the lesser
IMNMX.u32 R1, R2, 255, !PT    # the lesser, always: IMIN.u32 R1, R2, 255
}];
}
def IMNMX_R : IMNMXInst<0, GPR>;
def IMNMX_I : IMNMXInst<1, Imm20>;
def IMNMX_C : IMNMXInst<2, Const>;
multiclass MinMax<SDNode node, int u32, int minimum> {
  def : Pat<(i32 (node GPR:$a, GPR:$b)), (IMNMX_R u32, GPR:$a, GPR:$b, PT, (i32 minimum))>;
  let AddedComplexity = 10 in {
    def : Pat<(i32 (node GPR:$a, Imm20:$b)), (IMNMX_I u32, GPR:$a, Imm20:$b, PT, (i32 minimum))>;
    def : Pat<(i32 (node GPR:$a, Const:$b)), (IMNMX_C u32, GPR:$a, Const:$b, PT, (i32 minimum))>;
  }
}
defm : MinMax<smin, 0, 1>;
defm : MinMax<smax, 0, 0>;
defm : MinMax<umin, 1, 1>;
defm : MinMax<umax, 1, 0>;

class IMNMXAlias<string mnemonic, bits<2> form, DAGOperand kind, bit maximum>
    : ComputeDA<OP_IMNMX, form, mnemonic, (ins ModUnsigned:$u32, GPR:$ra, kind:$rb), "$u32", "$rd, $ra, $rb"> {
  bits<1> u32;
  let Inst{44-41} = !if(maximum, 0b0111, 0b1111);
  let Inst{49} = u32;
  let Semantic = "IMNMX";
  let isAsmParserOnly = 1;
  let Summary = "alias of IMNMX rd, a, b, " # !if(maximum, "PT", "!PT");
}
def IMIN_R : IMNMXAlias<"IMIN", 0, GPR, 0>;
def IMIN_I : IMNMXAlias<"IMIN", 1, Imm20, 0>;
def IMIN_C : IMNMXAlias<"IMIN", 2, Const, 0>;
def IMAX_R : IMNMXAlias<"IMAX", 0, GPR, 1>;
def IMAX_I : IMNMXAlias<"IMAX", 1, Imm20, 1>;
def IMAX_C : IMNMXAlias<"IMAX", 2, Const, 1>;
