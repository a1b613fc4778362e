//===- Modifiers.td - Dotted modifiers ------------------------------------===//
// A modifier group is a small field of the word. Spellings[i] is the text of
// value i. Implicit is the value that is meant when no text of the group is
// given, and that is not printed; -1 makes the group required.
// In a pattern an implicit value need not be told; Told groups always must be.
// Hot groups are compile-time constants of the engines' handlers.
// Says[i] is what value i means, for the manual: one word or a few. Flags need
// none, and a group whose values every instruction explains says so in What.
//===----------------------------------------------------------------------===//

class ModGroup<string name, list<string> spellings, int implicit, bit hot, string what, string type, bit told>
    : OperandWithDefaultOps<i32, !if(!or(told, !lt(implicit, 0)), (ops), (ops (i32 implicit)))> {
  string GroupName = name;
  list<string> Spellings = spellings;
  int Implicit = implicit;
  bit Hot = hot;
  string What = what;
  string CppType = type;        // in C++: its own enum, that of another group, or bool
  list<string> Reads = [];      // state that any value but the implicit one reads, writes (Formats.td: Reads)
  list<string> Writes = [];
  list<string> Says = [];
  list<string> Synonyms = [];   // Synonyms[i]: another text of value i, taken and never printed
  list<int> Registers = [];     // of a format: how many registers a datum of value i fills (Formats.td: Wide)
  list<int> Bytes = [];         // of a format in memory: how many bytes
  let OperandType = "OPERAND_IMMEDIATE";
  let PrintMethod = "printMod<LenoMod::" # name # ">";
  let DecoderMethod = "decodeMod<LenoMod::" # name # ">";
  let ParserMatchClass = !cast<AsmOperandClass>("Mod" # name # "Class");
}

multiclass Group<list<string> spellings, int implicit, bit hot, string what, string type = "",
                 list<int> registers = [], list<string> reads = [], list<string> writes = [], list<string> says = [],
                 list<string> synonyms = [], list<int> bytes = [], bit told = 0> {
  def Mod # NAME # Class : AsmOperandClass {
    let Name = "Mod" # NAME;
    let PredicateMethod = "isMod<LenoMod::" # NAME # ">";
    let RenderMethod = "addImmOperands";
  }
  def Mod # NAME : ModGroup<NAME, spellings, implicit, hot, what, !if(!empty(type), NAME, type), told> {
    let Registers = registers;
    let Bytes = bytes;
    let Reads = reads;
    let Writes = writes;
    let Says = says;
    let Synonyms = synonyms;
  }
}
multiclass Flag<bit hot, string what, list<string> reads = [], list<string> writes = [], bit told = 0>
    : Group<["", NAME], 0, hot, what, "bool", [], reads, writes, told = told>;

defm S    : Flag<0, "pop-sync: after the instruction the lanes join [S0]">;
defm X    : Flag<1, "extended: takes CF in, for multi-word arithmetic", ["CF", "ZF"]>;
defm CC   : Flag<1, "writes the condition codes OF CF SF ZF", [], ["CC"]>;
defm SAT  : Flag<1, "saturate the result">;
defm FTZ  : Flag<1, "flush subnormal inputs and results to zero">;
defm NaN  : Flag<1, "a NaN beside a number gives NaN">;
defm HI   : Flag<1, "the high word of the product", told = 1>;
defm W    : Flag<1, "shift amount wraps modulo 32 instead of clamping", told = 1>;
defm U    : Flag<0, "uniform: all active lanes promise to agree">;
defm BF   : Flag<0, "boolean as a float: true is 1.0f, not 0xFFFFFFFF [S1]">;

defm Cmp  : Group<["f", "lt", "eq", "le", "gt", "ne", "ge", "t"], -1, 1, "integer comparison",
                   says = ["never", "a < b", "a = b", "a <= b", "a > b", "a and b differ", "a >= b",
                           "always"]>;
defm FCmp : Group<["f", "lt", "eq", "le", "gt", "ne", "ge", "num",
                   "nan", "ltu", "equ", "leu", "gtu", "neu", "geu", "t"], -1, 1,
                  "float comparison, ordered or (u) also true when unordered",
                   says = ["never", "less", "equal", "less or equal", "greater", "less or greater",
                           "greater or equal", "not unordered", "unordered", "less or unordered",
                           "equal or unordered", "not greater", "greater or unordered", "not equal",
                           "not less", "always"]>;
