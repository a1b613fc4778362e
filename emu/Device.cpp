#include "emu/Device.h"
#include "emu/memory/CacheArray.h"
#include "emu/observe/Observer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace leno;
using namespace llvm;

void Device::addObserver(Observer &observer) {
  observers.push_back(&observer);
  space.onHost = [this](HostEvent event) {
    event.context = context;
    for (auto at = observers.begin(); at != observers.end(); ++at)
      if (std::find(observers.begin(), at, *at) == at)
        (*at)->host(event);
  };
}

void Device::removeObserver(Observer &observer) {
  if (auto at = find(observers, &observer); at != observers.end())
    observers.erase(at);
  if (observers.empty())
    space.onHost = nullptr;
}

StackRegion &Device::stackRegion(unsigned sm, unsigned place) {
  u64 number = u64(sm) * settings.sm.warps + place,
      bytes = settings.warp.stackDepth * StackRegion::entryBytes;
  u64 base =
      driverMemory() + StackRegion::firstAddress + number * alignTo(bytes, 32); // 256 bits: a thread set
  std::lock_guard lock(stacksMutex);
  return stacks.try_emplace(number, base, settings.warp.stackDepth).first->second;
}

ConstantUnit &Device::constantUnit() {
  if (!caches)
    caches.emplace(settings);
  return *caches;
}

Error MachineConfig::check() const {
  auto inRange = [](StringRef key, u64 value, u64 low, u64 high) -> Error {
    if (value >= low && value <= high)
      return Error::success();
    return createStringError(
        formatv("the machine's {0} is {1}; it must be from {2} to {3}", key, value, low, high));
  };
  struct {
    StringRef key;
    u64 value, low, high;
  } const limits[] = {
      {"sm.count", sm.count, 1, 1024},
      {"sm.warps", sm.warps, 1, 64}, // a barrier keeps a bit for each warp
      {"sm.ctas", sm.ctas, 1, 64},
      {"sm.sharedBytes", sm.sharedBytes, 0, 16 << 20},
      {"sm.registers", sm.registers, laneCount, 1 << 24},
      {"warp.stackDepth", warp.stackDepth, 1, 1 << 20},
      {"warp.localBytes", warp.localBytes, 0, 512 << 10},
      {"scheduler.quantum", scheduler.quantum, 1, ~u64(0)},
      {"timing.memoryLatency", timing.memoryLatency, 1, 1 << 20},
      {"timing.memoryInterval", timing.memoryInterval, 1, 1 << 20},
      {"device.launchCycles", device.launchCycles, 0, 1 << 20},
      {"device.copyBytes", device.copyBytes, 1, 1 << 20},
      {"device.faultCycles", device.faultCycles, 1, 1 << 30},
      {"contexts.storageBytes", contexts.storageBytes, 1, 1 << 20},
      {"contexts.window", contexts.window, 1, u64(1) << 32},
  };
  for (const auto &limit : limits)
    if (Error error = inRange(limit.key, limit.value, limit.low, limit.high))
      return error;
  if (Error error = l2.check())
    return error;
  if (Error error = constants.check())
    return error;
  return stack.check();
}

Error MachineConfig::L2::check() const {
  if (slices < 1 || slices > 1024)
    return createStringError(formatv("the machine's l2.slices is {0}; it must be from 1 to 1024", slices));
  if (lineBytes < 16)
    return createStringError(
        formatv("the machine's l2.lineBytes is {0}; a line holds at least the 16 bytes of a lane's access",
                lineBytes));
  return CacheShape{bytes, lineBytes, ways}.check("l2.");
}

Error MachineConfig::Constants::check() const {
  for (auto [key, value] : {std::pair("l1.latency", latencies.l1Latency),
                            {"l2.latency", latencies.l2Latency},
                            {"l2.interval", latencies.l2Interval},
                            {"copyLatency", latencies.copyLatency}})
    if (value < 1 || value > 1 << 20)
      return createStringError(
          formatv("the machine's constants.{0} is {1}; it must be from 1 to {2}", key, value, 1 << 20));
  return caches.check();
}

Error MachineConfig::Stack::check() const {
  auto fail = [](auto &&...arguments) { return createStringError(formatv(arguments...)); };
  if (entries < 2 || entries > 1024)
    return fail("the machine's stack.entries is {0}; it must be from 2 to 1024", entries);
  if (setEntries < 1 || setEntries > entries)
    return fail("the machine's stack.setEntries is {0}; it must be from 1 to stack.entries, {1}", setEntries,
                entries);
  bool bySets = policy == SetBoundary || flags == PerSet;
  const char *why = policy == SetBoundary ? "the policy set-boundary" : "a pair of flags for each set";
  if (bySets && (entries % setEntries != 0 || entries < 2 * setEntries))
    return fail("{0} needs two or more whole sets on chip: stack.entries is {1}, stack.setEntries {2}", why,
                entries, setEntries);
  if (policy == SetBoundary) {
    if (setsAhead < 1 || setsAhead > entries / setEntries - 1)
      return fail("stack.setsAhead is {0}; with {1} sets on chip it must be from 1 to {2}", setsAhead,
                  entries / setEntries, entries / setEntries - 1);
    return Error::success();
  }
  if (spillAbove() >= entries || restoreAbove() >= entries)
    return fail(
        "stack.spillThreshold and stack.restoreThreshold are {0} and {1}; with {2} stack.entries they can be "
        "{3} at most",
        spillAbove(), restoreAbove(), entries, entries - 1);
  // S0: N is at least one and less than the number of entries on chip.
  if (moveEntries < 1 || moveEntries >= entries)
    return fail("stack.moveEntries is {0}; it must be from 1 to {1}, less than stack.entries", moveEntries,
                entries - 1);
  if (flags == PerSet && moveEntries % setEntries != 0)
    return fail("stack.moveEntries is {0}; with a pair of flags for each set it must be a multiple of "
                "stack.setEntries, {1}",
                moveEntries, setEntries);
  return Error::success();
}
