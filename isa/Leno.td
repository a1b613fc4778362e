//===- Leno.td - The Leno instruction set, root file ----------------------===//
// The one truth about names, encodings, operands, modifiers and their one line
// of documentation. Assembler, disassembler, predecoder and manual are made
// from these records (isa/gen).
//===----------------------------------------------------------------------===//
include "llvm/Target/Target.td"

include "Registers.td"
include "Opcodes.td"
include "Modifiers.td"
include "Operands.td"
include "Formats.td"
include "Move.td"
include "Predicate.td"
include "Integer.td"
include "Dot.td"
include "Bits.td"
include "Video.td"
include "Float.td"
include "Double.td"
include "Special.td"
include "Convert.td"
include "Memory.td"
include "Barrier.td"
include "Control.td"
include "Directives.td"
include "ElementTypes.td"

defm : RemapAllTargetPseudoPointerOperands<GPR>;

def LenoInstrInfo : InstrInfo;

def LenoAsmParser : AsmParser {
  let ShouldEmitMatchRegisterName = 0;
  let ShouldEmitMatchRegisterAltName = 0;
}
def LenoAsmParserVariant : AsmParserVariant {
  let RegisterPrefix = "";
  let TokenizingCharacters = "";
}
def LenoAsmWriter : AsmWriter {
  string AsmWriterClassName = "InstPrinter";
  int PassSubtarget = 0;
}

def : ProcessorModel<"leno", NoSchedModel, []>;

#ifndef LENO_CODE // the code generator has a target of its own: asm/codegen/LenoCode.td
def Leno : Target {
  let InstructionSet = LenoInstrInfo;
  let AssemblyParsers = [LenoAsmParser];
  let AssemblyParserVariants = [LenoAsmParserVariant];
  let AssemblyWriters = [LenoAsmWriter];
}
#endif
