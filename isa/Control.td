//===- Control.td - Control flow (Architecture.md 5, S0, S1) --------------===//

defvar TargetText = [{
The target is a label, or `.+bytes` and `.-bytes` from this instruction; the word holds the distance from the next
instruction in words. The address just past the program may be a target; who arrives there traps.

}];
// What branches share: which lanes take them, and what becomes of those that do not.
defvar TakenText = [{
The lanes that take the branch are the active ones whose guard is true and whose flags pass the test `CC.x`, when one is
written (the tests are those of [CSETP](Predicate.md#csetp)) [S1]:

    taken = A & guard & test

}];
defvar DirectText = [{
Then

    taken is empty:   the next instruction
    taken == A:       to the target
    otherwise:        with .U: trap; push DIV (mask = A & ~taken, PC = the next instruction), A = taken, to the target

`.S` joins the lanes whose guard is true, whatever the test: DIV's mask is without them, and is not pushed when it is empty.
}];
defvar UniformTrap = "DIVERGENT: .U is written and some but not all active lanes take it";
defvar TargetTrap = "PC_OUT_OF_RANGE: the target lies outside the program";
defvar DepthTrap = "STACK_OVERFLOW: a push passes the nesting limit";

class Branch<Opcode opcode, string mnemonic, dag inputs, string args>
    : Guarded<opcode, 0, mnemonic, mnemonic, (outs), !con((ins ModU:$U, FlagTest:$test), inputs), "$U", "$test" # args> {
  let Flow = "branch";
  bits<1> U;
  bits<5> test;
  let Inst{53-49} = test;
  let Inst{54} = U;
  let isBranch = 1;
  let isTerminator = 1;
  let Class = "control";
}
def BRA : Branch<OP_BRA, "BRA", (ins Target24:$target), "$target"> {
  bits<24> target;
  let Inst{44-21} = target;
  let Summary = "branch; a divergent one pushes the lanes that stay and runs the taken side first";
  let Meaning = !strconcat(TakenText, DirectText, TargetText);
  let Traps = [UniformTrap, TargetTrap, DepthTrap];
  let Example = [{
@P0 BRA .+24;          # lanes with P0 skip two instructions
BRA CC.LT, .-16;       # lanes whose flags say "less" go back
}];
}
def JMP : Branch<OP_JMP, "JMP", (ins Address24:$address), "$address"> {
  bits<24> address;
  let Inst{44-21} = address;
  let Summary = "branch to an absolute address";
  let Meaning = !strconcat(TakenText, DirectText, [{
The target is a label or a number of bytes, a multiple of 8; the word holds the address in words, and the linker fills
in that of a label.
}]);
  let Traps = [UniformTrap, TargetTrap, DepthTrap];
  let Example = [{
@!P1 JMP 0x10;         # lanes without P1 go to address 0x10
}];
}

// Indirect branches. A lane's target is its own.
defvar IndirectText = [{
If a taken lane's target is no multiple of 8, or lies outside the program, the instruction traps and does nothing.
Otherwise

    taken is empty: the next instruction
    first = the target of the lowest taken lane;  F = the taken lanes with that target
    F == A:         to first
    with .U:        trap
    F == taken:     push DIV (mask = A & ~F, PC = the next instruction), A = F, to first
    otherwise:      push DIV (mask = A & ~F, PC = this instruction), A = F, to first

In the last case the other lanes run this instruction again, and part further, when F's lanes are done. `.S` joins the
lanes whose guard is true, whatever the test: the mask of a DIV that goes on at the next instruction is without them, and
is not pushed when it is empty.
}];
class IndirectBranch<Opcode opcode, string mnemonic, dag inputs, string args>
    : Branch<opcode, mnemonic, !con((ins GPR:$ra), inputs), "$ra" # args> {
  let Flow = "indirect";
  bits<8> ra;
  let Inst{20-13} = ra;
  let isIndirectBranch = 1;
  let Traps = [
    "MISALIGNED_PC: a taken lane's target is not a multiple of 8",
    "PC_OUT_OF_RANGE: a taken lane's target lies outside the program",
    "DIVERGENT: .U is written and the active lanes do not all go to one target",
    DepthTrap
  ];
}
def BRX : IndirectBranch<OP_BRX, "BRX", (ins Target24:$target), ", $target"> {
  bits<24> target;
  let Inst{44-21} = target;
  let Summary = "branch to a label plus a register, each lane to its own target";
  let Meaning = !strconcat(TakenText, [{
    target of a lane = address of the label + Ra      (bytes; Ra a signed number of 32 bits)

}], IndirectText, TargetText);
  let Example = [{
SHL R1, R0, 4;         # two instructions an entry
BRX R1, .+8;           # into the table that follows
}];
}
def JMX : IndirectBranch<OP_JMX, "JMX", (ins OptAddress24:$address), "$address"> {
  bits<24> address;
  let Inst{44-21} = address;
  let Summary = "branch to the address in a register, each lane to its own target";
  let Meaning = !strconcat(TakenText, [{
    target of a lane = Ra + address      (bytes; Ra an unsigned number of 32 bits)

}], IndirectText, [{
The address is a label or a number of bytes, a multiple of 8, and 0 when it is not written.
}]);
  let Example = [{
MOV32I R1, 0x20;
JMX R1;                # to address 0x20
JMX R0, 0x40;          # to address R0 + 0x40
}];
}

