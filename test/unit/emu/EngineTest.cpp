#include "../HostFloats.h"
#include "Harness.h"
#include "emu/semantics/Bits.h"
#include "emu/semantics/Convert.h"
#include "emu/semantics/Float.h"
#include "emu/semantics/Integer.h"
#include "emu/semantics/Logic.h"
#include "emu/semantics/Predicate.h"
#include "emu/semantics/Video.h"
#include <cfenv>
#include <cmath>

// Every handler of every engine this host can run: the write-back applies
// guard and mask, and all vector widths give the same bits.
using namespace leno;
using namespace leno::test;

namespace {

/// A bare warp with random registers; R4.. are free destinations.
struct BareWarp : WarpState {
  static constexpr unsigned registers = 16, below = 64;
  BareWarp(u32 seed) : WarpState() {
    std::mt19937 random(seed);
    static const u32 special[] = {0,          0x80000000, 1,          0x7fffffff, 0xffffffff,
                                  0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                  0x00800000, 0x007fffff, 0x33800001, 0x4b7fffff};
    for (unsigned r = 0; r < registers; ++r)
      for (u32 &lane : rows[below + r].lane)
        lane = random() % 3 == 0 ? special[random() % std::size(special)] : u32(random());
    frame = reinterpret_cast<unsigned char *>(&rows[below]);
    active = u32(random()) | u32(random());
    for (LaneMask &p : predicates)
      p = u32(random());
    predicates[truePredicate] = allLanes;
    codes = {u32(random()), u32(random()), u32(random()), u32(random())};
  }
  u32 lane(unsigned reg, unsigned i) const { return rows[below + reg].lane[i]; }
  Row rows[below + registers] = {};
};

template <class Mods> Op opOf(const Engine &engine, Semantic semantic, Mods mods) {
  Op op;
  op.semantic = semantic;
  std::memcpy(op.mods, &mods, sizeof(mods));
  op.fn = op.inner = handlerFor(engine, semantic, mods);
  op.a = 0 * rowBytes, op.b = 1 * rowBytes, op.c = 2 * rowBytes, op.d = 4 * rowBytes;
  op.u = 1, op.v = 2, op.p = 3, op.q = 4, op.r = 5, op.flips = 1, op.guard = 0;
  return op;
}

std::string stateOf(const BareWarp &warp) {
  std::string state(reinterpret_cast<const char *>(warp.rows), sizeof(warp.rows));
  state.append(reinterpret_cast<const char *>(warp.predicates), sizeof(warp.predicates));
  state.append(reinterpret_cast<const char *>(&warp.codes), sizeof(warp.codes));
  return state;
}

/// All modifiers of a struct: its bytes are counted up within their ranges.
template <class Mods> std::vector<Mods> allMods(std::vector<unsigned> radices) {
  std::vector<Mods> result;
  unsigned total = 1;
  for (unsigned radix : radices)
    total *= radix;
  for (unsigned i = 0; i < total; ++i) {
    Mods mods;
    unsigned char bytes[sizeof(Mods)] = {};
    unsigned rest = i;
    for (size_t k = 0; k < radices.size(); ++k)
      bytes[k] = u8(rest % radices[k]), rest /= radices[k];
    std::memcpy(&mods, bytes, sizeof(mods));
    result.push_back(mods);
  }
  return result;
}

template <class Mods> void checkEngines(Semantic semantic, const std::vector<Mods> &all) {
  for (const Mods &mods : all)
    for (u32 seed = 0; seed < 4; ++seed) {
      std::string reference;
      for (const Engine *engine : availableEngines()) {
        BareWarp warp(seed);
        if (seed == 3)
          warp.active = allLanes, warp.predicates[0] = allLanes; // the full-mask path
        Op op = opOf(*engine, semantic, mods);
        ASSERT_EQ(op.fn(warp, op), &op + 1);
        if (engine == availableEngines().front())
          reference = stateOf(warp);
        else
          ASSERT_TRUE(stateOf(warp) == reference)
              << semanticName(semantic) << " on " << engine->name << " seed " << seed;
      }
    }
}

} // namespace

