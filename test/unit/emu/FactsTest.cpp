// The facts of the records against what the machine does: random words of every encoding, with random
// modifiers, execute once each in a lane's state full of chance. Two runs differ in all that an instruction
// does not read: what it writes must be the same, and the rest must stay.
#include "Harness.h"
#include "asm/Decoder.h"
#include "asm/Encodings.h"
#include "asm/LenoMCTargetDesc.h"
#include "asm/checker/Code.h"
#include "emu/program/OpFacts.h"
#include "emu/program/Predecoder.h"
#include "test/unit/Effort.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace leno;
using namespace leno::test;
using isa::Flow, isa::Lock;

namespace {

constexpr unsigned RZ = 255;

constexpr unsigned at = 8, words = 20; ///< where the word stands in its program of EXITs
constexpr u32 sharedBytes = 256, localBytes = 256, globalBytes = 1024;

u64 fieldOf(const EncodingInfo &encoding, llvm::StringRef name) {
  for (const EncodingField &field : encoding.fields)
    if (name == field.name)
      return field.bits;
  return 0;
}
const EncodingInfo &encodingNamed(llvm::StringRef mnemonic) {
  return *llvm::find_if(allEncodings(), [&](const EncodingInfo &e) { return mnemonic == e.mnemonic; });
}

/// A lane's state, and the bytes that the warp can reach.
struct State {
  std::vector<u32> registers; ///< by number and lane
  LaneMask predicates[7], flags[4];
  LaneMask active;
  std::vector<u32> global;
  std::vector<u8> shared, local;

  /// Takes a cell from another state; of CC these flags.
  void take(unsigned cell, unsigned bits, const State &from) {
    if (cell < firstPredicate)
      std::copy_n(&from.registers[cell * laneCount], laneCount, &registers[cell * laneCount]);
    else if (cell < flagsCell)
      predicates[cell - firstPredicate] = from.predicates[cell - firstPredicate];
    for (unsigned bit = 0; bit < 4 && cell == flagsCell; ++bit)
      if (bits >> bit & 1)
        flags[bit] = from.flags[bit];
  }
};

/// What one execution did.
struct Done {
  State before, after;
  std::optional<Trap> trap;
  bool waits = false, isOver = false, wasEmpty = false;
  u64 pc = 0;
  LaneMask executing = 0;
  size_t depth = 0;
  int locks = 0;
  std::vector<std::pair<MemorySpace, MemoryAccess::Kind>> accesses;
  unsigned bytes = 0;
};

struct AccessList : Observer {
  explicit AccessList(Done &done) : done(done) {}
  void memory(const Warp &, const Op &, const MemoryAccess &access) override {
    done.accesses.emplace_back(access.space, access.kind);
    done.bytes = access.bytes;
  }
  Done &done;
};

/// One word of an encoding, decoded and placed in a program.
class Subject {
public:
  Subject(const EncodingInfo &encoding, u64 word, const llvm::MCInst &inst, const Effects &effects)
      : encoding(encoding), word(word), inst(inst), effects(effects), program(widest()) {
    std::vector<uint64_t> code(words, encodingNamed("EXIT").value | 7);
    code[at] = word;
    if (effects.facts.memory && effects.facts.memory->lock == Lock::Give) {
      // The lock must be held: LDLK PT, RZ of the same address.
      const EncodingInfo &lock =
          encodingNamed(effects.facts.memory->space == MemorySpace::Shared ? "LDSLK" : "LDLK");
      u64 same = fieldOf(lock, "addr") | fieldOf(lock, "size") | fieldOf(lock, "guard");
      code[at - 1] = lock.value | (word & same) | fieldOf(lock, "pu") | fieldOf(lock, "rd");
      entry = at - 1;
    }
    program = predecode(code, widest());
  }

