#include "emu/compiled/RegionPlan.h"
#include "emu/engine/SpecialRegisters.h"
#include "emu/observe/OperationCounts.h"
#include "emu/program/OpFacts.h"
#include "emu/semantics/All.h"
#include "emu/semantics/Shape.h"
#include "emu/sm/Cta.h"
#include "emu/warp/DivergenceStack.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstring>
#include <deque>
#include <numeric>

using namespace leno;
using namespace leno::compiled;

namespace {

/// Whether the form computes with the host's usual rounding.
template <class S, class M> bool isToNearest(const M &mods) {
  if constexpr (requires { mods.rnd; } && !requires { S::ignoresHostRounding; })
    return mods.rnd == isa::Round::RN;
  return true;
}

/// Control flow.
Kind kindOf(Operation &operation) {
  auto pushing = [&](TokenType type) {
    operation.tokenType = u8(type);
    return Kind::Pushes;
  };
  auto takingOut = [&](Reason reason) {
    operation.reason = u8(reason);
    return Kind::TakesOut;
  };
  switch (operation.op.semantic) {
  case Semantic::NOP:
    return Kind::Idles;
  case Semantic::S2R:
    return isClock(operation.op.extra) ? Kind::Leaves : Kind::Asks;
  case Semantic::BRA:
  case Semantic::JMP:
    return Kind::Branches;
  case Semantic::SSY:
    return pushing(TokenType::Sync);
  case Semantic::PBK:
    return pushing(TokenType::Brk);
  case Semantic::PCNT:
    return pushing(TokenType::Cont);
  case Semantic::PRET:
    return pushing(TokenType::Call);
  case Semantic::CAL:
  case Semantic::JCAL:
    return Kind::Calls;
  case Semantic::BRK:
    return takingOut(Reason::Brk);
  case Semantic::CONT:
    return takingOut(Reason::Cont);
  case Semantic::RET:
    return takingOut(Reason::Ret);
  case Semantic::EXIT:
    return takingOut(Reason::Exit);
  default:
    return Kind::Leaves;
  }
}

template <class S, class M> void classifyAs(const Engine &engine, Operation &operation) {
  constexpr Shape shape = shapeOf<S>();
  M mods;
  std::memcpy(&mods, operation.op.mods, sizeof(mods));
  M plain = M::withHot(M(), mods.hotIndex());
  bool isPlain = std::memcmp(&plain, &mods, sizeof(M)) == 0;
  if (engine.handler(operation.op.semantic, mods.hotIndex(), isPlain) != operation.op.inner)
    return; // it traps
  operation.form = u16(variants * mods.hotIndex() + isPlain);
  if constexpr (shape == Shape::Access || shape == Shape::Atomic)
    operation.kind = Kind::Accesses;
  else if constexpr (shape == Shape::Lane || shape == Shape::Conversion || shape == Shape::Masks ||
                     shape == Shape::Vote || shape == Shape::Shuffle)
    operation.kind = isToNearest<S>(mods) ? Kind::Computes : Kind::Leaves;
  else
    operation.kind = kindOf(operation);
  // What computes and joins as well would have to wait for the stack.
  const u8 flags = operation.op.flags;
  if ((flags & Op::popSync && operation.kind != Kind::Idles) ||
      (flags & Op::setSync && operation.kind != Kind::Branches && operation.kind != Kind::Pushes &&
       operation.kind != Kind::Calls))
    operation.kind = Kind::Leaves;
  if (operation.kind == Kind::Idles && flags & Op::popSync)
    operation.kind = Kind::TakesOut;
}

void classify(const Engine &engine, Operation &operation) {
  switch (operation.op.semantic) {
#define LENO_SEMANTIC(name)                                                                                  \
  case Semantic::name:                                                                                       \
    return classifyAs<sem::name, isa::name##Mods>(engine, operation);
#include "isa/LenoSemantics.def"
  default:
    return;
  }
}

/// The operations of a program that can be come to, breadth first, and the stack's shape before each: that of
/// the way that comes there first.
class Search {
public:
  Search(const Program &program, std::vector<StackShape> &shapes, Warps warps, const RegionPlan::Guess &guess)
      : program(program), shapes(shapes), warps(warps), guess(guess) {}
  void lead(s64 index, u16 shape) {
    leaders.insert(u32(index));
    reach(index, shape);
  }
  void follow(u32 index);