#ifdef __aarch64__
static constexpr const char *baseline = "neon";
#else
static constexpr const char *baseline = "sse2";
#endif

TEST(Engines, TheBaselineIsAlwaysThere) {
  ASSERT_FALSE(availableEngines().empty());
  EXPECT_STREQ(availableEngines().front()->name, baseline);
  EXPECT_TRUE(bool(findEngine(baseline)));
}

TEST(Engines, AnUnknownEngineIsRefusedWithTheOnesThereAre) {
  auto engine = findEngine("mmx");
  ASSERT_FALSE(bool(engine));
  EXPECT_NE(toString(engine.takeError()).find(baseline), std::string::npos);
}

TEST(Engines, TheEnvironmentMayChooseANarrowerOne) {
  const char *value = std::getenv("LENO_VECTOR");
  std::string before = value ? value : "";
  setenv("LENO_VECTOR", baseline, 1);
  auto narrow = chooseEngine();
  setenv("LENO_VECTOR", "avx1024", 1);
  auto none = chooseEngine();
  unsetenv("LENO_VECTOR");
  EXPECT_EQ(cantFail(chooseEngine()), availableEngines().back());
  if (!before.empty())
    setenv("LENO_VECTOR", before.c_str(), 1);
  ASSERT_TRUE(bool(narrow));
  EXPECT_STREQ((*narrow)->name, baseline);
  EXPECT_FALSE(bool(none));
  consumeError(none.takeError());
}

