#include "../Effort.h"
#include "DeviceHarness.h"
#include "MachineHash.h"
#include "emu/Snapshot.h"
#include "test/unit/emu/ClockModels.h"

// A device that goes back to a snapshot is the device it was, and does the same again; and how a run is cut
// into pieces changes nothing.
using namespace leno;
using namespace leno::test;
using Config = MachineConfig::Contexts;

namespace {

/// A device with contexts and streams that depend on the seed alone.
struct RandomDevice : Contexts {
  explicit RandomDevice(u32 seed) : RandomDevice(std::mt19937(seed)) {}

  u64 hash() const {
    u64 value = 0xcbf29ce484222325;
    auto add = [&](auto... words) { ((value = (value ^ u64(words)) * 0x100000001b3), ...); };
    auto bytes = [&](const u8 *data, size_t size) {
      for (size_t i = 0; i < size; ++i)
        add(data[i]);
    };
    add(device.cycle(), device.ticks(), device.frontEnd().switches());
    for (u32 semaphore = 0; semaphore < 3; ++semaphore)
      add(const_cast<Machine &>(device).semaphores().value(semaphore));
    for (const Machine::Slot &slot : device.places())
      add(slot.state, slot.busyUntil, slot.since, slot.drains, slot.rotates,
          slot.owner ? slot.owner->id() : 99, slot.holder ? slot.holder->id() : 99, slot.part != nullptr);
    for (const auto &context : device.contexts()) {
      const ContextCounts &c = context->counts();
      add(c.commands, c.instructions, c.runCycles, c.blockedCycles, c.smCycles, c.saves, c.restores, c.drains,
          c.savedBytes, c.restoredBytes, c.switchCycles, c.pageFaults, c.slicesGained, c.slicesLost,
          context->pushbuffer().size(), context->alive(), context->sms(), context->smsGranted(),
          context->storage().bytes(), context->launches().size());
      for (const LaunchRecord &launch : context->launches())
        add(launch.decoded, launch.started.value_or(0), launch.ended.value_or(0), launch.instructions);
      for (const auto &[base, allocation] : context->memory().allocations())
        bytes(allocation.window.host, allocation.window.size);
      for (const GridInFlight &grid : context->grids()) {
        bool whole = context->storage().empty(); // what is saved has no PC to look at
        add(grid.run->instructions(), grid.run->ctasStarted(), whole ? MachineHash::of(*grid.run) : 0);
      }
    }
    return value;
  }

private:
  explicit RandomDevice(std::mt19937 random) : Contexts(configFor(random)) {
    unsigned count = 1 + random() % 3;
    for (unsigned i = 0; i < count; ++i) {
      Context &one = context({.name = std::string(1, char('a' + i)),
                              .priority = int(random() % 2),
                              .watchdog = random() % 6 ? 0 : 200 + random() % 2000});
      fill(one, random);
    }
  }
  static MachineConfig configFor(std::mt19937 &random) {
    MachineConfig config = sharedMachine(3 + random() % 2);
    config.timing.model = random() % 2;
    config.scheduler.quantum = 1 + random() % 60;
    config.contexts.allocation = random() % 3;
    config.contexts.switching = random() % 2;
    config.contexts.window = 100 + random() % 500;
    config.contexts.threshold = 20 + random() % 100;
    config.contexts.timeSlice = random() % 2 ? 50 + random() % 400 : 0;
    config.contexts.storageBytes = 16u << random() % 4;
    config.device.launchCycles = random() % 200;
    config.stack.model = random() % 3;
    config.sm.ctas = 1 + random() % 3;
    config.constants.model = random() % 2;
    config.constants.caches.protocol = random() % 3;
    config.contexts.perSm = 1 + random() % 3;
    config.contexts.room = config.sm.ctas >= config.contexts.perSm ? random() % 2 : 0;
    config.contexts.issue = random() % 2;
    setClockModels(config, random);
    return config;
  }
  void fill(Context &one, std::mt19937 &random) {
    for (unsigned i = 0, count = 2 + random() % 5; i < count; ++i) {
      overlap = random() % 2;
      switch (random() % 7) {
      case 0:
      case 1:
        submitRelay(one, 1 + random() % 8, 1 + random() % 8);
        break;
      case 2:
        submitWalk(one, 1 + random() % 8, 32 * (1 + random() % 4), 1 + random() % 60);
        break;
      case 3:
        submit(one, ConstantUpdate{1, 4 * (random() % 8), std::vector<uint8_t>(4, uint8_t(random()))});
        break;
      case 4:
        submit(one, CopyToDevice{buffer(one, 64), std::vector<uint8_t>(200, uint8_t(random()))});
        break;
      case 5:
        submit(one, SemaphoreRelease{one.id(), random() % 3});
        break;
      case 6:
        submit(one, SemaphoreAcquire{u32(random() % 3), random() % 2});
        break;
      }
    }
    if (random() % 3 == 0)
      submitPages(one, random);
  }
  /// Results in memory whose pages are mapped when they are touched.
  void submitPages(Context &one, std::mt19937 &random) {
    u32 ctas = 1 + random() % 4;
    u64 out = cantFail(one.memory().allocateOnDemand(u64(ctas) * 64 * 4, "on demand"));
    submit(one, launchOf(relayCode, ctas, 64, {u32(out), 3}, 256));
  }
};

using Events = std::vector<std::array<u64, 6>>;
Events eventsOf(const std::vector<DeviceEvent> &events, size_t from) {
  Events result;
  for (size_t i = from; i < events.size(); ++i)
    result.push_back(
        {events[i].kind, events[i].cycle, events[i].context, events[i].sm, events[i].amount, events[i].why});
  return result;
}

bool isOver(const Stop &stop) {
  return stop.reason == StopReason::Finished || stop.reason == StopReason::Stuck;
}

} // namespace

