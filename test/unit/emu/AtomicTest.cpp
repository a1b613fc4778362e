// Atomics on random operands, lanes and addresses against a model written from the manual's text: one lane
// after the other, in integers wide enough for no operation to wrap.
#include "../Effort.h"
#include "Harness.h"
#include "llvm/Support/FormatVariadic.h"

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

constexpr unsigned words = 32; // of memory, 64 bits each

/// R4 = address, R6:R7 = b, R8:R9 = c; the atomic into R10:R11, for the lanes of P0.
Program kernel(const Engine &engine, const std::string &atomic, bool shared) {
  std::string text = R"(
    .param u32 operands
    .param u32 memory
    .param u32 mask
    S2R R0, SR_TID.X
    SHL R1, R0, 3
    MOV R2, c[0][operands]
    IADD R1, R1, R2
    LDG R4, [R1]
    LDG.64 R6, [R1+256]
    LDG.64 R8, [R1+512]
    MOV R3, c[0][memory]
    MOV32I R10, 0xdead
    MOV32I R11, 0xbeef
  )";
  if (!shared)
    text += "IADD R4, R4, R3\n";
  else // lanes below `words` bring memory in and out
    text += "ISETP.lt P1, R0, " + std::to_string(words) + R"(
    SHL R12, R0, 3
    IADD R13, R12, R3
    @P1 LDG.64 R14, [R13]
    @P1 STS [R12], R14
    @P1 STS [R12+4], R15
  )";
  text += R"(
    MOV R5, c[0][mask]
    S2R R15, SR_LANEMASK_EQ
    LOP.and R5, R5, R15
    ISETP.ne P0, R5, 0
    @P0 )" +
          atomic + "\nSTG.64 [R1+768], R10\n";
  if (shared)
    text += R"(
    @P1 LDS R14, [R12]
    @P1 STG [R13], R14
    @P1 LDS R14, [R12+4]
    @P1 STG [R13+4], R14
  )";
  return assembled(text + "EXIT", engine);
}

/// Which words the lanes' are: they meet at some, all at one, none does in lane order, or but for one lane.
std::array<u32, laneCount> places(std::mt19937_64 &random, u32 wordsOfKind) {
  const u32 pattern = u32(random() % 4), first = u32(random() % (wordsOfKind - laneCount + 1));
  std::array<u32, laneCount> places;
  for (u32 lane = 0; lane < laneCount; ++lane)
    places[lane] = pattern == 0 ? u32(random() % 16) : pattern == 1 ? first : first + lane;
  if (pattern == 3)
    places[random() % laneCount] = u32(random() % wordsOfKind);
  return places;
}

/// Runs it on random lanes, and compares each old value and the memory that is left.
void check(const Program &code, std::mt19937_64 &random, bool is64, bool returnsOld, bool shared,
           const std::function<u64(u64, u64, u64)> &combine, const std::string &what) {
  TestMachine machine({}, code.engine());
  u64 operands = machine.buffer(1024), memory = machine.buffer(8 * words);
  std::vector<u64> cells(words);
  for (u64 &cell : cells)
    cell = edgeOrRandom(random);
  std::vector<u32> in(256), start(2 * words);
  const std::array<u32, laneCount> at = places(random, is64 ? words : 2 * words);
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    in[2 * lane] = at[lane] * (is64 ? 8 : 4);
    u64 b = random() % 4 ? edgeOrRandom(random) : cells[random() % words], c = edgeOrRandom(random);
    in[64 + 2 * lane] = u32(b), in[64 + 2 * lane + 1] = u32(b >> 32);
    in[128 + 2 * lane] = u32(c), in[128 + 2 * lane + 1] = u32(c >> 32);
  }
  std::memcpy(start.data(), cells.data(), 8 * words);
  machine.setWords(operands, in);
  machine.setWords(memory, start);
  const u32 mask = random() % 3 ? ~u32(0) : u32(random()) | u32(random());
  Machine &run = machine.launch(code, {}, {32}, {u32(operands), u32(memory), mask}, shared ? 8 * words : 0);
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

constexpr const char *operations[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch"},
                     *types[] = {"u32", "s32", "u64", "f32"};

/// Of ATOM, ATOMS or RED.
void checkAll(const std::string &mnemonic) {
  std::mt19937_64 random(7);
  bool shared = mnemonic == "ATOMS", returnsOld = mnemonic != "RED";
  for (const Engine *engine : availableEngines())
    for (Kind kind : kinds) {
      if (!returnsOld && kind.op == AtomOp::EXCH)
        continue;
      std::string atomic = llvm::formatv("{0}.{1}.{2} {3}[R4], R6", mnemonic, operations[unsigned(kind.op)],
                                         types[unsigned(kind.type)], returnsOld ? "R10, " : "");
      Program code = kernel(*engine, atomic, shared);
      for (unsigned i = 0; i < effort(20); ++i)
        check(
            code, random, kind.type == AtomType::U64, returnsOld, shared,
            [&](u64 old, u64 b, u64) { return model(kind, old, b); }, engine->name + (" " + atomic));
    }
}

/// Of ATOM or ATOMS.
void checkSwaps(const std::string &mnemonic) {
  std::mt19937_64 random(11);
  bool shared = mnemonic == "ATOMS";
  for (const Engine *engine : availableEngines())
    for (AtomType type : {AtomType::U32, AtomType::U64}) {
      Program code =
          kernel(*engine, mnemonic + ".CAS." + types[unsigned(type)] + " R10, [R4], R6, R8", shared);
      for (unsigned i = 0; i < effort(20); ++i)
        check(
            code, random, type == AtomType::U64, true, shared,
            [](u64 old, u64 b, u64 c) { return old == b ? c : old; }, engine->name);
    }
}

} // namespace

TEST(Atomic, GlobalMatchesTheModel) { checkAll("ATOM"); }
TEST(Atomic, SharedMatchesTheModel) { checkAll("ATOMS"); }
TEST(Atomic, ReductionMatchesTheModel) { checkAll("RED"); }
TEST(Atomic, GlobalCompareAndSwapMatchesTheModel) { checkSwaps("ATOM"); }
TEST(Atomic, SharedCompareAndSwapMatchesTheModel) { checkSwaps("ATOMS"); }