TEST(Engines, AllVectorWidthsGiveTheSameBits) {
  checkEngines(Semantic::IADD, allMods<isa::IADDMods>({2, 2, 2, 2, 2}));
  checkEngines(Semantic::IADD3, allMods<isa::IADD3Mods>({2, 2, 2}));
  checkEngines(Semantic::IMUL, allMods<isa::IMULMods>({2, 4}));
  checkEngines(Semantic::IMAD, allMods<isa::IMADMods>({2, 4, 2, 2}));
  checkEngines(Semantic::LOP, allMods<isa::LOPMods>({2, 4, 2, 2}));
  checkEngines(Semantic::SHL, allMods<isa::SHLMods>({2, 2}));
  checkEngines(Semantic::SHR, allMods<isa::SHRMods>({2, 2}));
  checkEngines(Semantic::ISCADD, allMods<isa::ISCADDMods>({2, 32, 2, 2}));
  checkEngines(Semantic::LEA, allMods<isa::LEAMods>({2, 2, 32}));
  checkEngines(Semantic::LEAHI, allMods<isa::LEAHIMods>({2, 2, 32}));
  checkEngines(Semantic::IMNMX, allMods<isa::IMNMXMods>({2}));
  checkEngines(Semantic::LOP3, allMods<isa::LOP3Mods>({256}));
  checkEngines(Semantic::SHF, allMods<isa::SHFMods>({2, 2}));
  checkEngines(Semantic::BFE, allMods<isa::BFEMods>({2}));
  checkEngines(Semantic::BFI, allMods<isa::BFIMods>({}));
  checkEngines(Semantic::BREV, allMods<isa::BREVMods>({}));
  checkEngines(Semantic::POPC, allMods<isa::POPCMods>({2}));
  checkEngines(Semantic::FLO, allMods<isa::FLOMods>({2, 2, 2}));
  checkEngines(Semantic::PRMT, allMods<isa::PRMTMods>({7}));
  checkEngines(Semantic::I2I, allMods<isa::I2IMods>({6, 6, 4, 2, 2, 2}));
  checkEngines(Semantic::IMADW, allMods<isa::IMADWMods>({4, 2, 2}));
  checkEngines(Semantic::VADD, allMods<isa::VADDMods>({2, 2, 10, 14, 3}));
  checkEngines(Semantic::VSUB, allMods<isa::VSUBMods>({2, 2, 10, 3, 14}));
  checkEngines(Semantic::VABSDIFF, allMods<isa::VABSDIFFMods>({2, 2, 10, 3, 3}));
  checkEngines(Semantic::VMIN, allMods<isa::VMINMods>({2, 2, 10, 3, 3}));
  checkEngines(Semantic::VMAX, allMods<isa::VMAXMods>({2, 2, 10, 3, 3}));
  checkEngines(Semantic::VSHL, allMods<isa::VSHLMods>({2, 2, 2, 10, 3, 3}));
  checkEngines(Semantic::VSHR, allMods<isa::VSHRMods>({2, 2, 2, 10, 3, 3}));
  checkEngines(Semantic::VMAD, allMods<isa::VMADMods>({2, 2, 3, 2, 14, 14, 2}));
  checkEngines(Semantic::VSETP, allMods<isa::VSETPMods>({8, 3, 14, 14}));
  checkEngines(Semantic::VSET, allMods<isa::VSETMods>({8, 3, 2, 14, 3}));
  checkEngines(Semantic::ISETP, allMods<isa::ISETPMods>({8, 2, 2, 3}));
  checkEngines(Semantic::FSETP, allMods<isa::FSETPMods>({16, 2, 3, 2, 2, 2, 2}));
  checkEngines(Semantic::PSETP, allMods<isa::PSETPMods>({3, 3}));
  checkEngines(Semantic::VOTE, allMods<isa::VOTEMods>({3}));
  checkEngines(Semantic::FADD, allMods<isa::FADDMods>({4, 2, 2, 2, 2, 2, 2, 2}));
  checkEngines(Semantic::FMUL, allMods<isa::FMULMods>({4, 2, 2, 2, 2, 2, 2, 2}));
  checkEngines(Semantic::FFMA, allMods<isa::FFMAMods>({4, 2, 2, 2, 2, 2}));
  checkEngines(Semantic::I2F, allMods<isa::I2FMods>({3, 8, 4}));
  checkEngines(Semantic::F2I, allMods<isa::F2IMods>({8, 3, 4, 2, 2, 2}));
  checkEngines(Semantic::F2F, allMods<isa::F2FMods>({3, 3, 4, 5, 2, 2, 2, 2}));
  checkEngines(Semantic::MUFU, allMods<isa::MUFUMods>({9, 2, 2, 2, 2}));
  checkEngines(Semantic::FMNMX, allMods<isa::FMNMXMods>({2, 2, 2, 2, 2, 2}));
  checkEngines(Semantic::FSET, allMods<isa::FSETMods>({16, 2, 3, 2, 2, 2, 2, 2}));
  checkEngines(Semantic::DADD, allMods<isa::DADDMods>({4, 2, 2, 2, 2, 2}));
  checkEngines(Semantic::DMUL, allMods<isa::DMULMods>({4, 2, 2, 2, 2, 2}));
  checkEngines(Semantic::DFMA, allMods<isa::DFMAMods>({4, 2, 2, 2}));
  checkEngines(Semantic::DMNMX, allMods<isa::DMNMXMods>({2, 2, 2, 2, 2}));
  checkEngines(Semantic::DSETP, allMods<isa::DSETPMods>({16, 3, 2, 2, 2, 2}));
  checkEngines(Semantic::DSET, allMods<isa::DSETMods>({16, 3, 2, 2, 2, 2, 2}));
  checkEngines(Semantic::MOV, allMods<isa::MOVMods>({}));
  checkEngines(Semantic::SEL, allMods<isa::SELMods>({}));
}

