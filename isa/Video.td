//===- Video.td - Video: arithmetic on bytes and halves -------------------===//
// The parts are chosen at the operands (R2.B1, R3.UH0). The word of these
// instructions: selector of a in 54-51; b's register in 28-21 and its
// selector in 32-29, or an immediate in 36-21, or (without a c, whose place
// they take) a constant in 38-21 with its selector in 48-45; what is done
// with the result in 40-37 (constants: 44-41).
//===----------------------------------------------------------------------===//

defvar PartsOfSources = [{
A source is a word (`R2`), a half (`R2.H0`, bits 15-0, or `R2.H1`, bits 31-16) or a byte (`R2.B0`, bits 7-0, to
`R2.B3`, bits 31-24), signed; or, with `U` in front of the part, unsigned: `R2.U`, `R2.UH0`, `R2.UB3`. An immediate is
sign-extended from 16 bits and a signed word. Let a and b be these exact integers.
}];
defvar VideoResult = [{
Then t, which has as many bits as it needs, becomes the result. A destination of n bits (8 with `.b0` to `.b3`, 16 with
`.h0` and `.h1`, else 32) is unsigned with `.u32`, else signed:

    with .SAT:  t = t clamped to the destination's range
    w = t mod 2^32
    .full       rd = w                                      (implied)
    .add        rd = (w + c) mod 2^32
    .min .max   rd = min(w, c), max(w, c): both unsigned words with .u32, else both signed
    .h0 .h1     rd = c with that half replaced by the low 16 bits of w
    .b0 to .b3  rd = c with that byte replaced by the low 8 bits of w

c is RZ when it is not written, and in the form with a constant, which has no place for it.
}];

class VideoBase<Opcode opcode, string mnemonic, bits<2> form, dag mods, string modText, Operand kb>
    : Guarded<opcode, form, mnemonic, mnemonic, (outs GPR:$rd),
              !con(mods, (ins ModUnsigned:$u32, ModSAT:$SAT, ModVideoThen:$post, RegPart:$ra, kb:$rb),
                   !if(!eq(form, 2), (ins), (ins OptRegSource:$rc))),
              modText # "$u32$SAT$post", !if(!eq(form, 2), "$rd, $ra, $rb", "$rd, $ra, $rb$rc")> {
  bits<8> rd;
  bits<26> ra;
  bits<26> rb;
  bits<8> rc;
  bits<1> u32;
  bits<1> SAT;
  bits<4> post;
  let Inst{12-5} = rd;
  let Inst{20-13} = ra{7-0};
  let Inst{54-51} = ra{25-22};
  let Inst{49} = SAT;
  let Inst{50} = u32;
  let Cold = ["u32"];
  let Class = "video";
}
// The places of b, c and what is done with the result, by form.
class VideoInst<Opcode opcode, string mnemonic, bits<2> form, Operand kb, string rule,
                dag mods = (ins), string modText = ""> : VideoBase<opcode, mnemonic, form, mods, modText, kb> {
  let Inst{28-21} = rb{7-0};
  let Inst{32-29} = !if(!eq(form, 0), rb{25-22}, rb{11-8});
  let Inst{36-33} = !if(!eq(form, 0), 0, rb{15-12});
  let Inst{38-37} = !if(!eq(form, 2), rb{17-16}, post{1-0});
  let Inst{40-39} = !if(!eq(form, 2), 0, post{3-2});
  let Inst{44-41} = !if(!eq(form, 2), post, rc{3-0});
  let Inst{48-45} = !if(!eq(form, 2), rb{25-22}, rc{7-4});
  let Meaning = !strconcat(PartsOfSources, rule, VideoResult);
}
class VideoBinary<Opcode opcode, string mnemonic, bits<2> form, Operand kb, string summary, string value, string example>
    : VideoInst<opcode, mnemonic, form, kb, "\n    t = " # value # "\n\n"> {
  let Summary = summary;
  let Example = example;
}

