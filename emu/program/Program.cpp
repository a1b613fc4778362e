#include "emu/program/Program.h"
#include "emu/engine/Services.h"
#include "emu/program/OpFacts.h"
#include "emu/semantics/Half.h"
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
  end.inner = service::endOfProgram;
  operations.push_back(end);
  needed.emplace_back();
}

// Pool rows are numbered downwards in the frame, so the last word comes first.
unsigned Program::poolRowsOf(std::vector<PoolRow> words) {
  auto [it, isNew] = poolIndex.try_emplace(words, unsigned(poolRows.size() + words.size() - 1));
  if (isNew)
    poolRows.insert(poolRows.end(), words.rbegin(), words.rend());
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
      op.flags &= u8(~Op::steers);
      faulty = true;
    }
    if (faulty && op.flags & Op::setSync) { // it traps before it pushes anything
      op.flags &= u8(~Op::setSync);
      op.b = 0;
    }
  }
}

Program::Ways Program::waysFrom(u64 entry) const {
  Ways ways{false, false};
  std::vector<bool> isSeen(size());
  std::vector<s64> places{s64(entry) / 8};
  while (!places.empty()) {
    const s64 index = places.back();
    places.pop_back();
    if (index < 0 || index >= s64(size()) || isSeen[size_t(index)])
      continue;
    isSeen[size_t(index)] = true;
    const Op &op = operations[size_t(index)];
    const isa::Facts facts = factsOf(op);
    if (facts.waits || facts.flow == isa::Flow::Indirect)
      return {true, false};
    if (op.flags & Op::hasTarget) {
      places.push_back(index + 1 + op.immediate);
      ways.loops |= op.immediate < 0;
    }
    if (op.flags & Op::setSync)
      places.push_back(index + 1 + op.b);
    const bool isSure = op.guard == truePredicate && !op.guardFlip;
    const bool leaves = facts.flow == isa::Flow::Exit || facts.flow == isa::Flow::Ret ||
                        (facts.flow == isa::Flow::Branch && !branchModsOf(op).testsFlags);
    if (!isSure || !leaves)
      places.push_back(index + 1);
  }
  return ways;
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
  needs.stateRead |= u16(1 << predicate);
  op.guardFlip = negate ? allLanes : 0;
}

// Architecture.md 2 and 8: 64-bit data fill aligned pairs, 128-bit data aligned
// quads, below RZ. The assembler refuses others; a word made elsewhere traps.
void OpBuilder::use(unsigned reg, unsigned words) {
  if (reg == zeroRegister)
    return;
  if (reg % words != 0 || reg + words > zeroRegister) {
    fault = misalignedRegister;
    words = 1;
  }
  program.registerCount = std::max(program.registerCount, reg + words);
}

void OpBuilder::dst(Slot slot, unsigned reg, unsigned words) {
  setRow(slot, reg == zeroRegister ? frame::sinkRow : int(reg));
  use(reg, words);
  if (reg != zeroRegister)
    needs.written = {u8(reg), u8(words)};
}

void OpBuilder::read(unsigned reg, unsigned words) {
  use(reg, words);
  if (reg != zeroRegister)
    needs.read[needs.reads++] = {u8(reg), u8(words)};
}

void OpBuilder::src(Slot slot, unsigned reg, unsigned words) {
  setRow(slot, reg == zeroRegister ? frame::zeroRow : int(reg));
  read(reg, words);
}

void OpBuilder::imm(Slot slot, u64 bits, unsigned words) {
  LENO_ASSERT(words <= 2, "immediates have 64 bits at most");
  std::vector<Program::PoolRow> rows{{false, u32(bits), 0, 0, words}};
  if (words == 2)
    rows.push_back({false, u32(bits >> 32), 0, 0});
  setRow(slot, frame::firstPoolRow - int(program.poolRowsOf(std::move(rows))));
}

void OpBuilder::floatImm(Slot slot, u32 bits, isa::FloatFormat format) {
  switch (format) {
  case isa::FloatFormat::F32:
    return imm(slot, bits);
  case isa::FloatFormat::F16:
    return imm(slot, sem::halfOf(f64(sem::floatOf(bits)), isa::Round::RN));
  case isa::FloatFormat::F64:
    return imm(slot, sem::bitsOf(f64(sem::floatOf(bits))), 2);
  }
}