TEST(MachineSnapshots, ARunInPiecesIsTheRunAsAWhole) {
  for (u32 seed = 1; seed <= effort(60); ++seed) {
    RandomDevice whole(seed), pieces(seed);
    StopReason end = whole.device.run().reason;
    std::mt19937 random(seed);
    Stop stop;
    do {
      u64 before = pieces.device.ticks(), count = random() % 4 ? 1 + random() % 50 : random() % 2000;
      stop = pieces.device.run(count);
      if (stop.reason == StopReason::Budget)
        ASSERT_EQ(pieces.device.ticks(), before + count) << "seed " << seed;
    } while (!isOver(stop));
    EXPECT_EQ(stop.reason, end) << "seed " << seed;
    ASSERT_EQ(eventsOf(whole.events, 0), eventsOf(pieces.events, 0)) << "seed " << seed;
    ASSERT_EQ(whole.hash(), pieces.hash()) << "seed " << seed;
  }
}

TEST(MachineSnapshots, RandomDevicesGoOnFromThemAsBefore) {
  unsigned saves = 0, grids = 0, faults = 0, ends = 0;
  for (u32 seed = 1; seed <= effort(60); ++seed) {
    RandomDevice run(seed);
    std::mt19937 random(seed);
    struct Moment {
      std::unique_ptr<Snapshot> snapshot;
      u64 hash;
      size_t events;
    };
    std::vector<Moment> moments;
    MemoryImage::Meter bytes = std::make_shared<u64>(0);
    do
      moments.push_back(
          {run.device.snapshot(moments.empty() ? nullptr : moments.back().snapshot.get(), bytes), run.hash(),
           run.events.size()});
    while (!isOver(run.device.run(1 + random() % 1500)) && moments.size() < 40);
    while (!isOver(run.device.run(~u64(0))))
      ;
    u64 end = run.hash();
    Events all = eventsOf(run.events, 0);
    for (const DeviceEvent &event : run.events) {
      saves += event.kind == DeviceEvent::SmSaves;
      grids += event.kind == DeviceEvent::GridEnds;
      faults += event.kind == DeviceEvent::PageFault;
      ends += event.kind == DeviceEvent::ContextEnds;
    }
    for (unsigned i = 0; i < 6; ++i) {
      const Moment &to = moments[random() % moments.size()];
      run.device.restore(*to.snapshot);
      ASSERT_EQ(run.hash(), to.hash) << "seed " << seed;
      run.events.clear();
      if (i < 3) { // somewhere else, and there from another past
        run.device.run(random() % 3000);
        const Moment &other = moments[random() % moments.size()];
        run.device.restore(*other.snapshot);
        ASSERT_EQ(run.hash(), other.hash) << "seed " << seed;
        continue;
      }
      while (!isOver(run.device.run(1 + random() % 3000)))
        ;
      ASSERT_EQ(eventsOf(run.events, 0), Events(all.begin() + ptrdiff_t(to.events), all.end()))
          << "seed " << seed;
      ASSERT_EQ(run.hash(), end) << "seed " << seed;
    }
    moments.clear();
    EXPECT_EQ(*bytes, 0u);
  }
  EXPECT_GT(saves, 20u); // the runs have something to go wrong with
  EXPECT_GT(grids, 100u);
  EXPECT_GT(faults, 0u);
  EXPECT_GT(ends, 0u);
}

//===--- One warp, stops --------------------------------------------------===//

