//===- LenoAsmParser.h - Assembly text to instructions --------------------===//
#pragma once

#include "asm/CheckReport.h"
#include "asm/FixIts.h"
#include "asm/LenoOperand.h"
#include "asm/LenoTargetStreamer.h"
#include "asm/MacroCalls.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCParser/AsmLexer.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCSubtargetInfo.h"

namespace leno {

class SourceFiles;

// What the generated part of the class names without its namespace.
using llvm::ArrayRef;
using llvm::FeatureBitset;
using llvm::MCInst;
using llvm::OperandVector;
using llvm::SmallBitVector;

/// Parses one statement at a time: guard, mnemonic with dotted modifiers, operands; and the `.kernel`
/// directives. Modifiers are sorted into the order of the record before matching, so that people may write
/// them in any order.
class LenoAsmParser : public llvm::MCTargetAsmParser {
public:
  enum LenoMatchResultTy {
    Match_Dummy = FIRST_TARGET_MATCH_RESULT_TY,
#define GET_OPERAND_DIAGNOSTIC_TYPES
#include "isa/LenoGenAsmMatcher.inc"
  };

  LenoAsmParser(const llvm::MCSubtargetInfo &subtargetInfo, llvm::MCAsmParser &parser,
                const llvm::MCInstrInfo &instrInfo, const llvm::MCTargetOptions &options);

  /// Which checks warn; must be set before anything is parsed.
  const WarningOptions *warnings = nullptr;
  /// What .include and .incbin open; set before, too.
  SourceFiles *files = nullptr;
  /// Where a kernel or label of that name stands first; invalid when none does.
  llvm::SMLoc firstPlace(llvm::StringRef name) const { return firstPlaces.lookup(name); }
  /// The macro calls that instructions come from.
  MacroCalls &macroCalls() { return calls; }
  /// Corrections of the messages that it tells.
  FixIts fixIts;
  /// After an error whose consequences have no end: nothing more is read, and nothing more to be told.
  void giveUp();
  bool hasGivenUp() const { return givenUp; }
  /// "; did you mean '.kernel'?" for the text at an unknown directive.
  static std::string directiveHint(llvm::StringRef typed);

private:
#define GET_ASSEMBLER_HEADER
#include "isa/LenoGenAsmMatcher.inc"

  // MCTargetAsmParser.
  bool parseRegister(llvm::MCRegister &reg, llvm::SMLoc &start, llvm::SMLoc &end) override;
  llvm::ParseStatus tryParseRegister(llvm::MCRegister &reg, llvm::SMLoc &start, llvm::SMLoc &end) override;
  bool parseInstruction(llvm::ParseInstructionInfo &info, llvm::StringRef name, llvm::SMLoc nameLoc,
                        llvm::OperandVector &operands) override;
  bool matchAndEmitInstruction(llvm::SMLoc loc, unsigned &opcode, llvm::OperandVector &operands,
                               llvm::MCStreamer &out, uint64_t &errorInfo, bool matchingInlineAsm) override;
  llvm::ParseStatus parseDirective(llvm::AsmToken directive) override;
  bool parsePrimaryExpr(const llvm::MCExpr *&res, llvm::SMLoc &end) override;
  bool tokenIsStartOfStatement(llvm::AsmToken::TokenKind token) override {
    return token == llvm::AsmToken::At;
  }
  bool equalIsAsmAssignment() override;
  void doBeforeLabelEmit(llvm::MCSymbol *symbol, llvm::SMLoc loc) override;
  void onEndOfFile() override;

  // Parts of an instruction.
  bool parseGuard(llvm::SMLoc at, llvm::OperandVector &operands, llvm::StringRef &mnemonic,
                  llvm::SMLoc &mnemonicLoc);
  bool guardMacro(llvm::MCRegister reg, bool inverted);
  void inheritGuard(LenoOperand &guard) const;
  bool explainInherited(bool failed);
  void leaveMacro(llvm::SMLoc loc);
  bool parseMnemonic(llvm::StringRef text, llvm::SMLoc loc, llvm::OperandVector &operands);
  bool parseModifiers(const MnemonicInfo &info, llvm::StringRef text, llvm::SMLoc loc,
                      llvm::OperandVector &operands);
  bool parseOperand(llvm::OperandVector &operands);
  std::unique_ptr<LenoOperand> parseSource(unsigned sign, llvm::SMLoc start);
  std::unique_ptr<LenoOperand> parseImmediate();
  std::unique_ptr<LenoOperand> parseFlagTest();
  std::unique_ptr<LenoOperand> parseFloat(bool negative, llvm::SMLoc start);
  static bool beginsFloat(const llvm::AsmToken &token);
  std::unique_ptr<LenoOperand> parseConstant(unsigned sign, llvm::SMLoc start);
  std::unique_ptr<LenoOperand> parseAddress();
  bool registerFollows();
  bool parsePlace(llvm::MCRegister &reg, llvm::StringRef *width, llvm::SMLoc &offsetLoc,
                  llvm::function_ref<bool(llvm::SMLoc &)> parseNumber);
  bool parsePart(LenoOperand &operand, llvm::StringRef text, llvm::SMLoc loc);
  bool parseAbsolute(int64_t &value, const char *what, llvm::SMLoc &start);
  void locate(llvm::SMLoc loc, bool isInstruction, llvm::MCStreamer &out);
  bool parseOffset(LenoOperand &operand, llvm::SMLoc &start);
  std::unique_ptr<LenoOperand> parseAddressHalf();
  llvm::MCRegister registerNamed(llvm::StringRef name, bool *isOneOf = nullptr) const;
  bool nameIsRegister(llvm::StringRef name, llvm::SMLoc loc, llvm::MCRegister &reg, bool &failed);
  bool takeRegister(llvm::MCRegister &reg, llvm::SMLoc &end, bool &failed, llvm::StringRef *suffix = nullptr);
  bool beginsSource(const llvm::AsmToken &token) const;

