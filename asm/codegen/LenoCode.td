//===- LenoCode.td - What the code generator adds to the records ----------===//
// The records of isa/ once more, with what only a compiler needs: registers in
// pairs, floats in registers, instructions whose operands are pairs, and the
// patterns of floats, predicates and conversions. These numbers of registers
// and instructions are the code generator's own; LenoAsmPrinter gives each its
// assembler's number, by its name.
//===----------------------------------------------------------------------===//
#define LENO_CODE
include "Leno.td"

def LenoCode : Target {
  let InstructionSet = LenoInstrInfo;
}

//===--- Registers ----------------------------------------------------------===//

let Namespace = numberSpace in {
def sub0 : SubRegIndex<32>;
def sub1 : SubRegIndex<32, 32>;
def sub2 : SubRegIndex<32, 64>;
def sub3 : SubRegIndex<32, 96>;
}
// Named in text by their lowest register.
def Pairs : RegisterTuples<[sub0, sub1], [(add (sequence "R%u", 0, 252, 2)), (add (sequence "R%u", 1, 253, 2))]>;
def Quads : RegisterTuples<[sub0, sub1, sub2, sub3],
                           [(add (sequence "R%u", 0, 248, 4)), (add (sequence "R%u", 1, 249, 4)),
                            (add (sequence "R%u", 2, 250, 4)), (add (sequence "R%u", 3, 251, 4))]>;

// The same registers as GPR's: patterns of isa/ mean integers.
def FPR : RegisterClass<numberSpace, [f32], 32, (add GPR)>;
def GPR64 : RegisterClass<numberSpace, [i64, f64], 64, (add Pairs)>;
// What one access of memory moves; no arithmetic is done with it.
def GPR128 : RegisterClass<numberSpace, [untyped], 128, (add Quads)> {
  let Size = 128;
}

//===--- Operands -------------------------------------------------------------===//
// Floats as sources: those of isa/Operands.td with another type.

class FloatSource<ValueType type, RegisterClass registers, string select> : Operand<type>, ComplexPattern<type, 2, select> {
  let MIOperandInfo = (ops registers:$reg, i32imm:$flags);
}
def FRegN  : FloatSource<f32, FPR, "selectRegN">;
def FRegNA : FloatSource<f32, FPR, "selectRegNA">;
def DRegN  : FloatSource<f64, GPR64, "selectRegN">;
def DRegNA : FloatSource<f64, GPR64, "selectRegNA">;
class FloatConstant<string select> : Operand<f32>, ComplexPattern<f32, 3, select> {
  let MIOperandInfo = (ops i32imm:$bank, i32imm:$offset, i32imm:$flags);
}
def FConst   : FloatConstant<"selectConst">;
def FConstN  : FloatConstant<"selectConstN">;
def FConstNA : FloatConstant<"selectConstNA">;
def FImmHigh : Operand<f32>, ComplexPattern<f32, 1, "selectFImm20">;
def FImmAll  : Operand<f32>, ComplexPattern<f32, 1, "selectFImm32">;

// The predicate the other way round.
def NotPredSource : Operand<i1>, ComplexPattern<i1, 2, "selectNotPredSource"> {
  let MIOperandInfo = (ops PR:$reg, i32imm:$neg);
}

//===--- Instructions of the compiler ---------------------------------------===//
// Twins: what stands in the text is made by LenoAsmPrinter. Numbers of modifiers are those of isa/Modifiers.td.

class Code<dag outs, dag inputs, list<dag> pattern = []> : Instruction {
  let Namespace = numberSpace;
  let OutOperandList = outs;
  let InOperandList = inputs;
  let Pattern = pattern;
  let AsmString = "";
  let Size = 8;
  let isPseudo = 1;
  let isCodeGenOnly = 1;
  let hasSideEffects = 0;
}

