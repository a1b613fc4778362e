#include "../Effort.h"
#include "ConstantKernel.h"
#include "DeviceHarness.h"

// S2 and S4: constants through the modelled caches, in the streams of several contexts whose SMs change
// hands. Each launch is checked against the constants of its place in the stream.
using namespace leno;
using namespace leno::test;
using Config = MachineConfig::Contexts;

namespace {

constexpr u64 protocols[] = {ConstantCacheConfig::OldestL2, ConstantCacheConfig::CurrentL2,
                             ConstantCacheConfig::Drained};

/// One context's stream.
class ConstantStream {
public:
  ConstantStream(Contexts &on, Context &context, unsigned seed) : on(on), context(context), random(seed) {
    for (int i = 0; i < 2; ++i)
      kernels.push_back(std::make_unique<Kernel>(random));
    for (unsigned bank = 1; bank <= banks; ++bank) {
      for (unsigned i = 0; i < bankWords; ++i)
        now[bank].push_back(randomWord(random));
      if (bank == 2) // by a command, the others before anything runs
        update(bank, 0, bankWords);
      else
        cantFail(context.device().constants().write(bank, 0, bytesOf(bank, 0, bankWords)));
    }
  }
  /// Some commands more.
  void go() {
    unsigned updates = random() % 10;
    for (unsigned left = 1 + random() % 5; left > 0; --left) {
      for (; random() % 10 < updates;) {
        unsigned bank = 1 + random() % banks, word = random() % bankWords,
                 count = std::min<unsigned>(bankWords - word, 1 + random() % 6);
        for (unsigned i = 0; i < count; ++i)
          now[bank][word + i] = randomWord(random);
        update(bank, word, count);
      }
      Launched launch{kernels[random() % 2].get(),
                      u32(1 + random() % 6),
                      u32(1 + random() % 70),
                      u32(1 + random() % 12),
                      0,
                      now};
      launch.out = on.buffer(context, u64(launch.ctas) * launch.threads);
      ::Launch command{&*launch.kernel->program, {}, {}, {}};
      command.spec.kernel = "k";
      command.spec.grid = {launch.ctas};
      command.spec.block = {launch.threads};
      command.spec.parameters.resize(12);
      std::memcpy(command.spec.parameters.data(), &launch.out, 8);
      std::memcpy(command.spec.parameters.data() + 8, &launch.trips, 4);
      on.overlap = random() % 2;
      on.submit(context, std::move(command));
      launched.push_back(std::move(launch));
    }
    if (random() % 2) // nobody reads it, and the last launch still runs
      update(3, random() % bankWords, 1);
  }
  void expectResults(const std::string &which) {
    for (size_t i = 0; i < launched.size(); ++i) {
      const Launched &l = launched[i];
      std::vector<u32> got = on.words(context, l.out, size_t(l.ctas) * l.threads);
      for (u32 thread = 0; thread < got.size(); ++thread)
        ASSERT_EQ(got[thread], l.kernel->result(l.constants, thread, l.threads, l.trips))
            << which << ", context " << context.id() << ", launch " << i << ", thread " << thread << "\n"
            << l.kernel->text();
    }
  }

  Contexts &on;
  Context &context;

private:
  std::vector<uint8_t> bytesOf(unsigned bank, unsigned word, unsigned count) const {
    const auto *first = reinterpret_cast<const uint8_t *>(&now[bank][word]);
    return {first, first + count * 4};
  }
  void update(unsigned bank, unsigned word, unsigned count) {
    std::vector<uint8_t> bytes = bytesOf(bank, word, count);
    u64 offset = word * 4;
    if (random() % 4 == 0 && count > 1) // at any byte: what is written first is a part of what there is
      for (unsigned more = 1 + random() % 3; more > 0; --more, ++offset)
        bytes.erase(bytes.begin());
    if (offset != word * 4) {
      std::vector<uint8_t> start = bytesOf(bank, word, 1);
      on.submit(context, ConstantUpdate{bank, word * 4, {start.begin(), start.begin() + long(offset % 4)}});
    }
    on.submit(context, ConstantUpdate{bank, offset, std::move(bytes)});
  }