  // After matching.
  bool explain(llvm::SMLoc loc, const llvm::OperandVector &operands);
  bool checkTied(const llvm::MCInst &inst, const llvm::OperandVector &operands);
  bool checkRules(const llvm::MCInst &inst, const llvm::OperandVector &operands);
  bool explainTypo(llvm::StringRef text, llvm::SMLoc loc);
  using GivenOperands = llvm::SmallVector<const LenoOperand *, 8>;
  static bool fits(const MnemonicInfo &info, llvm::ArrayRef<const LenoOperand *> given);
  std::string nameHint(const LenoOperand &operand) const;
  bool explainOperand(const LenoOperand &operand, llvm::ArrayRef<OperandKind> wanted,
                      const GivenOperands &given);

  // What to write instead (LenoAsmAdvice.cpp).
  bool explainMnemonic(llvm::StringRef text, llvm::StringRef key, llvm::SMLoc loc);
  bool explainBehindOperand(const LenoOperand &operand);
  void noteOtherForms(llvm::SMLoc loc, const llvm::OperandVector &operands, const GivenOperands &given,
                      size_t wrong);
  void noteExchanged(llvm::SMLoc loc, const llvm::OperandVector &operands, const GivenOperands &given,
                     size_t wrong);
  bool noteDestination(llvm::SMLoc loc, const GivenOperands &given);
  bool isParameter(llvm::StringRef name);
  static bool isSource(const LenoOperand &operand);
  std::string lineOf(llvm::StringRef mnemonic, llvm::ArrayRef<const LenoOperand *> given,
                     llvm::SMLoc loc) const;
  std::string wayToRegister(const LenoOperand &operand, const GivenOperands &given) const;
  template <unsigned Width>
  std::string floatAdvice(const LenoOperand &operand, const GivenOperands &given) const;
  bool warn(check::Check check, llvm::SMLoc loc, const llvm::Twine &message, const llvm::Twine &note);
  void warnOfOperands(const llvm::OperandVector &operands);
  bool checkRegisters(const llvm::MCInst &inst, const llvm::OperandVector &operands, uint32_t &registers);

  // Directives.
  struct Directive;
  static llvm::ArrayRef<Directive> directives();
  static bool isDirective(llvm::StringRef name);
  bool parseKernel(llvm::SMLoc loc);
  bool parseParam(llvm::SMLoc loc);
  bool parseArgument(llvm::SMLoc loc);
  bool parseBlock(llvm::SMLoc loc);
  bool parseHints(llvm::SMLoc loc);
  bool parseShared(llvm::SMLoc loc);
  llvm::ParseStatus parseLocal(llvm::SMLoc loc);
  bool parseRegisters(llvm::SMLoc loc);
  bool parseEndKernel(llvm::SMLoc loc);
  bool nameIsNoVariable(llvm::StringRef name, llvm::SMLoc loc);
  bool nameIsNoRegister(llvm::StringRef name, llvm::SMLoc loc);
  llvm::ParseStatus checkAssigned();
  bool nameIsFree(llvm::StringRef name, llvm::SMLoc loc);
  bool parseConst();
  llvm::ParseStatus parseGlobal();
  bool parseData(unsigned bytes);
  bool parseFloatData(const llvm::fltSemantics &format);
  bool parseFloatValue(const llvm::fltSemantics &format);