// Comparisons with one destination: the test, and for integers whether they are unsigned. Floats have flags beside them.
def CMP_R  : Code<(outs PR:$pu), (ins i32imm:$cmp, i32imm:$u32, GPR:$a, GPR:$b)>;
def CMP_I  : Code<(outs PR:$pu), (ins i32imm:$cmp, i32imm:$u32, GPR:$a, i32imm:$b)>;
def CMP_C  : Code<(outs PR:$pu), (ins i32imm:$cmp, i32imm:$u32, GPR:$a, i32imm:$bank, i32imm:$offset)>;
def CMP64  : Code<(outs PR:$pu), (ins i32imm:$cmp, i32imm:$u32, GPR64:$a, GPR64:$b)>;
def CMP64_I : Code<(outs PR:$pu), (ins i32imm:$cmp, i32imm:$u32, GPR64:$a, i64imm:$b)>; // equal or not
def FCMP   : Code<(outs PR:$pu), (ins i32imm:$cmp, FRegNA:$a, FRegNA:$b)>;
def FCMP_I : Code<(outs PR:$pu), (ins i32imm:$cmp, FRegNA:$a, FImmHigh:$b)>;
def FCMP_C : Code<(outs PR:$pu), (ins i32imm:$cmp, FRegNA:$a, FConstNA:$b)>;
def DCMP   : Code<(outs PR:$pu), (ins i32imm:$cmp, DRegNA:$a, DRegNA:$b)>;
// Two predicates, each with its negation: the operation is BoolOp's number.
def PLOP   : Code<(outs PR:$pu), (ins i32imm:$op, PredSource:$a, PredSource:$b)>;

// Sums of pairs: two instructions, tied by the flags.
let isCommutable = 1 in
def ADD64  : Code<(outs GPR64:$rd), (ins GPR64:$a, GPR64:$b), [(set i64:$rd, (add i64:$a, i64:$b))]>;
def SUB64  : Code<(outs GPR64:$rd), (ins GPR64:$a, GPR64:$b), [(set i64:$rd, (sub i64:$a, i64:$b))]>;
def ADD64I : Code<(outs GPR64:$rd), (ins GPR64:$a, i64imm:$b)>;
def ADD64C : Code<(outs GPR64:$rd), (ins GPR64:$a, i32imm:$bank, i32imm:$offset)>;
// IMAD.WIDE: the sign is MulSign's number.
def WIDE_R : Code<(outs GPR64:$rd), (ins i32imm:$sign, GPR:$a, GPR:$b, GPR64:$c)>;
def WIDE_I : Code<(outs GPR64:$rd), (ins i32imm:$sign, GPR:$a, i32imm:$b, GPR64:$c)>;
def WIDE_RC : Code<(outs GPR64:$rd), (ins i32imm:$sign, GPR:$a, GPR:$b, i32imm:$bank, i32imm:$offset)>;
def WIDE_IC : Code<(outs GPR64:$rd), (ins i32imm:$sign, GPR:$a, i32imm:$b, i32imm:$bank, i32imm:$offset)>;

// Floats. Of two sources: FADD 0, FMUL 1, minimum 2, maximum 3.
def FBIN_R : Code<(outs FPR:$rd), (ins i32imm:$op, FRegNA:$a, FRegNA:$b)>;
def FBIN_I : Code<(outs FPR:$rd), (ins i32imm:$op, FRegNA:$a, FImmHigh:$b)>;
def FBIN_32 : Code<(outs FPR:$rd), (ins i32imm:$op, FRegNA:$a, FImmAll:$b)>;
def FBIN_C : Code<(outs FPR:$rd), (ins i32imm:$op, FRegNA:$a, FConstNA:$b)>;
def FMAD_R  : Code<(outs FPR:$rd), (ins FRegN:$a, FPR:$b, FRegN:$c)>;
def FMAD_I  : Code<(outs FPR:$rd), (ins FRegN:$a, FImmHigh:$b, FRegN:$c)>;
def FMAD_C  : Code<(outs FPR:$rd), (ins FRegN:$a, FConst:$b, FRegN:$c)>;
def FMAD_RC : Code<(outs FPR:$rd), (ins FRegN:$a, FPR:$b, FConstN:$c)>;
def MUFU    : Code<(outs FPR:$rd), (ins i32imm:$function, FRegNA:$a)>;
def DBIN    : Code<(outs GPR64:$rd), (ins i32imm:$op, DRegNA:$a, DRegNA:$b)>;
def DMAD    : Code<(outs GPR64:$rd), (ins DRegN:$a, GPR64:$b, DRegN:$c)>;
// Conversions F2F (0), I2F (1), F2I (2): formats, rounding, and F2F's rounding to a whole number.
foreach to = [GPR, FPR, GPR64] in
  foreach from = [GPR, FPR, GPR64] in
    def CVT_ # to # _ # from : Code<(outs to:$rd), (ins i32imm:$which, i32imm:$dst, i32imm:$src, i32imm:$rnd,
                                                        i32imm:$integral, from:$a)>;