  State randomState(std::mt19937_64 &random, bool isAimed = true) const;
  /// The same in what the instruction reads, another in the rest.
  State otherwise(const State &state, std::mt19937_64 &random) const;
  Done run(const State &state) const;
  const Op &op() const { return program.ops()[at]; }
  unsigned registers() const { return std::max(program.registers(), 4u); }
  std::string text() const { return Decoder().print(word) + " (0x" + llvm::utohexstr(word, true, 16) + ")"; }

  const EncodingInfo &encoding;
  u64 word;
  llvm::MCInst inst;
  Effects effects;

  unsigned base() const;

private:
  unsigned registerAt(int index) const;
  void aim(State &state, std::mt19937_64 &random) const;

  Program program;
  unsigned entry = at;
};

/// Where the allocation of each run begins.
constexpr u64 globalAt = AddressSpace::firstAddress;

/// The register of an operand; RZ where the operand is none.
unsigned Subject::registerAt(int index) const {
  return index >= 0 && inst.getOperand(unsigned(index)).isReg()
             ? Decoder().encodingOf(inst.getOperand(unsigned(index)).getReg())
             : RZ;
}

unsigned Subject::base() const {
  int constant = operandIndex(inst.getOpcode(), OperandName::caddr_);
  return constant >= 0 ? registerAt(constant + 1)
                       : registerAt(operandIndex(inst.getOpcode(), OperandName::addr_));
}

/// Gives registers that few values suit such a value, mostly: bases of addresses, places in the program,
/// barriers.
void Subject::aim(State &state, std::mt19937_64 &random) const {
  if (random() % 16 == 0)
    return;
  auto set = [&](unsigned reg, unsigned lane, u64 value) {
    if (reg != RZ)
      state.registers[reg * laneCount + lane] = u32(value);
  };
  unsigned a = registerAt(operandIndex(inst.getOpcode(), OperandName::ra_));
  unsigned c = registerAt(operandIndex(inst.getOpcode(), OperandName::rc_));
  u64 number = random() % 16, isScattered = random() & 1;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    if (effects.facts.flow == Flow::Barrier)
      set(a, lane, number), set(c, lane, 32);
    if (effects.facts.flow == Flow::Indirect)
      set(a, lane, 8 * (random() % 3));
    if (!effects.facts.memory)
      continue;
    int address = operandIndex(inst.getOpcode(), OperandName::addr_);
    auto index = unsigned(address >= 0 ? address : operandIndex(inst.getOpcode(), OperandName::caddr_));
    s64 offset = inst.getOperand(index + 2).getImm();
    u64 bytes = effects.facts.memory->bytes, places = sharedBytes / bytes;
    bool isGlobal =
        llvm::is_contained({MemorySpace::Global, MemorySpace::Generic}, effects.facts.memory->space);
    u64 value = (isGlobal ? globalAt : 0) + bytes * ((isScattered ? random() : lane) % places) - u64(offset);
    set(base(), lane, value);
    if (address >= 0 && inst.getOperand(index + 1).getImm() && base() != RZ)
      set(base() + 1, lane, value >> 32);
  }
}

u32 chance(std::mt19937_64 &random, bool isPlain) {
  static const u32 special[] = {0, 0x80000000, 1, 0x7fffffff, 0xffffffff, 0x3f800000, 0x7f800000, 0x00800000};
  return isPlain ? u32(random() % 3) : random() % 3 == 0 ? special[random() % 8] : u32(random());
}