  const Program &program;
  std::vector<StackShape> &shapes;
  const Warps warps;
  const RegionPlan::Guess &guess;
  llvm::DenseMap<u32, u16> seen;
  llvm::DenseSet<u32> leaders;
  std::deque<u32> waiting;
  std::vector<Operation> found;

private:
  /// Of LD and ST it is told where they go, with counts, too.
  bool isTold(const Op &op) const {
    if (op.semantic == Semantic::LD || op.semantic == Semantic::ST)
      return guess.watched & (Observer::GenericMemory | Observer::Counts);
    return guess.watched & (factsOf(op).memory->isAtomic ? Observer::Atomics : Observer::Memory);
  }
  void reach(s64 index, u16 shape) {
    if (index < 0 || u64(index) >= program.size() || !seen.try_emplace(u32(index), shape).second)
      return;
    if (seen.size() <= (warps == Warps::Whole ? RegionPlan::mostOfWhole : RegionPlan::mostOperations))
      waiting.push_back(u32(index));
  }
  std::optional<u16> push(u16 shape, TokenType type, s64 pc);
};

/// None: it would be too deep, or leads nowhere, or is not the code's.
std::optional<u16> Search::push(u16 shape, TokenType type, s64 pc) {
  StackShape deeper = shapes[shape];
  if (guess.watched & Observer::Stack || deeper.depth == StackShape::most || shapes.size() == UINT16_MAX ||
      pc < 0 || u64(pc) > program.size())
    return std::nullopt;
  deeper.entries[deeper.depth++] = {u8(type), u32(pc)};
  auto known = std::find(shapes.begin(), shapes.end(), deeper);
  if (known == shapes.end())
    known = shapes.insert(known, deeper);
  return u16(known - shapes.begin());
}

static bool isUnguarded(const Op &op) { return op.guard == truePredicate && !op.guardFlip; }

void Search::follow(u32 index) {
  Operation operation;
  copyOp(operation.op, program.ops()[index]);
  operation.index = index;
  operation.stack = seen.lookup(index);
  classify(program.engine(), operation);
  const Op &op = operation.op;
  if (operation.kind == Kind::Asks && warps == Warps::Whole && !isKept(op.extra))
    operation.kind = Kind::Leaves; // it does not know which of the machine's warps it runs
  if (operation.kind == Kind::Accesses && isTold(op))
    operation.kind = Kind::Leaves;
  const s64 next = s64(index) + 1, target = next + op.immediate;
  const u16 before = operation.stack;
  const bool isSure = isUnguarded(op);
  std::optional<u16> shape = before;
  if (op.flags & Op::setSync) {
    lead(next + op.b, before);
    shape = push(before, TokenType::Sync, next + op.b);
  }
  if (shape)
    switch (operation.kind) {
    case Kind::Branches:
      // Where all go together, as in code for all lanes they must, nothing is pushed.
      operation.parts = warps == Warps::Any && !isSure;
      if (std::optional<u16> apart = operation.parts ? push(*shape, TokenType::Div, next) : shape) {
        lead(target, *apart);
        if (!isSure)
          lead(next, *shape);
      } else
        shape.reset();
      break;
    case Kind::Pushes:
      lead(target, *shape);
      shape = push(*shape, TokenType(operation.tokenType), target);
      if (shape)
        reach(next, *shape);
      break;
    case Kind::Calls:
      lead(next, *shape);
      shape = push(*shape, TokenType::Call, next);
      if (shape)
        lead(target, *shape);
      break;
    default:
      break;
    }
  if (!shape)
    operation.kind = Kind::Leaves;
  switch (operation.kind) {
  case Kind::Computes:
  case Kind::Accesses:
  case Kind::Asks:
  case Kind::Idles:
    reach(next, before);
    break;
  case Kind::TakesOut:
    if (!isSure)
      lead(next, before);
    break;
  case Kind::Leaves: // it may go on anywhere
    if (op.flags & Op::hasTarget)
      lead(target, before);
    if (flowOf(op.semantic) != isa::Flow::Exit || !isSure)
      lead(next, before);
    break;
  default:
    break;
  }
  operation.op.fn = operation.op.inner = nullptr;
  found.push_back(operation);
}

} // namespace

