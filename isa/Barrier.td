//===- Barrier.td - Barriers of a CTA -------------------------------------===//
// Architecture.md 4: sixteen of them. The form tells what number and count are: 0 both registers (ra, rc),
// 1 both immediates, 2 the number a register, 3 the count a register. Operation in 51-49, RED's predicate in 40-37.

defvar ArriveText = [{
All live lanes of the warp (those that have not exited) execute it together, as one arrival of the warp at one of the CTA's
sixteen barriers. `id`, or the register `ra`, is the barrier's number. `count`, or the register `rc`, is the number of threads
that have to arrive, 32 for each warp whatever lanes it has; a count in a register is always taken. Where no count is
written, all warps of the CTA that have not exited have to arrive:

    with a count:  the barrier is complete when count / 32 warps have arrived
    without:       when every warp of the CTA has arrived or exited, and at least one has arrived

}];
defvar CompleteText = [{
A complete barrier lets all that wait at it go on, and is as if nobody had arrived, ready for its next use. An exit completes a
barrier without a count when it was that warp's arrival that was missing. When no lane executes the instruction, nothing
happens. With `barrier.divergent = count` among the machine's settings some of the warp's live lanes suffice: they arrive for
the whole warp, and their warp waits.
}];
defvar WaitText = !strconcat([{
The warp then waits until the barrier is complete. What its lanes stored before is seen by every lane that the barrier lets
go on.

}], CompleteText);
defvar ReduceText = [{
The warp then waits until the barrier is complete. The instruction gathers `Pp` of all lanes that execute it, in all warps that
arrive, and gives each of them the result when the barrier is complete:

}];
class BarrierTraps<string other> {
  list<string> All = [
    "DIVERGENT: some live lanes of the warp do not execute it (unless `barrier.divergent = count`)",
    "ILLEGAL_OPERAND: the executing lanes have different numbers or counts",
    "ILLEGAL_OPERAND: a number above 15",
    "ILLEGAL_OPERAND: a count in a register that is 0 or no multiple of 32",
    "ILLEGAL_OPERAND: warps have arrived at the barrier with another count or " # other,
    "ILLEGAL_OPERAND: the warp has arrived there before (by BAR.ARV) and the barrier is not complete yet",
    "BARRIER_DEADLOCK: every warp of the CTA that has not exited waits at a barrier"
  ];
}

// Which of number and count are registers.
class BarrierForm<bits<2> form> {
  bit NumberIsRegister = !or(!eq(form, 0), !eq(form, 2));
  bit CountIsRegister = !or(!eq(form, 0), !eq(form, 3));
}
class BarrierInst<bits<2> form, bits<3> operation, string mnemonic, dag outs, dag source, string head, string tail,
                  BarrierForm from = BarrierForm<form>>
    : Guarded<OP_BAR, form, !subst(".", "_", mnemonic), mnemonic, outs,
              !con(!if(from.NumberIsRegister, (ins GPR:$ra), (ins BarrierId:$id)),
                   !if(from.CountIsRegister, (ins GPR:$rc), (ins BarrierCount:$count)), source),
              "", head # !if(from.NumberIsRegister, "$ra", "$id") # !if(from.CountIsRegister, ", $rc", "$count") # tail> {
  bits<4> id;
  bits<12> count;
  bits<8> ra;
  bits<8> rc;
  let Inst{20-13} = !if(from.NumberIsRegister, ra, {0, 0, 0, 0, 0, 0, 0, 0});
  let Inst{24-21} = !if(from.NumberIsRegister, {0, 0, 0, 0}, id);
  let Inst{36-25} = !if(from.CountIsRegister, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, count);
  let Inst{48-41} = !if(from.CountIsRegister, rc, {0, 0, 0, 0, 0, 0, 0, 0});
  let Inst{51-49} = operation;
  let hasSideEffects = 1;
  let Class = "barrier";
  let Flow = "barrier";
  let Waits = !ne(mnemonic, "BAR.ARV");
}

