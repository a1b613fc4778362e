//===- LenoAsmMatch.cpp - Matched instructions, and why one does not match ===//
#include "asm/Effects.h"
#include "asm/LenoAsmParser.h"
#include "asm/support/NearMiss.h"

#include "asm/support/Assert.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCDwarf.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace leno {

bool LenoAsmParser::matchAndEmitInstruction(SMLoc loc, unsigned &opcode, OperandVector &operands,
                                            MCStreamer &out, uint64_t &errorInfo, bool matchingInlineAsm) {
  if (macroFollows) {
    macroFollows = false;
    return false;
  }
  MCInst inst;
  inst.setLoc(loc);
  if (MatchInstructionImpl(operands, inst, errorInfo, matchingInlineAsm) != Match_Success)
    return explain(loc, operands);
  uint32_t registers = 0;
  if (checkRules(inst, operands) || checkTied(inst, operands) || checkRegisters(inst, operands, registers))
    return true;
  const auto *section = static_cast<const MCSectionELF *>(out.getCurrentSectionOnly());
  if (!(section->getFlags() & ELF::SHF_EXECINSTR))
    return Error(loc, "an instruction among data: write .text or .kernel before it");
  warnOfOperands(operands);
  opcode = inst.getOpcode();
  calls.note(loc, parser);
  int barrier = operandIndex(opcode, OperandName::id_);
  target().noteInstruction(inst, registers,
                           barrier < 0 ? 0 : uint32_t(inst.getOperand(barrier).getImm()) + 1);
  if (const KernelInfo *kernel = target().kernel(); kernel && sharedNamed)
    sharedUses.push_back({uint32_t(kernel->bytes / 8) - 1, *sharedNamed});
  if (registers > highestRegisters) {
    highestRegisters = registers;
    highestLoc = loc;
  }
  locate(loc, /*isInstruction=*/true, out);
  out.emitInstruction(inst, getSTI());
  return false;
}

/// Modifiers that do not go together (Formats.td: Only).
bool LenoAsmParser::checkRules(const MCInst &inst, const OperandVector &operands) {
  const ModRule *rule = brokenRule(inst);
  if (!rule)
    return false;
  auto written = [&](LenoMod mod) -> const LenoOperand & {
    auto it = find_if(operands, [&](const auto &parsed) {
      auto &operand = static_cast<LenoOperand &>(*parsed);
      return operand.kind == LenoOperand::Kind::Mod && operand.mod == mod;
    });
    LENO_ASSERT(it != operands.end(), "a rule names a modifier that the mnemonic has not");
    return static_cast<LenoOperand &>(**it);
  };
  const LenoOperand &wrong = written(rule->mod);
  const ModGroupInfo &group = modGroup(rule->mod);
  std::string taken, what = current->text.str();
  if (rule->conditionIndex >= 0)
    what += "." + modGroup(rule->condition).spellings[size_t(written(rule->condition).value)].str();
  if (group.implicit >= 0 && group.spellings[size_t(group.implicit)].empty() &&
      rule->allowed == uint32_t(1) << group.implicit)
    return Error(wrong.start,
                 what + " with such operands takes no ." + group.spellings[size_t(wrong.value)]);
  for (size_t i = 0; i < group.spellings.size(); ++i)
    if (rule->allowed >> i & 1)
      taken += " ." + group.spellings[i].str();
  return Error(wrong.start, what + " takes" + taken + ", not ." + group.spellings[size_t(wrong.value)]);
}

