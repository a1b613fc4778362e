#include "test/unit/emu/ConstantStreamRun.h"
#include <algorithm>
#include <limits>

using namespace leno;
using Wait = ConstantProtocol::Wait;
using Source = ConstantProtocol::Source;

ConstantStreamRun::ConstantStreamRun(ConstantProtocol &protocol, const ConstantTiming &timing)
    : protocol(protocol), timing(timing), smReady(protocol.smCount()), onSm(protocol.smCount()) {
  protocol.setListener(this);
}

ConstantStreamRun::~ConstantStreamRun() { protocol.setListener(nullptr); }

// Transfers take time where they go.
void ConstantStreamRun::constantEvent(const ConstantEvent &event) {
  switch (event.kind) {
  case ConstantEvent::CopiedToL1:
    smReady[event.sm] = std::max(smReady[event.sm], now) + timing.copyLatency + event.words;
    break;
  case ConstantEvent::CopiedToL2:
    l2Free = std::max(l2Free, now) + event.words * timing.l2Interval;
    break;
  case ConstantEvent::ConstantToL2:
    l2Free = std::max(l2Free, now) + timing.l2Interval;
    break;
  default:
    break;
  }
}

ConstantRun ConstantStreamRun::run(llvm::ArrayRef<ConstantCommand> commands, OnRead onRead) {
  result = ConstantRun();
  size_t next = 0;
  while (next < commands.size() || !events.empty() || !stalled.empty()) {
    bool waits = false;
    if (next < commands.size() && frontFree <= now) {
      if (takeCommand(commands[next])) {
        ++next;
        frontFree = now + timing.command;
      } else {
        waits = true;
      }
    }
    if (protocol.posted() && l2Free <= now)
      protocol.takePosted();
    advance(waits ? &commands[next] : nullptr);
    while (!events.empty() && events.top().at <= now) {
      size_t place = events.top().place;
      events.pop();
      step(place, onRead);
    }
  }
  result.cycles = now;
  return result;
}

/// False: it has to wait, for `cause` if it is a constant.
bool ConstantStreamRun::takeCommand(const ConstantCommand &command) {
  if (!command.work) {
    Wait wait = protocol.constant(command.word, command.value);
    if (wait == Wait::Drain && cause != Wait::Drain)
      ++result.drains;
    cause = wait;
    result.constants += wait == Wait::None;
    return wait == Wait::None;
  }
  std::optional<unsigned> sm = freeSm();
  if (!sm)
    return false;
  protocol.work(*sm);
  ++onSm[*sm];
  if (freePlaces.empty()) {
    freePlaces.push_back(places.size());
    places.emplace_back();
  }
  size_t index = freePlaces.back();
  freePlaces.pop_back();
  places[index] = {command.work, result.work++, *sm, 0, 0};
  schedule(index, std::max(now, smReady[*sm]) + command.work->compute);
  return true;
}

/// An inactive SM first, as S2 has it; then the least busy of those at the current version.
std::optional<unsigned> ConstantStreamRun::freeSm() const {
  std::optional<unsigned> best;
  for (unsigned sm = 0; sm < protocol.smCount(); ++sm)
    if (protocol.takesWork(sm) && onSm[sm] < timing.places && smReady[sm] <= now &&
        (!best || onSm[sm] < onSm[*best]))
      best = sm;
  return best;
}

/// The next read of a place's work, or its end.
void ConstantStreamRun::step(size_t index, OnRead onRead) {
  Place &place = places[index];
  if (place.nextRead == place.work->reads.size()) {
    --onSm[place.sm];
    protocol.done(place.sm);
    freePlaces.push_back(index);
    for (size_t waiting : stalled) {
      result.readStalls += now + 1 - places[waiting].stalledSince;
      schedule(waiting, now + 1);
    }
    stalled.clear();
    return;
  }
  ConstantProtocol::Read read = protocol.read(place.sm, place.work->reads[place.nextRead]);
  if (read.source == Source::Stalled) {
    place.stalledSince = now;
    stalled.push_back(index);
    return;
  }
  onRead(place.number, place.nextRead, read.value);
  finishRead(place, index, read.source);
}

void ConstantStreamRun::finishRead(Place &place, size_t index, Source source) {
  u64 done = now + timing.l1Latency;
  if (source != Source::L1) {
    u64 start = std::max(now, l2Free);
    l2Free = start + timing.l2Interval;
    done =
        start + timing.l1Latency + timing.l2Latency + (source == Source::Memory ? timing.memoryLatency : 0);
  }
  ++result.reads;
  bool last = ++place.nextRead == place.work->reads.size();
  schedule(index, done + (last ? 0 : place.work->compute));
}

/// On to the next time at which something can happen; `waiting` is the command that waits meanwhile.
void ConstantStreamRun::advance(const ConstantCommand *waiting) {
  u64 next = events.empty() ? std::numeric_limits<u64>::max() : events.top().at;
  if (frontFree > now)
    next = std::min(next, frontFree);
  if (protocol.posted() && l2Free > now)
    next = std::min(next, l2Free);
  if (waiting)
    for (u64 ready : smReady)
      if (ready > now)
        next = std::min(next, ready);
  if (next == std::numeric_limits<u64>::max())
    next = now + 1;
  u64 cycles = next - now;
  result.busy += cycles * protocol.activeSms();
  if (waiting && waiting->work)
    result.placeWaits += cycles;
  if (waiting && !waiting->work) {
    result.updateWaits[size_t(cause)] += cycles;
    result.idleForUpdates += cycles * (protocol.smCount() - protocol.activeSms());
  }
  now = next;
}
