#include "asm/LoadProgram.h"
#include "emu/compiled/CompilerLibrary.h"
#include "emu/program/Predecoder.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/EachCounter.h"
#include "test/unit/emu/Harness.h"
#include "test/unit/emu/TierScope.h"
#include "llvm/Support/raw_ostream.h"

// Whatever words a program is made of, what it reads and writes is inside the guest's memory: every access
// that is performed is judged here once more, against a list of what the guest has, and what belongs to
// others stays as it was. Built with the address sanitizer, a stray access of the emulator itself is found as
// well.
using namespace leno;
using namespace leno::test;

namespace {

constexpr u32 sharedBytes = 200, localBytes = 60;

/// Every instruction that accesses memory, to be spoilt.
const char *const templates = R"(
        .kernel k
        LDG R4, [R0.64]
        LDG.128 R8, [R0.64+0x10]
        LDG.u8 R4, [R2]
        STG [R0.64+4], R5
        STG.64 [R2.64], R6
        LDS R4, [R2]
        LDS.128 R8, [R2+0x20]
        STS [R2], R5
        STS.u16 [R3-2], R5
        LDL R4, [R2]
        STL.64 [R2], R6
        LD R4, [R0.64]
        LD.128 R8, [R2.64]
        ST.u8 [R0.64], R4
        ST.64 [R2.64], R6
        LDC R4, c[0][R2]
        LDC.64 R6, c[1][R3+8]
        ATOM.add R4, [R0.64], R5
        ATOMS.exch R4, [R2], R5
        RED.max [R0.64], R5
        LDLK P1, R4, [R0.64]
        STUL [R0.64], R4
        LDSLK P1, R4, [R2]
        STSUL [R2], R4
        CCTL.PF [R0.64]
        MOV R0, R2
        IADD R2, R2, R3
        SHL R2, R3, 2
        S2R R3, SR_LANEID
        EXIT
        .endkernel
)";

struct Extent {
  u64 base, size;
  bool holds(u64 address, u64 bytes) const {
    return address >= base && address - base < size && bytes <= size - (address - base);
  }
};

class Judge final : public Observer {
public:
  explicit Judge(std::vector<Extent> global) : global(std::move(global)) {}
  void memory(const Warp &, const Op &, const MemoryAccess &access) override {
    for (unsigned lane = 0; lane < laneCount; ++lane)
      if (access.lanes >> lane & 1) {
        ++judged;
        outside += !isInside(access.space, access.addresses[lane], access.bytes);
      }
  }
  bool isInside(MemoryAccess::Space space, u64 address, u64 bytes) const {
    switch (space) {
    case MemoryAccess::Space::Global:
      return std::any_of(global.begin(), global.end(),
                         [&](const Extent &e) { return e.holds(address, bytes); });
    case MemoryAccess::Space::Shared:
      return Extent{0, sharedBytes}.holds(address, bytes);
    case MemoryAccess::Space::Local:
      return Extent{0, localBytes}.holds(address, bytes);
    default:
      return address + bytes <= 65536;
    }
  }
  u64 judged = 0, outside = 0;

private:
  std::vector<Extent> global;
};

class Spoiler {
public:
  Spoiler(unsigned seed, std::vector<u64> words) : random(seed), words(std::move(words)) {}
  u32 below(u32 n) { return u32(random() % n); }

  u64 spoilt() {
    if (below(10) == 0)
      return random() << 32 ^ random();
    u64 word = words[below(u32(words.size()))];
    for (unsigned flips = 1 + below(3); flips > 0; --flips)
      word ^= u64(1) << below(64);
    return word;
  }
  /// An address at an edge of something, or anywhere.
  u64 address(const std::vector<u64> &edges) {
    u64 any = u64(random()) << 32 ^ random();
    switch (below(4)) {
    case 0:
      return any;
    case 1:
      return any & 0xfff;
    default:
      return edges[below(u32(edges.size()))] + below(48) - 24;
    }
  }

private:
  std::mt19937_64 random;
  std::vector<u64> words;
};