State Subject::randomState(std::mt19937_64 &random, bool isAimed) const {
  State state;
  state.registers.resize(registers() * laneCount);
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    // Some lanes have few values, so that operands are equal, and some have small ones.
    unsigned kind = unsigned(random() % 4);
    u32 pool[2] = {chance(random, kind == 1), chance(random, false)};
    for (unsigned r = 0; r < registers(); ++r)
      state.registers[r * laneCount + lane] = kind == 0 ? pool[random() & 1] : chance(random, kind == 1);
  }
  auto someLanes = [&] { return random() % 2 ? u32(random()) : random() % 2 ? allLanes : 0; };
  std::generate_n(state.predicates, 7, someLanes);
  std::generate_n(state.flags, 4, someLanes);
  state.active = random() & 1 ? allLanes : u32(random()) | 1;
  bool isPlain = random() & 1;
  for (unsigned i = 0; i < globalBytes / 4; ++i)
    state.global.push_back(chance(random, isPlain));
  for (auto *bytes : {&state.shared, &state.local})
    for (unsigned i = 0; i < (bytes == &state.local ? localBytes * laneCount : sharedBytes); ++i)
      bytes->push_back(isPlain ? u8(i % 4 == 0 ? random() % 3 : 0) : u8(random()));
  if (isAimed)
    aim(state, random);
  return state;
}

State Subject::otherwise(const State &state, std::mt19937_64 &random) const {
  State other = randomState(random);
  other.active = state.active, other.global = state.global;
  other.shared = state.shared, other.local = state.local;
  for (const Effect &effect : effects.cells)
    if (!effect.writes)
      for (unsigned cell = effect.cell; cell < effect.cell + effect.count; ++cell)
        other.take(cell, effect.flags, state);
  return other;
}

Done Subject::run(const State &state) const {
  Done done;
  done.before = state;
  TestMachine machine;
  u64 buffer = machine.buffer(globalBytes);
  EXPECT_EQ(buffer, globalAt);
  machine.setWords(buffer, state.global);
  LaunchSpec spec;
  spec.kernel = "facts";
  spec.entry = entry * 8;
  spec.grid = {1, 1, 1};
  spec.block = {laneCount, 1, 1};
  spec.sharedBytes = sharedBytes, spec.localBytes = localBytes;
  spec.registers = registers();
  spec.parameters.resize(globalBytes);
  for (size_t i = 0; i < spec.parameters.size(); ++i)
    spec.parameters[i] = u8(i * 37 ^ i >> 3);
  auto run = llvm::cantFail(Machine::create(machine.device, program, spec));
  AccessList accesses(done);
  run->addObserver(accesses);
  run->start();
  GridRun &grid = *run->grid();
  Cta &cta = *grid.residentCtas().front();
  Warp &warp = *cta.warps().front();
  for (unsigned r = 0; r < registers(); ++r)
    for (unsigned lane = 0; lane < laneCount; ++lane)
      warp.writeRegister(r, lane, state.registers[r * laneCount + lane]);
  std::copy_n(state.predicates, 7, warp.predicates);
  warp.codes = {state.flags[3], state.flags[2], state.flags[1], state.flags[0]};
  warp.active = state.active;
  std::copy(state.shared.begin(), state.shared.end(), cta.shared().begin());
  std::copy(state.local.begin(), state.local.end(), warp.local.host);
  for (unsigned i = entry; i < at && !grid.trap(); ++i)
    run->step(warp);
  done.accesses.clear();
  if (grid.trap()) { // nothing was locked
    done.wasEmpty = true;
    return done;
  }
  auto locks = int(warp.locksHeld);
  size_t depth = warp.divergence().depth();
  done.executing = warp.executing(op());
  run->step(warp);
  done.trap = grid.trap();
  done.waits = warp.status == WarpStatus::AtBarrier;
  done.isOver = warp.exited() || grid.isOver();
  done.wasEmpty = grid.instructions() == 0 && !done.trap;
  done.pc = warp.pc ? warp.pcBytes() / 8 : 0;
  done.depth = warp.divergence().depth() - depth;
  done.locks = int(warp.locksHeld) - locks;
  done.after = state;
  done.after.active = warp.active;
  for (unsigned r = 0; r < registers(); ++r)
    for (unsigned lane = 0; lane < laneCount; ++lane)
      done.after.registers[r * laneCount + lane] = warp.readRegister(r, lane);
  std::copy_n(warp.predicates, 7, done.after.predicates);
  LaneMask flags[] = {warp.codes.zero, warp.codes.sign, warp.codes.carry, warp.codes.overflow};
  std::copy_n(flags, 4, done.after.flags);
  done.after.global = machine.words(buffer, globalBytes / 4);
  if (!done.isOver) {
    done.after.shared.assign(cta.shared().begin(), cta.shared().end());
    done.after.local.assign(warp.local.host, warp.local.host + localBytes * laneCount);
  }
  return done;
}

