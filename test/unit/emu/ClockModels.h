//===- ClockModels.h - Random machines, and what a clock gives them -------===//
#pragma once
#include "emu/MachineConfig.h"

namespace leno::test {

/// Units, instruction caches and L1.5s, or some of them; on a machine without a clock none.
template <class Random> void setClockModels(MachineConfig &config, Random &random) {
  config.units.model = config.timing.model ? random() % 2 : 0;
  for (MachineConfig::Units::Unit &unit : config.units.kinds)
    unit = {1 + random() % 2, 1 + random() % 4, 1 + random() % 9};
  config.icache = {.model = config.timing.model ? random() % 2 : 0,
                   .bytes = 256,
                   .lineBytes = 32,
                   .ways = 2,
                   .latency = 1 + random() % 2,
                   .sms = 1 + random() % 2};
  config.l15 = {.model = config.icache.model ? random() % 2 : 0,
                .bytes = 512,
                .lineBytes = 64,
                .ways = 4,
                .latency = 5,
                .sms = 2};
}

/// With any models, and small caches.
template <class Random> MachineConfig randomMachine(Random &random) {
  MachineConfig config;
  config.stack.model = random() % 3;
  config.stack.entries = 4 + random() % 5;
  config.stack.moveEntries = 1 + random() % 3;
  config.timing.model = random() % 2;
  config.l2.model = random() % 2;
  config.l2.slices = 1 + random() % 3;
  config.l2.bytes = 512;
  config.l2.ways = 2;
  config.constants.model = random() % 2;
  config.constants.caches.protocol = random() % 3;
  config.constants.caches.l1 = {32, 8, 2};
  config.scheduler.quantum = 1 + random() % 50;
  config.sm.count = 1 + random() % 3;
  config.l1.model = random() % 2;
  config.l1.bytes = 512;
  config.tlb.model = random() % 2;
  config.tlb.entries = config.tlb.ways = 2;
  setClockModels(config, random);
  config.sm.ctas = 1 + random() % 2; // more CTAs than fit: places are used again
  return config;
}

} // namespace leno::test
