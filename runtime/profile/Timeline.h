//===- Timeline.h - What each SM did when, for trace viewers --------------===//
// The Trace Event Format of Chrome, which ui.perfetto.dev and chrome://tracing
// open; Profile.md says what is in it.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/device/FrontEnd.h"
#include "emu/observe/Observer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace leno::profile {

struct TimelineOptions {
  u64 from = 0, to = ~u64(0); ///< times of the window, `to` excluded
  u64 mostBytes = 200'000'000;
};

/// One time for each SM: cycles where the machine has them (the cycle model, several contexts), else the warp
/// instructions that the SM has executed.
class Timeline final : public Observer {
public:
  /// `os` must live longer. `describe`: the words of an event of the device.
  Timeline(llvm::raw_ostream &os, TimelineOptions options,
           std::function<std::string(const DeviceEvent &)> describe);
  /// A process of that name.
  void addContext(u32 context, llvm::StringRef name);
  /// A launch alone, when it has ended.
  void addLaunch(llvm::StringRef kernel);
  /// The launches of a context, when the machine has stopped: how long each waited and ran.
  void addLaunches(const Context &context, u64 now);
  /// Closes what is open. Nothing can be told afterwards.
  void finish();
  /// The time from which on nothing was written, for the file had its size; none: all is there.
  std::optional<u64> cutAt() const { return cut; }

  Interests interests() const override { return Life | Instructions | Memory | Stack | Barriers | Contexts; }
  void gridStart(const GridRun &run) override;
  void ctaStart(const Cta &cta) override;
  void ctaEnd(const Cta &cta) override;
  void warpStart(const Warp &warp) override;
  void warpExit(const Warp &warp) override;
  void instruction(const Warp &warp, const Op &op, LaneMask executing) override;
  void memory(const Warp &warp, const Op &op, const MemoryAccess &access) override;
  void stackTransfer(const Warp &warp, const Op &op, const StackTransfer &transfer) override;
  void stackWait(const Warp &warp, const Op &op, u64 cycles) override;
  void barrierArrive(const Warp &warp, const Op &op, unsigned barrier, BarrierOperation) override;
  void barrierRelease(const Cta &cta, unsigned barrier) override;
  void deviceEvent(const DeviceEvent &event) override;

private:
  struct Track {
    u32 process, thread;
  };
  /// An SM of a context.
  struct Sm {
    u64 clock = ~u64(0), inTurn = 0; ///< its own clock, and what it executed since that moved
    unsigned residentWarps = 0;
    unsigned warps = 0; ///< that have a track
    std::set<unsigned> ctaTracks;
    u64 countedFrom = 0, instructions = 0, lanes = 0; ///< for the counter of lanes
    u64 now() const { return clock == ~u64(0) ? 0 : clock + inTurn; }
  };
  struct OpenCta {
    unsigned slot;
    u64 start;
    u32 x, y, z;
    Track track;
  };
  enum class Why : u8 { Other, Memory, Stack };
  struct OpenWarp {
    Track track;
    bool isRunning = false;
    u64 start = 0, issued = 0;
    Why why = Why::Other;
    struct Waiting {
      unsigned barrier;
      u64 since;
    };
    std::optional<Waiting> waiting;
    unsigned index = 0;
  };
  /// A message of a host with its reply, from when it is sent until the reply is taken.
  struct Message {
    unsigned row; ///< of those for messages that are on their way side by side
    u64 sent;
    u64 landed = 0, read = 0, answered = 0; ///< 0: not yet
    Track reader{};
  };
  using MessageKey = std::tuple<u32, u32, u64>; ///< context, channel and number
  using SmKey = std::pair<u32, unsigned>;

  Sm &smOf(const Cta &cta);
  OpenWarp &warpOf(const Warp &warp);
  void begin(const Cta &cta, Sm &sm);
  std::string nameOfMessage(const MessageKey &key) const;
  void noteMessages(const Warp &warp, const MemoryAccess &access);
  void closeMessage(u32 context, const std::string &name, const Message &message, std::optional<u64> taken);
  void flow(char phase, Track track, const std::string &name, u64 number, u64 time);
  void closeWarp(OpenWarp &warp, u64 end);
  void closeCta(const OpenCta &cta, u64 end);
  void closeAll(u64 end);
  bool isShown(u64 start, u64 end) const { return end > options.from && start < options.to; }
  void nameProcess(u32 process, llvm::StringRef name);
  void name(Track track, llvm::StringRef name);
  void slice(Track track, llvm::StringRef name, u64 start, u64 end, llvm::StringRef arguments = "");
  void instant(Track track, llvm::StringRef name, u64 time);
  void counter(u32 process, const std::string &name, u64 time, llvm::StringRef key, double value);
  llvm::raw_ostream *next(u64 time);

  llvm::raw_ostream &os;
  TimelineOptions options;
  std::function<std::string(const DeviceEvent &)> describe;
  bool hasCycles = false, isFirst = true;
  u64 last = 0;
  std::optional<u64> cut;
  std::map<SmKey, Sm> sms;
  llvm::DenseMap<const Cta *, OpenCta> ctas;
  llvm::DenseMap<const Warp *, OpenWarp> warps;
  std::set<std::pair<u32, u32>> named; ///< tracks
  std::map<MessageKey, Message> messages;
  std::map<u32, std::set<unsigned>> messageRows;       ///< of a context, taken
  std::map<std::pair<u32, u32>, std::string> channels; ///< names
  u64 flows = 0;
};

} // namespace leno::profile
