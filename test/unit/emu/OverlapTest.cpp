#include "DeviceHarness.h"

// Launches of a context that overlap: who waits for whom, what they share, and what ends them. That each has
// the constants of its place in the stream is in ConstantContextsTest.cpp, snapshots are in
// MachineSnapshotTest.cpp.
using namespace leno;
using namespace leno::test;

namespace {

MachineConfig withCaches(u64 protocol, u64 sms) {
  MachineConfig config = sharedMachine(sms);
  config.constants.model = MachineConfig::Constants::Caches;
  config.constants.caches.protocol = protocol;
  return config;
}

void update(Contexts &run, Context &context, u8 value) {
  run.submit(context, ConstantUpdate{1, 0, std::vector<uint8_t>(4, value)});
}

/// Launches that were in progress at once, at most.
size_t mostAtOnce(const Context &context) {
  size_t most = 0;
  for (const LaunchRecord &at : context.launches())
    most = std::max(most, size_t(llvm::count_if(context.launches(), [&](const LaunchRecord &other) {
                      return *other.started <= *at.started && *at.started < *other.ended;
                    })));
  return most;
}

// Each lane adds 1 to the word, under its lock.
Program lockedSum() {
  return assembled(R"(
    .param u32 out
    MOV R2, c[0][out]
  again:
    LDLK P0, R3, [R2]
    @P0 IADD R3, R3, 1
    @P0 STUL [R2], R3
    @!P0 BRA again
    EXIT
  )");
}

Program fault() { return assembled("MOV R1, 1\nMOV R0, 7\nLDG R2, [R0]\nEXIT\n"); }

} // namespace

TEST(Overlap, AsManyVersionsAsSms) {
  for (u64 protocol : {ConstantCacheConfig::OldestL2, ConstantCacheConfig::CurrentL2}) {
    u64 cycles[2];
    for (bool overlap : {false, true}) {
      Contexts run(withCaches(protocol, 16));
      Context &one = run.context();
      run.overlap = overlap;
      std::vector<u64> outs;
      for (unsigned i = 0; i < 20; ++i) {
        update(run, one, u8(i));
        outs.push_back(run.submitWalk(one, 1, 32, 500));
      }
      ASSERT_EQ(run.device.run().reason, StopReason::Finished);
      for (u64 out : outs)
        run.expectWalked(one, out, 1, 32, 500);
      // Of the twenty four wait for an SM that is done.
      EXPECT_EQ(mostAtOnce(one), overlap ? 16u : 1u);
      EXPECT_EQ(one.constantUnit()->mostVersions(), overlap ? 16u : 1u);
      EXPECT_EQ(one.counts().constantWaits > 0, overlap);
      cycles[overlap] = run.device.cycle();
    }
    EXPECT_GT(cycles[0], 5 * cycles[1]);
  }
}

TEST(Overlap, TheBaselineStillDrains) {
  Contexts run(withCaches(ConstantCacheConfig::Drained, 4));
  Context &one = run.context();
  run.overlap = true;
  for (unsigned i = 0; i < 4; ++i) {
    update(run, one, u8(i));
    run.submitWalk(one, 1, 32, 50);
  }
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  EXPECT_EQ(mostAtOnce(one), 1u);
}

// An SM that has a CTA of an older launch takes none of a younger one, though it has room.
TEST(Overlap, AnSmHasCtasOfOneLaunch) {
  Contexts run(sharedMachine(3));
  Context &one = run.context();
  run.overlap = true;
  for (u32 ctas : {1, 1, 7, 2})
    run.submitWalk(one, ctas, 32, 100);
  unsigned seen = 0;
  while (run.device.run(50).reason == StopReason::Budget) {
    std::map<unsigned, u32> launchOn;
    for (const GridInFlight &grid : one.grids())
      for (Cta *cta : grid.run->residentCtas())
        EXPECT_EQ(launchOn.try_emplace(cta->multiprocessor().index(), grid.run->gridId()).first->second,
                  grid.run->gridId());
    seen += launchOn.size() == 3 && one.grids().size() == 3;
  }
  EXPECT_GT(seen, 0u);
}

