//===- Operands.td - Operand kinds ----------------------------------------===//
// A source with signs is two parts of an MCInst: the register and its flags
// (bit 0: negate or invert, bit 1: absolute). A constant adds bank and byte
// offset. The encoder and decoder give and take the composite value.
// For a compiler each is also a pattern of the same parts: select... is the
// selector's function that folds signs, constants and immediates into them.
//===----------------------------------------------------------------------===//

class OperandClass<string name, string predicate, string render, string expects> : AsmOperandClass {
  let Name = name;
  let PredicateMethod = predicate;
  let RenderMethod = render;
  string Expects = expects;
}

// An operand that may be absent. Its print method prints the separator too.
class OptionalClass<string name, string predicate, string render, string defaultMethod, string expects>
    : OperandClass<name, predicate, render, expects> {
  let IsOptional = 1;
  let DefaultMethod = defaultMethod;
}

// Guard: four bits, predicate and negate [S1]. Printed before the mnemonic.
def Guard : OperandWithDefaultOps<i32, (ops PT, (i32 0))> {
  let MIOperandInfo = (ops PR:$reg, i32imm:$neg);
  let EncoderMethod = "encodePredicate";
  let DecoderMethod = "decodePredicate";
  let PrintMethod = "printNothing";
  let ParserMatchClass = OperandClass<"Guard", "isGuard", "addPredicateOperands", "a guard">;
}

class RegSource<string name, string predicate, string print, string expects,
                string render = "addRegSourceOperands">
    : Operand<i32>, ComplexPattern<i32, 2, "select" # name> {
  let MIOperandInfo = (ops GPR:$reg, i32imm:$flags);
  let EncoderMethod = "encodeRegSource";
  let DecoderMethod = "decodeRegSource";
  let PrintMethod = print;
  let ParserMatchClass = OperandClass<name, predicate, render, expects>;
}
def RegN  : RegSource<"RegN", "isRegSource<1>", "printRegSource", "a register, negated or not">;
def RegNA : RegSource<"RegNA", "isRegSource<3>", "printRegSource", "a register, its negation or absolute value">;
// The destination once more, as a source: the word has one field for both.
def RegTiedN : RegSource<"RegTiedN", "isRegSource<1>", "printRegSource", "the destination again, negated or not"> {
  let DecoderMethod = "decodeRegTied";
}
def RegI  : RegSource<"RegI", "isRegInverted", "printRegInverted", "a register, inverted (~) or not">;

class ConstSource<string name, string predicate, string print, string expects,
                  string render = "addConstSourceOperands">
    : Operand<i32>, ComplexPattern<i32, 3, "select" # name> {
  let MIOperandInfo = (ops i32imm:$bank, i32imm:$offset, i32imm:$flags);
  let EncoderMethod = "encodeConstSource";
  let DecoderMethod = "decodeConstSource";
  let PrintMethod = print;
  let ParserMatchClass = OperandClass<name, predicate, render, expects>;
}
def Const   : ConstSource<"Const", "isConst<0>", "printConst", "a constant c[bank][offset]">;
def ConstN  : ConstSource<"ConstN", "isConst<1>", "printConst", "a constant, negated or not">;
def ConstNA : ConstSource<"ConstNA", "isConst<3>", "printConst", "a constant, its negation or absolute value">;
def ConstI  : ConstSource<"ConstI", "isConstInverted", "printConstInverted", "a constant, inverted (~) or not">;

// Sources of aliases: the flags are those of the instruction behind, with one the other way round.
def RegMinus   : RegSource<"RegMinus", "isRegSource<1>", "printRegSource", "a register, negated or not",
                           "addFlippedRegOperands<1>">;
def ConstMinus : ConstSource<"ConstMinus", "isConst<1>", "printConst", "a constant, negated or not",
                             "addFlippedConstOperands<1>">;
def RegNot     : RegSource<"RegNot", "isRegInverted", "printRegInverted", "a register, inverted (~) or not",
                           "addFlippedRegOperands<1>">;
def ConstNot   : ConstSource<"ConstNot", "isConstInverted", "printConstInverted", "a constant, inverted (~) or not",
                             "addFlippedConstOperands<1>">;
