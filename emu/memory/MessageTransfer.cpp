#include "emu/memory/MessageTransfer.h"
#include "asm/support/Assert.h"
#include "emu/memory/HostInterface.h"
#include <cstring>

using namespace leno;

MessageCost leno::messageFormula(MessagePlace place, u64 T, u64 K) {
  switch (place) {
  case MessagePlace::ProducerMemory:
    return {T + K + 1, 2 * T, 2 * K * T};
  case MessagePlace::ConsumerMemory:
    return {2 * T + K + 1, T, K * T};
  case MessagePlace::ProducerCache:
    return {T / 5 + K + 1, 6 * T / 5, 12 * K * T / 5};
  case MessagePlace::ConsumerCache:
    return {6 * T / 5 + K + 1, T / 5, K * T / 5};
  }
  return {};
}

namespace {

constexpr u64 messageAddress = 0x10000, readyAddress = 0x20000, physicalBase = 0x40000;
constexpr u32 readyValue = 0x600d;

MemorySideConfig sideConfig(u64 slices, u64 T) {
  MemorySideConfig config;
  config.slices = slices;
  config.slice = {4096, 64, 4};
  config.l2Latency = T / 5;
  config.memoryLatency = T;
  return config;
}

/// The CPU with its cache and system memory, the cores with their slices and memories, and the link between.
class TwoSides {
public:
  explicit TwoSides(u64 T)
      : cpu(sideConfig(1, T), 1), ppu(sideConfig(4, T), 4), host(ppu, pages, T), link(T) {
    for (u64 page : {messageAddress, readyAddress})
      LENO_ASSERT(pages.map(page, physicalBase + page), "the pages of a message are mapped twice");
  }
  u64 write(bool byHost, bool toCpu, u64 address, u32 value, u64 cycle, MemorySide::Way way) {
    u8 bytes[4];
    std::memcpy(bytes, &value, 4);
    if (toCpu)
      return cpu.write(1, address, bytes, cycle, way, byHost ? 0 : link);
    return byHost ? host.write(address, bytes, cycle, way).cycle
                  : ppu.write(core, *pages.translate(address), bytes, cycle, way);
  }
  u64 read(bool byHost, bool fromCpu, u64 address, u32 &value, u64 cycle, MemorySide::Way way) {
    u8 bytes[4];
    u64 done = fromCpu  ? cpu.read(1, address, bytes, cycle, way, byHost ? 0 : link).cycle
               : byHost ? host.read(address, bytes, cycle, way).cycle
                        : ppu.read(core, *pages.translate(address), bytes, cycle, way).cycle;
    std::memcpy(&value, bytes, 4);
    return done;
  }

private:
  static constexpr unsigned core = MemorySide::portOf(2);
  MemorySide cpu, ppu;
  PageTable pages;
  HostInterface host;
  u64 link;
};

u32 wordOf(u64 i) { return u32(i * 2654435761u + 12345); }

} // namespace

MessageRun leno::runMessage(MessagePlace place, MessageDirection direction, u64 T, u64 K,
                            std::optional<u64> firstPoll) {
  LENO_ASSERT(T % 5 == 0 && K * 4 <= PageTable::pageBytes,
              "a message's times and size are checked by the caller");
  TwoSides machine(T);
  bool hostProduces = direction == MessageDirection::HostToCore;
  bool atProducer = place == MessagePlace::ProducerMemory || place == MessagePlace::ProducerCache;
  bool atCpu = atProducer == hostProduces;
  auto way = place == MessagePlace::ProducerCache || place == MessagePlace::ConsumerCache
                 ? MemorySide::Way::ThroughL2
                 : MemorySide::Way::PastL2;
  // One write leaves the producer in each cycle, the ready value last.
  u64 issued = 0, ready = 0;
  auto produceUntil = [&](u64 cycle) {
    for (; issued <= K && issued < cycle; ++issued) {
      bool last = issued == K;
      ready = machine.write(hostProduces, atCpu, last ? readyAddress : messageAddress + 4 * issued,
                            last ? readyValue : wordOf(issued), issued + 1, way);
    }
  };
  produceUntil(firstPoll.value_or(K + 1));
  MessageRun run;
  u64 cycle = firstPoll.value_or(ready);
  for (u32 seen = 0; seen != readyValue; ++run.polls) {
    produceUntil(cycle);
    cycle = machine.read(!hostProduces, atCpu, readyAddress, seen, cycle, way);
  }
  run.cost = {ready, cycle - ready, 0};
  run.intact = true;
  for (u64 i = 0; i < K; ++i) {
    u32 word = 0;
    cycle = machine.read(!hostProduces, atCpu, messageAddress + 4 * i, word, cycle, way);
    run.intact &= word == wordOf(i);
    if (place == MessagePlace::ProducerCache) {
      u32 still = 0;
      cycle = machine.read(!hostProduces, atCpu, readyAddress, still, cycle, way);
      run.intact &= still == readyValue;
    }
  }
  run.cost.readMessage = cycle - run.cost.write - run.cost.readReady;
  return run;
}
