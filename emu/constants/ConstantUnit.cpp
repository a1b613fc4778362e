#include "emu/constants/ConstantUnit.h"
#include "emu/MachineKey.h"
#include <algorithm>
#include <cstring>

using namespace leno;
using llvm::ArrayRef;

ArrayRef<MachineKey> MachineConfig::Constants::keys() {
  static constexpr MachineKey rows[] = {
      {"constants.model", MachineKey::Choice, 0, 1, "",
       "caches: reads of c[b][o] go through the constant caches, and are counted there",
       [](MachineConfig &c) -> uint64_t & { return c.constants.model; }, "none|caches"},
      {"constants.protocol", MachineKey::Choice, 0, 2, "",
       "who has which version: the oldest in the L2, the current one, or one drained store",
       [](MachineConfig &c) -> uint64_t & { return c.constants.caches.protocol; }, "A|B|drained"},
      {"constants.l1.bytes", MachineKey::Bytes, 4, 1 << 20, "bytes", "of the L1 of an SM",
       [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l1.bytes; }},
      {"constants.l1.lineBytes", MachineKey::Bytes, 4, 256, "bytes", "of a line of it, a power of two",
       [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l1.lineBytes; }},
      {"constants.l1.ways", MachineKey::Integer, 1, 1 << 16, "", "lines of a set of it",
       [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l1.ways; }},
      {"constants.l1.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
       "of a hit; the first is the instruction's own",
       [](MachineConfig &c) -> uint64_t & { return c.constants.latencies.l1Latency; }},
      {"constants.l2.bytes", MachineKey::Bytes, 4, 64 << 20, "bytes", "of the L2 that all SMs share",
       [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l2.bytes; }},
      {"constants.l2.lineBytes", MachineKey::Bytes, 4, 256, "bytes", "of a line of it, a power of two",
       [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l2.lineBytes; }},
      {"constants.l2.ways", MachineKey::Integer, 1, 1 << 20, "", "lines of a set of it",
       [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l2.ways; }},
      {"constants.l2.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
       "of a miss of an L1 beside the hit's; what the L2 misses goes to memory, as l15.model and l2.model "
       "have it",
       [](MachineConfig &c) -> uint64_t & { return c.constants.latencies.l2Latency; }},
      {"constants.l2.interval", MachineKey::Integer, 1, 1 << 20, "cycles", "between two requests to it",
       [](MachineConfig &c) -> uint64_t & { return c.constants.latencies.l2Interval; }},
      {"constants.copyLatency", MachineKey::Integer, 1, 1 << 20, "cycles",
       "of a copy from L1 to L1, and one more for each word",
       [](MachineConfig &c) -> uint64_t & { return c.constants.latencies.copyLatency; }},
      {"constants.backupWords", MachineKey::Integer, 1, 1 << 20, "words", "of protocol B's L2 backup",
       [](MachineConfig &c) -> uint64_t & { return c.constants.caches.backupWords; }},
      {"constants.queueWords", MachineKey::Integer, 1, 1 << 20, "words",
       "written, that protocol B's L2 has not taken yet",
       [](MachineConfig &c) -> uint64_t & { return c.constants.caches.queueWords; }},
  };
  return rows;
}

ConstantUnit::ConstantUnit(const MachineConfig &config)
    : latencies(config.constants.latencies), memoryLatency(config.timing.memoryLatency),
      timed(config.timing.model == MachineConfig::Timing::Cycles),
      protocol(ConstantProtocol::create(config.constants.caches, unsigned(config.sm.count))) {
  protocol->setListener(this);
  state.smReady.resize(config.sm.count);
  state.waits.resize(config.sm.count);
}

ConstantUnit::ConstantUnit(const ConstantUnit &other)
    : latencies(other.latencies), memoryLatency(other.memoryLatency), timed(other.timed),
      protocol(other.protocol->clone()), state(other.state) {
  protocol->setListener(this);
}