//===--- The words --------------------------------------------------------===//

/// Random words of an encoding that are instructions with registers where they belong.
void forWords(u64 seed, unsigned count, llvm::function_ref<bool(const EncodingInfo &)> isWanted,
              llvm::function_ref<void(Subject &, std::mt19937_64 &)> judge) {
  Decoder decoder;
  for (const EncodingInfo &encoding : allEncodings()) {
    if (!isWanted(encoding))
      continue;
    std::mt19937_64 random(seed + encoding.value);
    unsigned found = 0;
    for (unsigned tries = 0; tries < 3000 * count && found < count; ++tries) {
      u64 word = encoding.value;
      for (const EncodingField &field : encoding.fields) {
        u64 value = random(), mask = field.bits;
        if (field.name == "guard" && random() % 2)
          value = ~u64(0) & ~(mask & (u64(8) << __builtin_ctzll(mask))); // PT
        if ((field.name == "S" || field.name == "U") && random() % 8)
          value = 0;
        // Registers are few, and RZ and PT not too frequent, so that runs are short.
        if ((field.name.starts_with("r") || field.name.ends_with("addr")) && __builtin_popcountll(mask) >= 8)
          value &= random() % 8 ? ~(u64(0xe0) << __builtin_ctzll(mask)) : ~u64(0);
        if (field.name == "target" || field.name == "join" || field.name == "address")
          value = (field.name == "address" ? random() % words : random() % 8) << __builtin_ctzll(mask);
        if (field.name == "count")
          value = random() % 4 ? (random() & 32) << __builtin_ctzll(mask) : value;
        if (field.name == "rb" && random() % 16 == 0)
          value = 0;
        // Where an operand of 20 bits stands, a register or a constant needs fewer.
        if (field.name == "rb" || field.name == "rc")
          value &= random() % 3 == 0 ? ~(u64(0xfff) << 29) : random() % 2 ? ~(u64(3) << 39) : ~u64(0);
        word |= value & mask;
      }
      llvm::MCInst inst;
      if (!decoder.decode(word, inst))
        continue;
      // Constants where there are some: the first bytes of bank 0.
      if (constantOffsetIndex(inst.getOpcode()) >= 0 && random() % 8) {
        bool isLoad = operandIndex(inst.getOpcode(), OperandName::caddr_) >= 0;
        word &= ~(u64(0x3ff) << (isLoad ? 31 : 29));
        if (!decoder.decode(word, inst))
          continue;
      }
      Effects effects = decoder.effectsOf(inst);
      if (effects.misaligned)
        continue;
      ++found;
      Subject subject(encoding, word, inst, effects);
      judge(subject, random);
      if (testing::Test::HasFatalFailure())
        return;
    }
    EXPECT_GT(found, count / 2) << encoding.mnemonic.str() << ": too few words";
  }
}

/// The lanes of a register that differ.
LaneMask differing(const State &x, const State &y, unsigned reg) {
  LaneMask lanes = 0;
  for (unsigned lane = 0; lane < laneCount; ++lane)
    lanes |= LaneMask(x.registers[reg * laneCount + lane] != y.registers[reg * laneCount + lane]) << lane;
  return lanes;
}

/// The lanes where a cell differs; of the flags, one.
LaneMask differing(const State &x, const State &y, unsigned cell, unsigned flag) {
  return cell < firstPredicate ? differing(x, y, cell)
         : cell < flagsCell    ? x.predicates[cell - firstPredicate] ^ y.predicates[cell - firstPredicate]
                               : x.flags[flag] ^ y.flags[flag];
}

