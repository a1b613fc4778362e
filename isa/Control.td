//===- Control.td - Control flow (machine.md 5, S0) -----------------------===//

// Branches and pushes: a target in words from the next instruction.
def BRA : Guarded<OP_BRA, 0, "BRA", "BRA", (outs), (ins ModU:$U, Target24:$target), "$U", "$target"> {
  bits<1> U;
  bits<24> target;
  let Inst{44-21} = target;
  let Inst{54} = U;
  let isBranch = 1;
  let isTerminator = 1;
  let Summary = "branch; a divergent one pushes the lanes that stay and runs the taken side first";
  let Class = "control";
}

class Push<Opcode opcode, string mnemonic> : Unguarded<opcode, 0, mnemonic, mnemonic, (ins Target24:$target), "", "$target"> {
  bits<24> target;
  let Inst{44-21} = target;
  let Class = "control";
}
def SSY : Push<OP_SSY, "SSY"> { let Summary = "push SYNC: the active lanes meet again at the join"; }
def PBK : Push<OP_PBK, "PBK"> { let Summary = "pre-break: push BRK with the address after the loop [S0]"; }
def PCNT : Push<OP_PCNT, "PCNT"> { let Summary = "pre-continue: push CONT with the address where the next turn begins"; }
def PRET : Push<OP_PRET, "PRET"> {
  let Summary = "pre-return: push CALL with the target as the return address, apart from the jump into the function";
}
def CAL : Push<OP_CAL, "CAL"> {
  let isCall = 1;
  let Summary = "call: push CALL with the return address and go to the target";
}

// The set-sync forms [S0]: SYNC with the join is pushed first, then the instruction does its own. Form 1.
class SetSync<Opcode opcode, string mnemonic, dag inputs, string mods, string summary>
    : LenoInst<opcode, 1, mnemonic, mnemonic # ".SSY", (outs), inputs, mods, "$target, $join"> {
  bits<24> target;
  bits<20> join;
  let Inst{44-21} = target;
  let Inst{20-5} = join{15-0};
  let Inst{48-45} = join{19-16};
  let Summary = summary;
  let Class = "control";
}
def BRA_SSY : SetSync<OP_BRA, "BRA", (ins Guard:$guard, ModS:$S, ModU:$U, Target24:$target, Join20:$join),
                      "$guard$U$S", "push SYNC with the join for the active lanes, then branch"> {
  bits<4> guard;
  bits<1> S;
  bits<1> U;
  let Inst{3-0} = guard;
  let Inst{4} = S;
  let Inst{54} = U;
}
class SetSyncPush<Opcode opcode, string mnemonic, string summary>
    : SetSync<opcode, mnemonic, (ins Target24:$target, Join20:$join), "", summary> {
  let Inst{3-0} = 7;
}
def PBK_SSY : SetSyncPush<OP_PBK, "PBK", "push SYNC with the join, then BRK with the address after the loop">;
def CAL_SSY : SetSyncPush<OP_CAL, "CAL", "push SYNC with the join, then call">;

class Leave<Opcode opcode, string mnemonic> : Guarded<opcode, 0, mnemonic, mnemonic, (outs), (ins), "", ""> {
  let Class = "control";
}
def BRK  : Leave<OP_BRK, "BRK">   { let Summary = "break: the lanes wait for the loop to end"; }
def CONT : Leave<OP_CONT, "CONT"> { let Summary = "continue: the lanes wait for the others to finish this turn"; }
def RET  : Leave<OP_RET, "RET">   { let Summary = "return: the lanes wait for the call to end"; let isReturn = 1; }
def EXIT : Leave<OP_EXIT, "EXIT"> { let Summary = "the lanes end"; }

// NOP with the pop-sync bit is SYNC: one opcode, two names.
class NopInst<bit sync, string mnemonic>
    : LenoInst<OP_NOP, 0, "NOP", mnemonic, (outs), (ins Guard:$guard), "$guard", ""> {
  bits<4> guard;
  let Inst{3-0} = guard;
  let Inst{4} = sync;
  let Class = "control";
}
def NOP  : NopInst<0, "NOP">  { let Summary = "do nothing"; }
def SYNC : NopInst<1, "SYNC"> { let Summary = "the lanes join: NOP.S"; }
def NOP_S : NopInst<1, "NOP.S"> {
  let Summary = "another spelling of SYNC";
  let isAsmParserOnly = 1;
}

def BPT : Guarded<OP_BPT, 0, "BPT", "BPT", (outs), (ins BreakCode:$number), "", "$number"> {
  bits<20> number;
  let Inst{40-21} = number;
  let Summary = "breakpoint: stop in the debugger, trap without one";
  let Class = "control";
}
