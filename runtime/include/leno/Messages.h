// Messages to a kernel that runs, and back.
#pragma once

#include "leno/DeviceMemory.h"
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace leno::host {

class ChannelState;

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
class MessageChannel {
public:
  /// Room for `slots` requests under way, each of `words` words and a reply of as many; the rest waits on the
  /// host. Fails for 0 slots or words, more than 65,536 slots or 1,024 words, and when the device has no
  /// room.
  static Result<MessageChannel> create(DeviceMemory &memory, std::uint32_t slots, std::uint32_t words);
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
  /// No more messages: when all have been replied to, the kernel is told to end.
  void stop();

private:
  friend class Launcher;
  explicit MessageChannel(std::shared_ptr<ChannelState> state);
  std::shared_ptr<ChannelState> state;
};

} // namespace leno::host
