#include "test/unit/Effort.h"
#include "test/unit/emu/ConstantStreamRun.h"
#include "gtest/gtest.h"
#include <random>

// Random streams of constant commands and work through the three protocols, against the plainest model there
// is: a copy of all constants for each piece of work, as they stood at its place in the stream.
using namespace leno;

namespace {

struct Stream {
  std::vector<ConstantWork> work;
  std::vector<ConstantCommand> commands;
  std::vector<std::vector<u32>> expected; ///< what each work reads
  std::map<u32, u32> preset;
};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}
  u32 below(u32 n) { return u32(random() % n); }

  ConstantCacheConfig caches() {
    static constexpr u64 lines[] = {4, 8, 16, 64}, ways[] = {1, 2, 4};
    ConstantCacheConfig config;
    u64 line = lines[below(4)], way = ways[below(3)];
    config.l1 = {line * way * (1 + below(3)), line, way};
    u64 way2 = ways[below(3)], line2 = std::max<u64>(line, lines[below(4)]);
    config.l2 = {line2 * way2 * (1 + below(4)), line2, way2};
    config.backupWords = 1 + below(12);
    config.queueWords = 1 + below(6);
    return config;
  }

  Stream stream(unsigned commands) {
    Stream s;
    u32 span = 4 + below(60), updates = 1 + below(8); // of ten commands
    std::map<u32, u32> now;
    for (u32 i = 0; i < span; i += 1 + below(3))
      s.preset[word(i)] = now[word(i)] = below(1000000);
    s.work.reserve(commands);
    for (unsigned i = 0; i < commands; ++i) {
      if (below(10) < updates) {
        u32 value = 1000000 + i;
        s.commands.push_back({nullptr, word(below(span)), value});
        now[s.commands.back().word] = value;
        continue;
      }
      ConstantWork &work = s.work.emplace_back();
      work.compute = below(30);
      std::vector<u32> &values = s.expected.emplace_back();
      for (u32 reads = below(20); reads > 0; --reads) {
        work.reads.push_back(word(below(span)));
        auto found = now.find(work.reads.back());
        values.push_back(found == now.end() ? 0 : found->second);
      }
      s.commands.push_back({&work});
    }
    return s;
  }

private:
  /// Neighbours, and the same place in several banks: so that sets collide.
  static u32 word(u32 i) { return constantWord(i % 3, i / 3 * 4); }
  std::mt19937 random;
};

/// What the streams have met, so that the test knows that it tries the hard cases.
struct Met {
  u64 readStalls = 0, lockWaits = 0, backupWaits = 0, smWaits = 0, copied = 0, backupReads = 0,
      writeBacks = 0;
};

void check(Met &met, const Stream &stream, ConstantCacheConfig config, u64 protocol, unsigned sms, u64 places,
           unsigned seed) {
  config.protocol = protocol;
  ASSERT_FALSE(bool(config.check())) << "the configuration is refused";
  auto controller = ConstantProtocol::create(config, sms);
  for (auto [word, value] : stream.preset)
    controller->preset(word, value);
  ConstantTiming timing;
  timing.places = places;
  u64 wrong = 0, reads = 0;
  ConstantRun run =
      ConstantStreamRun(*controller, timing).run(stream.commands, [&](u64 work, u64 read, u32 value) {
        wrong += stream.expected[work][read] != value;
        ++reads;
      });
  u64 expected = 0;
  for (const auto &values : stream.expected)
    expected += values.size();
  EXPECT_EQ(wrong, 0u) << "protocol " << protocol << " seed " << seed;
  EXPECT_EQ(reads, expected) << "protocol " << protocol << " seed " << seed;
  EXPECT_EQ(run.work, stream.work.size());
  EXPECT_EQ(controller->activeSms(), 0u);
  met.readStalls += run.readStalls;
  met.lockWaits += run.waitOf(ConstantProtocol::Wait::Locked);
  met.backupWaits += run.waitOf(ConstantProtocol::Wait::BackupFull);
  met.smWaits += run.waitOf(ConstantProtocol::Wait::NoInactiveSm);
  for (unsigned sm = 0; sm < sms; ++sm)
    met.copied += controller->counts(sm).copiedWords;
  met.backupReads += controller->backupReads();
  met.writeBacks += controller->l2Counts().writeBacks;
  if (protocol != ConstantCacheConfig::Drained) {
    EXPECT_EQ(run.drains, 0u);
  }
}

} // namespace

TEST(ConstantStreams, EveryProtocolReadsWhatStoodAtTheLaunch) {
  Met met;
  for (unsigned seed = 0; seed < test::effort(10000) && !testing::Test::HasFailure(); ++seed) {
    Generator generate(seed);
    ConstantCacheConfig config = generate.caches();
    unsigned sms = 1 + generate.below(6);
    u64 places = 1 + generate.below(3);
    Stream stream = generate.stream(10 + generate.below(60));
    for (u64 protocol :
         {ConstantCacheConfig::OldestL2, ConstantCacheConfig::CurrentL2, ConstantCacheConfig::Drained})
      check(met, stream, config, protocol, sms, places, seed);
  }
  EXPECT_GT(met.readStalls, 0u);
  EXPECT_GT(met.lockWaits, 0u);
  EXPECT_GT(met.backupWaits, 0u);
  EXPECT_GT(met.smWaits, 0u);
  EXPECT_GT(met.copied, 0u);
  EXPECT_GT(met.backupReads, 0u);
  EXPECT_GT(met.writeBacks, 0u);
}

TEST(ConstantStreams, TheSameStreamTakesTheSameTime) {
  for (u64 protocol : {ConstantCacheConfig::OldestL2, ConstantCacheConfig::CurrentL2}) {
    u64 cycles[2];
    for (u64 &each : cycles) {
      Generator generate(7);
      Stream stream = generate.stream(200);
      ConstantCacheConfig config;
      config.protocol = protocol;
      auto controller = ConstantProtocol::create(config, 4);
      each = ConstantStreamRun(*controller, {}).run(stream.commands, [](u64, u64, u32) {}).cycles;
    }
    EXPECT_EQ(cycles[0], cycles[1]);
  }
}

// By hand: two SMs, an update before each of two pieces of work of 100 cycles. The baseline runs them one
// after the other; A and B side by side.
TEST(ConstantStreams, UpdatesDoNotDrain) {
  ConstantWork work{std::vector<u32>(10, constantWord(1, 0)), 9};
  std::vector<ConstantCommand> commands = {
      {nullptr, constantWord(1, 0), 1}, {&work}, {nullptr, constantWord(1, 0), 2}, {&work}};
  for (auto [protocol, cycles, drains] : {std::tuple(u64(ConstantCacheConfig::Drained), 202u, 1u),
                                          {ConstantCacheConfig::OldestL2, 103u, 0u},
                                          {ConstantCacheConfig::CurrentL2, 103u, 0u}}) {
    ConstantCacheConfig config;
    config.protocol = protocol;
    auto controller = ConstantProtocol::create(config, 2);
    ConstantRun run = ConstantStreamRun(*controller, {}).run(commands, [](u64, u64, u32) {});
    EXPECT_EQ(run.cycles, cycles) << "protocol " << protocol;
    EXPECT_EQ(run.drains, drains) << "protocol " << protocol;
    EXPECT_EQ(run.idleForUpdates == 0, drains == 0) << "protocol " << protocol;
  }
}