/// A head that sets R0 to R3, with the values written into it, and spoilt words behind it.
std::vector<u64> spoiltCode(Spoiler &spoiler, const std::vector<u64> &words, u64 first, u64 second) {
  AssembleOptions options;
  std::vector<u64> edges = {first,
                            first + 257,
                            second,
                            second + 4096,
                            sharedBytes,
                            localBytes,
                            AddressSpace::sharedWindow,
                            AddressSpace::sharedWindow + sharedBytes,
                            AddressSpace::localWindow,
                            AddressSpace::localWindow + localBytes,
                            u64(1) << 40,
                            64};
  // Registers get their values from the spoilt program's own head: MOV32I words of this assembly.
  std::string head = "  .kernel k\n";
  for (unsigned reg = 0; reg < 4; reg += 2) {
    u64 address = spoiler.address(edges);
    head += "  MOV32I R" + std::to_string(reg) + ", " + std::to_string(u32(address)) + "\n  MOV32I R" +
            std::to_string(reg + 1) + ", " + std::to_string(u32(address >> 32)) + "\n";
  }
  Executable start =
      cantFail(loadProgramText(head + "  EXIT\n  .endkernel\n", "head.s", options, llvm::errs()));
  std::vector<u64> code(start.code().begin(), start.code().begin() + 4);
  for (unsigned i = 0; i < 12; ++i)
    code.push_back(i % 2 ? words[spoiler.below(u32(words.size()))] : spoiler.spoilt());
  code.push_back(words.back());
  return code;
}

} // namespace

TEST(AnyBinary, StaysInsideTheGuestsMemory) {
  AssembleOptions options;
  Executable executable = cantFail(loadProgramText(templates, "templates.s", options, llvm::errs()));
  std::vector<u64> words(executable.code().begin(), executable.code().end());
  u64 judged = 0, ranges = 0, aligned = 0;
  for (unsigned seed = 0; seed < effort(3000) && !testing::Test::HasFailure(); ++seed) {
    Spoiler spoiler(seed, words);
    TestMachine other, guest;
    u64 theirs = other.buffer(4096, "theirs");
    other.setWords(theirs, std::vector<u32>(1024, 0x5a5a5a5a));
    u64 first = guest.buffer(257, "first"), second = guest.buffer(4096, "second");
    u32 constants[16] = {1, 2, 3};
    cantFail(guest.device.constants().write(
        1, 0, {reinterpret_cast<const uint8_t *>(constants), sizeof(constants)}));
    std::vector<u64> code = spoiltCode(spoiler, words, first, second);
    Program program = predecode(code, widest());
    Judge judge({{first, 257}, {second, 4096}});
    Machine &run = guest.launch(program, {1, 1, 1}, {40, 1, 1}, {}, sharedBytes, 2000, localBytes);
    run.addObserver(judge);
    run.run();
    EXPECT_EQ(judge.outside, 0u) << "seed " << seed;
    judged += judge.judged;
    if (const std::optional<Trap> &trap = run.grid()->trap()) {
      bool range = trap->kind == TrapKind::AddressOutOfRange,
           misaligned = trap->kind == TrapKind::MisalignedAddress;
      ranges += range;
      aligned += misaligned;
      if (range || misaligned) {
        EXPECT_TRUE(trap->hasAddress) << "seed " << seed;
        EXPECT_NE(trap->lanes, 0u) << "seed " << seed;
        EXPECT_NE(trap->detail.find("lane "), std::string::npos) << trap->detail;
      }
    }
    EXPECT_EQ(other.words(theirs, 1024), std::vector<u32>(1024, 0x5a5a5a5a)) << "seed " << seed;
  }
  EXPECT_GT(judged, 1000u);
  EXPECT_GT(ranges, 100u);
  EXPECT_GT(aligned, 100u);
}

