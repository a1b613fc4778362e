#include "emu/Program.h"
#include "emu/engine/Services.h"
#include "emu/semantics/Memory.h"
#include "llvm/ADT/STLExtras.h"

using namespace leno;

const char *leno::semanticName(Semantic semantic) {
  static constexpr const char *names[] = {
#define LENO_SEMANTIC(name) #name,
#include "isa/LenoSemantics.def"
  };
  return semantic < Semantic::count ? names[unsigned(semantic)] : "?";
}

// The operation past the last word: the PC ran out of the program.
Program::Program(const Engine &engine) : theEngine(&engine) {
  Op end;
  end.fn = end.inner = service::endOfProgram;
  operations.push_back(end);
}

unsigned Program::poolRow(PoolRow row) {
  auto it = poolIndex.try_emplace(row, unsigned(poolRows.size())).first;
  if (it->second == poolRows.size())
    poolRows.push_back(row);
  return it->second;
}

// Targets can be judged only once all code is there. CHOICE: the word after
// the last one may be a target (a join that every lane exits before); whoever
// arrives there traps PC_OUT_OF_RANGE.
void Program::seal() {
  auto outside = [&](s64 place) { return place < 0 || place > s64(size()); };
  for (size_t i = 0; i < size(); ++i) {
    Op &op = operations[i];
    s64 next = s64(i) + 1;
    bool faulty = op.inner == service::misalignedTarget || op.inner == service::illegalInstruction;
    if (!faulty && ((op.flags & Op::hasTarget && outside(next + op.immediate)) ||
                    (op.flags & Op::setSync && outside(next + op.b)))) {
      op.inner = service::badTarget;
      faulty = true;
    }
    if (faulty) // it traps before it pushes anything
      op.flags &= u8(~Op::setSync);
    op.fn = service::wrapped(op);
  }
}

static s32 offsetOfRow(int row) { return row * s32(rowBytes); }

void OpBuilder::setRow(Slot slot, int row) {
  s32 offset = offsetOfRow(row);
  switch (slot) {
  case Slot::D:
    op.d = offset;
    break;
  case Slot::A:
    op.a = offset;
    break;
  case Slot::B:
    op.b = offset;
    break;
  case Slot::C:
    op.c = offset;
    break;
  }
}

void OpBuilder::guard(unsigned predicate, bool negate) {
  op.guard = u8(predicate);
  op.guardFlip = negate ? allLanes : 0;
}

void OpBuilder::use(unsigned reg) { program.registerCount = std::max(program.registerCount, reg + 1); }

void OpBuilder::dst(Slot slot, unsigned reg) {
  dataRegister = reg;
  setRow(slot, reg == zeroRegister ? frame::sinkRow : int(reg));
  if (reg != zeroRegister)
    use(reg);
}

void OpBuilder::src(Slot slot, unsigned reg) {
  if (slot == Slot::D)
    dataRegister = reg;
  setRow(slot, reg == zeroRegister ? frame::zeroRow : int(reg));
  if (reg != zeroRegister)
    use(reg);
}

void OpBuilder::imm(Slot slot, u32 bits) {
  setRow(slot, frame::firstPoolRow - int(program.poolRow({false, bits, 0, 0})));
}

void OpBuilder::constant(Slot slot, unsigned bank, u32 byteOffset) {
  setRow(slot, frame::firstPoolRow - int(program.poolRow({true, 0, bank, byteOffset})));
}

void OpBuilder::dstPred(PSlot slot, unsigned predicate) {
  (slot == PSlot::U ? op.u : op.v) = u8(predicate == truePredicate ? sinkPredicate : predicate);
}

void OpBuilder::srcPred(PSlot slot, unsigned predicate, bool negate) {
  unsigned index = unsigned(slot) - unsigned(PSlot::P);
  (index == 0 ? op.p : index == 1 ? op.q : op.r) = u8(predicate);
  if (negate)
    op.flips |= u8(1 << index);
}

void OpBuilder::address(unsigned base, bool is64, s32 byteOffset) {
  setRow(Slot::A, base == zeroRegister ? frame::zeroRow : int(base));
  op.immediate = byteOffset;
  if (base != zeroRegister)
    use(is64 ? base + 1 : base);
  if (is64) {
    op.flags |= Op::wideBase;
    // R254's partner would be RZ: no pair.
    if (base != zeroRegister && (base % 2 != 0 || base + 1 == zeroRegister))
      fault = misalignedRegister;
  }
}

void OpBuilder::constantAddress(unsigned bank, unsigned base, s32 byteOffset) {
  address(base, false, byteOffset);
  op.extra = u8(bank);
}

void OpBuilder::target(s64 bytesFromNextInstruction) {
  op.flags |= Op::hasTarget;
  if (bytesFromNextInstruction % 8 != 0) {
    fault = misalignedTarget;
    op.immediate = bytesFromNextInstruction;
  } else
    op.immediate = bytesFromNextInstruction / 8;
}

void OpBuilder::join(s64 bytesFromNextInstruction) {
  op.flags |= Op::setSync;
  op.b = s32(bytesFromNextInstruction / 8);
}

// machine.md 2 and 8: 64-bit data fill aligned pairs, 128-bit data aligned
// quads. The assembler refuses others; a word made elsewhere traps.
void OpBuilder::checkRegisters(isa::MemSize size) {
  unsigned registers = sem::registersOf(size);
  if (registers == 1 || dataRegister == zeroRegister)
    return;
  if (dataRegister % registers != 0 || dataRegister + registers > zeroRegister)
    fault = misalignedRegister;
  else
    use(dataRegister + registers - 1);
}

void OpBuilder::finish(u64 word) {
  switch (fault) {
  case none:
    break;
  case undecodable:
    op = Op();
    op.inner = service::illegalInstruction;
    break;
  case misalignedRegister:
    op.inner = service::misalignedRegister;
    break;
  case misalignedTarget:
    op.inner = service::misalignedTarget;
    break;
  }
  // Lanes that leave with a reason are no longer there to join.
  if (op.semantic == Semantic::BRK || op.semantic == Semantic::CONT || op.semantic == Semantic::RET ||
      op.semantic == Semantic::EXIT)
    op.flags &= u8(~Op::popSync);
  LENO_ASSERT(op.inner, "an operation is finished before bind gave it a handler");
  op.fn = op.inner;
  program.operations.insert(program.operations.end() - 1, op);
  program.words.push_back(word);
}
