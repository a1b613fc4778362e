// Commands that run while the host program goes on.
#pragma once

#include "leno/Device.h"
#include <functional>
#include <memory>
#include <span>

namespace leno::host {

class EventState;
class StreamState;

/// A place in a stream, which other streams and host threads can wait for. Copies are the same event.
class Event {
public:
  Event();
  Event(const Event &) = default;
  Event &operator=(const Event &) = default;
  /// All that came before its last Stream::record has been done, or was given up; also when it was never
  /// recorded.
  bool isDone() const;
  /// Waits until then. Fails with the stream's error when one of these commands failed.
  Status synchronize() const;

private:
  friend class Stream;
  std::shared_ptr<EventState> state;
};

/// Commands in order, on a host thread of their own: the calls return at once, each command begins when the
/// one before it has ended. Streams run side by side, but launches of one context that shares the machine one
/// after the other. Copies and updates of constants are the host's: they take no cycles (Context has those
/// that do). Move-only; the destructor waits for the commands. Any host thread may use a stream; the order is
/// that of the calls.
///
/// Mistakes that can be seen at once are told by the call. The first command that fails, at the call or when
/// its turn comes, ends the stream: a kernel that traps is such a failure. What was to come after it does not
/// run, and synchronize() and every call tell that first error, until reset(); a context that has ended stays
/// so.
///
/// A buffer may be freed, or its object destroyed, while commands that name it are under way: its memory goes
/// when all commands that any stream of its context had by then have ended. A Device or a Context may be
/// destroyed before its streams: it waits for their commands, and they take no more.
///
/// With stack.model=cache or memory, launches alone of a device run one after the other: warps of one place
/// have one stack region.
class Stream : public ElementCommands<Stream> {
public:
  /// For a Device or a Context. Fails on one that was moved from or has ended.
  static Result<Stream> create(DeviceMemory &where);
  Stream(Stream &&) noexcept;
  Stream &operator=(Stream &&) noexcept;
  ~Stream();

  /// As leno::launch; the arguments are checked now and the kernel runs in its turn. Buffers need not outlive
  /// the call.
  template <std::convertible_to<Argument>... Arguments>
  Result<PendingLaunch> launch(const Kernel &kernel, const LaunchConfig &config,
                               const Arguments &...arguments) {
    std::array<Argument, sizeof...(Arguments)> pack{Argument(arguments)...};
    return launchWith(kernel, config, pack);
  }
  Result<PendingLaunch> launchWith(const Kernel &kernel, const LaunchConfig &config,
                                   std::span<const Argument> arguments);

  /// Copies bytes to the device; `data` is copied now and may change afterwards. upload and download copy
  /// elements (ElementCommands.h).
  Status write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data);
  /// Copies bytes from the device into `data`, which must live until the stream has come that far.
  Status read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data);

  /// Writes constants of a module, from byte `offset` of c[bank] on: launches that come after it see them,
  /// those before it do not [S2]. Banks are the context's: launches of other streams see them too, from then
  /// on. Fails outside of what the module's `.const` data have in that bank.
  Status writeConstants(const Module &module, unsigned bank, std::uint32_t offset,
                        std::span<const std::byte> data);

  /// Marks this place with the event; an older place of it is forgotten.
  Status record(Event &event);
  /// What comes after it waits for the place that the event marks now. When a command before that place
  /// failed, this stream fails with it.
  Status wait(const Event &event);
  /// Calls a function of the host on the stream's thread, in its turn. It may use the API, but must not wait
  /// for this stream.
  Status call(std::function<void()> function);

  /// Nothing is left to do.
  bool isIdle() const;
  /// Waits until nothing is left to do. Fails with the first error.
  Status synchronize();
  /// As synchronize(); then the stream is as new.
  Status reset();

private:
  friend class ElementCommands<Stream>;
  explicit Stream(std::shared_ptr<StreamState> state) : state(std::move(state)) {}
  Status fail(Error error);

  std::shared_ptr<StreamState> state;
};

} // namespace leno::host