namespace {

/// What the words of registers depend on, before each operation of a region: compilers use a register for
/// many values. A guess: it knows nothing of masks.
class Dependence {
public:
  Dependence(const Program &program, llvm::ArrayRef<Operation> operations, llvm::ArrayRef<StackShape> stacks,
             bool hasWideRows);
  Lanes lanesOf(size_t operation, s32 row, bool isWide) const;
  bool isShared(size_t operation, u32 row) const {
    return !before[operation].onLane[row] && !before[operation].onData[row];
  }
  /// What tells the pointer that an address was made of; 0: it is not known.
  u32 pointerOf(size_t operation) const;

private:
  struct Registers {
    std::bitset<256> onLane; ///< on its number, in the warp or the CTA
    std::bitset<256> onData; ///< on memory, or on other lanes
    std::array<u32, 256> pointers{}; ///< the constant, or the load, of one; 0: on none
    /// Whether it is more than before.
    bool join(const Registers &other) {
      Registers all{onLane | other.onLane, onData | other.onData, {}};
      for (size_t i = 0; i < pointers.size(); ++i)
        all.pointers[i] = joined(pointers[i], other.pointers[i]);
      bool isMore = all.onLane != onLane || all.onData != onData || all.pointers != pointers;
      *this = all;
      return isMore;
    }
  };
  static constexpr u32 several = ~u32(0), loaded = u32(1) << 31;
  static u32 joined(u32 a, u32 b) { return !a ? b : !b || a == b ? a : several; }
  u32 pointerAfter(size_t operation, const Program &program) const;
  Registers after(size_t operation, const Program &program, bool hasWideRows) const;
  std::vector<size_t> followers(size_t operation, llvm::ArrayRef<StackShape> stacks) const;

  llvm::ArrayRef<Operation> operations; ///< by index
  std::vector<Registers> before;
};

} // namespace

/// Of a thread's place beside x, which lanes share where they are side by side in x.
static bool isOfRow(u32 special) {
  return isa::SpecialRegister(special) == isa::SpecialRegister::TID_Y ||
         isa::SpecialRegister(special) == isa::SpecialRegister::TID_Z;
}

static bool isOfLane(u32 special) {
  switch (isa::SpecialRegister(special)) {
  case isa::SpecialRegister::LANEID:
  case isa::SpecialRegister::TID_X:
  case isa::SpecialRegister::LANEMASK_EQ:
  case isa::SpecialRegister::LANEMASK_LT:
  case isa::SpecialRegister::LANEMASK_LE:
  case isa::SpecialRegister::LANEMASK_GT:
  case isa::SpecialRegister::LANEMASK_GE:
    return true;
  default:
    return false;
  }
}

/// Of what an operation writes. An offset's pair is made of constants and loads as well: a constant is taken
/// before registers, and a pair before a word.
u32 Dependence::pointerAfter(size_t i, const Program &program) const {
  const Operation &operation = operations[i];
  if (operation.kind == Kind::Accesses)
    return loaded | operation.index;
  u32 constants = 0, pairs = 0, words = 0;
  for (s32 offset : {operation.op.a, operation.op.b, operation.op.c})
    if (std::optional<size_t> at = program.poolRowAt(offset); at && program.pool()[*at].isConstant) {
      const Program::PoolRow &row = program.pool()[*at];
      constants = joined(constants, 1 + (row.bank << 16 | (row.offset & ~u32(7))));
    }
  const OpNeeds &needs = program.needs(operation.index);
  for (unsigned k = 0; k < needs.reads; ++k)
    for (unsigned n = 0; n < needs.read[k].count && needs.read[k].first + n < 256; ++n) {
      u32 &its = needs.read[k].count == 2 ? pairs : words;
      its = joined(its, before[i].pointers[needs.read[k].first + n]);
    }
  return constants ? constants : pairs ? pairs : words;
}

/// The upper word tells more: there are no others but zero and minus one to add.
u32 Dependence::pointerOf(size_t i) const {
  const Op &op = operations[i].op;
  const s32 row = op.a / s32(rowBytes);
  if (row < 0 || row >= 255)
    return 0;
  const u32 low = before[i].pointers[size_t(row)],
            high = op.flags & Op::wideBase ? before[i].pointers[size_t(row) + 1] : 0;
  return high && high != several ? high : low != several ? low : 0;
}

