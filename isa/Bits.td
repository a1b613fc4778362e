//===- Bits.td - Logic, shifts and bit fields -----------------------------===//

//===--- Logic --------------------------------------------------------------===//

// The flags of an integer result that has neither carry nor overflow.
defvar WordFlags = [{

`.CC` writes the flags of the lanes that execute; without it they stay:

    ZF = rd is 0
    SF = bit 31 of rd
    CF = OF = 0
}];

defvar MeaningLOP = !strconcat([{
A source written `~x` is inverted first. Then, bit by bit:

    .and    rd = a & b
    .or     rd = a | b
    .xor    rd = a ^ b
    .pass   rd = b
}], WordFlags);

class LOPInst<bits<2> form, Operand kind>
    : ComputeDA<OP_LOP, form, "LOP", (ins ModLogicOp:$op, ModCC:$CC, RegI:$ra, kind:$rb), "$op$CC", "$rd, $ra, $rb"> {
  bits<2> op;
  bits<1> CC;
  let Inst{50-49} = op;
  let Inst{51} = CC;
  let Cold = ["CC"];
  let Inst{53} = ra{20};
  let Inst{54} = rb{20};
  let Summary = "bitwise and, or, xor, pass; each source may be inverted";
  let Meaning = !strconcat(MeaningLOP, [{

An immediate is sign-extended from 20 bits (LOP32I has all 32).
}]);
  let Example = [{
LOP.and R1, R2, ~R3           # R1 = R2 & ~R3
LOP.xor R1, R2, -1            # R1 = ~R2
LOP.and.CC RZ, R2, 7          # flags alone: is R2 a multiple of 8?
}];
}
def LOP_R : LOPInst<0, RegI>;
def LOP_I : LOPInst<1, Imm20>;
def LOP_C : LOPInst<2, ConstI>;
defm : Chosen<"LOP", (ops 0), and, RegI, RegI, ConstI>;
defm : Chosen<"LOP", (ops 1), or, RegI, RegI, ConstI>;
defm : Chosen<"LOP", (ops 2), xor, RegI, RegI, ConstI>;

class LogicAlias<string mnemonic, bits<2> form, Operand kind, bits<2> value>
    : ComputeDA<OP_LOP, form, mnemonic, (ins ModCC:$CC, RegI:$ra, kind:$rb), "$CC", "$rd, $ra, $rb"> {
  bits<1> CC;
  let Inst{50-49} = value;
  let Inst{51} = CC;
  let Cold = ["CC"];
  let Inst{53} = ra{20};
  let Inst{54} = rb{20};
  let Semantic = "LOP";
  let isAsmParserOnly = 1;
  let Summary = "alias of LOP." # !tolower(mnemonic);
}
foreach op = [0, 1, 2] in {
  defvar name = !cond(!eq(op, 0) : "AND", !eq(op, 1) : "OR", true : "XOR");
  def name # "_R" : LogicAlias<name, 0, RegI, op>;
  def name # "_I" : LogicAlias<name, 1, Imm20, op>;
  def name # "_C" : LogicAlias<name, 2, ConstI, op>;
}
class NOTAlias<bits<2> form, Operand kind>
    : ComputeD<OP_LOP, form, "NOT", (ins ModCC:$CC, kind:$rb), "$CC", "$rd, $rb"> {
  bits<1> CC;
  let Inst{20-13} = 255;
  let Inst{50-49} = 3;
  let Inst{51} = CC;
  let Cold = ["CC"];
  let Inst{54} = rb{20};
  let Semantic = "LOP";
  let isAsmParserOnly = 1;
  let Summary = "alias of LOP.pass rd, RZ, ~b";
}
def NOT_R : NOTAlias<0, RegNot>;
def NOT_C : NOTAlias<2, ConstNot>;

