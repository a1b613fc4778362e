//===- LenoAsmPrinter.cpp - Machine code to assembly text -------------------------===//
// A program's text is what leno-as reads; objects are made by assembling it, so
// that both have the same bytes. The compiler's own instructions (LenoCode.td)
// become the machine's here: some are two of them.
#include "asm/KernelInfo.h"
#include "asm/codegen/AssemblerNumbers.h"
#include "asm/codegen/Kernels.h"
#include "asm/codegen/LenoCode.h"
#include "asm/codegen/LenoTargetMachine.h"
#include "isa/Modifiers.h"

#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbol.h"

using namespace llvm;

namespace {

constexpr uint64_t unbounded = UINT64_MAX;

class LenoAsmPrinter : public AsmPrinter {
public:
  LenoAsmPrinter(TargetMachine &machine, std::unique_ptr<MCStreamer> streamer)
      : AsmPrinter(machine, std::move(streamer)),
        opcodes(
            leno::assemblerInstructions(machine.getMCInstrInfo()->getNumOpcodes(),
                                        [&](unsigned i) { return machine.getMCInstrInfo()->getName(i); })),
        registers(leno::assemblerRegisters(machine.getMCRegisterInfo()->getNumRegs(), [&](unsigned i) {
          return machine.getMCRegisterInfo()->getName(i);
        })) {}
  StringRef getPassName() const override { return "Leno assembly printer"; }

private:
  void emitInstruction(const MachineInstr *inst) override;
  void emitFunctionEntryLabel() override;
  void emitFunctionBodyEnd() override;
  bool PrintAsmOperand(const MachineInstr *inst, unsigned index, const char *modifier,
                       raw_ostream &os) override;
  void emitLinkage(const GlobalValue *global, MCSymbol *symbol) const override {
    auto *function = dyn_cast<Function>(global);
    if (!function || !isKernel(*function))
      AsmPrinter::emitLinkage(global, symbol);
  }
  void emitGlobalVariable(const GlobalVariable *variable) override {
    if (variable->getAddressSpace() != LenoSpace::Shared)
      AsmPrinter::emitGlobalVariable(variable);
  }

  /// An instruction of isa in the making, by the code generator's numbers.
  class Line {
  public:
    explicit Line(unsigned opcode) { inst.setOpcode(opcode); }
    Line &reg(MCRegister value) { return add(MCOperand::createReg(value)); }
    Line &imm(int64_t value) { return add(MCOperand::createImm(value)); }
    Line &add(const MCOperand &operand) {
      inst.addOperand(operand);
      return *this;
    }
    Line &zeros(unsigned count) {
      while (count--)
        imm(0);
      return *this;
    }
    /// No guard, no pop-sync.
    Line &always() { return reg(CODE::PT).imm(0).imm(0); }
    MCInst inst;
  };
  void emit(Line &line);
  MCOperand lower(const MachineOperand &operand) const;
  /// The lower and the upper register of a pair.
  MCRegister low(const MachineOperand &operand) const { return half(operand.getReg(), CODE::sub0); }
  MCRegister high(const MachineOperand &operand) const { return half(operand.getReg(), CODE::sub1); }
  MCRegister half(MCRegister reg, unsigned index) const {
    return MF->getSubtarget().getRegisterInfo()->getSubReg(reg, index);
  }
  /// What the assembler calls a register, a pair or a quad: by the lowest one.
  MCRegister named(Register reg) const {
    return CODE::GPR64RegClass.contains(reg) || CODE::GPR128RegClass.contains(reg) ? half(reg, CODE::sub0)
                                                                                   : reg.asMCReg();
  }
  bool emitArithmetic(const MachineInstr &inst);
  bool emitMemory(const MachineInstr &inst);
  bool emitOthers(const MachineInstr &inst);
  void emitKernelHead();
  void tellOfTooMuch(uint64_t bytes, uint64_t most, const Twine &what);
  /// Bytes of local memory for a function's frame and those of what it calls; `unbounded` where one
  /// calls itself or what is not known.
  uint64_t stackBytes() const;
  uint64_t stackOfUnknownCalls() const {
    return mdconst::extract<ConstantInt>(MF->getFunction().getParent()->getModuleFlag(lenoStack))
        ->getZExtValue();
  }