// Push instructions.
defvar PushText = [{
The instruction has no guard: all active lanes A take part.

}];
class Push<Opcode opcode, string mnemonic> : Unguarded<opcode, 0, mnemonic, mnemonic, (ins Target24:$target), "", "$target"> {
  let Flow = mnemonic;
  bits<24> target;
  let Inst{44-21} = target;
  let Class = "control";
  let Traps = [TargetTrap, DepthTrap];
}
def SSY : Push<OP_SSY, "SSY"> {
  let Summary = "push SYNC: the active lanes meet again at the join";
  let Meaning = !strconcat(PushText, [{
    push SYNC (mask = A, PC = the target)

Lanes reach the join by `SYNC`, or by `.S` on another instruction.

}], TargetText);
  let Example = [{
SSY .+24;              # the join
@P0 BRA .+16;          # to the join's SYNC, past the next instruction
SYNC;
SYNC;
}];
}
def PBK : Push<OP_PBK, "PBK"> {
  let Summary = "pre-break: push BRK with the address after the loop [S0]";
  let Meaning = !strconcat(PushText, [{
    push BRK (mask = A, PC = the target)

Lanes that break wait until no lane of the loop is left, and go on at the target together.

}], TargetText);
  let Example = [{
PBK .+24;              # after the loop
@P0 BRK;
BRA .-8;
}];
}
def PCNT : Push<OP_PCNT, "PCNT"> {
  let Summary = "pre-continue: push CONT with the address where the next turn begins";
  let Meaning = !strconcat(PushText, [{
    push CONT (mask = A, PC = the target)

Lanes that continue wait until no lane runs this turn, and go on at the target together. The entry is popped with that:
each turn begins with its own PCNT.

}], TargetText);
  let Example = [{
PCNT .+24;             # where the turn ends
@P0 CONT;
CONT;
}];
}
def PRET : Push<OP_PRET, "PRET"> {
  let Summary = "pre-return: push CALL with the target as the return address, apart from the jump into the function";
  let Meaning = !strconcat(PushText, [{
    push CALL (mask = A, PC = the target)

The function is then entered by a branch, also an indirect one.

}], TargetText);
  let Example = [{
PRET .+16;             # back here after the function:
JMX R1;                # which one R1 says
NOP;
}];
}
defvar CallText = [{
    push CALL (mask = A, PC = the next instruction), to the target

Lanes that RET wait until no lane of the function is left, and go on behind the call together.
}];
def CAL : Push<OP_CAL, "CAL"> {
  let Flow = "call";
  let isCall = 1;
  let Summary = "call: push CALL with the return address and go to the target";
  let Meaning = !strconcat(PushText, CallText, TargetText);
  let Example = [{
CAL .+16;              # a function
EXIT;
RET;
}];
}
def JCAL : Unguarded<OP_JCAL, 0, "JCAL", "JCAL", (ins Address24:$address), "", "$address"> {
  let Flow = "call";
  bits<24> address;
  let Inst{44-21} = address;
  let isCall = 1;
  let Class = "control";
  let Summary = "call an absolute address";
  let Meaning = !strconcat(PushText, CallText, [{

The target is a label or a number of bytes, a multiple of 8, as JMP's.
}]);
  let Traps = [TargetTrap, DepthTrap];
  let Example = [{
JCAL 0x40;             # the function at address 0x40
}];
}

