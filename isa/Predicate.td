//===- Predicate.td - Predicate set instructions [S1] ---------------------===//
// xSETP.cmp.bop Pu, Pv, a, b, {!}Pp:  t = a cmp b;
//   Pu = t bop Pp;  Pv = (!t) bop Pp.  Both read the old predicates.

// The rule of ISETP and ISET: written once, with what becomes of t left to the record.
defvar IntegerTest = [{
`t = a cmp b`: both signed, or both unsigned with `.u32`; `.f` is never and `.t` always true. An immediate is
sign-extended from 20 bits, also with `.u32`.

With `.X` the comparison is that of longer numbers, whose words below were compared by `IADD.CC RZ, a, -b` (and
`IADD.X.CC RZ, a, -b` from the second on); a and b are the highest words:

    d     = a + ~b + CF                     (32 bits; carry = the sum's bit 32)
    less  = .u32 ? !carry : (d < 0) != (the signed sum overflows)
    equal = d == 0 and ZF
    greater = !less and !equal

and t tells whether one of the outcomes that cmp names holds. The flags are read, not written.
}];
defvar TwoPredicates = [{

    Pu = t bop Pp
    Pv = !t bop Pp

Pp is PT when it is not written, bop `.and`. All sources are read before anything is written; when Pu and Pv are the
same predicate, Pv's value stays. A destination PT (and an absent Pv) swallows the value.
}];
defvar ValueOfTest = [{

    Rd = t bop Pp ? (.BF ? 0x3f800000 : 0xffffffff) : 0

Pp is PT when it is not written, bop `.and`. 0x3f800000 is 1.0 in single precision.
}];

class ISETPInst<bits<2> form, DAGOperand kind>
    : PredicateSet<OP_ISETP, form, "ISETP",
                   (ins ModCmp:$cmp, ModUnsigned:$u32, ModX:$X, ModBoolOp:$bop, GPR:$ra, kind:$rb, OptPredSource:$pp),
                   "$cmp$u32$X$bop", "$pu$pv, $ra, $rb$pp"> {
  bits<3> cmp;
  bits<1> u32;
  bits<1> X;
  let Inst{51-49} = cmp;
  let Inst{52} = u32;
  let Inst{53} = X;
  let Distinct = 1;
  let Summary = "compare integers and set two predicates [S1]";
  let Meaning = !strconcat(IntegerTest, TwoPredicates);
  let Example = [{
ISETP.lt P2, R0, R1;               # P2 = (R0 < R1)
ISETP.gt.and P2, P3, R2, R3, !P1;  # P2 = (R2 > R3) & !P1; P3 = !(R2 > R3) & !P1
}];
}
def ISETP_R : ISETPInst<0, GPR>;
def ISETP_I : ISETPInst<1, Imm20>;
def ISETP_C : ISETPInst<2, Const>;

class ISETInst<bits<2> form, DAGOperand kind>
    : RegisterSet<OP_ISET, form, "ISET",
                  (ins ModCmp:$cmp, ModUnsigned:$u32, ModX:$X, ModBoolOp:$bop, ModBF:$BF, GPR:$ra, kind:$rb,
                       OptPredSource:$pp),
                  "$cmp$u32$X$bop$BF", "$rd, $ra, $rb$pp"> {
  bits<3> cmp;
  bits<1> u32;
  bits<1> X;
  bits<1> BF;
  let Inst{51-49} = cmp;
  let Inst{52} = u32;
  let Inst{53} = X;
  let Inst{54} = BF;
  let Summary = "compare integers and set a register: all ones or 1.0f where the test holds, else 0 [S1]";
  let Meaning = !strconcat(IntegerTest, ValueOfTest);
  let Example = [{
ISET.lt R1, R0, 16;               # R1 = 0xffffffff where R0 < 16, else 0
ISET.ge.u32.or.BF R1, R2, R3, P0; # R1 = 1.0f where R2 >= R3 or P0, else 0.0f
}];
}
def ISET_R : ISETInst<0, GPR>;
def ISET_I : ISETInst<1, Imm20>;
def ISET_C : ISETInst<2, Const>;

// The rule of FSETP, FSET, DSETP and DSET.
defvar FloatTest = [{
`t = a cmp b`, the IEEE 754 comparison of a and b after their signs (`|x|` first, then `-x`). Exactly one of four
outcomes holds: less, equal, greater, or unordered, which is when a or b is a NaN. -0 equals +0. t is true when the
outcome is one that cmp names:

| cmp | outcomes | cmp | outcomes |
|---|---|---|---|
| `f` | none | `nan` | unordered |
| `lt` | less | `ltu` | less, unordered |
| `eq` | equal | `equ` | equal, unordered |
| `le` | less, equal | `leu` | less, equal, unordered |
| `gt` | greater | `gtu` | greater, unordered |
| `ne` | less, greater | `neu` | less, greater, unordered |
| `ge` | greater, equal | `geu` | greater, equal, unordered |
| `num` | less, equal, greater | `t` | all |

C's `<`, `<=`, `>`, `>=` and `==` are `lt`, `le`, `gt`, `ge` and `eq`, which a NaN makes false. C's `!=`, which a NaN makes true, is
`neu`: `ne` is false beside a NaN, and not the opposite of `eq`. The opposite of each test has `u` where it has none, such as `geu`
of `lt`.
}];
defvar FlushedTest = FloatTest # [{
With `.FTZ` a subnormal source counts as a zero of its sign.
}];

