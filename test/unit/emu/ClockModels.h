//===- ClockModels.h - What random machines with a clock have besides -----===//
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

} // namespace leno::test