def RegAbs     : RegSource<"RegAbs", "isRegSource<0>", "printRegSource", "a register", "addFlippedRegOperands<2>">;
def ConstAbs   : ConstSource<"ConstAbs", "isConst<0>", "printConst", "a constant c[bank][offset]",
                             "addFlippedConstOperands<2>">;

// Sources of the video instructions: a part of the word, the third part of the MCInst (SubWord in Modifiers.td).
class RegPartSource<string name, string predicate, string expects> : Operand<i32> {
  let MIOperandInfo = (ops GPR:$reg, i32imm:$flags, i32imm:$part);
  let EncoderMethod = "encodeRegPart";
  let DecoderMethod = "decodeRegPart";
  let PrintMethod = "printRegPart";
  let ParserMatchClass = OperandClass<name, predicate, "addRegPartOperands", expects>;
}
def RegPart  : RegPartSource<"RegPart", "isRegPart<0>", "a register or a part of it such as R2.B1 or R2.UH0">;
def RegPartN : RegPartSource<"RegPartN", "isRegPart<1>",
                             "a register or a part of it such as R2.B1 or R2.UH0, negated or not">;
def ConstPart : Operand<i32> {
  let MIOperandInfo = (ops i32imm:$bank, i32imm:$offset, i32imm:$flags, i32imm:$part);
  let EncoderMethod = "encodeConstPart";
  let DecoderMethod = "decodeConstPart";
  let PrintMethod = "printConstPart";
  let ParserMatchClass = OperandClass<"ConstPart", "isConstPart", "addConstPartOperands",
                                      "a constant c[bank][offset] or a part of it such as c[0][8].B1">;
}

class ImmOperandOf<AsmOperandClass matchClass, string print, string encoder, string decoder> : Operand<i32> {
  string Field = ""; // a C++ type: the value is a field of the semantic's XMods, under the operand's name
  int Width = 0;     // its bits
  let EncoderMethod = encoder;
  let DecoderMethod = decoder;
  let PrintMethod = print;
  let ParserMatchClass = matchClass;
}
class ImmOperand<string name, string predicate, string print, string encoder, string decoder, string expects,
                 string render = "addImmOperands">
    : ImmOperandOf<OperandClass<name, predicate, render, expects>, print, encoder, decoder>;
// An immediate that fits both is taken as the narrower.
def Imm32Class : OperandClass<"Imm32", "isImm32", "addImmOperands", "a 32-bit integer, float or label">;
def Imm20Class : OperandClass<"Imm20", "isSImm<20>", "addImmOperands", "an integer from -524288 to 524287"> {
  let SuperClasses = [Imm32Class];
}
def Imm20  : ImmOperandOf<Imm20Class, "printImm", "encodeImm<20>", "decodeSImm<20>">, ImmLeaf<i32, "return isInt<20>(Imm);">;
// 18 bits, where a word has no room for 20.
def Imm18  : ImmOperand<"Imm18", "isSImm<18>", "printImm", "encodeImm<18>", "decodeSImm<18>",
                        "an integer from -131072 to 131071">, ImmLeaf<i32, "return isInt<18>(Imm);">;
// 16 bits, for the video instructions.
def Imm16  : ImmOperand<"Imm16", "isSImm<16>", "printImm", "encodeImm<16>", "decodeSImm<16>",
                        "an integer from -32768 to 32767">;
// 9 bits, beside a constant.
def Imm9   : ImmOperand<"Imm9", "isSImm<9>", "printImm", "encodeImm<9>", "decodeSImm<9>", "an integer from -256 to 255">;
def UImm6  : ImmOperand<"UImm6", "isUImm<6>", "printImm", "encodeImm<6>", "decodeUImm<6>",
                        "a shift amount from 0 to 63">;
// An immediate that the lane function takes from its modifiers: a table, an amount, a mask.
class FieldOperand<string name, int width, string expects>
    : ImmOperand<name, "isUImm<" # width # ">", "printImm", "encodeImm<" # width # ">", "decodeUImm<" # width # ">",
                 expects> {
  let Field = !if(!le(width, 8), "uint8_t", !if(!le(width, 16), "uint16_t", "uint32_t"));
  let Width = width;
}
def TruthTable  : FieldOperand<"TruthTable", 8, "a truth table from 0 to 255"> { let PrintMethod = "printHex8"; }
def ShuffleLane : ImmOperand<"ShuffleLane", "isUImm<5>", "printImm", "encodeImm<5>", "decodeUImm<5>",
                             "an integer from 0 to 31">;