TEST(Engines, OnlyActiveLanesWhoseGuardIsTrueAreWritten) {
  for (const Engine *engine : availableEngines()) {
    BareWarp before(1), warp(1);
    Op op = opOf(*engine, Semantic::IADD, isa::IADDMods{});
    op.guardFlip = allLanes;
    op.fn(warp, op);
    LaneMask executing = before.active & ~before.predicates[0];
    for (unsigned i = 0; i < laneCount; ++i)
      ASSERT_EQ(warp.lane(4, i),
                executing >> i & 1 ? before.lane(0, i) + before.lane(1, i) : before.lane(4, i));
  }
}

TEST(Engines, ADestinationMayBeASource) {
  for (const Engine *engine : availableEngines()) {
    BareWarp before(2), warp(2);
    Op op = opOf(*engine, Semantic::IMAD, isa::IMADMods{});
    op.guard = truePredicate, op.d = op.a;
    op.fn(warp, op);
    for (unsigned i = 0; i < laneCount; ++i)
      if (before.active >> i & 1) {
        ASSERT_EQ(warp.lane(0, i), before.lane(0, i) * before.lane(1, i) + before.lane(2, i));
      }
  }
}

// S1: Pu = t bop Pp and Pv = !t bop Pp, both from the old predicates.
TEST(Engines, SetPredicatesReadTheOldPredicates) {
  for (const Engine *engine : availableEngines())
    for (unsigned bop = 0; bop < 3; ++bop) {
      BareWarp before(5), warp(5);
      isa::ISETPMods mods;
      mods.cmp = isa::Cmp::LT, mods.bop = isa::BoolOp(bop);
      Op op = opOf(*engine, Semantic::ISETP, mods);
      op.u = 3; // Pu is the source predicate itself
      op.fn(warp, op);
      LaneMask executing = before.active & before.predicates[0];
      for (unsigned i = 0; i < laneCount; ++i) {
        bool t = s32(before.lane(0, i)) < s32(before.lane(1, i)), p = !(before.predicates[3] >> i & 1);
        auto apply = [&](bool x) { return bop == 0 ? x && p : bop == 1 ? x || p : x != p; };
        bool u = executing >> i & 1 ? apply(t) : before.predicates[3] >> i & 1;
        bool v = executing >> i & 1 ? apply(!t) : before.predicates[2] >> i & 1;
        ASSERT_EQ(warp.predicates[3] >> i & 1, u);
        ASSERT_EQ(warp.predicates[2] >> i & 1, v);
      }
    }
}

namespace {
const int hostModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
/// The reference: the C library's arithmetic on volatile operands under the host's mode.
template <class F> u32 underMode(unsigned mode, F compute) {
  std::fesetround(hostModes[mode]);
  volatile f32 result = compute();
  std::fesetround(FE_TONEAREST);
  f32 value = result;
  return value != value ? 0x7fffffff : __builtin_bit_cast(u32, value);
}
} // namespace

TEST(Engines, DirectedRoundingMatchesTheHostsModes) {
  for (const Engine *engine : availableEngines())
    for (unsigned mode = 0; mode < 4; ++mode)
      for (u32 seed = 10; seed < 60; ++seed) {
        BareWarp in(seed);
        auto check = [&](Semantic semantic, auto mods, auto reference) {
          mods.rnd = isa::Round(mode);
          BareWarp warp(seed);
          warp.active = allLanes;
          Op op = opOf(*engine, semantic, mods);
          op.guard = truePredicate;
          op.fn(warp, op);
          ASSERT_EQ(std::fegetround(), FE_TONEAREST) << "the mode is put back";
          for (unsigned i = 0; i < laneCount; ++i) {
            u32 expected =
                underMode(mode, [&] { return reference(in.lane(0, i), in.lane(1, i), in.lane(2, i)); });
            ASSERT_EQ(warp.lane(4, i), expected)
                << semanticName(semantic) << " " << engine->name << " mode " << mode << std::hex << " "
                << in.lane(0, i) << " " << in.lane(1, i);
          }
        };
        auto f = [](u32 bits) {
          volatile f32 x = __builtin_bit_cast(f32, bits);
          return f32(x);
        };
        check(Semantic::FADD, isa::FADDMods{}, [&](u32 a, u32 b, u32) {
          volatile f32 x = f(a), y = f(b);
          return x + y;
        });
        check(Semantic::FMUL, isa::FMULMods{}, [&](u32 a, u32 b, u32) {
          volatile f32 x = f(a), y = f(b);
          return x * y;
        });
        check(Semantic::FFMA, isa::FFMAMods{}, [&](u32 a, u32 b, u32 c) {
          volatile f32 x = f(a), y = f(b), z = f(c);
          return std::fma(f32(x), f32(y), f32(z));
        });
        isa::I2FMods fromSigned, fromUnsigned;
        fromUnsigned.src = isa::IntFormat::U32;
        check(Semantic::I2F, fromSigned, [](u32, u32 b, u32) {
          volatile s32 x = s32(b);
          return f32(x);
        });
        check(Semantic::I2F, fromUnsigned, [](u32, u32 b, u32) {
          volatile s64 x = b;
          return f32(x);
        });
      }
}

