// Atomics on random operands, lanes and addresses against a model written from the manual's text: one lane
// after the other, in integers wide enough for no operation to wrap.
#include "emu/semantics/Atomic.h"
#include "../Effort.h"
#include "Harness.h"

using namespace leno;
using namespace leno::test;
using isa::AtomOp;
using isa::AtomType;

namespace {

struct Kind {
  AtomOp op;
  AtomType type;
};
constexpr Kind kinds[] = {
    {AtomOp::ADD, AtomType::U32},  {AtomOp::ADD, AtomType::S32}, {AtomOp::ADD, AtomType::U64},
    {AtomOp::ADD, AtomType::F32},  {AtomOp::MIN, AtomType::U32}, {AtomOp::MIN, AtomType::S32},
    {AtomOp::MIN, AtomType::U64},  {AtomOp::MAX, AtomType::U32}, {AtomOp::MAX, AtomType::S32},
    {AtomOp::MAX, AtomType::U64},  {AtomOp::INC, AtomType::U32}, {AtomOp::DEC, AtomType::U32},
    {AtomOp::AND, AtomType::U32},  {AtomOp::AND, AtomType::U64}, {AtomOp::OR, AtomType::U32},
    {AtomOp::OR, AtomType::U64},   {AtomOp::XOR, AtomType::U32}, {AtomOp::XOR, AtomType::U64},
    {AtomOp::EXCH, AtomType::U32}, {AtomOp::EXCH, AtomType::U64}};

/// Every operand, sign or not, as an integer of 128 bits; the result's low bits are what memory keeps.
u64 model(Kind kind, u64 old, u64 b) {
  auto value = [&](u64 bits) { return kind.type == AtomType::S32 ? __int128(s32(bits)) : __int128(bits); };
  __int128 x = value(old), y = value(b), result = 0;
  switch (kind.op) {
  case AtomOp::ADD:
    if (kind.type == AtomType::F32) {
      // Singles are added without error in double but for one rounding, and 53 >= 2 * 24 + 2 bits make a
      // second one harmless.
      double sum = double(__builtin_bit_cast(float, u32(old))) + double(__builtin_bit_cast(float, u32(b)));
      return sum != sum ? 0x7fffffff : __builtin_bit_cast(u32, float(sum));
    }
    result = x + y;
    break;
  case AtomOp::MIN:
    result = x < y ? x : y;
    break;
  case AtomOp::MAX:
    result = x > y ? x : y;
    break;
  case AtomOp::INC:
    result = x < y ? x + 1 : 0;
    break;
  case AtomOp::DEC:
    result = x > 0 && x <= y ? x - 1 : y;
    break;
  case AtomOp::AND:
    result = x & y;
    break;
  case AtomOp::OR:
    result = x | y;
    break;
  case AtomOp::XOR:
    result = x ^ y;
    break;
  case AtomOp::EXCH:
    result = y;
    break;
  }
  return kind.type == AtomType::U64 ? u64(result) : u32(result);
}

u64 edgeOrRandom(std::mt19937_64 &random) {
  static constexpr u32 edges[] = {0,          1,          2,          0x7fffffff, 0x80000000,
                                  0xffffffff, 0xfffffffe, 0x7f800000, 0xff800000, 0x7f812345,
                                  0x3f800000, 0x00000001, 0x80000001, 0x7f7fffff};
  auto word = [&]() -> u32 { return random() % 2 ? edges[random() % std::size(edges)] : u32(random()); };
  u64 low = word();
  return low | u64(word()) << 32;
}

/// Where the operands of a launch stand, a u64 a lane: addresses, b, c; then old values come back, then
/// memory.
struct Launch {
  std::vector<u32> in = std::vector<u32>(3 * 64), old, memory;
  u32 mask;
};

constexpr unsigned words = 8; // of memory, 64 bits each

/// R4 = address, R6:R7 = b, R8:R9 = c; the atomic into R10:R11, for the lanes of P0.
template <class F> Code kernel(const Engine &engine, F &&atomic, bool shared) {
  Code code(engine);
  code.s2r(0, isa::SpecialRegister::TID_X).shlImm(1, 0, 3).param(2, 0).iadd(1, 1, 2);
  code.ldg(4, 1, 0).ldg(6, 1, 256, isa::MemSize::B64).ldg(8, 1, 512, isa::MemSize::B64);
  code.param(3, 4).mov(10, 0xdead).mov(11, 0xbeef);
  if (!shared)
    code.iadd(4, 4, 3);
  else { // lanes below `words` bring memory in and out
    code.isetpImm(1, isa::Cmp::LT, 0, words).shlImm(12, 0, 3).iadd(13, 12, 3);
    code.when(1).ldg(14, 13, 0, isa::MemSize::B64);
    for (unsigned half = 0; half < 2; ++half)
      code.when(1).sts(12, s32(4 * half), 14 + half);
  }
  code.param(5, 8).s2r(15, isa::SpecialRegister::LANEMASK_EQ);
  isa::LOPMods both;
  both.op = isa::LogicOp::AND;
  code.op<sem::LOP>(both, [](OpBuilder &o) { o.dst(Slot::D, 5), o.src(Slot::A, 5), o.src(Slot::B, 15); });
  code.isetpImm(0, isa::Cmp::NE, 5, 0).when(0);
  atomic(code);
  code.stg(1, 768, 10, isa::MemSize::B64);
  if (shared)
    for (unsigned half = 0; half < 2; ++half)
      code.when(1).lds(14, 12, s32(4 * half)).when(1).stg(13, s32(4 * half), 14);
  code.exit().done();
  return code;
}

template <class S, class Mods> void emit(Code &code, Mods mods) {
  unsigned pair = mods.type == AtomType::U64 ? 2 : 1;
  code.op<S>(mods, [=](OpBuilder &o) {
    if constexpr (S::returnsOld)
      o.dst(Slot::D, 10, pair);
    o.address(4, false, 0);
    o.src(Slot::B, 6, pair);
    if constexpr (S::swaps)
      o.src(Slot::C, 8, pair);
  });
}

/// Runs it on random lanes at few addresses, and compares each old value and the memory that is left.
void check(const Code &code, std::mt19937_64 &random, bool is64, bool returnsOld, bool shared,
           const std::function<u64(u64, u64, u64)> &combine, const std::string &what) {
  TestMachine machine({}, code.program.engine());
  u64 operands = machine.buffer(1024), memory = machine.buffer(8 * words);
  std::vector<u64> cells(words);
  for (u64 &cell : cells)
    cell = edgeOrRandom(random);
  std::vector<u32> in(256), start(2 * words);
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    in[2 * lane] = u32(random() % (is64 ? words : 2 * words) * (is64 ? 8 : 4));
    u64 b = random() % 4 ? edgeOrRandom(random) : cells[random() % words], c = edgeOrRandom(random);
    in[64 + 2 * lane] = u32(b), in[64 + 2 * lane + 1] = u32(b >> 32);
    in[128 + 2 * lane] = u32(c), in[128 + 2 * lane + 1] = u32(c >> 32);
  }
  std::memcpy(start.data(), cells.data(), 8 * words);
  machine.setWords(operands, in);
  machine.setWords(memory, start);
  u32 mask = u32(random()) | u32(random());
  Machine &run =
      machine.launch(code.program, {}, {32}, {u32(operands), u32(memory), mask}, shared ? 8 * words : 0);
  ASSERT_EQ(run.run().reason, StopReason::Finished) << run.grid()->trap()->str();
  std::vector<u32> left = machine.words(memory, 2 * words), old = machine.words(operands + 768, 64);
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    u64 before = u64(0xbeef) << 32 | 0xdead;
    if (mask >> lane & 1) {
      auto *at = reinterpret_cast<unsigned char *>(start.data()) + in[2 * lane];
      u64 value = 0;
      std::memcpy(&value, at, is64 ? 8 : 4);
      auto operand = [&](unsigned from) { return is64 ? u64(in[from + 1]) << 32 | in[from] : u64(in[from]); };
      u64 result = combine(value, operand(64 + 2 * lane), operand(128 + 2 * lane));
      std::memcpy(at, &result, is64 ? 8 : 4);
      if (returnsOld)
        before = is64 ? value : u64(0xbeef) << 32 | value;
    }
    EXPECT_EQ(u64(old[2 * lane + 1]) << 32 | old[2 * lane], before) << what << " lane " << lane;
  }
  EXPECT_EQ(left, start) << what;
}