void forCells(const Subject &subject, llvm::function_ref<void(unsigned cell, unsigned flag)> each) {
  for (unsigned cell = 0; cell < subject.registers(); ++cell)
    each(cell, 0);
  for (unsigned cell = firstPredicate; cell < flagsCell; ++cell)
    each(cell, 0);
  for (unsigned flag = 0; flag < 4; ++flag)
    each(flagsCell, flag);
}

const Effect *writeOf(const Subject &subject, unsigned cell, unsigned flag) {
  for (const Effect &effect : subject.effects.cells)
    if (effect.writes && effect.has(cell) && (cell != flagsCell || effect.flags >> flag & 1))
      return &effect;
  return nullptr;
}

bool sameOrder(const char *x, const char *y) { return x && y ? std::strcmp(x, y) == 0 : x == y; }

/// Two runs that differ in what is not read.
void compare(const Subject &subject, const Done &a, const Done &b) {
  // What joins has done its work when the joining traps.
  bool joined = a.trap && subject.effects.execution.sync &&
                llvm::is_contained({TrapKind::RetEmptyStack, TrapKind::StackError}, a.trap->kind);
  bool moved = (!a.trap || joined) && !a.waits;
  EXPECT_EQ(a.trap.has_value(), b.trap.has_value());
  EXPECT_EQ(a.pc, b.pc);
  EXPECT_EQ(a.after.active, b.after.active);
  EXPECT_TRUE(a.after.global == b.after.global && a.after.shared == b.after.shared &&
              a.after.local == b.after.local)
      << "memory depends on what is not read";
  forCells(subject, [&](unsigned cell, unsigned flag) {
    LaneMask changedA = differing(a.before, a.after, cell, flag),
             changedB = differing(b.before, b.after, cell, flag);
    const Effect *write = writeOf(subject, cell, flag);
    LaneMask writable = write && moved ? a.executing : 0;
    EXPECT_EQ((changedA | changedB) & ~writable, 0u) << check::cellName(cell) << " changes";
    LaneMask apart = differing(a.after, b.after, cell, flag) & writable;
    if (write && write->mayStay)
      apart &= changedA | changedB; // what stays may differ
    EXPECT_EQ(apart, 0u) << check::cellName(cell) << " depends on what is not read";
  });
}

} // namespace