  /// Of the functions printed so far, callees first.
  DenseMap<const Function *, uint64_t> stackOf;
  std::vector<unsigned> opcodes, registers;
  std::pair<Register, bool> guard; ///< of the instruction that is printed
};

void LenoAsmPrinter::emit(Line &line) {
  if (guard.first) { // the operand behind the destinations
    unsigned at = TM.getMCInstrInfo()->get(line.inst.getOpcode()).getNumDefs();
    line.inst.getOperand(at) = MCOperand::createReg(guard.first);
    line.inst.getOperand(at + 1) = MCOperand::createImm(guard.second);
  }
  MCInst inst;
  inst.setOpcode(opcodes[line.inst.getOpcode()]);
  for (const MCOperand &operand : line.inst)
    inst.addOperand(operand.isReg() ? MCOperand::createReg(registers[operand.getReg()]) : operand);
  if (!inst.getOpcode())
    report_fatal_error("an instruction that the assembler does not have: " +
                       TM.getMCInstrInfo()->getName(line.inst.getOpcode()));
  EmitToStreamer(*OutStreamer, inst);
}

MCOperand LenoAsmPrinter::lower(const MachineOperand &operand) const {
  switch (operand.getType()) {
  case MachineOperand::MO_Register:
    return MCOperand::createReg(named(operand.getReg()));
  case MachineOperand::MO_Immediate:
    return MCOperand::createImm(operand.getImm());
  case MachineOperand::MO_MachineBasicBlock:
    return MCOperand::createExpr(MCSymbolRefExpr::create(operand.getMBB()->getSymbol(), OutContext));
  case MachineOperand::MO_ExternalSymbol:
    return MCOperand::createExpr(
        MCSymbolRefExpr::create(GetExternalSymbolSymbol(operand.getSymbolName()), OutContext));
  case MachineOperand::MO_GlobalAddress: {
    const MCExpr *symbol = MCSymbolRefExpr::create(getSymbol(operand.getGlobal()), OutContext);
    // The flags are asm's AddressHalf.
    return MCOperand::createExpr(
        operand.getTargetFlags()
            ? MCSpecifierExpr::create(symbol, uint16_t(operand.getTargetFlags()), OutContext)
            : symbol);
  }
  default:
    report_fatal_error("an operand that the assembler does not have");
  }
}

// Orders of operands are those of the records of isa/.
bool LenoAsmPrinter::emitArithmetic(const MachineInstr &inst) {
  auto op = [&](unsigned index) -> const MachineOperand & { return inst.getOperand(index); };
  auto rest = [&](Line &line, unsigned from) -> Line & {
    for (unsigned i = from; i < inst.getNumExplicitOperands(); ++i)
      line.add(lower(op(i)));
    return line;
  };
  switch (unsigned opcode = inst.getOpcode()) {
  case CODE::CMP_R:
  case CODE::CMP_I:
  case CODE::CMP_C: {
    Line line(opcode == CODE::CMP_R ? CODE::ISETP_R : opcode == CODE::CMP_I ? CODE::ISETP_I : CODE::ISETP_C);
    line.add(lower(op(0))).reg(CODE::PT).always().add(lower(op(1))).add(lower(op(2))).zeros(2);
    rest(line, 3);
    if (opcode == CODE::CMP_C)
      line.imm(0);
    emit(line.reg(CODE::PT).imm(0));
    return true;
  }
  case CODE::CMP64_I:
  case CODE::CMP64: {
    // Equal are those whose words both are, which needs no flags.
    if (auto test = leno::isa::Cmp(op(1).getImm());
        test == leno::isa::Cmp::EQ || test == leno::isa::Cmp::NE) {
      bool isNumber = opcode == CODE::CMP64_I;
      for (bool isUpper : {false, true}) {
        Line line(isNumber ? CODE::ISETP_I : CODE::ISETP_R);
        line.add(lower(op(0))).reg(CODE::PT).always().add(lower(op(1))).add(lower(op(2))).imm(0);
        line.imm(isUpper && test == leno::isa::Cmp::NE).reg(isUpper ? high(op(3)) : low(op(3)));
        if (isNumber)
          line.imm(int32_t(uint64_t(op(4).getImm()) >> (isUpper ? 32 : 0)));
        else
          line.reg(isUpper ? high(op(4)) : low(op(4)));
        emit(line.reg(isUpper ? op(0).getReg().asMCReg() : MCRegister(CODE::PT)).imm(0));
      }
      return true;
    }
    // The lower words set the flags, which the comparison of the upper ones goes on from.
    emit(Line(CODE::IADD_R)
             .reg(CODE::RZ)
             .always()
             .imm(0)
             .imm(1)
             .imm(0)
             .reg(low(op(3)))
             .imm(0)
             .reg(low(op(4)))
             .imm(1));
    emit(Line(CODE::ISETP_R)
             .add(lower(op(0)))
             .reg(CODE::PT)
             .always()
             .add(lower(op(1)))
             .add(lower(op(2)))
             .imm(1)
             .imm(0)
             .reg(high(op(3)))
             .reg(high(op(4)))
             .reg(CODE::PT)
             .imm(0));
    return true;
  }
  case CODE::FCMP:
  case CODE::FCMP_I:
  case CODE::FCMP_C:
  case CODE::DCMP: {
    Line line(opcode == CODE::FCMP     ? CODE::FSETP_R
              : opcode == CODE::FCMP_I ? CODE::FSETP_I
              : opcode == CODE::FCMP_C ? CODE::FSETP_C
                                       : CODE::DSETP_R);
    line.add(lower(op(0))).reg(CODE::PT).always().add(lower(op(1))).zeros(opcode == CODE::DCMP ? 1 : 2);
    emit(rest(line, 2).reg(CODE::PT).imm(0));
    return true;
  }
  case CODE::PLOP: {
    Line line(CODE::PSETP);
    line.add(lower(op(0))).reg(CODE::PT).always().add(lower(op(1))).imm(0);
    emit(rest(line, 2).reg(CODE::PT).imm(0));
    return true;
  }
  case CODE::ADD64:
  case CODE::SUB64:
  case CODE::ADD64I:
  case CODE::ADD64C:
    for (bool upper : {false, true}) {
      Line line(opcode == CODE::ADD64I   ? CODE::IADD_I
                : opcode == CODE::ADD64C ? CODE::IADD_C
                                         : CODE::IADD_R);
      line.reg(upper ? high(op(0)) : low(op(0))).always().imm(upper).imm(!upper).imm(0);
      line.reg(upper ? high(op(1)) : low(op(1))).imm(0);
      if (opcode == CODE::ADD64I)
        line.imm(upper ? (op(2).getImm() < 0 ? -1 : 0) : op(2).getImm());
      else if (opcode == CODE::ADD64C)
        line.add(lower(op(2))).imm(op(3).getImm() + 4 * upper).imm(0);
      else
        line.reg(upper ? high(op(2)) : low(op(2))).imm(opcode == CODE::SUB64);
      emit(line);
    }
    return true;
  case CODE::WIDE_R:
  case CODE::WIDE_I:
  case CODE::WIDE_RC:
  case CODE::WIDE_IC: {
    Line line(opcode == CODE::WIDE_R    ? CODE::IMADW_R
              : opcode == CODE::WIDE_I  ? CODE::IMADW_I
              : opcode == CODE::WIDE_RC ? CODE::IMADW_RC
                                        : CODE::IMADW_IC);
    line.add(lower(op(0))).always().add(lower(op(1))).zeros(2);
    rest(line, 2);
    if (opcode == CODE::WIDE_RC || opcode == CODE::WIDE_IC)
      line.imm(0);
    emit(line);
    return true;
  }
  case CODE::FBIN_R:
  case CODE::FBIN_I:
  case CODE::FBIN_C:
  case CODE::FBIN_32:
  case CODE::DBIN: {
    static const unsigned forms[][4] = {{CODE::FADD_R, CODE::FADD_I, CODE::FADD_C, CODE::DADD_R},
                                        {CODE::FMUL_R, CODE::FMUL_I, CODE::FMUL_C, CODE::DMUL_R},
                                        {CODE::FMNMX_R, CODE::FMNMX_I, CODE::FMNMX_C, CODE::DMNMX_R}};
    int64_t kind = op(1).getImm();
    bool choice = kind >= 2, wide = opcode == CODE::DBIN, all = opcode == CODE::FBIN_32;
    unsigned form = opcode == CODE::FBIN_R ? 0 : opcode == CODE::FBIN_I ? 1 : opcode == CODE::FBIN_C ? 2 : 3;
    Line line(all ? unsigned(kind ? CODE::FMUL32I : CODE::FADD32I) : forms[std::min<int64_t>(kind, 2)][form]);
    // FADD: round, FTZ, SAT, CC; FMNMX: FTZ, NaN; the 32I: FTZ, SAT; doubles have no FTZ and no SAT.
    line.add(lower(op(0))).always().zeros(choice ? (wide ? 1 : 2) : wide || all ? 2 : 4);
    rest(line, 2);
    if (choice)
      line.reg(CODE::PT).imm(kind == 2);
    emit(line);
    return true;
  }
  case CODE::FMAD_R:
  case CODE::FMAD_I:
  case CODE::FMAD_C:
  case CODE::FMAD_RC:
  case CODE::DMAD: {
    Line line(opcode == CODE::FMAD_R    ? CODE::FFMA_R
              : opcode == CODE::FMAD_I  ? CODE::FFMA_I
              : opcode == CODE::FMAD_C  ? CODE::FFMA_C
              : opcode == CODE::FMAD_RC ? CODE::FFMA_RC
                                        : CODE::DFMA_R);
    line.add(lower(op(0))).always().zeros(opcode == CODE::DMAD ? 2 : 4);
    emit(rest(line, 1));
    return true;
  }
  case CODE::MUFU: {
    Line line(CODE::MUFU_R);
    line.add(lower(op(0))).always().add(lower(op(1))).zeros(2);
    emit(rest(line, 2));
    return true;
  }
  case CODE::CVT_GPR_GPR:
  case CODE::CVT_GPR_FPR:
  case CODE::CVT_GPR_GPR64:
  case CODE::CVT_FPR_GPR:
  case CODE::CVT_FPR_FPR:
  case CODE::CVT_FPR_GPR64:
  case CODE::CVT_GPR64_GPR:
  case CODE::CVT_GPR64_FPR:
  case CODE::CVT_GPR64_GPR64: {
    int64_t which = op(1).getImm();
    Line line(which == 0 ? CODE::F2F_R : which == 1 ? CODE::I2F_R : CODE::F2I_R);
    line.add(lower(op(0))).always().add(lower(op(2))).add(lower(op(3))).add(lower(op(4)));
    if (which == 0)
      line.add(lower(op(5))).zeros(2);
    else if (which == 2)
      line.imm(0);
    line.add(lower(op(6)));
    if (which != 1)
      line.imm(0); // its signs
    emit(line);
    return true;
  }
  default:
    return false;
  }
}

bool LenoAsmPrinter::emitMemory(const MachineInstr &inst) {
  auto op = [&](unsigned index) -> const MachineOperand & { return inst.getOperand(index); };
  auto wide = [&](const MachineOperand &base) { return CODE::GPR64RegClass.contains(base.getReg()); };
  auto address = [&](Line &line, unsigned base) -> Line & {
    return line.add(lower(op(base))).imm(wide(op(base))).add(lower(op(base + 1)));
  };
  switch (inst.getOpcode()) {
  case CODE::LOAD_WR:
  case CODE::LOAD_WP:
  case CODE::LOAD_NR:
  case CODE::LOAD_NP:
  case CODE::LOAD_WQ:
  case CODE::LOAD_NQ: {
    Line line(unsigned(op(1).getImm()));
    line.add(lower(op(0))).always().add(lower(op(2)));
    if (line.inst.getOpcode() == CODE::LDG || line.inst.getOpcode() == CODE::LD) { // .ca 0, .cg 1, .cv 2
      bool isAnew =
          any_of(inst.memoperands(), [](auto *memory) { return memory->isVolatile() || memory->isAtomic(); });
      line.imm(isAnew ? 2 : 0);
    }
    emit(address(line, 3));
    return true;
  }
  case CODE::STORE_WR:
  case CODE::STORE_WP:
  case CODE::STORE_NR:
  case CODE::STORE_NP:
  case CODE::STORE_WQ:
  case CODE::STORE_NQ: {
    Line line(unsigned(op(1).getImm()));
    line.always().add(lower(op(2)));
    emit(address(line, 3).add(lower(op(0))));
    return true;
  }
  case CODE::ATOM_WR:
  case CODE::ATOM_WP:
  case CODE::ATOM_NR:
  case CODE::ATOM_NP: {
    // Where nobody wants the old value it is not brought: grids with RED alone run on several host threads.
    bool isGlobal = wide(op(3)), isUnused = op(0).isDead();
    if (isGlobal && isUnused && leno::isa::AtomOp(op(1).getImm()) != leno::isa::AtomOp::EXCH) {
      Line line(CODE::RED);
      line.always().add(lower(op(1))).add(lower(op(2)));
      emit(address(line, 3).add(lower(op(5))));
      return true;
    }
    Line line(isGlobal ? CODE::ATOM : CODE::ATOMS);
    if (isUnused)
      line.reg(CODE::RZ);
    else
      line.add(lower(op(0)));
    line.always().add(lower(op(1))).add(lower(op(2)));
    emit(address(line, 3).add(lower(op(5))));
    return true;
  }
  case CODE::CAS_WR:
  case CODE::CAS_WP:
  case CODE::CAS_NR:
  case CODE::CAS_NP: {
    Line line(wide(op(2)) ? CODE::ATOM_CAS : CODE::ATOMS_CAS);
    line.add(lower(op(0))).always().add(lower(op(1)));
    emit(address(line, 2).add(lower(op(4))).add(lower(op(5))));
    return true;
  }
  // A predicate in memory is 0 or 1.
  case CODE::SPILL_P: {
    emit(Line(CODE::SEL_I).reg(CODE::R3).always().reg(CODE::RZ).imm(1).add(lower(op(0))).imm(1));
    Line store(CODE::STL);
    store.always().imm(0);
    emit(address(store, 1).reg(CODE::R3));
    return true;
  }
  case CODE::FILL_P: {
    Line load(CODE::LDL);
    load.reg(CODE::R3).always().imm(0);
    emit(address(load, 1));
    emit(Line(CODE::ISETP_I)
             .add(lower(op(0)))
             .reg(CODE::PT)
             .always()
             .imm(5)
             .zeros(3)
             .reg(CODE::R3)
             .imm(0)
             .reg(CODE::PT)
             .imm(0));
    return true;
  }
  default:
    return false;
  }
}

bool LenoAsmPrinter::emitOthers(const MachineInstr &inst) {
  auto op = [&](unsigned index) -> const MachineOperand & { return inst.getOperand(index); };
  switch (inst.getOpcode()) {
  case CODE::VOTE_P:
    emit(Line(CODE::VOTE)
             .reg(CODE::RZ)
             .add(lower(op(0)))
             .always()
             .add(lower(op(1)))
             .add(lower(op(2)))
             .add(lower(op(3))));
    return true;
  case CODE::BALLOT:
    emit(
        Line(CODE::VOTE).add(lower(op(0))).reg(CODE::PT).always().imm(1).add(lower(op(1))).add(lower(op(2))));
    return true;
  case CODE::SHFL:
    emit(Line(CODE::SHFL_RR)
             .reg(CODE::PT)
             .add(lower(op(0)))
             .always()
             .add(lower(op(1)))
             .add(lower(op(2)))
             .add(lower(op(3)))
             .add(lower(op(4))));
    return true;
  case CODE::BARRIER:
    emit(Line(CODE::BAR_SYNC).always().add(lower(op(0))).imm(0));
    return true;
  case CODE::FENCE:
    emit(Line(CODE::MEMBAR).always().add(lower(op(0))));
    return true;
  case CODE::STOP:
    emit(Line(CODE::BPT).always().add(lower(op(0))));
    return true;
  case CODE::CALL:
    emit(Line(CODE::CAL).add(lower(op(0))));
    return true;
  case CODE::CALL_BY: {
    MCSymbol *back = OutContext.createTempSymbol();
    emit(Line(CODE::PRET).add(MCOperand::createExpr(MCSymbolRefExpr::create(back, OutContext))));
    emit(Line(CODE::JMX).always().zeros(2).add(lower(op(0))).imm(0));
    OutStreamer->emitLabel(back);
    return true;
  }
  case CODE::READ_CLOCK:
    emit(Line(CODE::S2R).add(lower(op(0))).always().add(lower(op(1))));
    return true;
  default:
    return false;
  }
}

void LenoAsmPrinter::emitInstruction(const MachineInstr *inst) {
  guard = MF->getInfo<LenoFunctionInfo>()->guards.lookup(inst);
  if (emitArithmetic(*inst) || emitMemory(*inst) || emitOthers(*inst))
    return;
  Line line(inst->getOpcode());
  for (const MachineOperand &operand : inst->explicit_operands())
    line.add(lower(operand));
  emit(line);
}

// %0 is a register, a pair's lower one, a number or a symbol; %H0 a pair's upper one; %c0 and %n0 are LLVM's.
bool LenoAsmPrinter::PrintAsmOperand(const MachineInstr *inst, unsigned index, const char *modifier,
                                     raw_ostream &os) {
  const MachineOperand &operand = inst->getOperand(index);
  StringRef wanted = modifier ? modifier : "";
  bool upper = wanted == "H";
  if (operand.isReg() && (wanted.empty() || (upper && CODE::GPR64RegClass.contains(operand.getReg()))))
    os << MF->getSubtarget().getRegisterInfo()->getName(upper ? high(operand) : named(operand.getReg()));
  else if (operand.isImm() && wanted.empty())
    os << operand.getImm();
  else if (operand.isGlobal() && wanted.empty())
    PrintSymbolOperand(operand, os);
  else if (operand.isReg() || upper || AsmPrinter::PrintAsmOperand(inst, index, modifier, os))
    sayUnsupported(MF->getFunction(), inst->getDebugLoc(),
                   wanted.empty() ? "an operand of this assembly is no register and no number"
                                  : "an operand of this assembly has no form '" + wanted +
                                        "': %H0 is the upper register of a pair, %c0 a constant");
  return false;
}

// What a parameter is, to who fills it: kernel_arg_type tells of signs and of what is pointed to.
static std::string parameterType(const Function &kernel, const Argument &argument) {
  StringRef source;
  if (MDNode *types = kernel.getMetadata("kernel_arg_type");
      types && argument.getArgNo() < types->getNumOperands())
    source = cast<MDString>(types->getOperand(argument.getArgNo()))->getString();
  static const std::pair<StringRef, StringRef> names[] = {{"char", "i8"},
                                                          {"uchar", "u8"},
                                                          {"short", "i16"},
                                                          {"ushort", "u16"},
                                                          {"int", "i32"},
                                                          {"uint", "u32"},
                                                          {"long", "i64"},
                                                          {"ulong", "u64"},
                                                          {"float", "f32"},
                                                          {"double", "f64"},
                                                          {"unsigned char", "u8"},
                                                          {"unsigned short", "u16"},
                                                          {"unsigned int", "u32"},
                                                          {"unsigned long", "u64"},
                                                          {"bool", "bool"},
                                                          {"signed char", "i8"},
                                                          {"long long", "i64"},
                                                          {"_Bool", "bool"},
                                                          {"unsigned long long", "u64"}};
  auto named = [&](StringRef text) -> StringRef {
    for (auto &[name, type] : names)
      if (name == text)
        return type;
    return "";
  };
  Type *type = argument.getType();
  if (type->isPointerTy() && type->getPointerAddressSpace() == LenoSpace::Shared)
    return "u32"; // where in shared memory: the launch tells
  if (type->isPointerTy()) {
    bool pointer = source.consume_back("*");
    StringRef element = pointer ? named(source) : "";
    return element.empty() ? "ptr" : ("ptr." + element).str();
  }
  if (type->isFloatTy())
    return "f32";
  if (type->isDoubleTy())
    return "f64";
  bool isSigned = named(source).starts_with("i") || argument.hasSExtAttr();
  return ((isSigned ? "i" : "u") + Twine(std::max(8u, unsigned(type->getIntegerBitWidth())))).str();
}

uint64_t LenoAsmPrinter::stackBytes() const {
  uint64_t below = 0;
  bool bounded = !MF->getFrameInfo().hasVarSizedObjects();
  for (const MachineBasicBlock &block : *MF)
    for (const MachineInstr &inst : block) {
      if (!inst.isCall())
        continue;
      auto known = inst.getOperand(0).isGlobal()
                       ? stackOf.find(dyn_cast<Function>(inst.getOperand(0).getGlobal()))
                       : stackOf.end();
      bounded &= known != stackOf.end() && known->second != unbounded;
      if (bounded)
        below = std::max(below, known->second);
    }
  return bounded ? alignTo(MF->getFrameInfo().getStackSize(), 16) + below : unbounded;
}

void LenoAsmPrinter::emitFunctionBodyEnd() {
  if (isKernel(MF->getFunction()))
    OutStreamer->emitRawText("\t.endkernel");
  stackOf[&MF->getFunction()] = stackBytes();
}

void LenoAsmPrinter::emitFunctionEntryLabel() {
  if (isKernel(MF->getFunction()))
    emitKernelHead();
  else
    OutStreamer->emitLabel(CurrentFnSym);
}

void LenoAsmPrinter::emitKernelHead() {
  const Function &kernel = MF->getFunction();
  auto text = [&](const Twine &line) { OutStreamer->emitRawText(line); };
  text("\t.kernel " + kernel.getName());
  // Names are for people: one that the assembler would take for a register, or not at all, gives way to a
  // number.
  auto named = [&](const Argument &argument) {
    StringRef name = argument.getName();
    bool plain =
        !name.empty() && !isDigit(name[0]) && all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
    return plain && !leno::isRegisterName(name) ? name.str() : "arg" + std::to_string(argument.getArgNo());
  };
  if (MDNode *block = kernel.getMetadata("reqd_work_group_size"); block && block->getNumOperands() == 3) {
    std::array<uint32_t, 3> threads{};
    for (unsigned axis = 0; axis < 3; ++axis)
      threads[axis] = uint32_t(mdconst::extract<ConstantInt>(block->getOperand(axis))->getZExtValue());
    text("\t" + leno::blockText(threads));
  }
  if (MDNode *hints = kernel.getMetadata("leno_hints"))
    text("\t" + cast<MDString>(hints->getOperand(0))->getString());
  MDNode *lines = kernel.getMetadata("leno_arguments");
  unsigned line = 0, parts = 0;
  auto describe = [&] {
    for (; lines && parts == 0 && line + 1 < lines->getNumOperands(); line += 2) {
      text("\t" + cast<MDString>(lines->getOperand(line))->getString());
      parts = unsigned(mdconst::extract<ConstantInt>(lines->getOperand(line + 1))->getZExtValue());
    }
  };
  for (const Argument &argument : kernel.args()) {
    describe();
    text("\t.param " + parameterType(kernel, argument) + " " + named(argument));
    if (parts)
      --parts;
  }
  describe();
  uint64_t shared = 0;
  for (const GlobalVariable &variable : kernel.getParent()->globals()) {
    if (variable.getAddressSpace() != LenoSpace::Shared)
      continue;
    bool used = false;
    for (const MachineBasicBlock &block : *MF)
      for (const MachineInstr &inst : block)
        for (const MachineOperand &operand : inst.operands())
          used |= operand.isGlobal() && operand.getGlobal() == &variable;
    if (!used)
      continue;
    uint64_t bytes = kernel.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    Align align = std::max(Align(16), variable.getAlign().valueOrOne());
    text("\t.shared " + getSymbol(&variable)->getName() + ", " + Twine(bytes) + ", " + Twine(align.value()));
    shared = alignTo(shared, align) + bytes;
  }
  tellOfTooMuch(shared, leno::maxSharedBytes, "shared memory");
  // The stack begins at its top, and the kernel's variables lie at multiples from there.
  const MachineFrameInfo &frame = MF->getFrameInfo();
  Align top = std::max(Align(16), frame.getMaxAlign());
  uint64_t bytes = stackBytes();
  bool isKnown = bytes != unbounded;
  bytes = alignTo(isKnown ? bytes : alignTo(frame.getStackSize(), 16) + stackOfUnknownCalls(), top);
  tellOfTooMuch(bytes, leno::maxLocalBytes, "local memory a lane for variables and calls");
  if (bytes)
    text("\t.local " + Twine(bytes) +
         (isKnown                      ? ""
          : frame.hasVarSizedObjects() ? "\t# its variables have a size that is not known"
                                       : "\t# its calls go to a depth that is not known"));
}

void LenoAsmPrinter::tellOfTooMuch(uint64_t bytes, uint64_t most, const Twine &what) {
  if (bytes > most)
    sayUnsupported(MF->getFunction(), leno::placeOf(MF->getFunction()),
                   "it needs " + Twine(bytes) + " bytes of " + what + ", and there are at most " +
                       Twine(most));
}

} // namespace

AsmPrinter *llvm::createLenoAsmPrinter(TargetMachine &machine, std::unique_ptr<MCStreamer> &&streamer) {
  return new LenoAsmPrinter(machine, std::move(streamer));
}
