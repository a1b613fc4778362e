#include "emu/memory/MemorySide.h"
#include "emu/MachineConfig.h"

using namespace leno;
using namespace llvm;

Error MemorySideConfig::check() const {
  return MachineConfig::L2{
      .slices = slices, .bytes = slice.bytes, .lineBytes = slice.lineBytes, .ways = slice.ways}
      .check();
}

MemorySide::MemorySide(const MemorySideConfig &config, unsigned smCount)
    : config(config), routes(smCount + 1, unsigned(config.slices), config.slice.lineBytes, config.interval) {
  for (u64 i = 0; i < config.slices; ++i) {
    drams.push_back(std::make_unique<Dram>());
    slices.push_back(std::make_unique<L2Slice>(config.slice, drams.back().get()));
  }
}

template <typename Each>
void MemorySide::cut(unsigned port, u64 physical, size_t bytes, u64 cycle, const Each &each) {
  u64 lineBytes = config.slice.lineBytes;
  for (size_t done = 0, count; done < bytes; done += count) {
    u64 address = physical + done;
    count = std::min<size_t>(bytes - done, lineBytes - address % lineBytes);
    unsigned slice = routes.sliceOf(address);
    each(slice, routes.withinSlice(address), done, count, routes.route(port, slice, cycle));
  }
}

void MemorySide::land(u64 cycle) {
  while (!posted.empty() && posted.begin()->first <= cycle) {
    Posted write = std::move(posted.begin()->second);
    posted.erase(posted.begin());
    if (write.way == Way::ThroughL2)
      slices[write.slice]->write(write.address, write.bytes);
    else
      drams[write.slice]->write(write.address, write.bytes);
  }
}

MemorySide::Done MemorySide::read(unsigned port, u64 physical, MutableArrayRef<u8> bytes, u64 cycle, Way way,
                                  u64 away) {
  land(cycle);
  Done all{cycle, way == Way::ThroughL2};
  cut(port, physical, bytes.size(), cycle,
      [&](unsigned slice, u64 address, size_t first, size_t count, u64 start) {
        u64 latency = away + config.memoryLatency;
        if (way == Way::PastL2) {
          drams[slice]->read(address, bytes.slice(first, count));
        } else {
          bool hit = slices[slice]->read(address, bytes.slice(first, count));
          latency = away + config.l2Latency + (hit ? 0 : config.memoryLatency);
          all.hit &= hit;
        }
        all.cycle = std::max(all.cycle, start + latency);
      });
  return all;
}

// A store needs nothing from memory: the slice takes it at once, on a new line if need be.
u64 MemorySide::write(unsigned port, u64 physical, ArrayRef<u8> bytes, u64 cycle, Way way, u64 away) {
  u64 last = cycle;
  u64 latency = away + (way == Way::ThroughL2 ? config.l2Latency : config.memoryLatency);
  cut(port, physical, bytes.size(), cycle,
      [&](unsigned slice, u64 address, size_t first, size_t count, u64 start) {
        posted.emplace(start + latency, Posted{slice, address, way, bytes.slice(first, count).vec()});
        last = std::max(last, start + latency);
      });
  return last;
}

void MemorySide::flush() {
  land(~u64(0));
  for (auto &slice : slices)
    slice->flush();
}