TEST(AnyBinary, DoesTheSameOnEveryVectorWidth) {
  Executable executable = cantFail(loadProgramText(templates, "templates.s", {}, llvm::nulls()));
  std::vector<u64> words(executable.code().begin(), executable.code().end());
  auto countsOf = [](const Statistics &s) {
    return std::tuple(s.warpInstructions, s.laneOperations, s.bySemantic, s.branches, s.stack, s.loads,
                      s.stores, s.atomics, s.bytesLoaded, s.bytesStored, s.barrierArrivals);
  };
  unsigned traps = 0;
  for (unsigned seed = 0; seed < effort(300) && !testing::Test::HasFailure(); ++seed) {
    std::optional<std::tuple<std::string, std::vector<u32>, decltype(countsOf(Statistics()))>> expected;
    for (const Engine *engine : availableEngines()) {
      Spoiler spoiler(seed + 100'000, words);
      TestMachine guest({}, *engine);
      u64 first = guest.buffer(260, "first"), second = guest.buffer(4096, "second");
      Program program = predecode(spoiltCode(spoiler, words, first, second), *engine);
      Machine &run = guest.launch(program, {2, 1, 1}, {40, 1, 1}, {}, sharedBytes, 2000, localBytes);
      Statistics statistics;
      run.addObserver(statistics);
      run.run();
      std::vector<u32> memory = guest.words(first, 65), more = guest.words(second, 1024);
      memory.insert(memory.end(), more.begin(), more.end());
      auto outcome = std::tuple(run.grid()->trap() ? run.grid()->trap()->str() : std::string(),
                                std::move(memory), countsOf(statistics));
      if (!expected) {
        expected = std::move(outcome);
        traps += run.grid()->trap().has_value();
      } else
        EXPECT_TRUE(outcome == *expected) << "seed " << seed << " on " << engine->name << ": "
                                          << std::get<0>(outcome) << " or " << std::get<0>(*expected);
    }
  }
  EXPECT_GT(traps, 100u);
}

TEST(AnyBinary, DoesTheSameInCompiledCode) {
  if (auto library = compiled::compilerLibrary(); !library)
    GTEST_SKIP() << llvm::toString(library.takeError());
  Executable executable = cantFail(loadProgramText(templates, "templates.s", {}, llvm::nulls()));
  std::vector<u64> words(executable.code().begin(), executable.code().end());
  const auto engines = availableEngines();
  unsigned tried = 0, traps = 0;
  for (unsigned seed = 0; seed < effort(12) && !testing::Test::HasFailure(); ++seed) {
    if (!isOurs(seed / unsigned(engines.size())))
      continue;
    const Engine &engine = *engines[seed % engines.size()];
    std::vector<std::tuple<std::string, u64, std::vector<u32>>> outcomes;
    for (const char *tier : {"interpreter", "compiled"}) {
      TierScope scope(tier);
      Spoiler spoiler(seed + 300'000, words);
      TestMachine other, guest({}, engine);
      u64 theirs = other.buffer(4096, "theirs");
      other.setWords(theirs, std::vector<u32>(1024, 0x5a5a5a5a));
      u64 first = guest.buffer(260, "first"), second = guest.buffer(4096, "second");
      Program program = predecode(spoiltCode(spoiler, words, first, second), engine);
      Machine &run = guest.launch(program, {2, 1, 1}, {40, 1, 1}, {}, sharedBytes, 2000, localBytes);
      run.run();
      std::vector<u32> memory = guest.words(first, 65), more = guest.words(second, 1024);
      memory.insert(memory.end(), more.begin(), more.end());
      outcomes.emplace_back(run.grid()->trap() ? run.grid()->trap()->str() : std::string(),
                            run.grid()->instructions(), std::move(memory));
      EXPECT_EQ(other.words(theirs, 1024), std::vector<u32>(1024, 0x5a5a5a5a)) << "seed " << seed;
    }
    EXPECT_TRUE(outcomes[0] == outcomes[1]) << "seed " << seed << " on " << engine.name << ": "
                                            << std::get<0>(outcomes[1]) << " or " << std::get<0>(outcomes[0]);
    traps += !std::get<0>(outcomes[0]).empty();
    ++tried;
  }
  EXPECT_GT(traps, tried / 4);
}

TEST(AnyBinary, IsCountedByStretchesAsOneByOne) {
  Executable executable = cantFail(loadProgramText(templates, "templates.s", {}, llvm::nulls()));
  std::vector<u64> words(executable.code().begin(), executable.code().end());
  for (unsigned seed = 0; seed < effort(200) && !testing::Test::HasFailure(); ++seed) {
    auto run = [&](llvm::ArrayRef<Observer *> observers) {
      Spoiler spoiler(seed + 200'000, words);
      TestMachine guest;
      u64 first = guest.buffer(260, "first"), second = guest.buffer(4096, "second");
      Program program = predecode(spoiltCode(spoiler, words, first, second), widest());
      Machine &grid = guest.launch(program, {2, 1, 1}, {40, 1, 1}, {}, sharedBytes, 2000, localBytes);
      for (Observer *observer : observers)
        grid.addObserver(*observer);
      grid.run();
    };
    expectCountsAsOneByOne(run, "seed " + std::to_string(seed));
  }
}