// Memory: the space (Memory.td's instruction), the size (MemSize), a base of 64 or of 32 bits, the offset.
let mayLoad = 1 in {
def LOAD_WR  : Code<(outs GPR:$rd), (ins i32imm:$space, i32imm:$size, GPR64:$base, i32imm:$offset)>;
def LOAD_WP  : Code<(outs GPR64:$rd), (ins i32imm:$space, i32imm:$size, GPR64:$base, i32imm:$offset)>;
def LOAD_NR  : Code<(outs GPR:$rd), (ins i32imm:$space, i32imm:$size, GPR:$base, i32imm:$offset)>;
def LOAD_NP  : Code<(outs GPR64:$rd), (ins i32imm:$space, i32imm:$size, GPR:$base, i32imm:$offset)>;
def LOAD_WQ  : Code<(outs GPR128:$rd), (ins i32imm:$space, i32imm:$size, GPR64:$base, i32imm:$offset)>;
def LOAD_NQ  : Code<(outs GPR128:$rd), (ins i32imm:$space, i32imm:$size, GPR:$base, i32imm:$offset)>;
}
let mayStore = 1 in {
def STORE_WR : Code<(outs), (ins GPR:$rd, i32imm:$space, i32imm:$size, GPR64:$base, i32imm:$offset)>;
def STORE_WP : Code<(outs), (ins GPR64:$rd, i32imm:$space, i32imm:$size, GPR64:$base, i32imm:$offset)>;
def STORE_NR : Code<(outs), (ins GPR:$rd, i32imm:$space, i32imm:$size, GPR:$base, i32imm:$offset)>;
def STORE_NP : Code<(outs), (ins GPR64:$rd, i32imm:$space, i32imm:$size, GPR:$base, i32imm:$offset)>;
def STORE_WQ : Code<(outs), (ins GPR128:$rd, i32imm:$space, i32imm:$size, GPR64:$base, i32imm:$offset)>;
def STORE_NQ : Code<(outs), (ins GPR128:$rd, i32imm:$space, i32imm:$size, GPR:$base, i32imm:$offset)>;
}
// Atomics: shared or global, the operation (AtomOp), the type (AtomType).
let mayLoad = 1, mayStore = 1, hasSideEffects = 1 in {
def ATOM_WR  : Code<(outs GPR:$rd), (ins i32imm:$op, i32imm:$type, GPR64:$base, i32imm:$offset, GPR:$b)>;
def ATOM_WP  : Code<(outs GPR64:$rd), (ins i32imm:$op, i32imm:$type, GPR64:$base, i32imm:$offset, GPR64:$b)>;
def ATOM_NR  : Code<(outs GPR:$rd), (ins i32imm:$op, i32imm:$type, GPR:$base, i32imm:$offset, GPR:$b)>;
def ATOM_NP  : Code<(outs GPR64:$rd), (ins i32imm:$op, i32imm:$type, GPR:$base, i32imm:$offset, GPR64:$b)>;
def CAS_WR   : Code<(outs GPR:$rd), (ins i32imm:$type, GPR64:$base, i32imm:$offset, GPR:$b, GPR:$c)>;
def CAS_WP   : Code<(outs GPR64:$rd), (ins i32imm:$type, GPR64:$base, i32imm:$offset, GPR64:$b, GPR64:$c)>;
def CAS_NR   : Code<(outs GPR:$rd), (ins i32imm:$type, GPR:$base, i32imm:$offset, GPR:$b, GPR:$c)>;
def CAS_NP   : Code<(outs GPR64:$rd), (ins i32imm:$type, GPR:$base, i32imm:$offset, GPR64:$b, GPR64:$c)>;
}

// Predicates on the stack: through the scratch register R3, which no value gets (LenoRegisterInfo).
let mayStore = 1, Defs = [R3] in
def SPILL_P : Code<(outs), (ins PR:$p, GPR:$base, i32imm:$offset)>;
let mayLoad = 1, Defs = [R3] in
def FILL_P  : Code<(outs PR:$p), (ins GPR:$base, i32imm:$offset)>;

// Lanes together: what they give depends on which lanes are active.
let isConvergent = 1, hasSideEffects = 1 in {
def VOTE_P   : Code<(outs PR:$pu), (ins i32imm:$mode, PredSource:$p)>;
def BALLOT   : Code<(outs GPR:$rd), (ins PredSource:$p)>;
def SHFL     : Code<(outs GPR:$rd), (ins i32imm:$mode, GPR:$a, GPR:$b, GPR:$c)>;
def READ_CLOCK : Code<(outs GPR:$rd), (ins i32imm:$sr)>; // S2R of what changes
}