// 32 bits of immediate leave the form bits for the inversion of a and the flags.
def LOP32I : Guarded<OP_LOP32I, 0, "LOP", "LOP32I", (outs GPR:$rd), (ins ModLogicOp:$op, ModCC:$CC, RegI:$ra, Imm32:$rb),
                     "$op$CC", "$rd, $ra, $rb"> {
  bits<8> rd;
  bits<22> ra;
  bits<32> rb;
  bits<2> op;
  bits<1> CC;
  let Inst{12-5} = rd;
  let Inst{20-13} = ra{7-0};
  let Inst{52-21} = rb;
  let Inst{54-53} = op;
  let Inst{55} = ra{20};
  let Inst{56} = CC;
  let Cold = ["CC"];
  let Summary = "bitwise and, or, xor, pass with an immediate of 32 bits";
  let Meaning = MeaningLOP;
  let Example = [{
LOP32I.and R1, R2, 0xff00ff00 # R1 = R2 & 0xff00ff00
}];
}

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

//===--- Shifts -------------------------------------------------------------===//

class SHLInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_SHL, form, "SHL", (ins ModW:$W, ModCC:$CC, GPR:$ra, kind:$rb), "$W$CC", "$rd, $ra, $rb"> {
  bits<1> W;
  bits<1> CC;
  let Inst{49} = W;
  let Inst{50} = CC;
  let Cold = ["CC"];
  let Distinct = 1;
  let Summary = "shift left; amounts of 32 and more give 0, or wrap with .W";
  let Meaning = !strconcat([{
The amount b is unsigned; an immediate is sign-extended from 20 bits first.

    n  = with .W: b mod 32, without: b
    rd = n >= 32 ? 0 : (a << n) mod 2^32
}], WordFlags);
  let Example = [{
SHL R1, R2, 4                 # R1 = 16 * R2
SHL.W R1, R2, R3              # R1 = R2 << (R3 & 31)
}];
}
def SHL_R : SHLInst<0, GPR>;
def SHL_I : SHLInst<1, Imm20>;
def SHL_C : SHLInst<2, Const>;
defm : Chosen<"SHL", (ops 0), shl, GPR, GPR, Const>;

class SHRInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_SHR, form, "SHR", (ins ModW:$W, ModUnsigned:$u32, GPR:$ra, kind:$rb), "$W$u32", "$rd, $ra, $rb"> {
  bits<1> W;
  bits<1> u32;
  let Inst{49} = W;
  let Inst{50} = u32;
  let Summary = "shift right, arithmetic or (.u32) logical; large amounts clamp, or wrap with .W";
  let Meaning = [{
The amount b is unsigned; an immediate is sign-extended from 20 bits first. The vacant bits are copies of a's sign
bit, or 0 with `.u32`.

    n  = with .W: b mod 32, without: b
    rd = n >= 32 ? (without .u32 and a < 0 ? 0xffffffff : 0)
                 : with .u32: floor(unsigned a / 2^n), without: floor(signed a / 2^n)
}];
  let Example = [{
SHR R1, R2, 4                 # R1 = floor(R2 / 16), signed
SHR.u32 R1, R2, 31            # the sign bit
}];
}
def SHR_R : SHRInst<0, GPR>;
def SHR_I : SHRInst<1, Imm20>;
def SHR_C : SHRInst<2, Const>;
defm : Chosen<"SHR", (ops 0, 0), sra, GPR, GPR, Const>;
defm : Chosen<"SHR", (ops 0, 1), srl, GPR, GPR, Const>;