Dependence::Registers Dependence::after(size_t i, const Program &program, bool hasWideRows) const {
  auto each = [](OpNeeds::Registers registers, auto does) {
    for (unsigned k = 0; k < registers.count && registers.first + k < 256; ++k)
      does(registers.first + k);
  };
  const Operation &operation = operations[i];
  const OpNeeds &needs = program.needs(operation.index);
  Registers known = before[i];
  bool lane = operation.kind == Kind::Asks && isOfLane(operation.op.extra);
  bool data = operation.kind == Kind::Asks ? isOfRow(operation.op.extra) && !hasWideRows
                                           : operation.kind != Kind::Computes;
  for (unsigned k = 0; k < needs.reads; ++k)
    each(needs.read[k], [&](unsigned number) {
      lane |= known.onLane[number];
      data |= known.onData[number];
    });
  const bool isKept = !isUnguarded(operation.op); // in lanes that do not pass
  const u32 pointer = pointerAfter(i, program);
  each(needs.written, [&](unsigned number) {
    known.pointers[number] = joined(pointer, isKept ? known.pointers[number] : 0);
    known.onLane[number] = lane || (isKept && known.onLane[number]);
    known.onData[number] = data || (isKept && known.onData[number]);
  });
  return known;
}

/// Of the first operation that is not before that index in the program.
static size_t numberFrom(llvm::ArrayRef<Operation> operations, s64 index) {
  auto isBefore = [](const Operation &each, s64 index) { return each.index < index; };
  return size_t(llvm::lower_bound(operations, index, isBefore) - operations.begin());
}

/// Where lanes may go on: what is taken from the stack may be any of its entries.
std::vector<size_t> Dependence::followers(size_t i, llvm::ArrayRef<StackShape> stacks) const {
  std::vector<size_t> found;
  auto add = [&](s64 index) {
    const size_t number = numberFrom(operations, index);
    if (number < operations.size() && operations[number].index == index)
      found.push_back(number);
  };
  const Operation &operation = operations[i];
  const Op &op = operation.op;
  const Kind kind = operation.kind;
  const s64 next = s64(operation.index) + 1;
  if (op.flags & Op::hasTarget && kind != Kind::Pushes)
    add(next + op.immediate);
  const bool goesAway = kind == Kind::Branches || kind == Kind::Calls || kind == Kind::TakesOut;
  if (!goesAway || !isUnguarded(op))
    add(next);
  if (kind == Kind::TakesOut || kind == Kind::Leaves) {
    const StackShape &stack = stacks[operation.stack];
    for (unsigned k = 0; k < stack.depth; ++k)
      add(stack.entries[k].pc);
  }
  return found;
}

Dependence::Dependence(const Program &program, llvm::ArrayRef<Operation> operations,
                       llvm::ArrayRef<StackShape> stacks, bool hasWideRows)
    : operations(operations), before(operations.size()) {
  std::vector<std::vector<size_t>> next;
  for (size_t i = 0; i < operations.size(); ++i)
    next.push_back(followers(i, stacks));
  for (bool isMore = true; isMore;) {
    isMore = false;
    for (size_t i = 0; i < operations.size(); ++i) {
      const Registers known = after(i, program, hasWideRows);
      for (size_t follower : next[i])
        isMore |= before[follower].join(known);
    }
  }
}

/// As addresses are as a rule: of a lane's place, words side by side.
Lanes Dependence::lanesOf(size_t operation, s32 row, bool isWide) const {
  auto has = [&](const std::bitset<256> &registers) {
    return row >= 0 && row < 255 && (registers[size_t(row)] || (isWide && registers[size_t(row) + 1]));
  };
  return has(before[operation].onData) ? Lanes::Any : has(before[operation].onLane) ? Lanes::Row : Lanes::One;
}

static bool goesOutOfCta(const Operation &operation) {
  switch (operation.kind) {
  case Kind::Computes:
  case Kind::Idles:
  case Kind::Asks:
  case Kind::Leaves:
    return false;
  case Kind::Accesses:
    return factsOf(operation.op).memory->space != isa::MemorySpace::Shared;
  case Kind::Branches:
    return operation.op.flags & Op::setSync;
  default:
    return true;
  }
}

