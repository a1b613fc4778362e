//===- Formats.td - The fields of the 64-bit word -------------------------===//
//
//  63    57 56 55 54  49 48  41 40        21 20  13 12   5  4  3   0
//  [opcode][form][ mods ][  rc  ][     b     ][  ra  ][  rd  ][S][guard]
//     7      2      6       8         20         8       8    1    4
//
// form tells what b is: 0 register, 1 immediate, 2 constant (bank in 38-35,
// word offset in 34-21); 3: b is a register and c is the constant, whose bits
// take the place of b while the register moves to rc (IMAD.WIDE: bit 39 tells that
// {40, rc} is an immediate of 9 bits instead). Set instructions put
// Pu and Pv where rd is and Pp (four bits) where rc is. Memory instructions
// use 24 bits from 21 as the offset; branches as the target, and 20 more
// ({48-45, 20-5}) as the join of the set-sync form. What a record leaves
// alone must be zero.
//
// How this layout seats each family of Opcodes.td: VIDEO selA 54-51, op2
// 48-41 is rc, b holds rb (8), selB (4), the second operation (3), SAT, CC;
// .CC where the sum has none of its own: LOP, doubles 51, LOP32I 56, SHL 50, FADD, FMUL 43, FFMA 40;
// BAR operation 51-49, number ra or 24-21, count rc or 36-25, Pp 40-37 (Barrier.td);
// LOP3 table in {54-49, 40-39}; SHFL lane 25-21 and clamp 41-29 when immediate; ATOM
// rb 28-21, operation 48-45, type 51-49, offset 44-29, compare-and-swap (form 3)
// rc = swap value, offset 40-29; LDLK predicate 47-45; MUFU function 54-51; DSETP/DSET as FSETP/FSET,
// whose signs of b are in 40-39 where b is no immediate;
// P2R/R2P mask in b, half in 49; F2F/I2I formats in 54-49 and 48-45; LEA,
// ISCADD shift 45-41; branches CC test 53-49.
//===----------------------------------------------------------------------===//

class LenoInst<Opcode opcode, bits<2> form, string semantic, string mnemonic,
               dag outs, dag inputs, string mods, string args>
    : Instruction {
  let Namespace = numberSpace;
  let Size = 8;
  field bits<64> Inst = 0;
  field bits<64> SoftFail = 0;
  let Inst{56-55} = form;
  let Inst{63-57} = opcode.Value;
  let OutOperandList = outs;
  let InOperandList = inputs;
  let AsmString = mnemonic # mods # !if(!empty(args), "", "\t" # args);
  let hasSideEffects = 0;
  string Semantic = semantic;   // the struct in emu/semantics that says what it does
  string Mnemonic = mnemonic;
  string Class = "int";         // who executes it: a unit of an SM, or control, barrier
  string Summary = "";          // one line for people
  // The manual's text (Markdown). A record that is only another spelling (isAsmParserOnly) has a Summary alone.
  string Meaning = "";          // the whole rule: somebody can write a model from it that agrees in every bit
  list<string> Traps = [];      // "KIND: when", besides those every instruction may raise
  string Example = "";          // a few lines that assemble, with what comes out as comment
  // Modifier fields of the semantic that this encoding has always set.
  list<string> Sets = [];
  // Operands of several registers: "rd=2" always, "rb=src" as many as the modifier operand $src says (ModGroup.Registers).
  list<string> Wide = [];
  // Modifier operands that are no compile-time constants of this instruction's handlers, though their group is hot.
  list<string> Cold = [];
  // Which values of a modifier operand go together: "op=inc,dec: type=u32" says that with $op one of these, $type is one of
  // those; "type=u32,u64" says it without a condition. Other pairs are errors in text and undefined as words.
  list<string> Only = [];
  // Facts (isa/Facts.h) that operands do not tell. Flow: where control goes; one of next, branch (to $target, the
  // lanes whose guard is true), indirect, call, SSY PBK PCNT PRET (the push that resumes at $target), BRK CONT RET EXIT
  // (the lanes leave), barrier. An operand $join is a SYNC pushed first.
  string Flow = "next";
  // State beside the operands that is always read or written: "CC" or single flags "OF", "CF", "SF", "ZF"; "P" (all
  // predicates); "P:rb" what the mask $rb picks of them. Modifiers have their own.
  list<string> Reads = [];
  list<string> Writes = [];
  // Of instructions with an address, mayLoad or mayStore: global, shared, constant, local or generic. One that loads and
  // stores is atomic. A modifier tells the bytes of a lane, or Bytes. Lock: take or give.
  string Space = "";
  int Bytes = 0;
  string Lock = "";
  // Where other CTAs may see what it does: what it tells of the order in which CTAs run or of where, always or with some
  // values of a modifier operand: "op=inc,dec: has ..."; the text goes on after "the program". [] tells nothing.
  list<string> Order = ?;
  // Of barriers: whether the warp waits until others come.
  bit Waits = ?;
  // Register sources that differ from lane to lane give results that differ: lane numbers are followed through it.
  bit Distinct = 0;
}