ConstantUnit &ConstantUnit::operator=(const ConstantUnit &other) {
  protocol = other.protocol->clone();
  protocol->setListener(this);
  state = other.state;
  return *this;
}

// Transfers take time where they go.
void ConstantUnit::constantEvent(const ConstantEvent &event) {
  if (ears) {
    ConstantEvent told = event;
    told.sm = protocol->placeOf(event.sm);
    told.from = protocol->placeOf(event.from);
    told.cycle = state.now;
    told.context = contextId;
    ears->constantEvent(told);
  }
  if (!timed)
    return;
  switch (event.kind) {
  case ConstantEvent::CopiedToL1:
    state.smReady[event.sm] =
        std::max(state.smReady[event.sm], state.now) + latencies.copyLatency + event.words;
    break;
  case ConstantEvent::CopiedToL2:
    state.l2Free = std::max(state.l2Free, state.now) + event.words * latencies.l2Interval;
    break;
  case ConstantEvent::ConstantToL2:
    state.l2Free = std::max(state.l2Free, state.now) + latencies.l2Interval;
    break;
  default:
    break;
  }
}

/// Protocol B: what is posted goes to the L2 as it is free.
void ConstantUnit::takePosted(u64 cycle) {
  state.now = cycle;
  while (protocol->posted() && (!timed || state.l2Free <= cycle) && protocol->takePosted())
    ;
}

//===--- The front end ----------------------------------------------------===//

ConstantUnit::Wait ConstantUnit::write(unsigned bank, u32 offset, u32 value) {
  std::lock_guard lock(mutex);
  return take(bank, offset, value);
}

ConstantUnit::Wait ConstantUnit::take(unsigned bank, u32 offset, u32 value) {
  Wait wait = protocol->constant(constantWord(bank, offset), value);
  if (wait != Wait::None) {
    constantEvent({.kind = ConstantEvent::CommandWaits, .word = constantWord(bank, offset), .wait = wait});
    return wait;
  }
  ++state.taken;
  std::vector<u32> &words = state.stream[bank];
  std::vector<bool> &commanded = state.commanded[bank];
  if (words.size() <= offset / 4)
    words.resize(offset / 4 + 1);
  commanded.resize(words.size());
  words[offset / 4] = value;
  commanded[offset / 4] = true;
  return Wait::None;
}

ConstantUnit::Wait ConstantUnit::bring(const ConstantBanks &banks, std::optional<u64> cycle) {
  std::lock_guard lock(mutex);
  if (cycle) {
    takePosted(*cycle);
  } else if (protocol->activeSms() == 0) {
    state.now = state.l2Free = 0;
    std::fill(state.smReady.begin(), state.smReady.end(), 0);
  }
  for (unsigned bank = 0; bank < ConstantBanks::count; ++bank) {
    llvm::ArrayRef<uint8_t> bytes = banks.bank(bank);
    for (u32 offset = 0; offset < bytes.size(); offset += 4) {
      u32 value = 0; // the last word may be a part of one
      std::memcpy(&value, bytes.data() + offset, std::min<size_t>(4, bytes.size() - offset));
      if (offset / 4 < state.stream[bank].size() && state.stream[bank][offset / 4] == value)
        continue;
      const std::vector<bool> &commanded = state.commanded[bank];
      bool isNew = offset / 4 >= commanded.size() || !commanded[offset / 4];
      if (!state.anyLaunch && bank > 0 && isNew) {
        protocol->preset(constantWord(bank, offset), value);
        state.stream[bank].resize(std::max<size_t>(state.stream[bank].size(), offset / 4 + 1));
        state.stream[bank][offset / 4] = value;
      } else if (Wait wait = take(bank, offset, value); wait != Wait::None) {
        return wait;
      }
    }
  }
  state.anyLaunch = true;
  return Wait::None;
}