class SHFInst<bits<2> form, DAGOperand kb, DAGOperand kc>
    : Compute3<OP_SHF, form, "SHF", (ins ModDirection:$dir, ModW:$W, GPR:$ra, kb:$rb, kc:$rc), "$dir$W",
               "$rd, $ra, $rb, $rc"> {
  bits<1> dir;
  bits<1> W;
  let Inst{49} = dir;
  let Inst{50} = W;
  let Summary = "funnel shift of the 64 bits c:a: the high word of a left shift or the low word of a right shift";
  let Meaning = [{
The amount b is unsigned; an immediate is sign-extended from 20 bits first.

    n    = with .W: b mod 32, without: min(b, 32)
    both = c * 2^32 + a
    rd   = .L: bits 63-32 of (both << n) mod 2^64
           .R: bits 31-0 of both >> n
}];
  let Example = [{
SHF.L R5, R2, 4, R3           # the high word of R3:R2 << 4
SHF.R.W R1, R2, R4, R2        # R2 rotated right by R4
}];
}
def SHF_R  : SHFInst<0, GPR, GPR>;
def SHF_I  : SHFInst<1, Imm20, GPR>;
def SHF_C  : SHFInst<2, Const, GPR>;
def SHF_RC : SHFInst<3, GPR, Const>;
// Told: the direction, and .W: the amount of LLVM's funnel shifts counts modulo 32. c is their high word.
class Funnel<SDNode node, int right, Instruction inst, DAGOperand kb>
    : Pat<(i32 (node GPR:$c, GPR:$a, (i32 kb:$b))), (inst right, 1, GPR:$a, kb:$b, GPR:$c)> {
  let AddedComplexity = inst.AddedComplexity;
}
def : Funnel<fshl, 0, SHF_R, GPR>;
def : Funnel<fshl, 0, SHF_I, Imm20>;
def : Funnel<fshr, 1, SHF_R, GPR>;
def : Funnel<fshr, 1, SHF_I, Imm20>;

//===--- Bit fields ---------------------------------------------------------===//

class BFEInst<bits<2> form, DAGOperand kind>
    : ComputeDA<OP_BFE, form, "BFE", (ins ModUnsigned:$u32, GPR:$ra, kind:$rb), "$u32", "$rd, $ra, $rb"> {
  bits<1> u32;
  let Inst{49} = u32;
  let Summary = "extract a bit field, sign- or (.u32) zero-extended";
  let Meaning = [{
b tells the field: its lowest bit in bits 7-0, its length in bits 15-8; the other bits of b are ignored.

    position = b[7:0]; length = b[15:8]
    fill     = .u32 or length == 0 ? 0 : a[min(position + length - 1, 31)]
    for i in 0..31:
        rd[i] = i < length and position + i <= 31 ? a[position + i] : fill
}];
  let Example = [{
BFE.u32 R1, R2, 0x0804        # R1 = (R2 >> 4) & 0xff
BFE R1, R2, 0x0810            # R1 = byte 2 of R2, signed
}];
}
def BFE_R : BFEInst<0, GPR>;
def BFE_I : BFEInst<1, Imm20>;
def BFE_C : BFEInst<2, Const>;
def : Pat<(i32 (sext_inreg GPR:$a, i8)), (BFE_I 0, GPR:$a, (i32 0x0800))>;
def : Pat<(i32 (sext_inreg GPR:$a, i16)), (BFE_I 0, GPR:$a, (i32 0x1000))>;

class BFIInst<bits<2> form, DAGOperand kb, DAGOperand kc>
    : Compute3<OP_BFI, form, "BFI", (ins GPR:$ra, kb:$rb, kc:$rc), "", "$rd, $ra, $rb, $rc"> {
  let Summary = "insert the low bits of a into a field of c";
  let Meaning = [{
b tells the field: its lowest bit in bits 7-0, its length in bits 15-8; the other bits of b are ignored.

    position = b[7:0]; length = b[15:8]
    for i in 0..31:
        rd[i] = position <= i < position + length ? a[i - position] : c[i]
}];
  let Example = [{
BFI R1, R2, 0x0804, R3        # R1 = R3 with R2's low byte in bits 11-4
}];
}
def BFI_R  : BFIInst<0, GPR, GPR>;
def BFI_I  : BFIInst<1, Imm20, GPR>;
def BFI_C  : BFIInst<2, Const, GPR>;
def BFI_RC : BFIInst<3, GPR, Const>;

class BREVInst<bits<2> form, DAGOperand kind> : ComputeD<OP_BREV, form, "BREV", (ins kind:$rb), "", "$rd, $rb"> {
  let Pattern = !if(!eq(form, 1), [], [(set i32:$rd, (bitreverse kind:$rb))]);
  let Summary = "reverse the bits";
  let Meaning = [{
    for i in 0..31:
        rd[i] = b[31 - i]

An immediate is sign-extended from 20 bits.
}];
  let Example = [{
BREV R1, R2                   # 1 becomes 0x80000000
}];
}
def BREV_R : BREVInst<0, GPR>;
def BREV_I : BREVInst<1, Imm20>;
def BREV_C : BREVInst<2, Const>;