  struct Launched {
    const Kernel *kernel;
    u32 ctas, threads, trips;
    u64 out;
    Constants constants;
  };
  std::mt19937 random;
  std::vector<std::unique_ptr<Kernel>> kernels;
  Constants now;
  std::vector<Launched> launched;
};

MachineConfig randomMachine(std::mt19937 &random) {
  static constexpr u64 lines[] = {4, 8, 16, 64}, ways[] = {1, 2, 4};
  MachineConfig config = sharedMachine(1 + random() % 4);
  config.constants.model = MachineConfig::Constants::Caches;
  ConstantCacheConfig &caches = config.constants.caches;
  u64 line = lines[random() % 4], way = ways[random() % 3];
  caches.l1 = {line * way * (1 + random() % 12), line, way};
  u64 line2 = std::max<u64>(line, lines[random() % 4]), way2 = ways[random() % 3];
  caches.l2 = {line2 * way2 * (1 + random() % 4), line2, way2};
  caches.backupWords = 1 + random() % 40;
  caches.queueWords = 1 + random() % 6;
  if (random() % 4 == 0)
    config.timing.model = MachineConfig::Timing::Off;
  config.sm.ctas = 1 + random() % 3;
  config.scheduler.quantum = 1 + random() % 60;
  config.contexts.allocation = random() % 3;
  config.contexts.switching = random() % 2;
  config.contexts.window = 50 + random() % 2000;
  config.contexts.threshold = random() % 300;
  config.contexts.timeSlice = 200 + random() % 3000;
  config.device.launchCycles = random() % 100;
  return config;
}

/// What the streams have met, so that the test knows that it tries the hard cases.
struct Met {
  u64 waits = 0, storedWords = 0, saves = 0, drains = 0, copied = 0, backupReads = 0, invalidations = 0,
      misses = 0;
};

/// All that is counted.
std::vector<u64> runContexts(unsigned seed, u64 protocol, Met &met) {
  std::mt19937 random(seed);
  MachineConfig config = randomMachine(random);
  config.constants.caches.protocol = protocol;
  EXPECT_EQ(textOf(config.check()), "success");
  unsigned count = 2 + random() % 3;
  if (config.contexts.allocation == Config::Static)
    config.sm.count = std::max<u64>(config.sm.count, count);
  Contexts shared(config);
  std::vector<std::unique_ptr<ConstantStream>> streams;
  for (unsigned i = 0; i < count; ++i)
    streams.push_back(std::make_unique<ConstantStream>(
        shared, shared.context({.name = std::to_string(i), .priority = int(random() % 2)}),
        unsigned(random())));
  for (unsigned round = 0; round < 3; ++round)
    for (auto &stream : streams) {
      stream->go();
      if (random() % 2)
        shared.device.runUntil(shared.device.cycle() + random() % 6000);
    }
  std::string which = "seed " + std::to_string(seed) + ", protocol " + std::to_string(protocol);
  EXPECT_EQ(shared.device.runUntil(100'000'000).reason, StopReason::Finished) << which;
  std::vector<u64> numbers = {shared.device.cycle()};
  for (auto &stream : streams) {
    stream->expectResults(which);
    Context &context = stream->context;
    EXPECT_EQ(context.whyEnded(), "") << which;
    const ContextCounts &counts = context.counts();
    met.waits += counts.constantWaits;
    met.storedWords += counts.constantBytes / 8;
    met.saves += counts.saves;
    met.drains += counts.drains;
    const ConstantUnit &unit = *context.constantUnit();
    numbers.insert(numbers.end(), {counts.constantWaits, counts.constantBytes, counts.blockedCycles,
                                   unit.commands(), unit.backupReads(), unit.l2().hits, unit.l2().misses});
    met.backupReads += unit.backupReads();
    for (unsigned sm = 0; sm < unit.sms(); ++sm) {
      const ConstantCounts &c = unit.sm(sm);
      EXPECT_EQ(c.reads, c.hits + c.misses);
      numbers.insert(numbers.end(), {c.hits, c.misses, c.lockStalls, c.copiedWords, c.writtenWords,
                                     c.invalidations, c.versions, unit.waitCycles(sm)});
      met.copied += c.copiedWords;
      met.invalidations += c.invalidations;
      met.misses += c.misses;
    }
  }
  return numbers;
}

} // namespace

