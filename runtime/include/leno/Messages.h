// Messages to a kernel that runs, and back.
#pragma once

#include "leno/DeviceMemory.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace leno::host {

class ChannelState;

/// Where messages are left [S3, table 1]: in the device's L2 or its memory, in the CPU's cache or its memory.
enum class ChannelPlace { CoreCache, PpuMemory, CpuCache, SystemMemory };

/// What a host does, step by step, in cycles of the machine's clock (host.model=clock): the same cycles in each
/// run. Replies that come meanwhile are taken, except while it computes.
class HostScript {
public:
  struct Step {
    enum Kind : std::uint8_t { Send, Expect, Wait, At, Stop, Launch } kind;
    std::uint64_t cycles = 0;           ///< of Wait and At
    std::vector<std::uint32_t> words{}; ///< of Send and Expect
  };
  /// The next message: as many words as the channel's have at most, the others 0.
  HostScript &send(std::span<const std::uint32_t> message);
  /// Waits for the oldest reply that nothing has been expected of. `reply`: what it has to begin with.
  HostScript &expect(std::span<const std::uint32_t> reply = {});
  /// Computes for so many cycles.
  HostScript &wait(std::uint64_t cycles);
  /// Does nothing but take replies until the machine's clock shows that cycle.
  HostScript &at(std::uint64_t cycle);
  /// Takes all replies that are to come, and tells the kernel to end. So does the end of the script.
  HostScript &stop();
  /// Sends the next launch that names the channel (LaunchConfig::message).
  HostScript &launch();
  std::size_t steps() const { return list.size(); }
  /// In their order.
  const std::vector<Step> &all() const { return list; }

private:
  friend class ChannelState;
  HostScript &add(Step step);
  std::vector<Step> list;
};

/// Messages of one direction, in cycles of the machine's clock: S3's table 1 is `write`, `readReady` and
/// `readMessage`, the memories' part. None is in two of these.
struct ChannelCounts {
  std::uint64_t messages = 0;
  std::uint64_t write = 0, readReady = 0, readMessage = 0;
  std::uint64_t polls = 0, pollWait = 0;          ///< from the landing of a ready value to the poll that finds it
  std::uint64_t issue = 0;                        ///< of instructions between a core's accesses
  std::uint64_t misses = 0;                       ///< of reads in a cache
  std::uint64_t sliceWait = 0, linkWait = 0;      ///< behind others
  std::uint64_t longest = 0;                      ///< of one message
};

/// Requests from host threads to a kernel that runs, and its replies [S3]: the producer writes a message into
/// the consumer's memory and then a ready value; the consumer polls that value and reads the message only
/// when it is there. Both directions work so. A request can be a remote procedure call: its first word the
/// handle of a routine of the kernel, the others its data; the reply carries the result.
///
///     leno::MessageChannel channel = leno::MessageChannel::create(device, 32, 8).orExit();
///     std::thread kernel([&] {
///       leno::launch(device, serve, {.grid = {1}, .block = {32}, .maximumInstructions = 0, .channels =
///       {&channel}},
///                    channel.buffer(), channel.slotBytes(), channel.slots());
///     });
///     auto reply = channel.call(2, std::array{7u, 8u}); // routine 2 of the kernel
///     channel.stop();
///     kernel.join();
///
/// Thread-safe, buffer() apart: any number of host threads may send and receive while one launches. Message
/// n, counted from 1, goes to slot (n - 1) % slots() and its reply comes out of the same slot. In the buffer,
/// words of 32 bits:
///
///     0                 not 0: the host is done, and the kernel shall end
///     256 + i * slotBytes()                    slot i: the request's ready value: n, modulo 2^32, once it is
///     there
///                           + 4                        the request's words
///                           + slotBytes() / 2          the reply's ready value: the kernel writes n
///                           + slotBytes() / 2 + 4      the reply's words
///
/// What the host posts lands between two turns of warps, a message and its ready value together; a reply must
/// be stored before its ready value, by the same lane.
///
/// With host.model=clock the CPU is on the machine's clock: sending takes S3's cycles, replies are polled for
/// and read word by word, and each word lands in its cycle. Requests and replies have places then. Host
/// threads that come when they like are recorded: recorded() played again gives the same cycles. A message
/// can also be a launch, its code included (LaunchConfig::message): send() and receive() are not for such a
/// channel.
class MessageChannel {
public:
  /// Room for `slots` requests under way, each of `words` words and a reply of as many; the rest waits on the
  /// host. Fails for 0 slots or words, more than 65,536 slots or 1,024 words, and when the device has no
  /// room.
  static Result<MessageChannel> create(DeviceMemory &memory, std::uint32_t slots, std::uint32_t words);
  /// The same with places, with host.model=clock; the other one has CoreCache and CpuCache then. Fails also for a
  /// place that the machine does not have.
  static Result<MessageChannel> create(DeviceMemory &memory, std::uint32_t slots, std::uint32_t words,
                                       ChannelPlace requests, ChannelPlace replies);
  MessageChannel(MessageChannel &&) noexcept;
  MessageChannel &operator=(MessageChannel &&) noexcept;
  ~MessageChannel();

  /// What the kernel gets as its argument.
  const Buffer &buffer() const;
  std::uint32_t slots() const;
  std::uint32_t words() const;
  std::uint32_t slotBytes() const;

  /// Sends a message of at most words() words, the others 0; returns its number. Does not wait for the
  /// kernel. Fails for a message that is too long, and after stop().
  Result<std::uint64_t> send(std::span<const std::uint32_t> message);
  /// Waits for the reply to message `number` and takes it. Fails when there is none to come: such a number
  /// was not sent, its reply was taken, or the kernel that served the channel has ended (it says how) without
  /// replying.
  Result<std::vector<std::uint32_t>> receive(std::uint64_t number);
  /// A remote procedure call: sends the handle and the data, waits for the reply.
  Result<std::vector<std::uint32_t>> call(std::uint32_t handle, std::span<const std::uint32_t> data);
  /// With host.model=clock, in place of host threads: what the next launch with the channel meets. Fails for a
  /// message that is too long, and when something was sent.
  Status play(const HostScript &script);
  /// What host threads have sent so far and when, as a script.
  HostScript recorded() const;
  /// Fails when a reply was not as the script expects, or one did not come.
  Status played() const;
  ChannelCounts toCore() const;
  ChannelCounts toHost() const;
  /// No more messages: when all have been replied to, the kernel is told to end.
  void stop();

private:
  friend class Launcher;
  explicit MessageChannel(std::shared_ptr<ChannelState> state);
  static Result<MessageChannel> make(DeviceMemory &memory, std::uint32_t slots, std::uint32_t words,
                                     std::optional<std::pair<ChannelPlace, ChannelPlace>> places);
  ChannelCounts counts(bool toCore) const;
  std::shared_ptr<ChannelState> state;
};

} // namespace leno::host