void ConstantUnit::launchOn(unsigned sm, u64 cycle) {
  std::lock_guard lock(mutex);
  takePosted(cycle);
  protocol->work(sm);
}

void ConstantUnit::retire(unsigned sm, u64 cycle) {
  std::lock_guard lock(mutex);
  state.now = cycle;
  protocol->done(sm);
  state.retired += !protocol->isActive(sm);
  takePosted(cycle);
}

void ConstantUnit::addTo(StateHash &hash) const {
  std::lock_guard lock(mutex);
  if (!state.anyLaunch)
    return;
  for (unsigned bank = 0; bank < ConstantBanks::count; ++bank) {
    hash.all(state.stream[bank]);
    hash.all(state.commanded[bank]);
  }
  hash.all(state.smReady);
  hash.add(state.now, state.l2Free, state.taken, state.retired);
  protocol->addTo(hash);
}

void ConstantUnit::beginShared() {
  for (unsigned sm = 0; sm < sms(); ++sm)
    protocol->leave(sm);
}

u64 ConstantUnit::leave(unsigned sm, u64 cycle) {
  std::lock_guard lock(mutex);
  takePosted(cycle);
  return protocol->leave(sm);
}

u64 ConstantUnit::come(unsigned sm, unsigned place, u64 cycle) {
  std::lock_guard lock(mutex);
  takePosted(cycle);
  ++state.retired;
  return protocol->come(sm, place);
}

//===--- Reads ------------------------------------------------------------===//

ConstantUnit::Read ConstantUnit::read(unsigned sm, u32 word, u64 cycle, Memory memory) {
  std::lock_guard lock(mutex);
  takePosted(cycle);
  ConstantProtocol::Read read = protocol->read(sm, word);
  if (!timed) {
    if (memory && read.source == ConstantSource::Memory)
      memory(word, cycle);
    return {read.value, read.source, cycle};
  }
  u64 start = std::max(cycle, state.smReady[sm]);
  if (read.source == ConstantSource::L1 || read.source == ConstantSource::Stalled)
    return {read.value, read.source, start + latencies.l1Latency};
  start = std::max(start, state.l2Free);
  state.l2Free = start + latencies.l2Interval;
  u64 done = start + latencies.l1Latency + latencies.l2Latency;
  if (read.source == ConstantSource::Memory)
    done = memory ? memory(word, done) : done + memoryLatency;
  return {read.value, read.source, done};
}

CountTables ConstantUnit::tables() const {
  static constexpr CountName ofSms[] = {{"reads", "reads"},
                                        {"hits", "hits", "constantHits", "constants: L1 hits"},
                                        {"misses", "misses", "constantMisses", "constants: L1 misses"},
                                        {"lockStalls", "lock stalls"},
                                        {"waitCycles", "wait cycles"},
                                        {"writtenWords", "words written"},
                                        {"copiedWords", "copied"},
                                        {"invalidations", "invalidations"},
                                        {"versions", "versions"}};
  static constexpr CountName ofL2[] = {
      {"commands", "constant commands"}, {"hits", "L2 hits"},
      {"misses", "L2 misses"},           {"writeBacks", "words written back"},
      {"backupReads", "backup reads"},   {"mostVersions", "versions in use at once"}};
  CountTables tables = {
      {.key = "constantsBySm", .title = "constants by SM", .of = "SM", .names = ofSms},
      {.key = "constantsL2",
       .title = "",
       .of = "",
       .names = ofL2,
       .rows = {{commands(), l2().hits, l2().misses, l2().writeBacks, backupReads(), mostVersions()}},
       .shape = CountTable::Lines}};
  for (unsigned i = 0; i < sms(); ++i) {
    const ConstantCounts &c = sm(i);
    tables[0].rows.push_back({c.reads, c.hits, c.misses, c.lockStalls, waitCycles(i), c.writtenWords,
                              c.copiedWords, c.invalidations, c.versions});
  }
  return tables;
}
