//===- Modifiers.td - Dotted modifiers ------------------------------------===//
// A modifier group is a small field of the word. Spellings[i] is the text of
// value i. Implicit is the value that is meant when no text of the group is
// given, and that is not printed; -1 makes the group required.
// Hot groups are compile-time constants of the engines' handlers.
//===----------------------------------------------------------------------===//

class ModGroup<string name, list<string> spellings, int implicit, bit hot, string what, string type>
    : Operand<i32> {
  string GroupName = name;
  list<string> Spellings = spellings;
  int Implicit = implicit;
  bit Hot = hot;
  string What = what;
  string CppType = type;        // in C++: its own enum, that of another group, or bool
  list<string> Reads = [];      // state that any value but the implicit one reads, writes: "CC" (Formats.td: Reads)
  list<string> Writes = [];
  list<int> Registers = [];     // of a format: how many registers a datum of value i fills (Formats.td: Wide)
  let OperandType = "OPERAND_IMMEDIATE";
  let PrintMethod = "printMod<LenoMod::" # name # ">";
  let DecoderMethod = "decodeMod<LenoMod::" # name # ">";
  let ParserMatchClass = !cast<AsmOperandClass>("Mod" # name # "Class");
}

multiclass Group<list<string> spellings, int implicit, bit hot, string what, string type = "",
                 list<int> registers = [], list<string> reads = [], list<string> writes = []> {
  def Mod # NAME # Class : AsmOperandClass {
    let Name = "Mod" # NAME;
    let PredicateMethod = "isMod<LenoMod::" # NAME # ">";
    let RenderMethod = "addImmOperands";
  }
  def Mod # NAME : ModGroup<NAME, spellings, implicit, hot, what, !if(!empty(type), NAME, type)> {
    let Registers = registers;
    let Reads = reads;
    let Writes = writes;
  }
}
multiclass Flag<bit hot, string what, list<string> reads = [], list<string> writes = []>
    : Group<["", NAME], 0, hot, what, "bool", [], reads, writes>;

defm S    : Flag<0, "pop-sync: after the instruction the lanes join [S0]">;
defm X    : Flag<1, "extended: takes CF in, for multi-word arithmetic", ["CC"]>;
defm CC   : Flag<1, "writes the condition codes OF CF SF ZF", [], ["CC"]>;
defm SAT  : Flag<1, "saturate the result">;
defm FTZ  : Flag<1, "flush subnormal inputs and results to zero">;
defm HI   : Flag<1, "the high word of the product">;
defm W    : Flag<1, "shift amount wraps modulo 32 instead of clamping">;
defm U    : Flag<0, "uniform: all active lanes promise to agree">;
defm BF   : Flag<0, "boolean as a float: true is 1.0f, not 0xFFFFFFFF [S1]">;

defm Cmp  : Group<["f", "lt", "eq", "le", "gt", "ne", "ge", "t"], -1, 1, "integer comparison">;
defm FCmp : Group<["f", "lt", "eq", "le", "gt", "ne", "ge", "num",
                   "nan", "ltu", "equ", "leu", "gtu", "neu", "geu", "t"], -1, 1,
                  "float comparison, ordered or (u) also true when unordered">;
// A test of the flags is the set of outcomes that it lacks: bit 0 less, 1 equal, 2 greater, 3 unordered. So 0 is the
// test that always holds, which branches mean when they name none. 16 and up look at single flags.
defm CCTest : Group<["t", "geu", "neu", "gtu", "leu", "equ", "ltu", "nan", "num", "ge", "ne", "gt", "le", "eq", "lt", "f",
                     "lo", "ls", "hi", "hs", "of", "nof", "sf", "nsf"], -1, 0, "test of the flags", "", [], ["CC"]>;