TEST(Facts, TellWhatEachInstructionReadsAndWrites) {
  std::map<std::string, std::set<TrapKind>> raised;
  unsigned count = 0;
  forWords(
      1, effort(12), [](const EncodingInfo &) { return true; },
      [&](Subject &subject, std::mt19937_64 &random) {
        SCOPED_TRACE(subject.text());
        const isa::Facts &facts = subject.effects.facts;
        State state = subject.randomState(random);
        Done a = subject.run(state), b = subject.run(subject.otherwise(state, random));
        if (a.wasEmpty || b.wasEmpty)
          return;
        ++count;
        compare(subject, a, b);

        // What traps, waits, locks and touches memory.
        if (a.trap) {
          bool isConstant = constantOffsetIndex(subject.inst.getOpcode()) >= 0;
          EXPECT_TRUE(facts.canRaise(a.trap->kind) ||
                      (isConstant && a.trap->kind == TrapKind::InvalidConstantAddress))
              << a.trap->str();
          raised[subject.encoding.mnemonic.str()].insert(a.trap->kind);
        }
        EXPECT_TRUE(!a.waits || facts.waits);
        Lock lock = facts.memory ? facts.memory->lock : Lock::None;
        EXPECT_TRUE(a.locks == 0 ||
                    (a.locks > 0 ? lock == Lock::Take : lock == Lock::Give || facts.flow == Flow::Exit));
        if (!facts.memory || (!facts.memory->writes && facts.memory->lock == Lock::None))
          EXPECT_TRUE(a.after.global == state.global && a.after.shared == state.shared &&
                          a.after.local == state.local ||
                      a.isOver);
        if (!facts.memory || facts.memory->space == MemorySpace::Constant)
          EXPECT_TRUE(a.accesses.empty() || facts.memory);
        else if (!a.trap && a.executing) {
          EXPECT_FALSE(a.accesses.empty());
          auto kind = facts.memory->isAtomic ? MemoryAccess::Kind::Atomic
                      : facts.memory->writes ? MemoryAccess::Kind::Store
                                             : MemoryAccess::Kind::Load;
          EXPECT_EQ(a.bytes, facts.memory->bytes);
          for (auto [space, told] : a.accesses) {
            EXPECT_EQ(told, kind);
            EXPECT_TRUE(space == facts.memory->space || facts.memory->space == MemorySpace::Generic);
          }
        }

        // Where control goes.
        bool joins = subject.effects.execution.sync;
        if (!a.trap && !a.waits && !joins && (facts.flow == Flow::Next || facts.flow == Flow::Barrier)) {
          EXPECT_EQ(a.pc, at + 1);
          EXPECT_EQ(a.depth, 0u);
          EXPECT_EQ(a.after.active, state.active);
        }
        bool isPush =
            llvm::is_contained({Flow::Ssy, Flow::Pbk, Flow::Pcnt, Flow::Pret, Flow::Call}, facts.flow);
        if (!a.trap && isPush)
          EXPECT_EQ(a.depth, 1u + subject.effects.execution.setSync);

        // The same facts by the operation.
        isa::Facts ofOp = factsOf(subject.op());
        EXPECT_EQ(ofOp.flow, facts.flow);
        EXPECT_EQ(ofOp.waits, facts.waits);
        EXPECT_EQ(ofOp.traps | facts.traps, facts.traps); // an EXIT's .S is dropped
        EXPECT_TRUE(ofOp.memory == facts.memory);
        EXPECT_TRUE(sameOrder(ofOp.order, facts.order));
      });
  std::cout << count << " words executed\n";
  // The sweep reaches the rarer ways as well.
  EXPECT_TRUE(raised["LDG"].count(TrapKind::AddressOutOfRange));
  EXPECT_TRUE(raised["BPT"].count(TrapKind::Breakpoint));
}

/// A word of an operand that facts name: by direction, kind and place among those.
using Claim = std::tuple<bool, char, unsigned, unsigned>;

static std::vector<std::pair<Claim, const Effect *>> claimsOf(const Subject &subject) {
  std::vector<std::pair<Claim, const Effect *>> claims;
  unsigned places[2][3] = {};
  for (const Effect &effect : subject.effects.cells) {
    unsigned kind = effect.cell < firstPredicate ? 0 : effect.cell < flagsCell ? 1 : 2;
    unsigned place = places[effect.writes][kind]++;
    for (unsigned k = 0; k < effect.count; ++k)
      claims.push_back({{effect.writes, "RPC"[kind], place, k}, &effect});
  }
  return claims;
}

/// Whether a cell's value makes a difference to what the execution did.
static bool matters(const Subject &subject, const Done &done, unsigned cell, unsigned flags,
                    std::mt19937_64 &random) {
  State another = done.before;
  another.take(cell, flags, subject.randomState(random, false));
  Done changed = subject.run(another);
  if (changed.wasEmpty) // what it needs could not be prepared
    return true;
  bool isSeen = changed.trap || changed.pc != done.pc || changed.after.active != done.after.active ||
                changed.executing != done.executing || changed.after.global != done.after.global ||
                changed.after.shared != done.after.shared || changed.after.local != done.after.local;
  forCells(subject, [&](unsigned other, unsigned flag) {
    const Effect *write = writeOf(subject, other, flag);
    LaneMask shows = other != cell ? allLanes : write && !write->mayStay ? done.executing : 0;
    isSeen |= (differing(done.after, changed.after, other, flag) & shows) != 0;
  });
  return isSeen;
}