multiclass VideoForms<Opcode opcode, string summary, string value, string example> {
  def _R : VideoBinary<opcode, NAME, 0, RegPart, summary, value, example>;
  def _I : VideoBinary<opcode, NAME, 1, Imm16, summary, value, example>;
  def _C : VideoBinary<opcode, NAME, 2, ConstPart, summary, value, example>;
}
defm VADD : VideoForms<OP_VADD, "add bytes, halves or words; saturate, then merge or accumulate", "a + b", [{
VADD R1, R2.UB0, R3.UB1               # R1 = byte 0 of R2 + byte 1 of R3
VADD.u32.SAT.b2 R1, R2.UB2, 16, R1    # byte 2 of R1 = byte 2 of R2 + 16, at most 255; the rest of R1 stays
}]>;
defm VSUB : VideoForms<OP_VSUB, "subtract bytes, halves or words; saturate, then merge or accumulate", "a - b", [{
VSUB R1, R2.H1, R3.H0                 # R1 = the signed upper half of R2 - the signed lower half of R3
}]>;
defm VABSDIFF : VideoForms<OP_VABSDIFF, "absolute difference of bytes, halves or words", "|a - b|", [{
VABSDIFF.add R1, R2.UB0, R3.UB0, R1   # sum of absolute differences: R1 += |R2.UB0 - R3.UB0|
}]>;
defm VMIN : VideoForms<OP_VMIN, "minimum of bytes, halves or words", "min(a, b)", [{
VMIN.max R1, R2.B0, 100, R3           # R1 = max(min(R2.B0, 100), R3)
}]>;
defm VMAX : VideoForms<OP_VMAX, "maximum of bytes, halves or words", "max(a, b)", [{
VMAX.h1 R1, R2.H1, R3.H1, R1          # upper half of R1 = the greater of two halves
}]>;

class VideoShift<Opcode opcode, string mnemonic, bits<2> form, Operand kb, string summary, string value, string example>
    : VideoInst<opcode, mnemonic, form, kb, [{
b's part is unsigned, however it is written; an immediate is 0 to 63.

    n = with .W: b mod 32, without: min(b, 32)
    t = }] # value # "\n\n", (ins ModW:$W), "$W"> {
  bits<1> W;
  // The wrap bit stands where b leaves room.
  let Inst{36-33} = !if(!eq(form, 2), rb{15-12}, 0);
  let Inst{36} = !if(!eq(form, 2), rb{15}, W);
  let Inst{39} = !if(!eq(form, 2), W, post{2});
  let Cold = ["u32", "W"];
  let Summary = summary;
  let Example = example;
}
multiclass VideoShiftForms<Opcode opcode, string summary, string value, string example> {
  def _R : VideoShift<opcode, NAME, 0, RegPart, summary, value, example>;
  def _I : VideoShift<opcode, NAME, 1, UImm6, summary, value, example>;
  def _C : VideoShift<opcode, NAME, 2, ConstPart, summary, value, example>;
}
defm VSHL : VideoShiftForms<OP_VSHL, "shift a byte, half or word left; saturate, then merge or accumulate", "a * 2^n", [{
VSHL.u32.SAT.b0 R1, R2.UB0, 1, R1     # byte 0 of R1 = twice byte 0 of R2, at most 255
}]>;
defm VSHR : VideoShiftForms<OP_VSHR, "shift a byte, half or word right; saturate, then merge or accumulate",
                            "floor(a / 2^n)", [{
VSHR R1, R2.B3, R3.UB0                # the signed top byte of R2, shifted right by byte 0 of R3
}]>;

class VMADInst<bits<2> form, Operand kb>
    : Guarded<OP_VMAD, form, "VMAD", "VMAD", (outs GPR:$rd),
              (ins ModSAT:$SAT, ModPO:$PO, ModVideoScale:$scale, RegPartN:$ra, kb:$rb, RegN:$rc), "$SAT$PO$scale",
              "$rd, $ra, $rb, $rc"> {
  bits<8> rd;
  bits<26> ra;
  bits<26> rb;
  bits<22> rc;
  bits<1> SAT;
  bits<1> PO;
  bits<2> scale;
  let Inst{12-5} = rd;
  let Inst{20-13} = ra{7-0};
  let Inst{54-51} = ra{25-22};
  let Inst{49} = SAT;
  let Inst{50} = PO;
  let Inst{28-21} = rb{7-0};
  let Inst{32-29} = !if(!eq(form, 0), rb{25-22}, rb{11-8});
  let Inst{36-33} = !if(!eq(form, 0), 0, rb{15-12});
  let Inst{38-37} = scale;
  let Inst{39} = ra{20};
  let Inst{40} = rc{20};
  let Inst{48-41} = rc{7-0};
  let Class = "video";
  let Summary = "multiply bytes, halves or words and add a word; scale and saturate";
  let Meaning = PartsOfSources # [{
A sign before a negates the product.

    p = a * b
    p = -p, when a is written negated
    isSigned = a or b is signed (so is an immediate), or p is negated
    y = c, a signed word when isSigned, else unsigned
    y = -y, when c is written negated
    t = p + y, and 1 more with .PO
    t = floor(t / 2^7) with .shr7, floor(t / 2^15) with .shr15
    with .SAT:  t = t clamped to a signed word when isSigned or c is negated, else to an unsigned word
    rd = t mod 2^32

All steps are exact.
}];
  let Example = [{
VMAD R1, R2.UB0, R3.UB1, R4           # R1 = R2.UB0 * R3.UB1 + R4
VMAD.SAT.shr15 R1, R2.H0, R3.H1, R4   # a product of fixed-point fractions
}];
}
def VMAD_R : VMADInst<0, RegPart>;
def VMAD_I : VMADInst<1, Imm16>;