// The set-sync forms [S0]: SYNC with the join is pushed first, then the instruction does its own. Form 1.
defvar SetSyncText = [{
First

    push SYNC (mask = A, PC = the join)

whatever the guard, the test and the branch do [S0]. Then the instruction does what it does without `.SSY`, with the
same A. The join is a label at most 524287 instructions away.
}];
class SetSync<Opcode opcode, string mnemonic, dag inputs, string mods, string args, string summary>
    : LenoInst<opcode, 1, mnemonic, mnemonic # ".SSY", (outs), inputs, mods, args # "$target, $join"> {
  let Flow = !cond(!eq(mnemonic, "BRA"): "branch", !eq(mnemonic, "CAL"): "call", true: mnemonic);
  bits<24> target;
  bits<20> join;
  let Inst{44-21} = target;
  let Inst{20-5} = join{15-0};
  let Inst{48-45} = join{19-16};
  let Summary = summary;
  let Meaning = SetSyncText;
  let Class = "control";
}
def BRA_SSY : SetSync<OP_BRA, "BRA", (ins Guard:$guard, ModS:$S, ModU:$U, FlagTest:$test, Target24:$target, Join20:$join),
                      "$guard$U$S", "$test", "push SYNC with the join for the active lanes, then branch"> {
  bits<4> guard;
  bits<1> S;
  bits<1> U;
  bits<5> test;
  let Inst{3-0} = guard;
  let Inst{4} = S;
  let Inst{53-49} = test;
  let Inst{54} = U;
  let Traps = [UniformTrap, TargetTrap, DepthTrap];
  let Example = [{
@P0 BRA.SSY .+16, .+24;
SYNC;                  # lanes without P0
SYNC;                  # lanes with P0
}];
}
class SetSyncPush<Opcode opcode, string mnemonic, string summary>
    : SetSync<opcode, mnemonic, (ins Target24:$target, Join20:$join), "", "", summary> {
  let Inst{3-0} = 7;
  let Traps = [TargetTrap, DepthTrap];
}
def PBK_SSY : SetSyncPush<OP_PBK, "PBK", "push SYNC with the join, then BRK with the address after the loop"> {
  let Example = [{
PBK.SSY .+24, .+32;    # after the loop; the join
@P0 BRK;
BRA .-8;
SYNC;
}];
}
def CAL_SSY : SetSyncPush<OP_CAL, "CAL", "push SYNC with the join, then call"> {
  let Example = [{
CAL.SSY .+24, .+16;    # a function; the join
SYNC;
EXIT;
RET;
}];
}