class BarrierSync<bits<2> form> : BarrierInst<form, 0, "BAR.SYNC", (outs), (ins), "", ""> {
  let Summary = "wait until the CTA's warps, or as many threads as counted, have arrived at the barrier";
  let Meaning = !strconcat(ArriveText, WaitText);
  let Traps = BarrierTraps<"by BAR.RED">.All;
  let Example = [{
BAR.SYNC 0;              # all warps of the CTA meet
BAR.SYNC 1, 64;          # two warps meet at barrier 1
BAR.SYNC R1, R2;         # number and count from registers}];
}
class BarrierArrive<bits<2> form> : BarrierInst<form, 1, "BAR.ARV", (outs), (ins), "", ""> {
  let Summary = "arrive at the barrier and go on without waiting";
  let Meaning = !strconcat(ArriveText, [{
The warp goes on at once: others wait for it by BAR.SYNC. It may even exit; its arrival stays.

}], CompleteText);
  let Traps = BarrierTraps<"by BAR.RED">.All;
  let Example = [{
STS [R1], R2;
BAR.ARV 1, 64;           # a producer: the warp at BAR.SYNC 1, 64 may read now}];
}
class BarrierCountTrue<bits<2> form>
    : BarrierInst<form, 2, "BAR.RED.POPC", (outs GPR:$rd), (ins PredSource:$pp), "$rd, ", ", $pp"> {
  bits<8> rd;
  bits<4> pp;
  let Inst{12-5} = rd;
  let Inst{40-37} = pp;
  let Summary = "wait at the barrier, and count in how many lanes of all its warps a predicate is true";
  let Meaning = !strconcat(ArriveText, ReduceText, [{
    Rd = the number of lanes whose Pp is true

}], CompleteText);
  let Traps = BarrierTraps<"not by BAR.RED.POPC">.All;
  let Example = [{
BAR.RED.POPC R1, 0, P0;  # R1 = the number of the CTA's threads with P0}];
}
class BarrierTest<bits<2> form, bits<3> operation, string mnemonic>
    : BarrierInst<form, operation, mnemonic, (outs PR:$pu), (ins PredSource:$pp), "$pu, ", ", $pp"> {
  bits<3> pu;
  bits<4> pp;
  let Inst{7-5} = pu;
  let Inst{40-37} = pp;
  let Traps = BarrierTraps<"not by " # mnemonic>.All;
}
class BarrierAll<bits<2> form> : BarrierTest<form, 3, "BAR.RED.AND"> {
  let Summary = "wait at the barrier, and tell whether a predicate is true in all lanes of all its warps";
  let Meaning = !strconcat(ArriveText, ReduceText, [{
    Pu = Pp is true in every one of the lanes

}], CompleteText);
  let Example = [{
BAR.RED.AND P1, 0, !P0;  # P1 = no thread of the CTA has P0}];
}
class BarrierAny<bits<2> form> : BarrierTest<form, 4, "BAR.RED.OR"> {
  let Summary = "wait at the barrier, and tell whether a predicate is true in some lane of all its warps";
  let Meaning = !strconcat(ArriveText, ReduceText, [{
    Pu = Pp is true in one of the lanes or more

}], CompleteText);
  let Example = [{
BAR.RED.OR P1, 0, P0;    # P1 = some thread of the CTA has P0
@P1 BRA .-64;            # all warps go round again, or none does}];
}

def BAR_SYNC_RR : BarrierSync<0>;
def BAR_SYNC : BarrierSync<1>;
def BAR_SYNC_RI : BarrierSync<2>;
def BAR_SYNC_IR : BarrierSync<3>;
def BAR_ARV_RR : BarrierArrive<0>;
def BAR_ARV : BarrierArrive<1>;
def BAR_ARV_RI : BarrierArrive<2>;
def BAR_ARV_IR : BarrierArrive<3>;
def BAR_RED_POPC_RR : BarrierCountTrue<0>;
def BAR_RED_POPC : BarrierCountTrue<1>;
def BAR_RED_POPC_RI : BarrierCountTrue<2>;
def BAR_RED_POPC_IR : BarrierCountTrue<3>;
def BAR_RED_AND_RR : BarrierAll<0>;
def BAR_RED_AND : BarrierAll<1>;
def BAR_RED_AND_RI : BarrierAll<2>;
def BAR_RED_AND_IR : BarrierAll<3>;
def BAR_RED_OR_RR : BarrierAny<0>;
def BAR_RED_OR : BarrierAny<1>;
def BAR_RED_OR_RI : BarrierAny<2>;
def BAR_RED_OR_IR : BarrierAny<3>;