  // Expressions (LenoAsmExpressions.cpp).
  bool parseNumber(const llvm::MCExpr *&res, llvm::SMLoc &end);
  bool parseOperators(const llvm::MCExpr *&res, llvm::SMLoc &end, unsigned lowest);
  bool parseSigned(const llvm::MCExpr *&res, llvm::SMLoc &end);
  bool parseTerm(const llvm::MCExpr *&res, llvm::SMLoc &end);
  bool tooMuchIn(llvm::StringRef name, llvm::SMLoc loc);
  void checkNames();
  bool fold(const llvm::MCExpr *&res, const llvm::MCExpr *made, llvm::SMLoc loc);

  // Text that comes from elsewhere (LenoAsmMacros.cpp).
  llvm::ParseStatus checkInclude(llvm::SMLoc loc);
  llvm::ParseStatus opensBytes();

  // Those that take room by a number (LenoAsmSpace.cpp).
  bool parseCount(const llvm::MCExpr *&expr, std::optional<uint64_t> &count, const char *what,
                  llvm::SMLoc &start);
  bool roomFor(uint64_t bytes, llvm::SMLoc loc);
  bool parseSpace(llvm::SMLoc loc);
  bool parseFill(llvm::SMLoc loc);
  llvm::ParseStatus checkRepetitions();

  // Names of registers (LenoAsmNames.cpp).
  struct NamedRegisters : RegisterName {
    llvm::SMLoc loc;
  };
  bool parseRegisterName(bool isPredicate);
  bool parseNameRange(NamedRegisters &named);
  llvm::StringRef takeSuffix(llvm::SMLoc end);
  bool nameCanBeDeclared(llvm::StringRef name, llvm::SMLoc loc);
  const NamedRegisters *findName(llvm::StringRef name) const;
  std::vector<RegisterName> visibleNames() const;

  // Defaults of operands that may be absent (isa/Operands.td).
  std::unique_ptr<LenoOperand> defaultReg(LenoOperand::Kind kind, llvm::MCRegister reg) const;
  std::unique_ptr<LenoOperand> defaultPredSource() const {
    return defaultReg(LenoOperand::Kind::Predicate, LENO::PT);
  }
  std::unique_ptr<LenoOperand> defaultPredDest() const { return defaultPredSource(); }
  std::unique_ptr<LenoOperand> defaultRegDest() const {
    return defaultReg(LenoOperand::Kind::Register, LENO::RZ);
  }
  std::unique_ptr<LenoOperand> defaultZero() const { return defaultReg(LenoOperand::Kind::Immediate, {}); }

  LenoTargetStreamer &target() {
    return static_cast<LenoTargetStreamer &>(*getStreamer().getTargetStreamer());
  }
  const llvm::AsmToken &token() const { return parser.getTok(); }
  static llvm::StringRef textAt(llvm::SMLoc loc, size_t length) { return {loc.getPointer(), length}; }
  static llvm::SMLoc at(llvm::SMLoc base, llvm::StringRef whole, llvm::StringRef part) {
    return llvm::SMLoc::getFromPointer(base.getPointer() + (part.data() - whole.data()));
  }

  llvm::MCAsmParser &parser;
  MacroCalls calls;
  const llvm::MCRegisterInfo &registerInfo;
  const MnemonicInfo *current = nullptr; ///< the mnemonic being parsed
  llvm::SMLoc guardLoc;                  ///< of the instruction being parsed, invalid when unguarded
  llvm::SMLoc kernelLoc;                 ///< of the open .kernel
  llvm::SMLoc registersLoc;              ///< of its .registers
  bool kernelHasStatements = false;      ///< instructions, right or wrong, since .kernel
  std::optional<uint32_t> sharedNamed;   ///< SharedUse::variable of the statement at hand
  std::vector<SharedUse> sharedUses;     ///< of the kernel's instructions
  bool kernelHasData = false;            ///< among its instructions
  uint32_t highestRegisters = 0;         ///< what its instructions need, and where that was
  llvm::SMLoc highestLoc;
  uint64_t filledBytes = 0; ///< by .zero, .fill and the like, in sections that are in the file
  std::vector<NamedRegisters> fileNames, kernelNames;
  /// A macro that was called with a guard: all instructions of its expansion have it.
  struct GuardedMacro {
    unsigned buffer; ///< of the expansion
    llvm::MCRegister reg;
    bool inverted;
    llvm::SMLoc loc;
  };
  std::vector<GuardedMacro> guardedMacros;
  llvm::StringMap<llvm::SMLoc> firstPlaces; ///< of kernels and labels
  bool givenUp = false;
  bool stopsAtRegister = false;              ///< `[w+R10]`: what is parsed is an address
  unsigned nesting = 0;                      ///< of parentheses around the expression at hand
  unsigned unfolded = 0;                     ///< its operators whose value is not known yet
  bool macroFollows = false;                 ///< the statement was a guard before a macro's name
  std::vector<llvm::MCRegister> gprs, preds; ///< by number
};

} // namespace leno