// What other lanes wrote is there behind them: no access of memory is moved across.
let hasSideEffects = 1, mayLoad = 1, mayStore = 1 in {
let isConvergent = 1 in
def BARRIER  : Code<(outs), (ins i32imm:$id)>;
def FENCE    : Code<(outs), (ins i32imm:$scope)>; // MEMBAR
}

// BPT: a breakpoint, or a trap.
let hasSideEffects = 1 in
def STOP     : Code<(outs), (ins i32imm:$number)>;

// Control. LenoJoins turns the branches into what parts lanes and joins them.
let isBranch = 1, isTerminator = 1 in {
let isBarrier = 1 in
def JUMP     : Code<(outs), (ins Target24:$target)>;
def JUMP_IF  : Code<(outs), (ins PR:$p, i32imm:$neg, i32imm:$uniform, Target24:$target)>;
}
let isReturn = 1, isTerminator = 1, isBarrier = 1 in
def FINISH   : Code<(outs), (ins variable_ops)>;

// Calls (isa/CallingConvention.md). Room for arguments in memory is part of the frame.
def Saved : CalleeSavedRegs<(add (sequence "R%u", 16, 31), (sequence "P%u", 4, 6))> {
  let OtherPreserved = (add R1, RZ, PT);
}
let isCall = 1, isConvergent = 1, hasSideEffects = 1, mayLoad = 1, mayStore = 1, Uses = [R1] in {
def CALL     : Code<(outs), (ins i32imm:$target, variable_ops)>;
def CALL_BY  : Code<(outs), (ins GPR:$target, variable_ops)>;
}
def CallStart : SDNode<"ISD::CALLSEQ_START", SDCallSeqStart<[SDTCisVT<0, i32>, SDTCisVT<1, i32>]>,
                       [SDNPHasChain, SDNPOutGlue]>;
def CallEnd   : SDNode<"ISD::CALLSEQ_END", SDCallSeqEnd<[SDTCisVT<0, i32>, SDTCisVT<1, i32>]>,
                       [SDNPHasChain, SDNPOptInGlue, SDNPOutGlue]>;
let Defs = [R1], Uses = [R1] in {
def CALL_START : Code<(outs), (ins i32imm:$bytes, i32imm:$more), [(CallStart timm:$bytes, timm:$more)]>;
def CALL_END   : Code<(outs), (ins i32imm:$bytes, i32imm:$more), [(CallEnd timm:$bytes, timm:$more)]>;
}

//===--- Patterns -----------------------------------------------------------===//

multiclass FloatBinary<SDPatternOperator node, int op> {
  def : Pat<(f32 (node FRegNA:$a, FRegNA:$b)), (FBIN_R op, FRegNA:$a, FRegNA:$b)>;
  def : Pat<(f64 (node DRegNA:$a, DRegNA:$b)), (DBIN op, DRegNA:$a, DRegNA:$b)>;
  let AddedComplexity = 20 in {
    def : Pat<(f32 (node FRegNA:$a, FImmHigh:$b)), (FBIN_I op, FRegNA:$a, FImmHigh:$b)>;
    def : Pat<(f32 (node FRegNA:$a, FConstNA:$b)), (FBIN_C op, FRegNA:$a, FConstNA:$b)>;
  }
}
defm : FloatBinary<fadd, 0>;
defm : FloatBinary<fmul, 1>;
defm : FloatBinary<fminnum, 2>;
defm : FloatBinary<fmaxnum, 3>;
defm : FloatBinary<fminimumnum, 2>;
defm : FloatBinary<fmaximumnum, 3>;
let AddedComplexity = 15 in {
def : Pat<(f32 (fadd FRegNA:$a, FImmAll:$b)), (FBIN_32 0, FRegNA:$a, FImmAll:$b)>;
def : Pat<(f32 (fmul FRegNA:$a, FImmAll:$b)), (FBIN_32 1, FRegNA:$a, FImmAll:$b)>;
}
def : Pat<(f32 (fma FRegN:$a, FPR:$b, FRegN:$c)), (FMAD_R FRegN:$a, FPR:$b, FRegN:$c)>;
def : Pat<(f64 (fma DRegN:$a, GPR64:$b, DRegN:$c)), (DMAD DRegN:$a, GPR64:$b, DRegN:$c)>;
let AddedComplexity = 20 in {
def : Pat<(f32 (fma FRegN:$a, FImmHigh:$b, FRegN:$c)), (FMAD_I FRegN:$a, FImmHigh:$b, FRegN:$c)>;
def : Pat<(f32 (fma FRegN:$a, FConst:$b, FRegN:$c)), (FMAD_C FRegN:$a, FConst:$b, FRegN:$c)>;
def : Pat<(f32 (fma FRegN:$a, FPR:$b, FConstN:$c)), (FMAD_RC FRegN:$a, FPR:$b, FConstN:$c)>;
}
// Two steps of logic in one: the table is that function of a (0xf0), b (0xcc) and c (0xaa). Not where the first
// step's result is asked for elsewhere, too.
class OnlyHere<SDNode op>
    : PatFrag<(ops node:$a, node:$b), (op $a, $b), [{ return N->hasOneUse(); }]>;