TEST(Facts, ClaimNothingThatNeverMatters) {
  std::map<const EncodingInfo *, std::set<Claim>> claimed, seen;
  // CCTL's address is a hint, which nothing shows.
  auto isWanted = [](const EncodingInfo &encoding) { return encoding.mnemonic != "CCTL"; };
  forWords(2, effort(400), isWanted, [&](Subject &subject, std::mt19937_64 &random) {
    std::set<Claim> &known = seen[&subject.encoding];
    auto claims = claimsOf(subject);
    if (llvm::all_of(claims, [&](const auto &claim) { return known.count(claim.first); }))
      return;
    State state = subject.randomState(random);
    state.active = allLanes;
    Done done = subject.run(state);
    if (done.wasEmpty || done.trap || !done.executing)
      return;
    for (const auto &[claim, effect] : claims) {
      unsigned cell = effect->cell + std::get<3>(claim);
      claimed[&subject.encoding].insert(claim);
      bool isSeen = false;
      for (unsigned flag = 0; flag < 4 && effect->writes; ++flag)
        isSeen |= differing(done.before, done.after, cell, flag) != 0;
      if (!known.count(claim) &&
          (isSeen || (!effect->writes && matters(subject, done, cell, effect->flags, random))))
        known.insert(claim);
    }
  });
  for (const auto &[encoding, claims] : claimed)
    for (const Claim &claim : claims)
      EXPECT_TRUE(seen[encoding].count(claim))
          << encoding->mnemonic.str() << ": " << (std::get<0>(claim) ? "writes " : "reads ")
          << std::get<1>(claim) << std::get<2>(claim) << "+" << std::get<3>(claim)
          << " is claimed and never seen";
}

TEST(Facts, TellWhereTheOrderAmongCtasCanBeSeen) {
  // Two lanes at one address, as two CTAs would be: exchanged, they leave the same unless the order is told.
  std::set<std::string> ordered, free;
  auto isAtomic = [](const EncodingInfo &encoding) {
    return encoding.mnemonic.starts_with("ATOM") || encoding.mnemonic.starts_with("RED");
  };
  forWords(3, effort(60), isAtomic, [&](Subject &subject, std::mt19937_64 &random) {
    const isa::Facts &facts = subject.effects.facts;
    ASSERT_TRUE(facts.memory && facts.memory->isAtomic && facts.memory->reads && facts.memory->writes);
    State state = subject.randomState(random);
    for (unsigned r : {subject.base(), subject.base() + 1})
      if (r < subject.registers())
        state.registers[r * laneCount + 1] = state.registers[r * laneCount];
    State swapped = state;
    for (unsigned r = 0; r < subject.registers(); ++r) {
      u32 *lanes = &swapped.registers[r * laneCount];
      std::swap(lanes[0], lanes[1]);
    }
    for (State *each : {&state, &swapped}) {
      each->active = 3;
      for (LaneMask &mask : each->predicates)
        mask |= 3;
    }
    Done a = subject.run(state), b = subject.run(swapped);
    if (a.trap || b.trap || a.executing != 3)
      return;
    bool isSame = a.after.global == b.after.global && a.after.shared == b.after.shared;
    for (unsigned r = 0; r < subject.registers(); ++r)
      isSame &= a.after.registers[r * laneCount] == b.after.registers[r * laneCount + 1];
    bool isShared = facts.memory->space == MemorySpace::Shared; // no other CTA reaches it
    EXPECT_TRUE(isSame || isShared || facts.order) << subject.text() << " shows an order that is not told";
    EXPECT_TRUE(!isShared || !facts.order) << subject.text();
    if (!isShared)
      (isSame ? free : ordered).insert(subject.text().substr(0, 4));
  });
  EXPECT_TRUE(ordered.count("ATOM") && ordered.count("RED.") && free.count("RED."));
}