// Also what the caller has set otherwise: subnormals as zeros, an exception that has occurred.
TEST(Engines, ADirectedOperationPutsBackTheCallersEnvironment) {
  for (const Engine *engine : availableEngines())
    for (int rounding : hostModes) {
      isa::FADDMods mods;
      mods.rnd = isa::Round::RP;
      BareWarp warp(1);
      warp.active = allLanes;
      for (unsigned i = 0; i < laneCount; ++i) {
        warp.rows[BareWarp::below + 0].lane[i] = 0x3f800000;
        warp.rows[BareWarp::below + 1].lane[i] = 1; // 2^-149
      }
      Op op = opOf(*engine, Semantic::FADD, mods);
      op.guard = truePredicate;
      setHostFloats(rounding);
      host_floats before = hostFloats();
      op.fn(warp, op);
      bool same = hostFloatsAre(before);
      std::fesetenv(FE_DFL_ENV);
      EXPECT_TRUE(same) << engine->name;
      EXPECT_EQ(warp.lane(4, 0), 0x3f800001u) << engine->name;
    }
}

TEST(Engines, AZeroConvertsToPlusZeroInEveryMode) {
  for (const Engine *engine : availableEngines())
    for (unsigned mode = 0; mode < 4; ++mode)
      for (unsigned type = 0; type < 6; ++type) {
        BareWarp warp(1);
        warp.active = allLanes;
        std::memset(warp.rows[BareWarp::below + 1].lane, 0, rowBytes);
        isa::I2FMods mods;
        mods.rnd = isa::Round(mode), mods.src = isa::IntFormat(type);
        Op op = opOf(*engine, Semantic::I2F, mods);
        op.guard = truePredicate;
        op.fn(warp, op);
        for (unsigned i = 0; i < laneCount; ++i)
          ASSERT_EQ(warp.lane(4, i), 0u);
      }
}

// A semantic whose engine handler runs its lane function: the lane functions have their own tests.
TEST(Engines, HandlersApplyTheLaneFunction) {
  for (const Engine *engine : availableEngines())
    for (isa::FFMAMods mods : allMods<isa::FFMAMods>({1, 2, 2, 2, 2, 2})) {
      BareWarp in(21), warp(21);
      Op op = opOf(*engine, Semantic::FFMA, mods);
      op.fn(warp, op);
      auto f = [](u32 bits) { return __builtin_bit_cast(f32, bits); };
      for (unsigned i = 0; i < laneCount; ++i)
        if (in.active & in.predicates[0] & 1u << i) {
          f32 expected = sem::FFMA::lane(mods, f(in.lane(0, i)), f(in.lane(1, i)), f(in.lane(2, i)));
          ASSERT_EQ(warp.lane(4, i), __builtin_bit_cast(u32, expected));
        }
    }
}