def AndOnlyHere : OnlyHere<and>;
def OrOnlyHere : OnlyHere<or>;
def XorOnlyHere : OnlyHere<xor>;
class Logic3<PatFrag first, SDNode second, int table>
    : Pat<(i32 (second (i32 (first GPR:$a, GPR:$b)), GPR:$c)), (LOP3_R GPR:$a, GPR:$b, GPR:$c, (i32 table))>;
let AddedComplexity = 40 in {
  foreach inner = [AndOnlyHere, OrOnlyHere, XorOnlyHere] in {
    defvar ab = !cond(!eq(!cast<string>(inner), "AndOnlyHere") : 0xc0,
                      !eq(!cast<string>(inner), "OrOnlyHere") : 0xfc, true : 0x3c);
    def : Logic3<inner, and, !and(ab, 0xaa)>;
    def : Logic3<inner, or, !or(ab, 0xaa)>;
    def : Logic3<inner, xor, !xor(ab, 0xaa)>;
    def : Pat<(i32 (and (i32 (XorOnlyHere (i32 (inner GPR:$a, GPR:$b)), (i32 -1))), GPR:$c)),
              (LOP3_R GPR:$a, GPR:$b, GPR:$c, (i32 !and(!xor(ab, 0xff), 0xaa)))>;
  }
}
// A sign alone is a bit.
class SignBit<SDNode node, int op, int mask>
    : Pat<(f32 (node FPR:$a)),
          (COPY_TO_REGCLASS (LOP32I op, (i32 (COPY_TO_REGCLASS FPR:$a, GPR)), (i32 0), (i32 mask)), FPR)>;
def : SignBit<fneg, 2, 0x80000000>;
def : SignBit<fabs, 0, 0x7fffffff>;
class Mufu<SDNode node, int function> : Pat<(f32 (node FRegNA:$a)), (MUFU function, FRegNA:$a)>;
def : Mufu<fsqrt, 6>;
def : Mufu<fexp2, 2>;
def : Mufu<flog2, 3>;
def : Mufu<fsin, 4>;
def : Mufu<fcos, 5>;
def LenoRcp : SDNode<"LenoISD::RCP", SDTFPUnaryOp>;
def : Mufu<LenoRcp, 0>;
def LenoRsq : SDNode<"LenoISD::RSQ", SDTFPUnaryOp>;
def : Mufu<LenoRsq, 1>;
def : Pat<(i32 (bitconvert (f32 FPR:$a))), (COPY_TO_REGCLASS FPR:$a, GPR)>;
def : Pat<(f32 (bitconvert (i32 GPR:$a))), (COPY_TO_REGCLASS GPR:$a, FPR)>;
def : Pat<(i64 (bitconvert (f64 GPR64:$a))), (COPY_TO_REGCLASS GPR64:$a, GPR64)>;
def : Pat<(f64 (bitconvert (i64 GPR64:$a))), (COPY_TO_REGCLASS GPR64:$a, GPR64)>;

