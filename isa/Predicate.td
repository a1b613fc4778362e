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
  let Summary = "compare integers and set two predicates [S1]";
  let Meaning = IntegerTest # TwoPredicates;
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
  let Meaning = IntegerTest # ValueOfTest;
  let Example = [{
ISET.lt R1, R0, 16;               # R1 = 0xffffffff where R0 < 16, else 0
ISET.ge.u32.or.BF R1, R2, R3, P0; # R1 = 1.0f where R2 >= R3 or P0, else 0.0f
}];
}
def ISET_R : ISETInst<0, GPR>;
def ISET_I : ISETInst<1, Imm20>;
def ISET_C : ISETInst<2, Const>;

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
  let Summary = "compare single-precision floats and set two predicates";
}
def FSETP_R : FSETPInst<0, RegNA>;
def FSETP_I : FSETPInst<1, FImm20>;
def FSETP_C : FSETPInst<2, ConstNA>;

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
}