void RegionPlan::chooseAccesses(const Program &program, const Guess &guess) {
  const Dependence dependence(program, operations, stacks, guess.hasWideRows);
  const bool meetOthers = warps == Warps::Full && llvm::any_of(operations, [](const Operation &each) {
                            return each.op.semantic == Semantic::BAR_SYNC;
                          });
  llvm::DenseMap<u32, u16> known;
  auto windowOf = [&](u32 pointer) {
    return !pointer ? windows++ : known.try_emplace(pointer, windows).second ? windows++ : known[pointer];
  };
  for (size_t i = 0; i < operations.size(); ++i) {
    Operation &operation = operations[i];
    operation.goesOut = meetOthers && goesOutOfCta(operation);
    if (operation.kind == Kind::Asks && guess.hasWideRows)
      operation.lanes = isOfRow(operation.op.extra) ? Lanes::One
                        : isa::SpecialRegister(operation.op.extra) == isa::SpecialRegister::TID_X
                            ? Lanes::Row
                            : Lanes::Any;
    if (operation.kind != Kind::Accesses)
      continue;
    const isa::MemoryFacts memory = *factsOf(operation.op).memory;
    if (!memory.isAtomic && !llvm::is_contained(guess.irregular, operation.index))
      operation.lanes =
          dependence.lanesOf(i, operation.op.a / s32(rowBytes), operation.op.flags & Op::wideBase);
    const bool isLocal = memory.space == isa::MemorySpace::Local; // where a row is of one address
    if (isLocal ? operation.lanes == Lanes::Row || memory.bytes < 4
                : operation.lanes == Lanes::Row && memory.bytes != 4)
      operation.lanes = Lanes::Any; // a row is of words
    operation.form = u16(operation.form / variants * variants + unsigned(operation.lanes));
    if (!memory.isAtomic)
      Judgement{}.set(operation.op);
    if (memory.space == isa::MemorySpace::Global || memory.space == isa::MemorySpace::Generic)
      operation.window = windowOf(dependence.pointerOf(i));
    if ((warps == Warps::Whole || meetOthers) && memory.space == isa::MemorySpace::Global && memory.reads &&
        !memory.writes)
      operation.op.extra |= warps == Warps::Whole ? fetchesAhead | fetchesFar : fetchesAhead;
    if (operation.lanes == Lanes::Any && !memory.writes && memory.space != isa::MemorySpace::Constant &&
        llvm::is_contained(guess.near, operation.index))
      operation.op.extra |= liesNear;
  }
  if (guess.sharesWords && warps == Warps::Full)
    for (size_t i = 0; i < operations.size(); ++i)
      for (u32 row = 0; operations[i].isLeader && row < std::min(program.registers(), 256u); ++row)
        if (dependence.isShared(i, row))
          operations[i].shared[row / 64] |= u64(1) << row % 64;
  judgeTogether(program);
}

/// One judgement for loads and stores of a block whose addresses differ by what is known now. All of them
/// execute, or code leaves: so that nothing is lost where it leaves at once.
void RegionPlan::judgeTogether(const Program &program) {
  const u32 count = u32(operations.size());
  auto isJudged = [](const Operation &operation) {
    if (operation.kind != Kind::Accesses || !isUnguarded(operation.op))
      return false;
    const isa::MemoryFacts memory = *factsOf(operation.op).memory;
    const bool isPlain = memory.space == isa::MemorySpace::Local ||
                         memory.space == isa::MemorySpace::Global || memory.space == isa::MemorySpace::Shared;
    return isPlain && !memory.isAtomic && operation.lanes != Lanes::Any &&
           operation.op.immediate % memory.bytes == 0;
  };
  auto writes = [&](const Operation &operation, s32 row, bool isWide) {
    const OpNeeds::Registers written = program.needs(operation.index).written;
    return row < s32(written.first + written.count) && s32(written.first) <= row + isWide;
  };
  for (u32 first = 0; first < count; ++first) {
    if (!operations[first].isLeader)
      continue;
    const u32 end = endOfBlock(operations.data(), count, first);
    for (u32 i = first; i < end; ++i) {
      Op &op = operations[i].op;
      if (!isJudged(operations[i]) || operations[i].hasJudge())
        continue;
      const isa::MemoryFacts memory = *factsOf(op).memory;
      const bool isWide = op.flags & Op::wideBase;
      s64 least = op.immediate, most = op.immediate;
      for (u32 k = i; ++k < end && !writes(operations[k - 1], op.a / s32(rowBytes), isWide);) {
        Op &other = operations[k].op;
        const bool isAlike = isJudged(operations[k]) && operations[k].lanes == operations[i].lanes &&
                             other.a == op.a && (other.flags & Op::wideBase) == isWide * Op::wideBase &&
                             factsOf(other).memory->space == memory.space &&
                             factsOf(other).memory->bytes == memory.bytes;
        if (!isAlike || operations[k].hasJudge())
          continue;
        least = std::min(least, other.immediate);
        most = std::max(most, other.immediate);
        Judgement{Judgement::before, s32(other.immediate - op.immediate)}.set(other);
        operations[k].window = operations[i].window;
      }
      Judgement{s32(op.immediate - least), s32(most - op.immediate)}.set(op);
    }
  }
}

