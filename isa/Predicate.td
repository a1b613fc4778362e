//===- Predicate.td - Predicate set instructions [S1] ---------------------===//
// xSETP.cmp.bop Pu, Pv, a, b, {!}Pp:  t = a cmp b;
//   Pu = t bop Pp;  Pv = (!t) bop Pp.  Both read the old predicates.

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
  let Summary = "compare integers and set two predicates";
}
def ISETP_R : ISETPInst<0, GPR>;
def ISETP_I : ISETPInst<1, Imm20>;
def ISETP_C : ISETPInst<2, Const>;

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