def ShuffleClamp : ImmOperand<"ShuffleClamp", "isUImm<13>", "printHex", "encodeImm<13>", "decodeUImm<13>",
                              "an integer from 0 to 0x1fff">;
def ShiftAmount : FieldOperand<"ShiftAmount", 5, "a shift amount from 0 to 31">, ImmLeaf<i32, "return isUInt<5>(Imm);">;

def FImm20 : ImmOperand<"FImm20", "isFImm20", "printSingle", "encodeFImm20", "decodeFImm20",
                        "a float whose low 12 bits are zero", "addFloatImmOperands">;
def FImm32 : ImmOperand<"FImm32", "isFImm32", "printSingle", "encodeImm<32>", "decodeUImm<32>", "a float",
                        "addFloatImmOperands">;
def DImm20 : ImmOperand<"DImm20", "isDImm20", "printDouble", "encodeDImm20", "decodeDImm20",
                        "a float whose double has zeros below its upper 20 bits", "addDoubleImmOperands">;
def Imm32  : ImmOperandOf<Imm32Class, "printHex32", "encodeImm32", "decodeUImm<32>">, ImmLeaf<i32, "return true;">;
def BarrierId : ImmOperand<"BarrierId", "isUImm<4>", "printImm", "encodeImm<4>", "decodeUImm<4>",
                           "a barrier number from 0 to 15">;
def BarrierCount : Operand<i32> {
  let EncoderMethod = "encodeImm<12>";
  let DecoderMethod = "decodeThreadCount";
  let PrintMethod = "printThreadCount";
  let ParserMatchClass = OptionalClass<"BarrierCount", "isThreadCount", "addImmOperands", "defaultZero",
                                       "a thread count from 32 to 4064, a multiple of 32">;
}
def BreakCode : ImmOperand<"BreakCode", "isUImm<20>", "printImm", "encodeImm<20>", "decodeUImm<20>",
                           "a number from 0 to 1048575">;

def Special : Operand<i32> {
  let PrintMethod = "printSpecial";
  let DecoderMethod = "decodeSpecial";
  let ParserMatchClass = OperandClass<"Special", "isSpecial", "addImmOperands", "a special register such as SR_TID.X">;
}

def PredSourceClass : OperandClass<"PredSource", "isPredSource", "addPredicateOperands", "a predicate, negated (!) or not">;
class PredSourceBase : Operand<i1> {
  let MIOperandInfo = (ops PR:$reg, i32imm:$neg);
  let EncoderMethod = "encodePredicate";
  let DecoderMethod = "decodePredicate";
}
def PredSource : PredSourceBase, ComplexPattern<i1, 2, "selectPredSource"> {
  let PrintMethod = "printPredSource";
  let ParserMatchClass = PredSourceClass;
}
// The last source predicate of a set instruction: PT when absent, and then not printed.
def OptPredSource : PredSourceBase {
  let PrintMethod = "printOptPredSource";
  let ParserMatchClass = OptionalClass<"OptPredSource", "isPredSource", "addPredicateOperands", "defaultPredSource",
                                       "a predicate, negated (!) or not">;
}
// The second destination of a set instruction: PT when absent, and then not printed.
def OptPredDest : RegisterOperand<PR> {
  let PrintMethod = "printOptPredDest";
  let ParserMatchClass = OptionalClass<"OptPredDest", "isPredDest", "addRegOperands", "defaultPredDest", "a predicate">;
}
// The same in front of the others.
def LeadingPredDest : RegisterOperand<PR> {
  let PrintMethod = "printLeadingPredDest";
  let ParserMatchClass = OptionalClass<"LeadingPredDest", "isPredDest", "addRegOperands", "defaultPredDest", "a predicate">;
}
// The ballot of VOTE: RZ when absent, and then not printed.
def OptRegDest : RegisterOperand<GPR> {
  let PrintMethod = "printOptRegDest";
  let ParserMatchClass = OptionalClass<"OptRegDest", "isRegDest", "addRegOperands", "defaultRegDest", "a register">;
}

// The last source of a video instruction: RZ when absent, and then not printed.
def OptRegSource : RegisterOperand<GPR> {
  let PrintMethod = "printOptRegSource";
  let ParserMatchClass = OptionalClass<"OptRegSource", "isRegDest", "addRegOperands", "defaultRegDest", "a register">;
}