// A test of the flags is the set of outcomes that it lacks: bit 0 less, 1 equal, 2 greater, 3 unordered. So 0 is the
// test that always holds, which branches mean when they name none. 16 and up look at single flags.
defm CCTest : Group<["t", "geu", "neu", "gtu", "leu", "equ", "ltu", "nan", "num", "ge", "ne", "gt", "le", "eq", "lt", "f",
                     "lo", "ls", "hi", "hs", "of", "nof", "sf", "nsf"], -1, 0, "test of the flags", "", [], ["CC"],
                   says = ["always", "greater, equal or unordered", "less, greater or unordered",
                           "greater or unordered", "less, equal or unordered", "equal or unordered",
                           "less or unordered", "unordered", "not unordered", "greater or equal",
                           "less or greater", "greater", "less or equal", "equal", "less", "never",
                           "!CF: below, unsigned", "!CF or ZF: below or the same", "CF and !ZF: above",
                           "CF: above or the same", "OF", "!OF", "SF", "!SF"]>;
defm BoolOp  : Group<["and", "or", "xor"], 0, 0, "how the test combines with the source predicate",
                   says = ["both", "at least one", "exactly one"]>;
// Required, so that a lone `.or` of PSETP cannot be mistaken for the second one.
defm BoolOp0 : Group<["and", "or", "xor"], -1, 0, "the first combination, before the one with the last predicate", "BoolOp",
                   says = ["both", "at least one", "exactly one"]>;
defm Unsigned : Group<["s32", "u32"], 0, 1, "signedness of the operation", "bool",
                   says = ["signed", "unsigned"], told = 1>;
defm MulSign : Group<["s32", "us32", "su32", "u32"], 0, 1, "signedness of each factor",
                   says = ["both signed", "a unsigned, b signed", "a signed, b unsigned", "both unsigned"], told = 1>;
defm LogicOp : Group<["and", "or", "xor", "pass"], -1, 1, "bitwise operation; pass gives the second source",
                   says = ["a & b", "a | b", "a ^ b", "b"]>;
defm RegHalf : Group<["lo", "hi"], 0, 0, "half of the register: bits 15-0 or 31-16", "bool",
                   says = ["bits 15-0", "bits 31-16"]>;
defm ShflMode : Group<["idx", "up", "down", "bfly"], -1, 1, "how the source lane is found",
                   says = ["lane b", "b lanes below", "b lanes above", "lane number xor b"]>;
defm Direction : Group<["L", "R"], -1, 1, "left or right",
                   says = ["left", "right"]>;