template <class S, class Mods> void checkAll(bool shared) {
  std::mt19937_64 random(7);
  for (const Engine *engine : availableEngines())
    for (Kind kind : kinds) {
      if (!S::returnsOld && kind.op == AtomOp::EXCH)
        continue;
      Mods mods;
      mods.op = kind.op;
      mods.type = kind.type;
      Code code = kernel(*engine, [&](Code &c) { emit<S>(c, mods); }, shared);
      for (unsigned i = 0; i < effort(20); ++i)
        check(
            code, random, kind.type == AtomType::U64, S::returnsOld, shared,
            [&](u64 old, u64 b, u64) { return model(kind, old, b); },
            engine->name + std::string(" operation ") + std::to_string(unsigned(kind.op)) + " type " +
                std::to_string(unsigned(kind.type)));
    }
}

template <class S, class Mods> void checkSwaps(bool shared) {
  std::mt19937_64 random(11);
  for (const Engine *engine : availableEngines())
    for (AtomType type : {AtomType::U32, AtomType::U64}) {
      Mods mods;
      mods.type = type;
      Code code = kernel(*engine, [&](Code &c) { emit<S>(c, mods); }, shared);
      for (unsigned i = 0; i < effort(20); ++i)
        check(
            code, random, type == AtomType::U64, true, shared,
            [](u64 old, u64 b, u64 c) { return old == b ? c : old; }, engine->name);
    }
}

} // namespace

TEST(Atomic, GlobalMatchesTheModel) { checkAll<sem::ATOM, isa::ATOMMods>(false); }
TEST(Atomic, SharedMatchesTheModel) { checkAll<sem::ATOMS, isa::ATOMSMods>(true); }
TEST(Atomic, ReductionMatchesTheModel) { checkAll<sem::RED, isa::REDMods>(false); }
TEST(Atomic, GlobalCompareAndSwapMatchesTheModel) { checkSwaps<sem::ATOMCAS, isa::ATOMCASMods>(false); }
TEST(Atomic, SharedCompareAndSwapMatchesTheModel) { checkSwaps<sem::ATOMSCAS, isa::ATOMSCASMods>(true); }