class POPCInst<bits<2> form, Operand kind> : ComputeD<OP_POPC, form, "POPC", (ins kind:$rb), "", "$rd, $rb"> {
  let Inst{54} = rb{20};
  let Pattern = !if(!eq(form, 1), [], [(set i32:$rd, (ctpop kind:$rb))]);
  let Summary = "count the one bits";
  let Meaning = [{
`rd` is the number of bits of b that are 1, 0 to 32. A source written `~b` is inverted first. An immediate is
sign-extended from 20 bits.
}];
  let Example = [{
POPC R1, R2                   # 0xff gives 8
POPC R1, ~R2                  # the number of zero bits
}];
}
def POPC_R : POPCInst<0, RegI>;
def POPC_I : POPCInst<1, Imm20>;
def POPC_C : POPCInst<2, ConstI>;

class FLOInst<bits<2> form, Operand kind>
    : ComputeD<OP_FLO, form, "FLO", (ins ModUnsigned:$u32, ModSH:$SH, kind:$rb), "$u32$SH", "$rd, $rb"> {
  bits<1> u32;
  bits<1> SH;
  let Inst{49} = u32;
  let Inst{50} = SH;
  let Inst{54} = rb{20};
  let Summary = "find the leading one, or of a signed number the leading bit that differs from the sign";
  let Meaning = [{
A source written `~b` is inverted first. An immediate is sign-extended from 20 bits.

    w  = .u32 ? b : b < 0 (signed) ? ~b : b
    p  = the highest i with w[i] == 1
    rd = w == 0 ? 0xffffffff : .SH ? 31 - p : p
}];
  let Example = [{
FLO.u32 R1, R2                # 0x00008001 gives 15
FLO.u32.SH R1, R2             # 0x00008001 gives 16: how far to shift left to normalize
}];
}
def FLO_R : FLOInst<0, RegI>;
def FLO_I : FLOInst<1, Imm20>;
def FLO_C : FLOInst<2, ConstI>;
def : Pat<(i32 (ctlz_zero_undef RegI:$b)), (FLO_R 1, 1, RegI:$b)>;

class PRMTInst<bits<2> form, DAGOperand kb, DAGOperand kc>
    : Compute3<OP_PRMT, form, "PRMT", (ins ModPermute:$mode, GPR:$ra, kb:$rb, kc:$rc), "$mode",
               "$rd, $ra, $rb, $rc"> {
  bits<3> mode;
  let Inst{51-49} = mode;
  let Summary = "permute bytes: pick four of the eight of two registers";
  let Meaning = [{
Bytes 0 to 3 are those of a, bytes 4 to 7 those of c, each from the low end; b selects. With `.IDX` (implied) nibble k of b
(bits 4k+3 to 4k) makes byte k of `rd`: its low three bits choose the byte, and its highest bit replaces every bit of
the chosen byte by that byte's bit 7. b's bits 31-16 are ignored. With the others s = b mod 4 and byte k of `rd` is byte

    .F4E    s + k                           (forward four extract)
    .B4E    (s - k) mod 8                   (backward four extract)
    .RC8    s                               (replicate byte)
    .ECL    max(s, k)                       (edge clamp left)
    .ECR    min(s, k)                       (edge clamp right)
    .RC16   2 * (s mod 2) + k mod 2         (replicate half)

of those eight; the rest of b is ignored.
}];
  let Example = [{
PRMT R1, R2, 0x0123, RZ       # the bytes of R2 the other way round
PRMT R1, R2, 0x8880, RZ       # byte 0 of R2, signed
PRMT.F4E R1, R2, R3, R4       # four bytes of R4:R2 from byte R3 on
}];
}
def PRMT_R  : PRMTInst<0, GPR, GPR>;
def PRMT_I  : PRMTInst<1, Imm20, GPR>;
def PRMT_C  : PRMTInst<2, Const, GPR>;
def PRMT_RC : PRMTInst<3, GPR, Const>;