defm SH   : Flag<1, "the answer as the left shift that brings the bit to the top", told = 1>;
defm Permute : Group<["IDX", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16"], 0, 1, "how the selector picks bytes",
                   says = ["a nibble of b for each byte", "forward four extract", "backward four extract",
                           "replicate a byte", "edge clamp left", "edge clamp right", "replicate a half"]>;
// Not a modifier but what may follow a source of the video instructions: the part, and from value 7 on unsigned.
defm SubWord : Group<["W", "H0", "H1", "B0", "B1", "B2", "B3", "U", "UH0", "UH1", "UB0", "UB1", "UB2", "UB3"], 0, 0,
                     "part of a source, signed or unsigned">;
defm VideoThen : Group<["full", "add", "min", "max", "h0", "h1", "b0", "b1", "b2", "b3"], 0, 0,
                       "what is done with the result: it stands alone, is combined with c, or replaces a part of c",
                   says = ["the whole result", "plus c", "minimum with c", "maximum with c",
                           "replaces half 0 of c", "replaces half 1 of c", "replaces byte 0 of c",
                           "replaces byte 1 of c", "replaces byte 2 of c", "replaces byte 3 of c"]>;
defm VideoScale : Group<["shr0", "shr7", "shr15"], 0, 0, "right shift of the sum",
                   says = ["not shifted", "by 7 bits", "by 15 bits"]>;
defm PO   : Flag<0, "plus one">;
defm VoteMode : Group<["all", "any", "eq"], -1, 1, "reduction over the active lanes",
                   says = ["true in all of them", "true in one or more", "the same in all"]>;
defm Round   : Group<["RN", "RM", "RP", "RZ"], 0, 0, "rounding",
                   says = ["to nearest, ties to even", "toward minus infinity", "toward plus infinity",
                           "toward zero"]>;
defm RoundZ  : Group<["RN", "RM", "RP", "RZ"], 3, 0, "rounding", "Round",
                   says = ["to nearest, ties to even", "toward minus infinity", "toward plus infinity",
                           "toward zero"],
                   synonyms = ["ROUND", "FLOOR", "CEIL", "TRUNC"]>;
defm IntType : Group<["s32", "u32", "s16", "u16", "s8", "u8"], 0, 0, "integer format",
                   says = ["signed word", "unsigned word", "signed half", "unsigned half", "signed byte",
                           "unsigned byte"]>;
defm ToInt : Group<["s32", "u32", "s16", "u16", "s8", "u8"], -1, 0, "integer format of the result", "IntType",
                   says = ["signed word", "unsigned word", "signed half", "unsigned half", "signed byte",
                           "unsigned byte"]>;
defm BytePart : Group<["b0", "b1", "b2", "b3"], 0, 0, "the byte of the source where the number begins",
                   says = ["bits 7-0 and up", "bits 15-8 and up", "bits 23-16 and up", "bits 31-24"]>;
// Formats of conversions. F2F names both of its own, so that one alone cannot be mistaken for the other.
defm IntFormat : Group<["s32", "u32", "s16", "u16", "s8", "u8", "s64", "u64"], 0, 1, "integer format", "",
                       [1, 1, 1, 1, 1, 1, 2, 2],
                   says = ["signed word", "unsigned word", "signed half", "unsigned half", "signed byte",
                           "unsigned byte", "signed, a pair", "unsigned, a pair"]>;
defm FloatFormat : Group<["f32", "f16", "f64"], 0, 1, "float format", "", [1, 1, 2],
                   says = ["single", "half", "double, a pair"]>;
defm ToFloat   : Group<["f32", "f16", "f64"], -1, 1, "float format of the result", "FloatFormat", [1, 1, 2],
                   says = ["single", "half", "double, a pair"]>;
defm FromFloat : Group<["f32", "f16", "f64"], -1, 1, "float format of the source", "FloatFormat", [1, 1, 2],
                   says = ["single", "half", "double, a pair"]>;
defm Integral  : Group<["", "ROUND", "FLOOR", "CEIL", "TRUNC"], 0, 0,
                       "first to a whole number: nearest even, down, up, toward zero",
                   says = ["not rounded to a whole number", "nearest, ties to even", "down", "up",
                           "toward zero"]>;
defm MufuFunction : Group<["RCP", "RSQ", "EX2", "LG2", "SIN", "COS", "SQRT", "RCP64H", "RSQ64H"], -1, 1, "function",
                   says = ["1 / x", "1 / square root of x", "2 to the power x", "logarithm of two", "sine",
                           "cosine", "square root", "1 / x, high word of a double",
                           "1 / square root, high word of a double"]>;
defm MemSize : Group<["32", "u8", "s8", "u16", "s16", "64", "128"], 0, 1, "access width and extension", "",
                     [1, 1, 1, 1, 1, 2, 4],
                   says = ["a word", "a byte, zero-extended", "a byte, sign-extended",
                           "a half, zero-extended", "a half, sign-extended", "a pair", "a quad"],
                   bytes = [4, 1, 1, 2, 2, 8, 16]>;
// PTX: cache operators of loads.
defm LoadCache : Group<["ca", "cg", "cv"], 0, 0, "which caches a load asks; its value is memory's whichever",
                   says = ["all of them", "none of its SM's: what is behind the crossbar",
                           "none of its SM's, which drops the line"]>;
defm AtomOp   : Group<["add", "min", "max", "inc", "dec", "and", "or", "xor", "exch"], -1, 0, "atomic operation",
                   says = ["sum", "minimum", "maximum", "increment, wrapping to 0 at b",
                           "decrement, wrapping to b at 0", "and", "or", "exclusive or", "exchange"]>;
defm RedOp    : Group<["add", "min", "max", "inc", "dec", "and", "or", "xor"], -1, 0, "atomic operation", "AtomOp",
                   says = ["sum", "minimum", "maximum", "increment, wrapping to 0 at b",
                           "decrement, wrapping to b at 0", "and", "or", "exclusive or"]>;
defm AtomType : Group<["u32", "s32", "u64", "f32"], 0, 0, "type of an atomic operation", "", [1, 1, 2, 1],
                   says = ["unsigned word", "signed word", "unsigned, a pair", "single"], bytes = [4, 4, 8, 4]>;
defm MemScope : Group<["CTA", "GL", "SYS"], -1, 0, "who sees the order: the CTA, the context, the host too",
                   says = ["the threads of the CTA", "those of the context", "the host too"]>;
defm CacheOp  : Group<["IV", "WB", "RS", "PF"], -1, 0, "invalidate, write back, retire soon, prefetch",
                   says = ["invalidate", "write back and keep", "write back, replace soon", "prefetch"]>;