// Memory addresses: base register, whether it is a 64-bit pair, byte offset.
class AddressBase<string name, string predicate, int width, string expects> : Operand<i32> {
  let MIOperandInfo = (ops GPR:$base, i32imm:$wide, i32imm:$offset);
  let EncoderMethod = "encodeAddress";
  let DecoderMethod = "decodeAddress<" # width # ">";
  let PrintMethod = "printAddress";
  let ParserMatchClass = OperandClass<name, predicate, "addAddressOperands", expects>;
}
def GlobalAddress : AddressBase<"GlobalAddress", "isAddress<true>", 24, "an address such as [R4+16] or [R4.64]">;
def SharedAddress : AddressBase<"SharedAddress", "isAddress<false>", 24, "an address such as [R4+16]">;
def LocalAddress  : AddressBase<"LocalAddress", "isAddress<false>", 24, "an address such as [R4+16]">;
// Atomics have fewer bits for the offset.
class ShortAddress<string name, bit wide, int width, string range>
    : AddressBase<name, "isAddress<" # !if(wide, "true", "false") # ", " # width # ">", width,
                  "an address such as [R4+16]" # !if(wide, " or [R4.64]", "") # ", its offset from " # range>;
def GlobalAddress16 : ShortAddress<"GlobalAddress16", 1, 16, "-32768 to 32767">;
def SharedAddress16 : ShortAddress<"SharedAddress16", 0, 16, "-32768 to 32767">;
def GlobalAddress12 : ShortAddress<"GlobalAddress12", 1, 12, "-2048 to 2047">;
def SharedAddress12 : ShortAddress<"SharedAddress12", 0, 12, "-2048 to 2047">;

def ConstAddress : Operand<i32> {
  let MIOperandInfo = (ops i32imm:$bank, GPR:$base, i32imm:$offset);
  let EncoderMethod = "encodeConstAddress";
  let DecoderMethod = "decodeConstAddress";
  let PrintMethod = "printConstAddress";
  let ParserMatchClass = OperandClass<"ConstAddress", "isConstAddress", "addConstAddressOperands",
                                      "a constant c[bank][R4+offset]">;
}

// The join of the set-sync form [S0], told apart from the target by its fewer bits.
def Join20 : Operand<i32> {
  let OperandType = "OPERAND_PCREL";
  let EncoderMethod = "encodeJoin20";
  let DecoderMethod = "decodeTarget<20>";
  let PrintMethod = "printJoin";
  let ParserMatchClass = OperandClass<"Join20", "isTarget", "addImmOperands", "the label of the join">;
}

// A test of the flags in front of a branch's target (Modifiers.td: CCTest): T when absent, and then not printed.
def FlagTest : Operand<i32> {
  list<string> Reads = ["CC"];  // any test but the implicit one, 0
  string Field = "CCTest";
  let DecoderMethod = "decodeMod<LenoMod::CCTest>";
  let PrintMethod = "printFlagTest";
  let ParserMatchClass = OptionalClass<"FlagTest", "isFlagTest", "addImmOperands", "defaultZero",
                                       "a test of the flags such as CC.LT">;
}

// An absolute address of code, in words.
class CodeAddress<string print, AsmOperandClass match> : Operand<i32> {
  let EncoderMethod = "encodeAddress24";
  let DecoderMethod = "decodeAddress24";
  let PrintMethod = print;
  let ParserMatchClass = match;
}
defvar CodeAddressText = "a label or a multiple of 8 from 0 to 134217720";
def Address24 : CodeAddress<"printCodeAddress",
                            OperandClass<"Address24", "isCodeAddress", "addImmOperands", CodeAddressText>>;
// 0 when absent, and then not printed.
def OptAddress24 : CodeAddress<"printOptCodeAddress",
                               OptionalClass<"OptAddress24", "isCodeAddress", "addImmOperands", "defaultZero", CodeAddressText>>;

def Target24 : Operand<i32> {
  let OperandType = "OPERAND_PCREL";
  let EncoderMethod = "encodeTarget24";
  let DecoderMethod = "decodeTarget<24>";
  let PrintMethod = "printTarget";
  let ParserMatchClass = OperandClass<"Target24", "isTarget", "addImmOperands", "a label">;
}