/// Where code of its part goes on from an operation without going out of the CTA.
llvm::SmallVector<u32, 2> RegionPlan::behind(u32 number) const {
  llvm::SmallVector<u32, 2> found;
  const Operation &from = operations[number];
  if (from.kind == Kind::Leaves || from.goesOut)
    return found;
  const u32 *end = std::upper_bound(parts.data(), parts.data() + parts.size(), number);
  const auto its = llvm::ArrayRef(operations).slice(end[-1], end[0] - end[-1]);
  auto add = [&](s64 index) {
    const size_t place = numberFrom(its, index);
    if (place < its.size() && its[place].index == index)
      found.push_back(u32(end[-1] + place));
  };
  const s64 next = s64(from.index) + 1;
  const bool branches = from.kind == Kind::Branches;
  if (branches)
    add(next + from.op.immediate);
  if (!branches || hasGuard(from.op))
    add(next);
  return found;
}

/// Whether code comes from each operation so to one of those.
std::vector<bool> RegionPlan::comeTo(std::vector<bool> those) const {
  for (bool isMore = true; isMore;) {
    isMore = false;
    for (u32 i = u32(operations.size()); i-- > 0;)
      if (!those[i] && llvm::any_of(behind(i), [&](u32 next) { return those[next]; }))
        those[i] = isMore = true;
  }
  return those;
}

/// Where two phases of the CTA's own follow each other. The loops together have no more operations than a
/// part.
void RegionPlan::findTurns() {
  const u32 count = u32(operations.size());
  std::vector<bool> barriers(count), followed(count);
  for (u32 i = 0; i < count; ++i)
    barriers[i] = operations[i].isBarrier = Cta::isPlainBarrier(operations[i].op);
  const std::vector<bool> own = comeTo(barriers);
  for (u32 i = 0; i + 1 < count; ++i)
    followed[i] = barriers[i] && operations[i + 1].index == operations[i].index + 1 && own[i + 1];
  if (comeTo(followed) == followed)
    return;
  size_t looped = 0;
  for (u32 i = 0; i < count; ++i) {
    if (!operations[i].isLeader || !own[i] || (operations[i].index != entry && (!i || !barriers[i - 1])))
      continue;
    llvm::SetVector<u32> its;
    its.insert(i);
    for (size_t k = 0; k < its.size(); ++k)
      for (u32 next : behind(its[k]))
        its.insert(next);
    looped += its.size();
    if (looped > guess.mostOfPart)
      return;
    operations[i].beginsTurns = true;
  }
}

void RegionPlan::placeCounters(const Program &program) {
  if (operations.empty())
    return;
  const size_t from = operations.front().index;
  std::vector<Op> marked(program.ops().begin() + s64(from),
                         program.ops().begin() + s64(operations.back().index) + 1);
  markCounting(marked);
  const u32 count = u32(operations.size());
  for (u32 i = 0; i < count; ++i) {
    if (!operations[i].isLeader)
      continue;
    const u32 end = endOfBlock(operations.data(), count, i);
    for (u32 k = i; k < end; ++k) {
      Operation &operation = operations[k];
      operation.countsGuard =
          hasGuard(operation.op) && (k == i || !sharesGuard(marked[operation.index - from]));
      operation.counters = counters;
      counters =
          operation.stackCounter() + (operation.kind == Kind::Branches                                  ? 2
                                      : operation.kind == Kind::Pushes || operation.kind == Kind::Calls ? 1
                                      : operation.kind == Kind::TakesOut ? 1u + stacks[operation.stack].depth
                                                                         : 0);
    }
  }
}