/// LLVM's line tables for assembly name the instructions of the root file only: those of an included file,
/// and data among code, are told here.
void LenoAsmParser::locate(SMLoc loc, bool isInstruction, MCStreamer &out) {
  MCContext &context = getContext();
  if (!context.getGenDwarfForAssembly() || !loc.isValid())
    return;
  SourceMgr &sources = parser.getSourceManager();
  loc = calls.outermost(loc, sources); // a macro's lines are those of its call
  unsigned buffer = sources.FindBufferContainingLoc(loc), file = context.getGenDwarfFileNumber();
  if (buffer != sources.getMainFileID()) {
    StringRef name = sources.getMemoryBuffer(buffer)->getBufferIdentifier();
    if (name.starts_with("<")) // no file: it has no place in the table
      return;
    Expected<unsigned> included = context.getDwarfFile("", name, 0, std::nullopt, std::nullopt, 0);
    if (!included)
      return consumeError(included.takeError());
    file = *included;
  } else if (isInstruction) {
    return;
  }
  out.emitDwarfLocDirective(file, sources.FindLineNumber(loc, buffer), 0, DWARF2_FLAG_IS_STMT, 0, 0, "");
}

/// Where the operand that became the register at `index` of the MCInst is written: a register may stand there
/// twice.
static SMLoc placeOf(const MCInst &inst, unsigned index, const OperandVector &operands) {
  auto reg = inst.getOperand(index).getReg();
  auto before = count_if(make_range(inst.begin(), inst.begin() + index),
                         [&](const MCOperand &other) { return other.isReg() && other.getReg() == reg; });
  SMLoc where;
  for (const auto &parsed : operands) {
    auto &candidate = static_cast<LenoOperand &>(*parsed);
    bool names = candidate.kind == LenoOperand::Kind::Register ||
                 candidate.kind == LenoOperand::Kind::Address ||
                 candidate.kind == LenoOperand::Kind::Constant;
    if (names && candidate.reg == reg && before-- >= 0)
      where = candidate.start;
  }
  return where;
}

/// A source that has no field of its own but the destination's (Operands.td: RegTiedN).
bool LenoAsmParser::checkTied(const MCInst &inst, const OperandVector &operands) {
  int index = tiedOperandIndex(inst.getOpcode());
  if (index < 0 || inst.getOperand(unsigned(index)).getReg() == inst.getOperand(0).getReg())
    return false;
  return Error(placeOf(inst, unsigned(index), operands),
               current->text +
                   " adds to its destination: beside an immediate of 32 bits the word has no room for "
                   "another register");
}

/// Registers that 64 or 128 bits need aligned, constants likewise, and how many registers the instruction
/// reaches.
bool LenoAsmParser::checkRegisters(const MCInst &inst, const OperandVector &operands, uint32_t &registers) {
  Effects use = effectsOf(inst, registerInfo);
  registers = use.registers;
  if (!use.misaligned)
    return false;
  unsigned span = use.misaligned->words;
  if (use.misaligned->isConstant)
    for (const auto &parsed : operands)
      if (auto &operand = static_cast<LenoOperand &>(*parsed); operand.kind == LenoOperand::Kind::Constant)
        return Error(operand.start, "offset " + Twine(operand.offset) + " of a " + Twine(32 * span) +
                                        "-bit constant is not a multiple of " + Twine(4 * span));
  SMLoc where = placeOf(inst, use.misaligned->index, operands);
  unsigned number = registerInfo.getEncodingValue(inst.getOperand(use.misaligned->index).getReg());
  StringRef group = span == 2 ? "pair" : "quad";
  if (use.misaligned->isPastEnd)
    return Error(where, "the " + group + " of R" + Twine(number) + " would reach past R254");
  return Error(where, "R" + Twine(number) + " does not begin an aligned " + group + ": " + Twine(span * 32) +
                          " bits need a register number that is a multiple of " + Twine(span));
}

/// How many operands of a form the given ones fill, from the first on. `misses`: what could have stood at the
/// next; `complete`: what the form needs is there.
static size_t fill(ArrayRef<OperandKind> form, ArrayRef<const LenoOperand *> given,
                   SmallVectorImpl<OperandKind> &misses, bool &complete) {
  size_t used = 0;
  complete = true;
  for (OperandKind kind : form) {
    if (used < given.size() && matches(kind, *given[used])) {
      ++used;
      misses.clear();
      continue;
    }
    misses.push_back(kind);
    if (!operandKind(kind).optional) {
      complete = false;
      break;
    }
  }
  return used;
}