// Most instructions carry a guard and the pop-sync bit.
class Guarded<Opcode opcode, bits<2> form, string semantic, string mnemonic,
              dag outs, dag inputs, string mods, string args>
    : LenoInst<opcode, form, semantic, mnemonic, outs,
               !con((ins Guard:$guard, ModS:$S), inputs), "$guard" # mods # "$S", args> {
  bits<4> guard;
  bits<1> S;
  let Inst{3-0} = guard;
  let Inst{4} = S;
}

// Push instructions are not predicable (Architecture.md 5, S0).
class Unguarded<Opcode opcode, bits<2> form, string semantic, string mnemonic,
                dag inputs, string mods, string args>
    : LenoInst<opcode, form, semantic, mnemonic, (outs), inputs, mods, args> {
  let Inst{3-0} = 7;
}

// Computing instructions: destination rd, first source ra, second source b. Signs of a source travel above its
// payload: bit 20 negates (or inverts), bit 21 takes the absolute value.
class Compute<Opcode opcode, bits<2> form, string mnemonic, dag outs, dag inputs, string mods, string args>
    : Guarded<opcode, form, mnemonic, mnemonic, outs, inputs, mods, args> {
  bits<22> rb;
  let Inst{40-21} = rb{19-0};
  let AddedComplexity = !if(!eq(form, 1), 20, 0); // of patterns: an immediate before a register that holds it
}
class ComputeD<Opcode opcode, bits<2> form, string mnemonic, dag inputs, string mods, string args>
    : Compute<opcode, form, mnemonic, (outs GPR:$rd), inputs, mods, args> {
  bits<8> rd;
  let Inst{12-5} = rd;
}
class ComputeDA<Opcode opcode, bits<2> form, string mnemonic, dag inputs, string mods, string args>
    : ComputeD<opcode, form, mnemonic, inputs, mods, args> {
  bits<22> ra;
  let Inst{20-13} = ra{7-0};
}
// Three sources; in form 3 the constant is c: its bits stand where b's do, and b's register in rc.
class Compute3<Opcode opcode, bits<2> form, string mnemonic, dag inputs, string mods, string args>
    : Guarded<opcode, form, mnemonic, mnemonic, (outs GPR:$rd), inputs, mods, args> {
  bits<8> rd;
  bits<22> ra;
  bits<22> rb;
  bits<22> rc;
  let AddedComplexity = !if(!eq(form, 1), 20, 0);
  let Inst{12-5} = rd;
  let Inst{20-13} = ra{7-0};
  let Inst{40-21} = !if(!eq(form, 3), rc{19-0}, rb{19-0});
  let Inst{48-41} = !if(!eq(form, 3), rb{7-0}, rc{7-0});
}

// Patterns of the forms R, I and C of an instruction whose modifiers they tell: mods are the values of its Told ones.
multiclass Chosen<string name, dag mods, SDPatternOperator node, DAGOperand a, DAGOperand r, DAGOperand c> {
  foreach form = ["R", "I", "C"] in {
    defvar inst = !cast<Instruction>(name # "_" # form);
    defvar b = !cond(!eq(form, "R") : r, !eq(form, "I") : Imm20, true : c);
    def : Pat<(i32 (node a:$a, b:$b)), !con(!setdagop(mods, inst), (inst a:$a, b:$b))> {
      let AddedComplexity = inst.AddedComplexity;
    }
  }
}

// Predicate set: Pu and Pv in the place of rd, Pp in the place of rc, its combination beside it.
class PredicateSet<Opcode opcode, bits<2> form, string mnemonic, dag inputs, string mods, string args>
    : Compute<opcode, form, mnemonic, (outs PR:$pu, OptPredDest:$pv), inputs, mods, args> {
  bits<3> pu;
  bits<3> pv;
  bits<22> ra;
  bits<4> pp;
  bits<2> bop;
  let Inst{7-5} = pu;
  let Inst{10-8} = pv;
  let Inst{20-13} = ra{7-0};
  let Inst{44-41} = pp;
  let Inst{46-45} = bop;
  let Class = "predicate";
}
// Register set: the test of the predicate form into rd. ra's signs are the record's own business.
class RegisterSet<Opcode opcode, bits<2> form, string mnemonic, dag inputs, string mods, string args>
    : ComputeDA<opcode, form, mnemonic, inputs, mods, args> {
  bits<4> pp;
  bits<2> bop;
  let Inst{44-41} = pp;
  let Inst{46-45} = bop;
  let Class = "predicate";
}