/// Behind a barrier, or else where the fewest loops are cut, and of such places the last.
void RegionPlan::divide() {
  const u32 count = u32(operations.size());
  std::vector<s32> loops(count + 1); // that a cut in front of an operation would be in
  for (u32 i = 0; i < count; ++i) {
    const s64 target = s64(operations[i].index) + 1 + operations[i].op.immediate;
    if (!(operations[i].op.flags & Op::hasTarget) || target > operations[i].index)
      continue;
    ++loops[numberFrom(operations, target) + 1];
    --loops[i + 1];
  }
  std::partial_sum(loops.begin(), loops.end(), loops.begin());
  const u32 most = warps == Warps::Whole ? count : guess.mostOfPart;
  for (u32 first = 0; first < count;) {
    parts.push_back(first);
    u32 end = std::min(count, first + most);
    if (end < count) {
      const u32 latest = end, least = first + most / 2;
      for (u32 cut = latest; cut-- > least;)
        if (loops[cut] < loops[end])
          end = cut;
      for (u32 cut = latest; cut > least; --cut)
        if (Cta::isPlainBarrier(operations[cut - 1].op)) { // code is left there anyway
          end = cut;
          break;
        }
    }
    first = end;
  }
  parts.push_back(count);
}

RegionPlan::RegionPlan(const Program &program, u64 entry, Warps warps, const Guess &guess)
    : warps(warps), guess(guess), entry(u32(entry / 8)) {
  stacks.emplace_back();
  Search search(program, stacks, warps, guess);
  search.lead(s64(entry) / 8, 0);
  while (!search.waiting.empty()) {
    u32 next = search.waiting.front();
    search.waiting.pop_front();
    search.follow(next);
  }
  operations = std::move(search.found);
  std::sort(operations.begin(), operations.end(),
            [](const Operation &a, const Operation &b) { return a.index < b.index; });
  divide();
  for (u32 part : parts)
    if (part < operations.size())
      search.leaders.insert(operations[part].index);
  size_t first = 0; // of those that are entered together
  bool isSeen = guess.isCounted();
  for (size_t i = 0; i < operations.size(); ++i) {
    Operation &operation = operations[i];
    isSeen |= operation.kind == Kind::Accesses;
    // Of a long block that others see, or that is counted, the rest of a turn could execute nothing.
    if (search.leaders.contains(operation.index) || (isSeen && i - first >= mostSeen)) {
      operation.isLeader = operation.kind != Kind::Leaves; // what would leave at once is not entered
      first = i;
      isSeen = guess.isCounted() || operation.kind == Kind::Accesses;
    }
  }
  chooseAccesses(program, guess);
  if (guess.isCounted())
    placeCounters(program);
  else if (warps == Warps::Full)
    findTurns();
  for (const Program::PoolRow &row : program.pool())
    pool.push_back({row.isConstant, row.value});
}

void compiled::copyOp(Op &to, const Op &from) {
  constexpr size_t fields = offsetof(Op, extra) + sizeof(Op::extra);
  std::memset(static_cast<void *>(&to), 0, sizeof(Op));
  std::memcpy(static_cast<void *>(&to), &from, fields);
}

bool RegionPlan::isEmpty() const {
  return std::none_of(operations.begin(), operations.end(), [](const Operation &o) { return o.isLeader; });
}

static bool same(const auto &a, const auto &b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// In all but its operations.
bool RegionPlan::isAlike(const RegionPlan &other) const {
  return warps == other.warps && entry == other.entry && guess.isCounted() == other.guess.isCounted() &&
         guess.sharesWords == other.guess.sharesWords && same(stacks, other.stacks) && same(pool, other.pool);
}

bool RegionPlan::hasSame(size_t number, const RegionPlan &other) const {
  return number < other.partCount() && isAlike(other) && same(part(number), other.part(number));
}

bool RegionPlan::isSame(const RegionPlan &other) const {
  return isAlike(other) && same(operations, other.operations);
}
