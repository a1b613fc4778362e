// What host threads and the thread that runs a kernel share of a MessageChannel.
#pragma once

#include "emu/Machine.h"
#include "runtime/host/ModuleState.h"

#include "leno/Messages.h"
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace leno::host {

/// The buffer as the thread that runs the kernel accesses it, between its turns; it shares the gate, or has
/// it alone.
class ChannelBuffer : public Buffer {
public:
  explicit ChannelBuffer(Buffer buffer) : Buffer(std::move(buffer)) {}
  void write(std::uint64_t offset, std::span<const std::byte> data) { writeByRunner(offset, data); }
  void read(std::uint64_t offset, std::span<std::byte> data) const { readByRunner(offset, data); }
  /// Null when it is gone.
  std::shared_ptr<ContextState> owner() const { return device.lock(); }
};

class ChannelState {
public:
  ChannelState(Buffer buffer, const ChannelShape &shape, bool isClocked, u32 traffic)
      : buffer(std::move(buffer)), slots(shape.slots), words(shape.words), slotBytes(shape.slotBytes),
        isClocked(isClocked), traffic(traffic), shape(shape) {}

  // Host threads.
  Result<std::uint64_t> send(std::span<const std::uint32_t> message);
  Result<std::vector<std::uint32_t>> receive(std::uint64_t number);
  void stop();
  Status play(const HostScript &script);
  HostScript recorded();

  // The thread that runs the kernel; it alone touches the buffer.
  /// A kernel begins to serve the channel, and fails when another one does; or a launch waits for a message
  /// of it, as others may.
  Status open(bool forLaunches);
  /// Between two turns: takes replies, posts messages. False: there was nothing to do.
  /// Both pass the models of `memory`, which may be null.
  bool service(MemoryChain *memory);
  /// The kernel has ended; `why` tells those who wait for replies that will not come.
  void close(const std::string &why);
  /// Waits until a host thread has something, but not long: the kernel may have work of its own.
  void rest();

  ChannelBuffer buffer;
  const std::uint32_t slots, words, slotBytes;
  /// The machine's CPU does what is to do, in its cycles; `traffic`: the channel among its context's.
  const bool isClocked;
  const u32 traffic;
  /// In place of service(), before the machine goes on; the caller has the turn.
  bool serviceOnClock(leno::Machine &machine, const leno::Context &context);
  /// For who has the turn.
  Status played(const leno::Machine &machine) const;
  /// It is the host's next message, or the script's next launch. For who has the turn, before it submits it.
  Status sendLaunch(std::vector<u32> message);

private:
  std::uint32_t readWord(std::uint64_t offset);
  void pass(std::uint64_t offset, std::uint64_t bytes, bool isWrite);
  void writeWords(std::uint64_t offset, std::span<const std::uint32_t> data);
  bool takeReplies();
  bool postMessages();
  bool postStop();

  MemoryChain *models = nullptr; ///< during a service

  const ChannelShape shape;
  std::optional<u32> program; ///< of the machine's host, once a launch has served it
  HostScript script;          ///< that is played, or what came from host threads
  size_t scriptTaken = 0;
  bool isPlayed = false;

  std::mutex mutex;
  std::condition_variable replied, asked;
  std::deque<HostScript::Step> waiting; ///< messages without a slot yet
  std::map<std::uint64_t, std::vector<std::uint32_t>> replies;
  std::uint64_t sent = 0, posted = 0, taken = 0;
  std::deque<std::vector<std::uint32_t>> launches; ///< that a step of the script is to send
  bool stopAsked = false, stopPosted = false;
  unsigned users = 0;         ///< launches that serve it, or wait for its messages
  bool takesLaunches = false; ///< its messages are launches, for good
  std::string ended; ///< not empty: how the kernel has ended
};

} // namespace leno::host