// What is ordered, fences and copies wait for all launches before them, and a launch after those for them.
TEST(Overlap, FencesAndOrderedLaunchesWaitForAll) {
  Contexts run(sharedMachine(4));
  Context &one = run.context();
  run.overlap = true;
  run.submitWalk(one, 1, 32, 900); // outlives the next
  run.submitWalk(one, 1, 32, 100);
  run.submit(one, SemaphoreRelease{1, 1});
  run.submitWalk(one, 1, 32, 900);
  run.submitWalk(one, 1, 32, 100);
  run.overlap = false;
  run.submitWalk(one, 1, 32, 10);
  while (!run.device.semaphores().value(1))
    ASSERT_EQ(run.device.run(1).reason, StopReason::Budget);
  const std::vector<LaunchRecord> &launches = one.launches();
  ASSERT_GE(launches.size(), 2u);
  EXPECT_LT(*launches[1].started, *launches[0].ended);
  EXPECT_LT(*launches[1].ended, *launches[0].ended) << "a younger one may end first";
  EXPECT_GE(run.device.cycle(), *launches[0].ended);
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  EXPECT_LT(*launches[3].started, *launches[2].ended);
  EXPECT_GE(launches[4].decoded, std::max(*launches[2].ended, *launches[3].ended));
}

TEST(Overlap, LocksOfGlobalMemoryAreOfAllLaunches) {
  Contexts run(sharedMachine(4));
  Context &one = run.context();
  Program sum = lockedSum();
  u64 out = run.buffer(one, 1);
  run.overlap = true;
  for (unsigned i = 0; i < 4; ++i)
    run.submit(one, Contexts::launchOf(sum, 1, 32, {u32(out)}));
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  EXPECT_GT(mostAtOnce(one), 1u);
  EXPECT_EQ(run.words(one, out, 1)[0], 128u);
}

// What a launch finds in the slices of local memory is its own.
TEST(Overlap, LocalMemoriesLieApart) {
  Program local = assembled(R"(
    MOV R1, 200
  again:
    STL [0], R1
    LDL R2, [0]
    IADD R1, R1, -1
    ISETP.ne P0, R1, 0
    @P0 BRA again
    EXIT
  )");
  MachineConfig config = sharedMachine(2);
  config.l2.model = MachineConfig::L2::Slices;
  config.l2.bytes = 131072;
  auto misses = [&](unsigned launches) {
    Contexts run(config);
    Context &one = run.context();
    run.overlap = true;
    for (unsigned i = 0; i < launches; ++i) {
      Launch launch = Contexts::launchOf(local, 1, 32, {});
      launch.spec.localBytes = 4;
      run.submit(one, std::move(launch));
    }
    EXPECT_EQ(run.device.run().reason, StopReason::Finished);
    EXPECT_EQ(mostAtOnce(one), launches);
    MemoryChain::Counts sent = one.memoryCounts().ports.of(MemoryRequest::Local);
    EXPECT_GT(sent.requests, 0u);
    return sent.requests - sent.hits;
  };
  u64 alone = misses(1);
  EXPECT_GT(alone, 0u);
  EXPECT_EQ(misses(2), 2 * alone);
}

TEST(Overlap, ATrapEndsTheContextAndAllThatIsInFlight) {
  Contexts run(sharedMachine(4));
  Context &one = run.context({.name = "one"}), &other = run.context({.name = "other"});
  Program bad = fault();
  run.overlap = true;
  run.submitWalk(one, 1, 32, 5000);
  run.submit(one, Contexts::launchOf(bad, 1, 32, {}));
  run.submitWalk(one, 1, 32, 5000);
  u64 out = run.submitWalk(other, 2, 32, 300);
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  EXPECT_FALSE(one.alive());
  ASSERT_TRUE(one.trap());
  EXPECT_EQ(one.trap()->kind, TrapKind::MisalignedAddress);
  EXPECT_TRUE(one.grids().empty());
  ASSERT_GE(one.launches().size(), 2u);
  EXPECT_TRUE(one.launches()[1].trapped);
  EXPECT_FALSE(one.launches()[0].trapped) << "it ends where it is, and has no fault";
  EXPECT_EQ(one.launches()[0].ended, one.launches()[1].ended);
  run.expectWalked(other, out, 2, 32, 300);
}

TEST(Overlap, TheWatchdogCountsFromTheOldest) {
  Contexts run(sharedMachine(4));
  Context &one = run.context({.name = "one", .watchdog = 3000});
  run.overlap = true;
  run.submitWalk(one, 1, 32, 100000);
  for (unsigned i = 0; i < 10; ++i)
    run.submitWalk(one, 1, 32, 10);
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  EXPECT_FALSE(one.alive());
  EXPECT_EQ(one.trap()->kind, TrapKind::Timeout);
  EXPECT_EQ(*one.launches()[0].ended - *one.launches()[0].started, 3000u);
  EXPECT_EQ(one.launches().size(), 11u);
}