defm BoolOp  : Group<["and", "or", "xor"], 0, 0, "how the test combines with the source predicate">;
// Required, so that a lone `.or` of PSETP cannot be mistaken for the second one.
defm BoolOp0 : Group<["and", "or", "xor"], -1, 0, "the first combination, before the one with the last predicate", "BoolOp">;
defm Unsigned : Group<["s32", "u32"], 0, 1, "signedness of the operation", "bool">;
defm MulSign : Group<["s32", "us32", "su32", "u32"], 0, 1, "signedness of each factor">;
defm LogicOp : Group<["and", "or", "xor", "pass"], -1, 1, "bitwise operation; pass gives the second source">;
defm RegHalf : Group<["lo", "hi"], 0, 0, "half of the register: bits 15-0 or 31-16", "bool">;
defm ShflMode : Group<["idx", "up", "down", "bfly"], -1, 1, "how the source lane is found">;
defm Direction : Group<["L", "R"], -1, 1, "left or right">;
defm SH   : Flag<1, "the answer as the left shift that brings the bit to the top">;
defm Permute : Group<["IDX", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16"], 0, 1, "how the selector picks bytes">;
// Not a modifier but what may follow a source of the video instructions: the part, and from value 7 on unsigned.
defm SubWord : Group<["W", "H0", "H1", "B0", "B1", "B2", "B3", "U", "UH0", "UH1", "UB0", "UB1", "UB2", "UB3"], 0, 0,
                     "part of a source, signed or unsigned">;
defm VideoThen : Group<["full", "add", "min", "max", "h0", "h1", "b0", "b1", "b2", "b3"], 0, 0,
                       "what is done with the result: it stands alone, is combined with c, or replaces a part of c">;
defm VideoScale : Group<["shr0", "shr7", "shr15"], 0, 0, "right shift of the sum">;
defm PO   : Flag<0, "plus one">;
defm VoteMode : Group<["all", "any", "eq"], -1, 1, "reduction over the active lanes">;
defm Round   : Group<["RN", "RM", "RP", "RZ"], 0, 0, "rounding: to nearest even, down, up, toward zero">;
defm RoundZ  : Group<["RN", "RM", "RP", "RZ"], 3, 0, "rounding: to nearest even, down, up, toward zero", "Round">;
defm IntType : Group<["s32", "u32", "s16", "u16", "s8", "u8"], 0, 0, "integer format">;
defm ToInt : Group<["s32", "u32", "s16", "u16", "s8", "u8"], -1, 0, "integer format of the result", "IntType">;
defm BytePart : Group<["b0", "b1", "b2", "b3"], 0, 0, "the byte of the source where the number begins">;
// Formats of conversions. F2F names both of its own, so that one alone cannot be mistaken for the other.
defm IntFormat : Group<["s32", "u32", "s16", "u16", "s8", "u8", "s64", "u64"], 0, 1, "integer format", "",
                       [1, 1, 1, 1, 1, 1, 2, 2]>;
defm FloatFormat : Group<["f32", "f16", "f64"], 0, 1, "float format", "", [1, 1, 2]>;
defm ToFloat   : Group<["f32", "f16", "f64"], -1, 1, "float format of the result", "FloatFormat", [1, 1, 2]>;
defm FromFloat : Group<["f32", "f16", "f64"], -1, 1, "float format of the source", "FloatFormat", [1, 1, 2]>;
defm Integral  : Group<["", "ROUND", "FLOOR", "CEIL", "TRUNC"], 0, 0,
                       "first to a whole number: nearest even, down, up, toward zero">;
defm MufuFunction : Group<["RCP", "RSQ", "EX2", "LG2", "SIN", "COS", "SQRT", "RCP64H", "RSQ64H"], -1, 1, "function">;
defm MemSize : Group<["32", "u8", "s8", "u16", "s16", "64", "128"], 0, 1, "access width and extension", "",
                     [1, 1, 1, 1, 1, 2, 4]>;
defm AtomOp   : Group<["add", "min", "max", "inc", "dec", "and", "or", "xor", "exch"], -1, 0, "atomic operation">;
defm RedOp    : Group<["add", "min", "max", "inc", "dec", "and", "or", "xor"], -1, 0, "atomic operation", "AtomOp">;
defm AtomType : Group<["u32", "s32", "u64", "f32"], 0, 0, "type of an atomic operation", "", [1, 1, 2, 1]>;
defm MemScope : Group<["CTA", "GL", "SYS"], -1, 0, "who sees the order: the CTA, the context, the host too">;
defm CacheOp  : Group<["IV", "WB", "RS", "PF"], -1, 0, "invalidate, write back, retire soon, prefetch">;
