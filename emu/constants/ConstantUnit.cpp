#include "emu/constants/ConstantUnit.h"
#include <algorithm>
#include <cstring>

using namespace leno;

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
  if (wait != Wait::None)
    return wait;
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

ConstantUnit::Read ConstantUnit::read(unsigned sm, u32 word, u64 cycle) {
  std::lock_guard lock(mutex);
  takePosted(cycle);
  ConstantProtocol::Read read = protocol->read(sm, word);
  if (!timed)
    return {read.value, read.source, cycle};
  u64 start = std::max(cycle, state.smReady[sm]);
  if (read.source == ConstantSource::L1 || read.source == ConstantSource::Stalled)
    return {read.value, read.source, start + latencies.l1Latency};
  start = std::max(start, state.l2Free);
  state.l2Free = start + latencies.l2Interval;
  return {read.value, read.source,
          start + latencies.l1Latency + latencies.l2Latency +
              (read.source == ConstantSource::Memory ? memoryLatency : 0)};
}