// The instructions that take lanes out of A.
defvar LeaveText = [{
The executing lanes (active, with a guard that is true) leave A with the reason that this instruction gives; the others
run on at the next instruction. When none executes, nothing happens. When A is empty, the warp unwinds its stack:

    repeat: pop T; m = the lanes of T.mask whose reason is T's (DIV, SYNC: none; BRK, CONT: theirs; CALL: RET)
            if m is not empty: clear their reason, A = m, go on at T.PC
    stack empty: every lane has exited -> the warp ends
                 otherwise             -> trap

`.S` adds nothing here.
}];
defvar UnwindTrap = "STACK_ERROR: the stack is empty and lanes wait for an entry that is not there; or a CALL entry is popped while lanes of it wait with BRK or CONT";
class Leave<Opcode opcode, bits<2> form, string mnemonic> : Guarded<opcode, form, mnemonic, mnemonic, (outs), (ins), "", ""> {
  let Flow = !if(!eq(mnemonic, "KIL"), "EXIT", mnemonic);
  let Class = "control";
  let isTerminator = 1;
  let Meaning = LeaveText;
  let Traps = !listconcat(["RET_EMPTY_STACK: the stack is empty and lanes wait with RET", UnwindTrap],
                          !if(!or(!eq(mnemonic, "EXIT"), !eq(mnemonic, "KIL")),
                              ["LOCK_HELD_AT_EXIT: a lane that ends holds a lock"], []<string>));
}
def BRK  : Leave<OP_BRK, 0, "BRK">   {
  let Summary = "break: the lanes wait with reason BRK for the loop to end";
  let Example = [{
@P0 BRK;
}];
}
def CONT : Leave<OP_CONT, 0, "CONT"> {
  let Summary = "continue: the lanes wait with reason CONT for the others to finish this turn";
  let Example = [{
@P0 CONT;
}];
}
def RET  : Leave<OP_RET, 0, "RET">   {
  let Summary = "return: the lanes wait with reason RET for the call to end";
  let isReturn = 1;
  let Example = [{
@!P0 RET;              # an early return
RET;
}];
}
def EXIT : Leave<OP_EXIT, 0, "EXIT"> {
  let Summary = "the lanes end, with reason EXIT";
  let Example = [{
@P0 EXIT;
}];
}
def KIL : Leave<OP_BPT, 1, "KIL"> {
  let Summary = "discard: the lanes end as by EXIT, and are counted apart";
  let Example = [{
@!P0 KIL;              # lanes without P0 have nothing to give
}];
}

// NOP with the pop-sync bit is SYNC: one opcode, two names.
class NopInst<bit sync, string mnemonic>
    : LenoInst<OP_NOP, 0, "NOP", mnemonic, (outs), (ins Guard:$guard), "$guard", ""> {
  bits<4> guard;
  let Inst{3-0} = guard;
  let Inst{4} = sync;
  let Class = "control";
}
def NOP  : NopInst<0, "NOP">  {
  let Summary = "do nothing";
  let Meaning = [{
Nothing happens, and the next instruction runs.
}];
  let Example = [{
NOP;
}];
}
def SYNC : NopInst<1, "SYNC"> {
  let isTerminator = 1;
  let Summary = "the lanes join: NOP.S";
  let Meaning = [{
The executing lanes (active, with a guard that is true) leave A without a reason, and so wait for a DIV or SYNC entry.
The others run on. When A is empty the warp unwinds its stack, as [EXIT](#exit) tells.

Any instruction with `.S` executes first, then its executing lanes join in this way.
}];
  let Traps = ["RET_EMPTY_STACK: the stack is empty and lanes wait with RET", UnwindTrap];
  let Example = [{
SSY .+24;
@P0 SYNC;              # lanes with P0 wait at the join
SYNC;                  # so do the others
}];
}
def NOP_S : NopInst<1, "NOP.S"> {
  let Summary = "another spelling of SYNC";
  let isAsmParserOnly = 1;
}

def BPT : Guarded<OP_BPT, 0, "BPT", "BPT", (outs), (ins BreakCode:$number), "", "$number"> {
  bits<20> number;
  let Inst{40-21} = number;
  let Summary = "breakpoint: stop in the debugger, trap without one";
  let Class = "control";
  let Meaning = [{
When a lane executes it, the warp stops in the debugger with the number told, and can go on at the next instruction.
Without a debugger it traps. When no lane executes it, nothing happens.
}];
  let Traps = ["BREAKPOINT: a lane executes it and no debugger is attached"];
  let Example = [{
@P0 BPT 7;
}];
}