//===--- Compares -----------------------------------------------------------===//

defvar VideoTest = PartsOfSources # [{
Being exact (33 bits signed hold them all [S1]), signed and unsigned parts compare as numbers: `t = a cmp b`; `.f` is
never and `.t` always true.
}];

class VSETPInst<bits<2> form, Operand kb>
    : Guarded<OP_VSETP, form, "VSETP", "VSETP", (outs PR:$pu, OptPredDest:$pv),
              (ins ModCmp:$cmp, ModBoolOp:$bop, RegPart:$ra, kb:$rb, OptPredSource:$pp), "$cmp$bop",
              "$pu$pv, $ra, $rb$pp"> {
  bits<3> pu;
  bits<3> pv;
  bits<26> ra;
  bits<26> rb;
  bits<4> pp;
  bits<2> bop;
  bits<3> cmp;
  let Inst{7-5} = pu;
  let Inst{10-8} = pv;
  let Inst{12-11} = !if(!eq(form, 2), rb{25-24}, 0);
  let Inst{20-13} = ra{7-0};
  let Inst{53-52} = ra{25-24};
  let Inst{48-47} = ra{23-22};
  let Inst{51-49} = cmp;
  let Inst{46-45} = bop;
  let Inst{44-41} = pp;
  let Inst{28-21} = rb{7-0};
  let Inst{32-29} = !if(!eq(form, 0), rb{25-22}, rb{11-8});
  let Inst{36-33} = !if(!eq(form, 0), 0, rb{15-12});
  let Inst{38-37} = !if(!eq(form, 2), rb{17-16}, 0);
  let Inst{40-39} = !if(!eq(form, 2), rb{23-22}, 0);
  let Cold = ["cmp"];
  let Class = "video";
  let Summary = "compare bytes, halves or words and set two predicates [S1]";
  let Meaning = !strconcat(VideoTest, TwoPredicates);
  let Example = [{
VSETP.lt P0, R2.UB1, R3.UB0           # P0 = byte 1 of R2 < byte 0 of R3
VSETP.ge.or P0, P1, R2.H1, -5, !P2
}];
}
def VSETP_R : VSETPInst<0, RegPart>;
def VSETP_I : VSETPInst<1, Imm16>;
def VSETP_C : VSETPInst<2, ConstPart>;

class VSETInst<bits<2> form, Operand kb>
    : Guarded<OP_VSET, form, "VSET", "VSET", (outs GPR:$rd),
              (ins ModCmp:$cmp, ModBoolOp:$bop, ModBF:$BF, RegPart:$ra, kb:$rb, OptPredSource:$pp), "$cmp$bop$BF",
              "$rd, $ra, $rb$pp"> {
  bits<8> rd;
  bits<26> ra;
  bits<26> rb;
  bits<4> pp;
  bits<2> bop;
  bits<3> cmp;
  bits<1> BF;
  let Inst{12-5} = rd;
  let Inst{20-13} = ra{7-0};
  let Inst{54} = BF;
  let Inst{53-52} = ra{25-24};
  let Inst{48-47} = ra{23-22};
  let Inst{51-49} = cmp;
  let Inst{46-45} = bop;
  let Inst{44-41} = pp;
  let Inst{28-21} = rb{7-0};
  let Inst{32-29} = !if(!eq(form, 0), rb{25-22}, rb{11-8});
  let Inst{36-33} = !if(!eq(form, 0), 0, rb{15-12});
  let Cold = ["cmp"];
  let Class = "video";
  let Summary = "compare bytes, halves or words and set a register: all ones or 1.0f where the test holds, else 0";
  let Meaning = !strconcat(VideoTest, ValueOfTest);
  let Example = [{
VSET.gt R1, R2.UB1, 127               # R1 = 0xffffffff where byte 1 of R2 is above 127, else 0
}];
}
def VSET_R : VSETInst<0, RegPart>;
def VSET_I : VSETInst<1, Imm16>;