TEST(ConstantContexts, EachLaunchSeesTheConstantsOfItsPlace) {
  Met all[3];
  for (unsigned seed = 0; seed < effort(60) && !HasFailure(); ++seed)
    for (u64 protocol : protocols)
      runContexts(seed, protocol, all[protocol]);
  const Met &a = all[ConstantCacheConfig::OldestL2], &b = all[ConstantCacheConfig::CurrentL2];
  for (const Met &met : all) {
    EXPECT_GT(met.waits, 0u);
    EXPECT_GT(met.saves, 0u);
    EXPECT_GT(met.drains, 0u);
  }
  EXPECT_GT(a.storedWords, 0u);
  EXPECT_GT(a.copied, 0u);
  EXPECT_GT(a.misses, 0u);
  EXPECT_GT(b.backupReads, 0u);
  EXPECT_GT(b.invalidations, 0u);
  EXPECT_EQ(b.storedWords, 0u) << "what an L1 has, the L2 or its backup has too";
}

TEST(ConstantContexts, TheSameStreamsTakeTheSameCycles) {
  Met met;
  for (unsigned seed = 0; seed < effort(5); ++seed)
    for (u64 protocol : protocols)
      EXPECT_EQ(runContexts(seed, protocol, met), runContexts(seed, protocol, met));
}

//===--- By hand ----------------------------------------------------------===//

namespace {

/// Reads c[3][0] into R1 at once and again after a loop of `trips` (c[0]), and stores what they differ in.
Program readsTwice() {
  return assembled(R"(
    .param u32 out
    .param u32 trips
    MOV R1, c[3][0]
    MOV R5, c[0][trips]
  loop:
    IADD R5, R5, -1
    ISETP.ne P0, R5, 0
    @P0 BRA loop
    MOV R2, c[3][0]
    SHL R2, R2, 8
    IADD R1, R1, R2
    MOV R4, c[0][out]
    STG [R4], R1
    EXIT
  )");
}

MachineConfig cached(u64 protocol, u64 sms = 2) {
  MachineConfig config = sharedMachine(sms);
  config.constants.model = MachineConfig::Constants::Caches;
  config.constants.caches.protocol = protocol;
  return config;
}

ConstantUpdate word(uint8_t value) { return {3, 0, {value, 0, 0, 0}}; }

} // namespace

// S2's promise across a switch: the SM's state goes to storage, the constant changes, another context has the
// SM's L1, and the state that comes back reads what it read before.
TEST(ConstantContexts, SavedWorkKeepsItsConstants) {
  Program code = readsTwice();
  for (u64 protocol : protocols) {
    MachineConfig config = cached(protocol);
    config.contexts.allocation = Config::One;
    config.contexts.timeSlice = 700;
    Contexts shared(config);
    Context &first = shared.context({.name = "first"}), &second = shared.context({.name = "second"});
    u64 out = shared.buffer(first, 2), outSecond = shared.buffer(second, 1);
    shared.submit(first, word(7));
    shared.submit(first, Contexts::launchOf(code, 1, 32, {u32(out), 3000}));
    shared.submit(first, word(9));
    shared.submit(first, Contexts::launchOf(code, 1, 32, {u32(out + 4), 10}));
    shared.submit(second, word(5));
    shared.submit(second, Contexts::launchOf(code, 2, 768, {u32(outSecond), 200}));
    ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
    EXPECT_EQ(shared.words(first, out, 2), (std::vector<u32>{0x707, 0x909})) << protocol;
    EXPECT_EQ(shared.words(second, outSecond, 1), (std::vector<u32>{0x505})) << protocol;
    EXPECT_GT(first.counts().saves, 0u);
  }
}