void OpBuilder::constant(Slot slot, unsigned bank, u32 byteOffset, unsigned words) {
  if (byteOffset % (4 * words) != 0) {
    fault = fault == none ? misalignedConstant : fault;
    return;
  }
  std::vector<Program::PoolRow> rows;
  for (unsigned k = 0; k < words; ++k)
    rows.push_back({true, 0, bank, byteOffset + 4 * k, words - k});
  setRow(slot, frame::firstPoolRow - int(program.poolRowsOf(std::move(rows))));
}

void OpBuilder::dstPred(PSlot slot, unsigned predicate) {
  (slot == PSlot::U ? op.u : op.v) = u8(predicate == truePredicate ? sinkPredicate : predicate);
  needs.stateWritten |= u16(1 << predicate);
}

void OpBuilder::srcPred(PSlot slot, unsigned predicate, bool negate) {
  unsigned index = unsigned(slot) - unsigned(PSlot::P);
  (index == 0 ? op.p : index == 1 ? op.q : op.r) = u8(predicate);
  needs.stateRead |= u16(1 << predicate);
  if (negate)
    op.flips |= u8(1 << index);
}

void OpBuilder::address(unsigned base, bool is64, s32 byteOffset) {
  setRow(Slot::A, base == zeroRegister ? frame::zeroRow : int(base));
  op.immediate = byteOffset;
  if (is64)
    op.flags |= Op::wideBase;
  read(base, is64 ? 2 : 1);
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

/// Op::alone, Op::steers, or nothing: others can see it.
static u8 seenBy(const Op &op) {
  const bool pops = op.flags & Op::popSync, pushes = op.flags & Op::setSync;
  switch (flowOf(op.semantic)) {
  case isa::Flow::Next: {
    Op bare = op;
    bare.flags = 0;
    const isa::Facts facts = factsOf(bare);
    if (facts.memory)
      return pops || pushes ? 0 : Op::steers;
    if (pushes || !facts.isAlone())
      return 0;
    return pops ? Op::steers : Op::alone;
  }
  case isa::Flow::Branch:
    return !pops && !branchModsOf(op).testsFlags ? Op::steers : 0;
  case isa::Flow::Ssy:
  case isa::Flow::Pbk:
  case isa::Flow::Pcnt:
  case isa::Flow::Pret:
  case isa::Flow::Call:
    return pops ? 0 : Op::steers;
  case isa::Flow::Brk:
  case isa::Flow::Cont:
  case isa::Flow::Ret:
  case isa::Flow::Exit:
    return pushes ? 0 : Op::steers;
  default:
    return 0;
  }
}

void OpBuilder::finish(u64 word) {
  switch (fault) {
  case none:
    break;
  case undecodable:
    op = Op();
    needs = {};
    op.inner = service::illegalInstruction;
    break;
  case misalignedRegister:
    op.inner = service::misalignedRegister;
    break;
  case misalignedConstant:
    op.inner = service::misalignedConstant;
    break;
  case misalignedTarget:
    op.inner = service::misalignedTarget;
    break;
  }
  // Lanes that leave with a reason are no longer there to join.
  isa::Flow flow = flowOf(op.semantic);
  if (flow == isa::Flow::Brk || flow == isa::Flow::Cont || flow == isa::Flow::Ret || flow == isa::Flow::Exit)
    op.flags &= u8(~Op::popSync);
  // A place that a register is added to is judged when the register is known; it is kept as a byte address.
  if (fault == none && flow == isa::Flow::Indirect) {
    op.flags &= u8(~Op::hasTarget);
    op.immediate = (s64(program.size()) + 1 + op.immediate) * 8;
  }
  LENO_ASSERT(op.inner, "an operation is finished before bind gave it a handler");
  if (fault == none)
    op.flags |= seenBy(op);
  needs.stateRead &= u16(~(1 << truePredicate)), needs.stateWritten &= u16(~(1 << truePredicate));
  program.operations.insert(program.operations.end() - 1, op);
  program.needed.insert(program.needed.end() - 1, needs);
  program.words.push_back(word);
}
