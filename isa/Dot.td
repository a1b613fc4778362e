//===- Dot.td - Dot products of bytes and halves --------------------------===//
// PTX: dp4a and dp2a. Bit 53 tells them apart.
//===----------------------------------------------------------------------===//

defvar SignsOfParts = [{
The parts are exact integers, each signed or unsigned: `.s32` (implied) those of both words signed, `.u32` of both
unsigned, `.us32` of a unsigned and of b signed, `.su32` of a signed and of b unsigned.

}];
defvar DotResult = [{
    t   = sum + (with .u32: c unsigned, else: c signed)         (exact)
    with .SAT:  t = t clamped to an unsigned word with .u32, else to a signed word
    rd  = t mod 2^32

An immediate is sign-extended from 20 bits to 32.
}];

class DotInst<bits<2> form, string mnemonic, string semantic, bit pairs, DAGOperand kb, DAGOperand kc, dag mods, string modText>
    : Compute3<OP_IDP, form, mnemonic, !con(mods, (ins ModMulSign:$sign, ModSAT:$SAT, GPR:$ra, kb:$rb, kc:$rc)),
               modText # "$sign$SAT", "$rd, $ra, $rb, $rc"> {
  bits<2> sign;
  bits<1> SAT;
  let Inst{51-50} = sign;
  let Inst{52} = SAT;
  let Inst{53} = pairs;
  let Semantic = semantic;
  let Distinct = 1;
}

class IDP4AInst<bits<2> form, DAGOperand kb, DAGOperand kc> : DotInst<form, "IDP.4A", "IDP4A", 0, kb, kc, (ins), ""> {
  let Summary = "dot product of four bytes and four bytes, plus a word";
  let Meaning = !strconcat(SignsOfParts, [{
    sum = the sum, for i in 0..3, of byte i of a * byte i of b
}], DotResult);
  let Example = [{
IDP.4A R1, R2, R3, R1         # R1 += four products of signed bytes
IDP.4A.us32.SAT R1, R2, R3, R4  # pixels by weights, clamped
}];
}
def IDP4A_R  : IDP4AInst<0, GPR, GPR>;
def IDP4A_I  : IDP4AInst<1, Imm20, GPR>;
def IDP4A_C  : IDP4AInst<2, Const, GPR>;
def IDP4A_RC : IDP4AInst<3, GPR, Const>;

class IDP2AInst<bits<2> form, DAGOperand kb, DAGOperand kc>
    : DotInst<form, "IDP.2A", "IDP2A", 1, kb, kc, (ins ModHI:$HI), "$HI"> {
  bits<1> HI;
  let Inst{49} = HI;
  let Summary = "dot product of two halves and two bytes, plus a word";
  let Meaning = !strconcat(SignsOfParts, [{
    k   = with .HI: 2, without: 0
    sum = half 0 of a * byte k of b + half 1 of a * byte k + 1 of b
}], DotResult);
  let Example = [{
IDP.2A R1, R2, R3, R4         # R1 = R4 + R2.H0 * R3.B0 + R2.H1 * R3.B1
IDP.2A.HI R1, R5, R3, R1      # R1 += R5.H0 * R3.B2 + R5.H1 * R3.B3
}];
}
def IDP2A_R  : IDP2AInst<0, GPR, GPR>;
def IDP2A_I  : IDP2AInst<1, Imm20, GPR>;
def IDP2A_C  : IDP2AInst<2, Const, GPR>;
def IDP2A_RC : IDP2AInst<3, GPR, Const>;