// Conversions. Formats: FloatFormat f32 0, f64 2; IntFormat s32 0, u32 1, s64 6, u64 7; Round RN 0, RZ 3.
class Converts<SDNode node, ValueType to, RegisterClass toClass, ValueType from, RegisterClass fromClass, int which,
               int dst, int src, int rnd, int integral = 0>
    : Pat<(to (node (from fromClass:$a))),
          (!cast<Instruction>("CVT_" # toClass # "_" # fromClass) which, dst, src, rnd, integral, fromClass:$a)>;
def : Converts<fpextend, f64, GPR64, f32, FPR, 0, 2, 0, 0>;
def : Converts<fpround, f32, FPR, f64, GPR64, 0, 0, 2, 0>;
// A half travels as the lower bits of a word: FloatFormat f16 is 1.
def : Converts<f16_to_fp, f32, FPR, i32, GPR, 0, 0, 1, 0>;
def : Pat<(f32 (f16_to_fp (i64 GPR64:$a))), (CVT_FPR_GPR 0, 0, 1, 0, 0, (EXTRACT_SUBREG GPR64:$a, sub0))>;
def : Converts<fp_to_f16, i32, GPR, f32, FPR, 0, 1, 0, 0>;
def : Converts<fp_to_f16, i32, GPR, f64, GPR64, 0, 1, 2, 0>;
multiclass FromInteger<ValueType to, RegisterClass toClass, int format> {
  def : Converts<sint_to_fp, to, toClass, i32, GPR, 1, format, 0, 0>;
  def : Converts<uint_to_fp, to, toClass, i32, GPR, 1, format, 1, 0>;
  def : Converts<sint_to_fp, to, toClass, i64, GPR64, 1, format, 6, 0>;
  def : Converts<uint_to_fp, to, toClass, i64, GPR64, 1, format, 7, 0>;
}
defm : FromInteger<f32, FPR, 0>;
defm : FromInteger<f64, GPR64, 2>;
multiclass ToInteger<ValueType from, RegisterClass fromClass, int format> {
  def : Converts<fp_to_sint, i32, GPR, from, fromClass, 2, 0, format, 3>;
  def : Converts<fp_to_uint, i32, GPR, from, fromClass, 2, 1, format, 3>;
  def : Converts<fp_to_sint, i64, GPR64, from, fromClass, 2, 6, format, 3>;
  def : Converts<fp_to_uint, i64, GPR64, from, fromClass, 2, 7, format, 3>;
}
defm : ToInteger<f32, FPR, 0>;
defm : ToInteger<f64, GPR64, 2>;
multiclass Whole<SDNode node, int integral> {
  def : Converts<node, f32, FPR, f32, FPR, 0, 0, 0, 0, integral>;
  def : Converts<node, f64, GPR64, f64, GPR64, 0, 2, 2, 0, integral>;
}
defm : Whole<froundeven, 1>;
defm : Whole<frint, 1>;
defm : Whole<fnearbyint, 1>;
defm : Whole<ffloor, 2>;
defm : Whole<fceil, 3>;
defm : Whole<ftrunc, 4>;

// Predicates. BoolOp: and 0, or 1, xor 2.
def : Pat<(i1 (and PredSource:$a, PredSource:$b)), (PLOP 0, PredSource:$a, PredSource:$b)>;
def : Pat<(i1 (or PredSource:$a, PredSource:$b)), (PLOP 1, PredSource:$a, PredSource:$b)>;
def : Pat<(i1 (xor PredSource:$a, PredSource:$b)), (PLOP 2, PredSource:$a, PredSource:$b)>;
def : Pat<(i32 (sext NotPredSource:$a)), (SEL_I RZ, -1, NotPredSource:$a)>;
def : Pat<(i32 (zext NotPredSource:$a)), (SEL_I RZ, 1, NotPredSource:$a)>;
def : Pat<(i32 (anyext NotPredSource:$a)), (SEL_I RZ, 1, NotPredSource:$a)>;
let AddedComplexity = 20 in {
def : Pat<(i32 (select NotPredSource:$p, Imm20:$a, GPR:$b)), (SEL_I GPR:$b, Imm20:$a, NotPredSource:$p)>;
def : Pat<(i32 (select NotPredSource:$p, Const:$a, GPR:$b)), (SEL_C GPR:$b, Const:$a, NotPredSource:$p)>;
}
let AddedComplexity = 40 in {
def : Pat<(i32 (select NotPredSource:$p, Imm20:$a, (i32 0))), (SEL_I RZ, Imm20:$a, NotPredSource:$p)>;
def : Pat<(i32 (select NotPredSource:$p, GPR:$a, (i32 0))), (SEL_R RZ, GPR:$a, NotPredSource:$p)>;
def : Pat<(i32 (select PredSource:$p, (i32 0), Imm20:$b)), (SEL_I RZ, Imm20:$b, PredSource:$p)>;
def : Pat<(i32 (select PredSource:$p, (i32 0), GPR:$b)), (SEL_R RZ, GPR:$b, PredSource:$p)>;
}
// The bit, against 0 (Cmp: ne is 5).
def : Pat<(i1 (trunc GPR:$a)), (CMP_I 5, 0, (LOP_I 0, GPR:$a, (i32 0), (i32 1)), 0)>;
def : Pat<(i32 (bswap GPR:$a)), (PRMT_I GPR:$a, (i32 0x0123), RZ)>;