class FSETPInst<bits<2> form, Operand kind>
    : PredicateSet<OP_FSETP, form, "FSETP",
                   (ins ModFCmp:$cmp, ModFTZ:$FTZ, ModBoolOp:$bop, RegNA:$ra, kind:$rb, OptPredSource:$pp),
                   "$cmp$FTZ$bop", "$pu$pv, $ra, $rb$pp"> {
  bits<4> cmp;
  bits<1> FTZ;
  let Inst{52-49} = cmp;
  let Inst{53} = FTZ;
  let Inst{54} = ra{20};
  let Inst{11} = ra{21};
  let Inst{47} = rb{20};
  let Inst{48} = rb{21};
  let Summary = "compare single-precision floats and set two predicates [S1]";
  let Meaning = !strconcat(FlushedTest, TwoPredicates);
  let Example = [{
FSETP.lt P0, R1, 2.5;              # P0 = R1 < 2.5: false for a NaN
FSETP.geu.and P1, P2, |R1|, R2, P0;
}];
}
def FSETP_R : FSETPInst<0, RegNA>;
def FSETP_I : FSETPInst<1, FImm20>;
def FSETP_C : FSETPInst<2, ConstNA>;

class DSETPInst<bits<2> form, Operand kind>
    : PredicateSet<OP_DSETP, form, "DSETP",
                   (ins ModFCmp:$cmp, ModBoolOp:$bop, RegNA:$ra, kind:$rb, OptPredSource:$pp),
                   "$cmp$bop", "$pu$pv, $ra, $rb$pp"> {
  bits<4> cmp;
  let Inst{52-49} = cmp;
  let Inst{54} = ra{20};
  let Inst{11} = ra{21};
  let Inst{47} = rb{20};
  let Inst{48} = rb{21};
  let Wide = ["ra=2", "rb=2"];
  let Summary = "compare double-precision floats and set two predicates [S1]";
  let Meaning = !strconcat(FloatTest, TwoPredicates);
  let Example = [{
DSETP.le P0, R2, R4;               # P0 = R3:R2 <= R5:R4
DSETP.nan P1, R2, RZ;              # P1 = R3:R2 is a NaN
}];
}
def DSETP_R : DSETPInst<0, RegNA>;
def DSETP_I : DSETPInst<1, DImm20>;
def DSETP_C : DSETPInst<2, ConstNA>;

// The signs of b stand in the two bits that a register and a constant leave free; an immediate has its own.
class FloatSet<Opcode opcode, bits<2> form, string mnemonic, dag inputs, string mods>
    : RegisterSet<opcode, form, mnemonic, inputs, mods, "$rd, $ra, $rb$pp"> {
  bits<4> cmp;
  bits<1> BF;
  let Inst{52-49} = cmp;
  let Inst{48} = BF;
  let Inst{54} = ra{20};
  let Inst{47} = ra{21};
  let Inst{39} = !if(!eq(form, 1), rb{18}, rb{20});
  let Inst{40} = !if(!eq(form, 1), rb{19}, rb{21});
}
class FSETInst<bits<2> form, Operand kind>
    : FloatSet<OP_FSET, form, "FSET",
               (ins ModFCmp:$cmp, ModFTZ:$FTZ, ModBoolOp:$bop, ModBF:$BF, RegNA:$ra, kind:$rb, OptPredSource:$pp),
               "$cmp$FTZ$bop$BF"> {
  bits<1> FTZ;
  let Inst{53} = FTZ;
  let Summary = "compare single-precision floats and set a register: all ones or 1.0f where the test holds, else 0 [S1]";
  let Meaning = !strconcat(FlushedTest, ValueOfTest);
  let Example = [{
FSET.gt.BF R1, R2, 0.0;            # a step: 1.0f where R2 > 0, else 0.0f
FSET.neu R1, -R2, |R3|, !P0;
}];
}
def FSET_R : FSETInst<0, RegNA>;
def FSET_I : FSETInst<1, FImm20>;
def FSET_C : FSETInst<2, ConstNA>;

