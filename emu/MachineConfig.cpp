//===- MachineConfig.cpp - The machine's keys, and what fits together -----===//
#include "emu/MachineKey.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using namespace llvm;

static constexpr MachineKey coreKeys[] = {
    {"sm.count", MachineKey::Integer, 1, 1024, "", "streaming multiprocessors of the device",
     [](MachineConfig &c) -> uint64_t & { return c.sm.count; }},
    {"sm.warps", MachineKey::Integer, 1, 64, "", "warps that an SM holds",
     [](MachineConfig &c) -> uint64_t & { return c.sm.warps; }},
    {"sm.ctas", MachineKey::Integer, 1, 64, "", "CTAs that an SM holds",
     [](MachineConfig &c) -> uint64_t & { return c.sm.ctas; }},
    {"sm.sharedBytes", MachineKey::Bytes, 0, 1 << 20, "bytes", "shared memory of an SM",
     [](MachineConfig &c) -> uint64_t & { return c.sm.sharedBytes; }},
    {"sm.registers", MachineKey::Integer, 32, 1 << 24, "",
     "32-bit registers of an SM; a CTA takes those of all its lanes",
     [](MachineConfig &c) -> uint64_t & { return c.sm.registers; }},
    {"warp.stackDepth", MachineKey::Integer, 1, 1 << 20, "entries",
     "nesting limit of the divergence stack; past it STACK_OVERFLOW",
     [](MachineConfig &c) -> uint64_t & { return c.warp.stackDepth; }},
    {"warp.localBytes", MachineKey::Bytes, 0, 512 << 10, "bytes", "local memory that a lane can have",
     [](MachineConfig &c) -> uint64_t & { return c.warp.localBytes; }},
    {"barrier.divergent", MachineKey::Choice, 0, 1, "",
     "lanes at a barrier without the others of their warp: a trap, or count as the whole warp",
     [](MachineConfig &c) -> uint64_t & { return c.barrier.divergent; }, "trap|count"},
    {"memory.bytes", MachineKey::Bytes, 1 << 16, uint64_t(1) << 40, "bytes",
     "global memory that a context may allocate",
     [](MachineConfig &c) -> uint64_t & { return c.memory.bytes; }},
    {"scheduler.quantum", MachineKey::Integer, 1, uint64_t(1) << 32, "warp instructions",
     "length of a warp's turn before the next one runs",
     [](MachineConfig &c) -> uint64_t & { return c.scheduler.quantum; }},
};

static constexpr MachineKey timingKeys[] = {
    {"timing.model", MachineKey::Choice, 0, 1, "",
     "cycles: warps take turns each cycle and wait for latencies",
     [](MachineConfig &c) -> uint64_t & { return c.timing.model; }, "off|cycles"},
    {"timing.memoryLatency", MachineKey::Integer, 1, 1 << 20, "cycles", "of a memory transaction",
     [](MachineConfig &c) -> uint64_t & { return c.timing.memoryLatency; }},
    {"timing.memoryInterval", MachineKey::Integer, 1, 1 << 20, "cycles",
     "between the starts of two transactions of an SM",
     [](MachineConfig &c) -> uint64_t & { return c.timing.memoryInterval; }},
    {"timing.postedWrites", MachineKey::Choice, 0, 1, "", "a write is over for the chip once it has started",
     [](MachineConfig &c) -> uint64_t & { return c.timing.postedWrites; }, "no|yes"},
};