// Each context is alone with its constants: the L1 of an SM that comes from another begins empty.
TEST(ConstantContexts, AnSmThatChangesHandsBeginsWithMisses) {
  Program code = readsTwice();
  MachineConfig config = cached(ConstantCacheConfig::OldestL2, 1);
  config.contexts.timeSlice = 0;
  auto missesOf = [&](bool changesHands) {
    Contexts shared(config);
    Context &one = shared.context(), &other = shared.context();
    u64 out = shared.buffer(one, 1), outOther = shared.buffer(other, 1);
    shared.submit(one, word(1));
    shared.submit(other, word(2));
    for (int i = 0; i < 3; ++i) {
      shared.submit(one, Contexts::launchOf(code, 1, 32, {u32(out), 10}));
      shared.device.run();
      if (changesHands)
        shared.submit(other, Contexts::launchOf(code, 1, 32, {u32(outOther), 10}));
      shared.device.run();
    }
    return one.constantUnit()->sm(0).misses;
  };
  u64 kept = missesOf(false);
  EXPECT_GT(kept, 0u);
  EXPECT_GT(missesOf(true), kept);
}

// S2, A: constants that only an idle SM's L1 has are of its state. Context `a` has SM 0 at work on the old
// version, SM 1 with the new one; then `b` gets an SM.
TEST(ConstantContexts, LockedConstantsGoToStorageWithTheirSm) {
  Program code = readsTwice();
  Contexts shared(cached(ConstantCacheConfig::OldestL2));
  Context &a = shared.context({.name = "a"}), &b = shared.context({.name = "b"});
  u64 out = shared.buffer(a, 2), outB = shared.buffer(b, 1);
  shared.submit(a, word(1));
  shared.submit(a, Contexts::launchOf(code, 1, 32, {u32(out), 5000}));
  shared.submit(a, word(2));
  shared.device.runUntil(1500);
  EXPECT_EQ(a.counts().constantWaits, 0u) << "there is an idle SM";
  shared.submit(b, Contexts::launchOf(code, 1, 32, {u32(outB), 10}));
  shared.submit(a, Contexts::launchOf(code, 1, 32, {u32(out + 4), 10}));
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  EXPECT_GE(a.counts().constantBytes, 8u);
  EXPECT_EQ(shared.words(a, out, 2), (std::vector<u32>{0x101, 0x202}));
}

// S2's baseline: an update waits until nothing of its context runs, and of its context only.
TEST(ConstantContexts, DrainedUpdatesWaitForTheirOwnContext) {
  Program code = readsTwice();
  Contexts shared(cached(ConstantCacheConfig::Drained));
  Context &a = shared.context({.name = "a"}), &b = shared.context({.name = "b"});
  u64 outA = shared.buffer(a, 1), outB = shared.buffer(b, 2);
  shared.submit(a, word(1));
  shared.submit(b, word(2));
  shared.submit(a, Contexts::launchOf(code, 1, 32, {u32(outA), 20000}));
  shared.submit(b, Contexts::launchOf(code, 1, 32, {u32(outB), 100}));
  shared.submit(b, word(3));
  shared.submit(b, Contexts::launchOf(code, 1, 32, {u32(outB + 4), 100}));
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  EXPECT_LT(*b.launches()[1].ended, *a.launches()[0].ended);
  EXPECT_GT(b.counts().constantWaits, 0u);
  EXPECT_EQ(shared.words(b, outB, 2), (std::vector<u32>{0x202, 0x303}));
}