class DSETInst<bits<2> form, Operand kind>
    : FloatSet<OP_DSET, form, "DSET",
               (ins ModFCmp:$cmp, ModBoolOp:$bop, ModBF:$BF, RegNA:$ra, kind:$rb, OptPredSource:$pp),
               "$cmp$bop$BF"> {
  let Wide = ["ra=2", "rb=2"];
  let Summary = "compare double-precision floats and set a register: all ones or 1.0f where the test holds, else 0 [S1]";
  let Meaning = !strconcat(FloatTest, ValueOfTest);
  let Example = [{
DSET.lt R1, R2, R4;                # R1 = 0xffffffff where R3:R2 < R5:R4, else 0
}];
}
def DSET_R : DSETInst<0, RegNA>;
def DSET_I : DSETInst<1, DImm20>;
def DSET_C : DSETInst<2, ConstNA>;

def PSETP : Guarded<OP_PSETP, 0, "PSETP", "PSETP", (outs PR:$pu, PR:$pv),
                    (ins ModBoolOp0:$bop0, ModBoolOp:$bop1, PredSource:$pp, PredSource:$pq, OptPredSource:$pr),
                    "$bop0$bop1", "$pu, $pv, $pp, $pq$pr"> {
  bits<3> pu;
  bits<3> pv;
  bits<4> pp;
  bits<4> pq;
  bits<4> pr;
  bits<2> bop0;
  bits<2> bop1;
  let Inst{7-5} = pu;
  let Inst{10-8} = pv;
  let Inst{16-13} = pp;
  let Inst{24-21} = pq;
  let Inst{44-41} = pr;
  let Inst{46-45} = bop1;
  let Inst{50-49} = bop0;
  let Summary = "combine three predicates: Pu = (Pp bop0 Pq) bop1 Pr, Pv = (!Pp bop0 Pq) bop1 Pr";
  let Class = "predicate";
  let Meaning = [{
The first modifier is bop0, the second bop1 (`.and` when it is not written):

    Pu = (Pp bop0 Pq) bop1 Pr
    Pv = (!Pp bop0 Pq) bop1 Pr

The complement in Pv is of Pp with its own `!`, not of the whole [S1]. Pr is PT when it is not written. Three operands are
Pu, Pp and Pq: Pv and Pr may be left out together; four are Pu, Pv, Pp and Pq. All sources are read before anything is
written; when Pu and Pv are the same predicate, Pv's value stays. PT swallows what is written.
}];
  let Example = [{
PSETP.and.or P0, P1, !P2, P3, !P4; # P0 = (!P2 & P3) | !P4; P1 = (P2 & P3) | !P4
PSETP.xor P0, P0, P1;              # P0 = P0 ^ P1
}];
}
// Pv cannot be optional where Pp follows it: a record of its own for the text without both. Pr is PT then.
def PSETP_3 : Guarded<OP_PSETP, 0, "PSETP", "PSETP", (outs PR:$pu),
                      (ins ModBoolOp0:$bop0, ModBoolOp:$bop1, PredSource:$pp, PredSource:$pq), "$bop0$bop1",
                      "$pu, $pp, $pq"> {
  bits<3> pu;
  bits<4> pp;
  bits<4> pq;
  bits<2> bop0;
  bits<2> bop1;
  let Inst{7-5} = pu;
  let Inst{10-8} = 7;
  let Inst{16-13} = pp;
  let Inst{24-21} = pq;
  let Inst{44-41} = 7;
  let Inst{46-45} = bop1;
  let Inst{50-49} = bop0;
  let isAsmParserOnly = 1;
  let Summary = "PSETP Pu, Pp, Pq is PSETP Pu, PT, Pp, Pq";
  let Class = "predicate";
}

def PSET : Guarded<OP_PSET, 0, "PSET", "PSET", (outs GPR:$rd),
                   (ins ModBoolOp0:$bop0, ModBoolOp:$bop1, ModBF:$BF, PredSource:$pp, PredSource:$pq, OptPredSource:$pr),
                   "$bop0$bop1$BF", "$rd, $pp, $pq$pr"> {
  bits<8> rd;
  bits<4> pp;
  bits<4> pq;
  bits<4> pr;
  bits<2> bop0;
  bits<2> bop1;
  bits<1> BF;
  let Inst{12-5} = rd;
  let Inst{16-13} = pp;
  let Inst{24-21} = pq;
  let Inst{44-41} = pr;
  let Inst{46-45} = bop1;
  let Inst{50-49} = bop0;
  let Inst{54} = BF;
  let Summary = "combine three predicates into a register: all ones or 1.0f where the result holds, else 0 [S1]";
  let Class = "predicate";
  let Meaning = [{
The first modifier is bop0, the second bop1 (`.and` when it is not written); Pr is PT when it is not written:

    Rd = (Pp bop0 Pq) bop1 Pr ? (.BF ? 0x3f800000 : 0xffffffff) : 0

}];
  let Example = [{
PSET.and R1, P0, !P1;              # R1 = P0 & !P1 ? 0xffffffff : 0
PSET.or.and.BF R1, P0, P1, P2;     # R1 = (P0 | P1) & P2 ? 1.0f : 0.0f
}];
}