static constexpr MachineKey contextKeys[] = {
    {"device.launchCycles", MachineKey::Integer, 0, 1 << 20, "cycles",
     "from the decoding of a launch in a pushbuffer until its first CTA can go out",
     [](MachineConfig &c) -> uint64_t & { return c.device.launchCycles; }},
    {"device.copyBytes", MachineKey::Bytes, 1, 1 << 20, "bytes", "that a copy command moves in a cycle",
     [](MachineConfig &c) -> uint64_t & { return c.device.copyBytes; }},
    {"device.faultCycles", MachineKey::Integer, 1, 1 << 30, "cycles",
     "from a page fault until the driver has mapped the page",
     [](MachineConfig &c) -> uint64_t & { return c.device.faultCycles; }},
    {"contexts.allocation", MachineKey::Choice, 0, 2, "",
     "of SMs to contexts: one at a time, a fixed split, or by the rule of blocked cycles",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.allocation; }, "one|static|dynamic"},
    {"contexts.perSm", MachineKey::Integer, 1, 64, "", "contexts whose state an SM holds at once",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.perSm; }},
    {"contexts.room", MachineKey::Choice, 0, 1, "",
     "of an SM among its contexts: as CTAs leave some, or an equal part for each",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.room; }, "shared|divided"},
    {"contexts.issue", MachineKey::Choice, 0, 1, "",
     "of an SM with several contexts: from each in turn, or from one until all its warps are blocked",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.issue; }, "turns|blocked"},
    {"contexts.switch", MachineKey::Choice, 0, 2, "",
     "an SM that changes hands finishes its CTAs, saves their state and restores it later, or saves what a "
     "while of draining leaves",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.switching; }, "drain|save|partial"},
    {"contexts.drainCycles", MachineKey::Integer, 0, uint64_t(1) << 32, "cycles",
     "that an SM drains with contexts.switch=partial before it saves what is left",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.drainCycles; }},
    {"contexts.storageBytes", MachineKey::Bytes, 1, 1 << 20, "bytes",
     "that an SM and its context storage exchange in a cycle",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.storageBytes; }},
    {"contexts.window", MachineKey::Integer, 1, uint64_t(1) << 32, "cycles",
     "over which dynamic allocation counts a context's blocked cycles",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.window; }},
    {"contexts.threshold", MachineKey::Integer, 0, uint64_t(1) << 32, "cycles",
     "more blocked than the least blocked context by more than this: it gains an SM from that one",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.threshold; }},
    {"contexts.timeSlice", MachineKey::Integer, 0, uint64_t(1) << 32, "cycles",
     "after which contexts, or saved states, that wait for an SM take turns; 0: never",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.timeSlice; }},
    {"contexts.watchdog", MachineKey::Integer, 0, uint64_t(1) << 40, "cycles",
     "that a grid of a context may take before it traps TIMEOUT; 0: no limit",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.watchdog; }},
};

ArrayRef<MachineKey> leno::machineKeys() {
  static const std::vector<MachineKey> all = [] {
    std::vector<MachineKey> keys;
    for (ArrayRef<MachineKey> some :
         {ArrayRef(coreKeys), MachineConfig::Stack::keys(), ArrayRef(timingKeys),
          MachineConfig::Units::keys(), MachineConfig::L1::keys(), MachineConfig::Tlb::keys(),
          MachineConfig::ClusterCache::keys(), MachineConfig::L2::keys(), MachineConfig::Host::keys(),
          MachineConfig::Constants::keys(), ArrayRef(contextKeys)})
      keys.insert(keys.end(), some.begin(), some.end());
    return keys;
  }();
  return all;
}

Error leno::checkLimits(ArrayRef<MachineKey> keys, MachineConfig config) {
  for (const MachineKey &key : keys) {
    uint64_t value = key.field(config);
    if (value < key.least && *key.whyLeast)
      return createStringError(formatv("the machine's {0} is {1}; {2}", key.name, value, key.whyLeast));
    if (value < key.least || value > key.greatest())
      return createStringError(formatv("the machine's {0} is {1}; it must be from {2} to {3}", key.name,
                                       value, key.least, key.most));
  }
  return Error::success();
}

Error MachineConfig::check() const {
  if (Error error = checkLimits(machineKeys(), *this))
    return error;
  if (contexts.room == Contexts::Divided && (!partOfSm().warps || !partOfSm().ctas))
    return createStringError(formatv(
        "contexts.room=divided: an SM of {0} warps and {1} CTAs has no part for each of {2} contexts; "
        "raise sm.warps or sm.ctas, or lower contexts.perSm",
        sm.warps, sm.ctas, contexts.perSm));
  if (Error error = units.check(*this))
    return error;
  if (Error error = l1.check())
    return error;
  if (Error error = tlb.check())
    return error;
  if (Error error = checkClusterCaches())
    return error;
  if (Error error = l2.check())
    return error;
  if (Error error = host.check(*this))
    return error;
  if (Error error = constants.caches.check())
    return error;
  return stack.check();
}