TEST(MachineSteps, OneWarpMovesAndNobodyElse) {
  Contexts run(sharedMachine(2));
  Context &a = run.context({.name = "a"}), &b = run.context({.name = "b"});
  u64 outA = run.submitWalk(a, 2, 64, 20), outB = run.submitWalk(b, 2, 64, 20);
  while (!a.grid() || !b.grid() || a.grid()->residentCtas().empty() || b.grid()->residentCtas().empty())
    run.device.run(1);
  Warp &warp = *a.grid()->residentCtas()[0]->warps()[1];
  u64 cycle = run.device.cycle(), moments = run.device.ticks(), others = b.grid()->instructions();
  ASSERT_TRUE(run.device.isOnChip(warp));
  for (u64 i = 0; !warp.exited(); ++i) {
    ASSERT_EQ(run.device.step(warp).reason, StopReason::Budget);
    ASSERT_EQ(run.device.ticks(), moments + i + 1);
  }
  EXPECT_EQ(run.device.cycle(), cycle);
  EXPECT_EQ(b.grid()->instructions(), others);
  EXPECT_FALSE(run.device.mustSettle()); // the CTA's other warp is still there
  EXPECT_EQ(run.device.step(warp).reason, StopReason::Waiting);
  EXPECT_EQ(run.device.run().reason, StopReason::Finished);
  run.expectWalked(a, outA, 2, 64, 20);
  run.expectWalked(b, outB, 2, 64, 20);
}

TEST(MachineSteps, AWarpsEndWaitsUntilItIsSettled) {
  Contexts run(sharedMachine(2));
  Context &a = run.context({.name = "a"});
  u64 out = run.submitWalk(a, 1, 32, 5);
  while (!a.grid() || a.grid()->residentCtas().empty())
    run.device.run(1);
  Warp &warp = *a.grid()->residentCtas()[0]->warps()[0];
  while (!warp.exited())
    run.device.step(warp);
  EXPECT_TRUE(run.device.mustSettle());
  ASSERT_TRUE(a.grid()); // to be looked at
  EXPECT_EQ(run.device.run(1).reason, StopReason::Budget);
  EXPECT_FALSE(run.device.mustSettle());
  EXPECT_FALSE(a.grid());
  EXPECT_EQ(run.device.run().reason, StopReason::Finished);
  run.expectWalked(a, out, 1, 32, 5);
}

TEST(MachineSteps, ABreakpointStopsTheDeviceAndASecondRunGoesOn) {
  for (u64 timing : {0, 1}) {
    MachineConfig config = sharedMachine(2);
    config.timing.model = timing;
    Contexts run(config);
    Context &a = run.context({.name = "a"}), &b = run.context({.name = "b"});
    run.device.setBreakpoints([&](const GridRun &grid) {
      return grid.device().contextId() == b.id() ? std::set<u64>{0} : std::set<u64>();
    });
    u64 outA = run.submitWalk(a, 2, 64, 20), outB = run.submitWalk(b, 2, 64, 20);
    unsigned stops = 0;
    for (;; ++stops) {
      Stop stop = run.device.run(~u64(0));
      if (stop.reason != StopReason::Breakpoint)
        break;
      ASSERT_EQ(&stop.warp->grid(), b.grid());
      EXPECT_EQ(stop.warp->pcBytes(), 0u);
      EXPECT_EQ(stop.warp->instructions, 0u);
      stop.warp->stepOver = true;
    }
    EXPECT_EQ(stops, 4u); // 2 CTAs of 2 warps
    run.expectWalked(a, outA, 2, 64, 20);
    run.expectWalked(b, outB, 2, 64, 20);
  }
}

TEST(MachineSteps, ATrapStopsADeviceWithADebuggerAndThenEndsItsContextAlone) {
  Contexts run(sharedMachine(2));
  Context &a = run.context({.name = "a"}), &b = run.context({.name = "b"});
  run.device.setDebugger(true);
  u64 out = run.submitWalk(a, 2, 64, 20);
  run.submit(b, Contexts::launchOf(run.walkCode, 1, 32, {16, 3})); // address 16 is mapped to nothing
  Stop stop = run.device.run(~u64(0));
  ASSERT_EQ(stop.reason, StopReason::Trapped);
  EXPECT_EQ(run.device.trapped(), &b);
  ASSERT_TRUE(b.grid()); // to be looked at
  EXPECT_EQ(b.grid()->trap()->kind, TrapKind::AddressOutOfRange);
  EXPECT_TRUE(b.alive());
  EXPECT_EQ(run.device.run(~u64(0)).reason, StopReason::Finished);
  EXPECT_FALSE(b.alive());
  run.expectWalked(a, out, 2, 64, 20);
}