bool LenoAsmParser::fits(const MnemonicInfo &info, ArrayRef<const LenoOperand *> given) {
  return any_of(info.forms, [&](ArrayRef<OperandKind> form) {
    SmallVector<OperandKind, 4> misses;
    bool complete;
    for (size_t i = 0; i < std::min(form.size(), given.size()); ++i)
      if (operandKind(form[i]).expects.starts_with("the destination again") && given[i]->reg != given[0]->reg)
        return false;
    return fill(form, given, misses, complete) == given.size() && complete;
  });
}

/// Says what the instruction wanted at the first operand that no form of it accepts.
bool LenoAsmParser::explain(SMLoc loc, const OperandVector &operands) {
  GivenOperands given;
  for (const auto &parsed : drop_begin(operands)) {
    auto *operand = static_cast<LenoOperand *>(parsed.get());
    if (operand->kind != LenoOperand::Kind::Mod && operand->kind != LenoOperand::Kind::Guard)
      given.push_back(operand);
  }
  size_t furthest = 0;
  SmallVector<OperandKind, 4> wanted;
  bool tooMany = false;
  // Of forms of several lengths, those that have so many operands tell what is wrong.
  auto isLongEnough = [&](ArrayRef<OperandKind> form) { return form.size() >= given.size(); };
  bool someAre = any_of(current->forms, isLongEnough);
  for (ArrayRef<OperandKind> form : current->forms) {
    if (someAre && !isLongEnough(form))
      continue;
    SmallVector<OperandKind, 4> misses;
    bool complete;
    size_t used = fill(form, given, misses, complete);
    if (used < furthest)
      continue;
    if (used > furthest) {
      wanted.clear();
      tooMany = false;
    }
    furthest = used;
    if (complete && used < given.size())
      tooMany = true;
    for (OperandKind kind : misses)
      if (!is_contained(wanted, kind))
        wanted.push_back(kind);
  }
  if (furthest == given.size()) {
    std::string list;
    for (OperandKind kind : wanted)
      if (!operandKind(kind).optional && !StringRef(list).contains(operandKind(kind).expects))
        list += (list.empty() ? "" : ", or ") + operandKind(kind).expects.str();
    Error(given.empty() ? loc : given.back()->end, current->text + " needs one more operand: " + list);
    noteDestination(operands[0]->getStartLoc(), given);
    return true;
  }
  if (tooMany && wanted.empty())
    return Error(given[furthest]->start, current->text + " takes " +
                                             (furthest == 0   ? Twine("no operand")
                                              : furthest == 1 ? Twine("one operand")
                                                              : Twine(furthest) + " operands") +
                                             ": this one is too many");
  explainOperand(*given[furthest], wanted, given);
  noteOtherForms(operands[0]->getStartLoc(), operands, given, furthest);
  return true;
}

