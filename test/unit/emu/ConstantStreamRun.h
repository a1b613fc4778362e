//===- ConstantStreamRun.h - A command stream against the clock ------------===//
// Runs a stream of constant commands and work through a protocol, and tells
// how long it takes. Work is a list of reads of constants with computation
// between them; it occupies a place on an SM until it is done. What waits:
// the front end, for an SM, for room or for a drain; work, for its reads; an
// SM that gets copied constants, for them. What drives protocols alone, without
// the machine.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/constants/ConstantProtocol.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <queue>

namespace leno {

struct ConstantTiming : ConstantLatencies {
  u64 command = 1; ///< the front end takes one command in as many cycles
  u64 memoryLatency = 250;
  u64 places = 1; ///< pieces of work on an SM at once
};

struct ConstantWork {
  std::vector<u32> reads;
  u64 compute = 1; ///< cycles before each read
};

struct ConstantCommand {
  const ConstantWork *work = nullptr; ///< null: a constant
  u32 word = 0, value = 0;
};

struct ConstantRun {
  u64 cycles = 0;
  u64 constants = 0, work = 0, reads = 0;
  /// Cycles in which a constant command waited, by the cause.
  std::array<u64, 5> updateWaits{};
  u64 placeWaits = 0;     ///< in which work waited for a place: the machine is full
  u64 readStalls = 0;     ///< cycles that reads lost to locked lines or a full backup
  u64 drains = 0;         ///< updates for which the whole machine had to run empty
  u64 idleForUpdates = 0; ///< cycles of inactive SMs while a constant command waited
  u64 busy = 0;           ///< cycles of active SMs
  u64 waitOf(ConstantProtocol::Wait cause) const { return updateWaits[size_t(cause)]; }
};

class ConstantStreamRun final : private ConstantListener {
public:
  /// Hears the value that work `work` (counted in the stream) got for its read `read`.
  using OnRead = llvm::function_ref<void(u64 work, u64 read, u32 value)>;

  ConstantStreamRun(ConstantProtocol &protocol, const ConstantTiming &timing);
  ~ConstantStreamRun();
  ConstantRun run(llvm::ArrayRef<ConstantCommand> commands, OnRead onRead);

private:
  struct Place {
    const ConstantWork *work;
    u64 number;
    unsigned sm;
    u64 nextRead;
    u64 stalledSince;
  };
  struct Event {
    u64 at, order;
    size_t place;
    bool operator>(const Event &other) const { return at != other.at ? at > other.at : order > other.order; }
  };
  void constantEvent(const ConstantEvent &event) override;
  bool takeCommand(const ConstantCommand &command);
  std::optional<unsigned> freeSm() const;
  void step(size_t place, OnRead onRead);
  void finishRead(Place &place, size_t index, ConstantProtocol::Source source);
  void advance(const ConstantCommand *waiting);
  void schedule(size_t place, u64 at) { events.push({at, ++orders, place}); }

  ConstantProtocol &protocol;
  ConstantTiming timing;
  ConstantRun result;
  u64 now = 0, orders = 0, frontFree = 0, l2Free = 0;
  std::vector<u64> smReady; ///< constants are still being copied to the SM until then
  std::vector<u64> onSm;
  std::vector<Place> places;
  std::vector<size_t> freePlaces, stalled;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  ConstantProtocol::Wait cause = ConstantProtocol::Wait::None;
};

} // namespace leno