// CHOICE: Z and S both set is "unordered"; every state of the flags is exactly one of four outcomes.
defvar FlagOutcomes = [{
t is a test of the lane's flags. ZF, SF and OF of a compare or an arithmetic result with `.CC` tell one of four
outcomes, always exactly one:

    unordered = ZF and SF
    equal     = ZF and !SF
    less      = !ZF and SF != OF
    greater   = !ZF and SF == OF

| test | holds when | test | holds when |
|---|---|---|---|
| `F` | never | `T` | always |
| `LT` | less | `LTU` | less or unordered |
| `EQ` | equal | `EQU` | equal or unordered |
| `LE` | less or equal | `LEU` | less, equal or unordered |
| `GT` | greater | `GTU` | greater or unordered |
| `NE` | less or greater | `NEU` | less, greater or unordered |
| `GE` | greater or equal | `GEU` | greater, equal or unordered |
| `NUM` | not unordered | `NAN` | unordered |
| `LO` | !CF: below, unsigned | `HS` | CF: above or the same |
| `LS` | !CF or ZF: below or the same | `HI` | CF and !ZF: above |
| `OF` | OF | `NOF` | !OF |
| `SF` | SF | `NSF` | !SF |

The unsigned tests read what `IADD.CC RZ, a, -b` leaves: CF = 1 means that nothing was borrowed.

}];
def CSETP : Guarded<OP_CSETP, 0, "CSETP", "CSETP", (outs PR:$pu, PR:$pv),
                    (ins ModCCTest:$test, ModBoolOp:$bop, OptPredSource:$pp), "$test$bop", "$pu, $pv$pp"> {
  bits<3> pu;
  bits<3> pv;
  bits<4> pp;
  bits<2> bop;
  bits<5> test;
  let Inst{7-5} = pu;
  let Inst{10-8} = pv;
  let Inst{44-41} = pp;
  let Inst{46-45} = bop;
  let Inst{53-49} = test;
  let Summary = "test the flags and set two predicates [S1]";
  let Class = "predicate";
  let Meaning = !strconcat(FlagOutcomes, TwoPredicates);
  let Example = [{
IADD.CC RZ, R1, -R2;
CSETP.hi P0;                       # P0 = R1 > R2, unsigned
CSETP.lt.and P1, P2, !P0;          # P1 = R1 < R2 signed, & !P0; P2 = R1 >= R2 & !P0
}];
}
def CSETP_1 : Guarded<OP_CSETP, 0, "CSETP", "CSETP", (outs PR:$pu), (ins ModCCTest:$test, ModBoolOp:$bop), "$test$bop",
                      "$pu"> {
  bits<3> pu;
  bits<2> bop;
  bits<5> test;
  let Inst{7-5} = pu;
  let Inst{10-8} = 7;
  let Inst{44-41} = 7;
  let Inst{46-45} = bop;
  let Inst{53-49} = test;
  let isAsmParserOnly = 1;
  let Summary = "CSETP Pu is CSETP Pu, PT";
  let Class = "predicate";
}
def CSET : Guarded<OP_CSET, 0, "CSET", "CSET", (outs GPR:$rd),
                   (ins ModCCTest:$test, ModBoolOp:$bop, ModBF:$BF, OptPredSource:$pp), "$test$bop$BF", "$rd$pp"> {
  bits<8> rd;
  bits<4> pp;
  bits<2> bop;
  bits<5> test;
  bits<1> BF;
  let Inst{12-5} = rd;
  let Inst{44-41} = pp;
  let Inst{46-45} = bop;
  let Inst{53-49} = test;
  let Inst{54} = BF;
  let Summary = "test the flags and set a register: all ones or 1.0f where the test holds, else 0 [S1]";
  let Class = "predicate";
  let Meaning = !strconcat(FlagOutcomes, ValueOfTest);
  let Example = [{
IADD.CC R1, R1, R2;
CSET.of R3;                        # R3 = the sum left the signed range ? 0xffffffff : 0
}];
}
