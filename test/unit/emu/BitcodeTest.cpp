// The semantics as bitcode, compiled when the test runs (LLVM's ORC): every function of every family gives
// what the engines' handlers give, on edge cases and at random, with any modifiers.
#include "emu/bitcode/LaneFunctions.h"
#include "emu/engine/Engine.h"
#include "emu/semantics/All.h"
#include "emu/semantics/Shape.h"
#include "test/unit/Effort.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"
#include <cfenv>
#include <cstring>
#include <random>

using namespace leno;
using lanes::Outcome;

namespace {

/// The bitcode of this build, as functions by name.
class Bitcode {
public:
  Bitcode() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic error;
    auto module = llvm::parseIRFile(LENO_SEMANTICS_BITCODE, error, *context);
    EXPECT_TRUE(module) << error.getMessage().str();
    jit = cantFail(llvm::orc::LLJITBuilder().create());
    auto host = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        jit->getDataLayout().getGlobalPrefix());
    jit->getMainJITDylib().addGenerator(cantFail(std::move(host))); // fma, of the C library
    cantFail(jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  }
  lanes::Function function(const std::string &name) {
    return cantFail(jit->lookup("leno_lane_" + name)).toPtr<lanes::Function>();
  }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// A warp by itself with random registers, many of them edge cases: a in R0:R1, b in R2:R3, c in R4:R5, d
/// R8:R9.
struct BareWarp : WarpState {
  static constexpr unsigned registers = 12, below = 8;
  explicit BareWarp(u32 seed) : WarpState() {
    std::mt19937 random(seed);
    static constexpr u32 edges[] = {0,          1,          2,          31,         32,         33,
                                    0x7f,       0x80,       0xff,       0x7fff,     0x8000,     0xffff,
                                    0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
                                    0xff800000, 0x7fc00000, 0x7f800001, 0x00800000, 0x007fffff, 0x80000001,
                                    0x4f000000, 0x5f000000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x00100000,
                                    0x000fffff, 0x3ff00000, 0x41e00000, 0x7bff7c00, 0x7c013c00};
    for (Row &row : rows)
      for (u32 &lane : row.lane)
        lane = random() % 2 == 0 ? edges[random() % std::size(edges)] : u32(random());
    for (unsigned k = 0; k < 4; ++k)
      rows[k] = Row(); // RZ
    frame = reinterpret_cast<unsigned char *>(&rows[below]);
    active = allLanes;
    for (LaneMask &p : predicates)
      p = u32(random());
    predicates[truePredicate] = allLanes;
    codes = {u32(random()), u32(random()), u32(random()), u32(random())};
  }
  u64 pair(unsigned reg, unsigned lane) const { return word(reg, lane) | u64(word(reg + 1, lane)) << 32; }
  u32 word(unsigned reg, unsigned lane) const { return rows[below + reg].lane[lane]; }
  Row rows[below + registers];
};

u32 predicateWord(const BareWarp &warp, unsigned lane) {
  u32 word = 0;
  for (unsigned k = 0; k < truePredicate; ++k)
    word |= (warp.predicates[k] >> lane & 1) << k;
  const ConditionCodes &c = warp.codes;
  return word | (c.zero >> lane & 1) << 8 | (c.sign >> lane & 1) << 9 | (c.carry >> lane & 1) << 10 |
         (c.overflow >> lane & 1) << 11;
}

ConditionCodes codesOf(const BareWarp &warp, unsigned lane) {
  const ConditionCodes &c = warp.codes;
  return {c.overflow >> lane & 1, c.carry >> lane & 1, c.sign >> lane & 1, c.zero >> lane & 1};
}
bool operator==(const ConditionCodes &x, const ConditionCodes &y) {
  return std::memcmp(&x, &y, sizeof(x)) == 0;
}

template <class Mods> Mods randomMods(std::mt19937 &random) {
  unsigned char bytes[sizeof(Mods)] = {};
  for (unsigned k = 0; Mods::values[k]; ++k)
    bytes[k] = u8(random() % Mods::values[k]);
  Mods mods;
  std::memcpy(&mods, bytes, sizeof(mods));
  return mods;
}

/// Predicates u, v, p, q, r of the operation under test.
constexpr unsigned u = 1, v = 2, p = 3, q = 4, r = 5;

/// One semantic, with any modifiers: the engines' handlers beside the function from the bitcode.
template <class S, class Mods> class Comparison {
  static constexpr Shape shape = shapeOf<S>();

public:
  Comparison(Semantic semantic, lanes::Function function) : semantic(semantic), function(function) {}

  void run(unsigned times) {
    std::mt19937 random(unsigned(semantic) + 1);
    for (unsigned i = 0; i < times && !testing::Test::HasFailure(); ++i) {
      Mods mods = randomMods<Mods>(random);
      u32 seed = u32(random());
      for (const Engine *engine : availableEngines())
        compare(*engine, mods, seed);
    }
  }

private:
  void compare(const Engine &engine, Mods mods, u32 seed) {
    BareWarp before(seed), after(seed);
    Op op;
    op.semantic = semantic;
    std::memcpy(op.mods, &mods, sizeof(mods));
    op.inner = op.fn = handlerFor(engine, semantic, mods);
    op.a = 0, op.b = 2 * rowBytes, op.c = 4 * rowBytes, op.d = 8 * rowBytes;
    op.u = u, op.v = v, op.p = p, op.q = q, op.r = r;
    ASSERT_EQ(op.fn(after, op), &op + 1);
    for (unsigned lane = 0; lane < laneCount && !testing::Test::HasFailure(); ++lane) {
      SCOPED_TRACE(std::string(semanticName(semantic)) + " on " + engine.name + ", seed " +
                   std::to_string(seed) + ", lane " + std::to_string(lane));
      check(mods, before, after, lane, call(mods, before, lane));
    }
  }

  Outcome call(Mods mods, const BareWarp &warp, unsigned lane) {
    lanes::Operands in = {};
    std::memcpy(in.mods, &mods, sizeof(mods));
    in.a = warp.pair(0, lane), in.b = warp.pair(2, lane), in.c = warp.pair(4, lane);
    constexpr bool isWarpWide = shape == Shape::Masks || shape == Shape::Vote;
    unsigned shift = isWarpWide ? 0 : lane;
    in.p = warp.predicates[p] >> shift, in.q = warp.predicates[q] >> shift,
    in.r = warp.predicates[r] >> shift;
    in.codes = isWarpWide ? warp.codes : codesOf(warp, lane);
    in.predicateWord = predicateWord(warp, lane);
    in.executing = allLanes;
    in.lane = lane;
    Outcome out;
    setRounding(mods, true);
    function(&in, &out);
    setRounding(mods, false);
    return out;
  }
  // As the engines do around the lanes of an operation that rounds another way.
  static void setRounding(Mods mods, bool on) {
    if constexpr (requires { mods.rnd; } && !requires { S::ignoresHostRounding; }) {
      static constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
      std::fesetround(on ? modes[unsigned(mods.rnd)] : FE_TONEAREST);
    }
  }

  void check(Mods mods, const BareWarp &before, const BareWarp &after, unsigned lane, const Outcome &out) {
    auto bit = [&](LaneMask mask) { return mask >> lane & 1; };
    if constexpr (shape == Shape::Masks) {
      checkTest(mods, after, lane, bit(out.u), bit(out.v));
    } else if constexpr (shape == Shape::Vote) {
      EXPECT_EQ(bit(after.predicates[u]), out.u);
      EXPECT_EQ(after.word(8, lane), out.value);
    } else if constexpr (shape == Shape::Shuffle) {
      s64 from = s64(out.value);
      EXPECT_EQ(bit(after.predicates[u]), from >= 0);
      EXPECT_EQ(after.word(8, lane), before.word(0, from >= 0 ? unsigned(from) : lane));
    } else if constexpr (shape == Shape::Conversion) {
      checkValue(after, lane, S::isWideResult(mods), out.value);
    } else
      checkLane<LaneResult<S>>(mods, before, after, lane, out);
  }
  template <class R>
  void checkLane(Mods mods, const BareWarp &before, const BareWarp &after, unsigned lane,
                 const Outcome &out) {
    if constexpr (std::is_same_v<R, bool>) {
      checkTest(mods, after, lane, out.u, out.v);
    } else if constexpr (std::is_same_v<R, sem::PredicateWrite>) {
      u32 was = predicateWord(before, lane), select = out.select & 0xf7f;
      EXPECT_EQ(predicateWord(after, lane), (was & ~select) | (u32(out.value) & select));
    } else if constexpr (requires(R result) { result.flags; }) {
      checkValue(after, lane, sizeof(R::value) == 8, out.value);
    } else
      checkValue(after, lane, sizeof(R) == 8, out.value);
    if constexpr (requires { mods.CC; }) {
      EXPECT_TRUE(codesOf(after, lane) == (mods.CC ? out.codes : codesOf(before, lane)));
    }
  }
  void checkValue(const BareWarp &after, unsigned lane, bool isPair, u64 value) {
    EXPECT_EQ(isPair ? after.pair(8, lane) : after.word(8, lane), value);
  }
  void checkTest(Mods mods, const BareWarp &after, unsigned lane, u32 holds, u32 other) {
    if constexpr (requires { mods.BF; }) {
      EXPECT_EQ(after.word(8, lane), holds ? mods.BF ? 0x3f800000 : ~u32(0) : 0);
    } else {
      EXPECT_EQ(after.predicates[u] >> lane & 1, holds);
      EXPECT_EQ(after.predicates[v] >> lane & 1, other);
    }
  }

  Semantic semantic;
  lanes::Function function;
};

/// Atomics as functions of what memory holds: beside the engines' handlers on a word of each lane. For pairs
/// of words these ask the machine where they are; they stand beside the source compiled into this test.
template <class S, class Mods>
void compareAtomic(Semantic semantic, lanes::Function function, unsigned times) {
  constexpr unsigned held = 10; // the register whose words are memory
  std::mt19937 random(11);
  for (unsigned i = 0; i < times && !testing::Test::HasFailure(); ++i) {
    Mods mods = randomMods<Mods>(random);
    BareWarp before{u32(random())};
    bool isWide = sem::bytesOf(mods.type) == 8;
    auto resultOf = [&](unsigned lane) {
      auto value = [&](unsigned reg) { return isWide ? before.pair(reg, lane) : before.word(reg, lane); };
      lanes::Operands in = {};
      std::memcpy(in.mods, &mods, sizeof(mods));
      in.a = value(held), in.b = value(2), in.c = value(4);
      Outcome out;
      function(&in, &out);
      if (isWide)
        EXPECT_EQ(out.value, S::result(mods, in.a, in.b, in.c));
      return out.value;
    };
    for (unsigned lane = 0; isWide && lane < laneCount; ++lane)
      resultOf(lane);
    for (const Engine *engine : availableEngines()) {
      if (isWide)
        break;
      BareWarp after = before;
      after.frame = reinterpret_cast<unsigned char *>(&after.rows[BareWarp::below]);
      Row &memory = after.rows[BareWarp::below + held];
      after.global = after.shared = {0, sizeof(memory), reinterpret_cast<unsigned char *>(&memory)};
      for (unsigned lane = 0; lane < laneCount; ++lane)
        after.rows[BareWarp::below].lane[lane] = 4 * lane;
      Op op;
      op.semantic = semantic;
      std::memcpy(op.mods, &mods, sizeof(mods));
      op.inner = op.fn = handlerFor(*engine, semantic, mods);
      op.a = 0, op.b = 2 * rowBytes, op.c = 4 * rowBytes, op.d = 8 * rowBytes;
      ASSERT_EQ(op.fn(after, op), &op + 1);
      for (unsigned lane = 0; lane < laneCount; ++lane)
        EXPECT_EQ(after.word(held, lane), resultOf(lane))
            << semanticName(semantic) << " on " << engine->name << ", type " << unsigned(mods.type);
    }
  }
}

/// False: it is no function of values.
template <class S, class Mods> bool compare(Semantic semantic, lanes::Function function, unsigned times) {
  constexpr Shape shape = shapeOf<S>();
  if constexpr (shape == Shape::Atomic)
    compareAtomic<S, Mods>(semantic, function, times);
  else if constexpr (isFunctionOfValues(shape))
    Comparison<S, Mods>(semantic, function).run(times);
  return isFunctionOfValues(shape);
}

} // namespace

TEST(Bitcode, EverySemanticGivesTheEnginesBits) {
  Bitcode bitcode;
  unsigned functions = 0, times = test::effort(40);
#define LENO_SEMANTIC(name)                                                                                  \
  functions += compare<sem::name, isa::name##Mods>(Semantic::name, bitcode.function(#name), times);
#include "isa/LenoSemantics.def"
  EXPECT_GE(functions, 60u);
  RecordProperty("functions", int(functions));
}