bool LenoAsmParser::explainOperand(const LenoOperand &operand, ArrayRef<OperandKind> wanted,
                                   const GivenOperands &given) {
  SMLoc loc = operand.start;
  auto wants = [&](StringRef part) {
    return any_of(wanted, [&](OperandKind kind) { return operandKind(kind).expects.contains(part); });
  };
  // A second immediate or constant, where a register would do.
  bool registerOnly = &operand != given.front() && !wants("an integer") && !wants("a float") &&
                      !wants("a constant") && !wants("a thread count");
  if (registerOnly && !operand.expr && (operand.isImm() || operand.kind == LenoOperand::Kind::Constant)) {
    LenoOperand reg(LenoOperand::Kind::Register, loc, loc);
    reg.reg = LENO::RZ;
    const LenoOperand *wrong = &operand, *instead = &reg;
    GivenOperands changed = given;
    replace(changed, wrong, instead);
    const LenoOperand *other = nullptr;
    for (const LenoOperand *one : drop_begin(given)) {
      GivenOperands both = changed; // a truth table is no source: a register does not fit there
      replace(both, one, instead);
      if (one != &operand && (one->isImm() || one->kind == LenoOperand::Kind::Constant) &&
          fits(*current, both))
        other = one;
    }
    if (other && !operand.reg && fits(*current, changed))
      return Error(loc, "only one source of " + current->text + " may be an immediate or a constant, and '" +
                            other->written() + "' is one: " + wayToRegister(operand, given));
  }
  if (operand.isAbsolute())
    for (OperandKind kind : wanted)
      if (StringRef range = operandKind(kind).expects; range.consume_front("an integer from "))
        return Error(loc, Twine(operand.value) + " does not fit: an immediate here is " + range +
                              (isInt<32>(operand.value) || isUInt<32>(uint64_t(operand.value))
                                   ? "; put it in a register with MOV32I"
                                   : ""));
  if (operand.isImm() && !operand.expr && wants("a float whose low"))
    return Error(loc, floatAdvice<32>(operand, given));
  if (operand.isImm() && !operand.expr && wants("a float whose double"))
    return Error(loc, floatAdvice<64>(operand, given));
  if (operand.number && (wants("a 32-bit integer") || wants("a float")))
    return Error(loc, readFloat(*operand.number, APFloat::IEEEsingle()).message);
  if (operand.isAbsolute() && wants("a 32-bit integer"))
    return Error(loc, Twine(operand.value) +
                          " does not fit: an immediate here has 32 bits; 64 are a pair of registers");
  if (operand.kind == LenoOperand::Kind::Constant && !operand.reg && operand.offset % 4 &&
      wants("a constant"))
    return Error(loc, "offset " + Twine(operand.offset) + " of the constant is not a multiple of 4");
  if (operand.kind == LenoOperand::Kind::Constant && operand.reg && wants("a constant"))
    return Error(loc, "only LDC reads a constant at a register's offset");
  if (operand.kind == LenoOperand::Kind::Address)
    for (OperandKind kind : wanted)
      if (auto [what, range] = operandKind(kind).expects.split(", its offset from ");
          (range.starts_with("-2048") && !isInt<12>(operand.offset)) ||
          (range.starts_with("-32768") && !isInt<16>(operand.offset)))
        return Error(loc,
                     "offset " + Twine(operand.offset) + " does not fit: an atomic's is " + range + " bytes");
  if (operand.kind == LenoOperand::Kind::Address && operand.value && wants("an address"))
    return Error(loc, "shared and local addresses are 32 bits: write the register without .64");
  if (operand.isAbsolute() && wants("a label") && !wants("a multiple of 8"))
    return Error(loc, "expected a label, or an offset from here such as .+16");
  std::string list;
  for (OperandKind kind : wanted) {
    StringRef text = operandKind(kind).expects;
    if (!StringRef(list).contains(text))
      list += (list.empty() ? "" : ", or ") + text.str();
  }
  if (operand.kind == LenoOperand::Kind::Address && !wants("an address"))
    return Error(loc, "expected " + list + "; found " + operand.describe() +
                          ": memory is read by LDG, LDS and LDL, and written by STG, STS and STL");
  std::string way; // to where a register can stand
  if (wants("a register"))
    if (!operand.expr && (operand.isImm() || (operand.kind == LenoOperand::Kind::Constant && !operand.reg)) &&
        &operand != given.front())
      way = "; " + wayToRegister(operand, given);
  if (const KernelInfo *kernel = target().kernel(); kernel && operand.isAbsolute() && wants("a constant"))
    for (const KernelParam &param : kernel->params)
      if (param.name == operand.written())
        way = "; the parameter's value is c[0][" + param.name + "]";
  return Error(loc, "expected " + list + "; found " + operand.describe() + nameHint(operand) + way);
}

/// For a name that nothing has where a register could stand: the one that .reg or .pred declared.
std::string LenoAsmParser::nameHint(const LenoOperand &operand) const {
  const auto *symbol = operand.expr ? dyn_cast<MCSymbolRefExpr>(operand.expr) : nullptr;
  if (!symbol || symbol->getSymbol().isDefined())
    return "";
  NearMiss near(symbol->getSymbol().getName());
  for (const auto *scope : {&kernelNames, &fileNames})
    for (const NamedRegisters &named : *scope)
      near.consider(named.name, named.name);
  return near.hint();
}

} // namespace leno
