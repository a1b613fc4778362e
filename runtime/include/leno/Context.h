// A user of the machine, and the commands that it gives to it.
#pragma once

#include "leno/DeviceMemory.h"
#include "leno/ElementCommands.h"
#include "leno/Launch.h"
#include <span>

namespace leno::host {

class PendingState;

/// In cycles of the machine.
struct LaunchCycles {
  std::optional<std::uint64_t> decoded; ///< the front end took it from the stream
  std::optional<std::uint64_t> started; ///< its first CTA went to an SM
  std::optional<std::uint64_t> ended;   ///< also by a trap
  /// Between decoding and the first CTA, its setup included; 0 while it has not started.
  std::uint64_t startLatency() const { return started && decoded ? *started - *decoded : 0; }
};

/// A launch that a context or a stream has taken.
class PendingLaunch {
public:
  PendingLaunch(const PendingLaunch &) = default;
  PendingLaunch &operator=(const PendingLaunch &) = default;
  /// It has ended, or will not run.
  bool isDone() const;
  /// Waits for its end; where a context took it, by running the machine. Fails when it did not run: its
  /// context or its stream had ended before, or it waits for a semaphore that nobody will release.
  Result<LaunchResult> wait() const;
  /// As far as it has come; nothing where it ran outside of the machine's clock (Device).
  LaunchCycles cycles() const;

private:
  friend class Context;
  friend class Stream;
  explicit PendingLaunch(std::shared_ptr<PendingState> state) : state(std::move(state)) {}
  std::shared_ptr<PendingState> state;
};

/// What a context has done and what became of it (emu/device/Contexts.md). Cycles of the machine.
struct ContextCounts {
  std::uint64_t commands = 0;         ///< that the front end has taken
  std::uint64_t warpInstructions = 0; ///< of all its launches
  std::uint64_t runCycles = 0;        ///< in which it had a grid
  std::uint64_t blockedCycles = 0;    ///< in which its CTAs or saved state waited for an SM [S4]
  std::uint64_t smCycles = 0;         ///< of SMs that had its state, over all SMs
  std::uint64_t switchCycles = 0;     ///< of SMs that saved or restored its state
  std::uint64_t saves = 0, restores = 0, drains = 0; ///< of SMs that changed hands
  std::uint64_t savedBytes = 0, restoredBytes = 0;
  std::uint64_t pageFaults = 0;
  std::uint64_t slicesGained = 0, slicesLost = 0; ///< SMs, by rebalancing
  std::uint64_t l2Requests = 0, l2Hits = 0;       ///< lines, with l2.model=slices
};

/// One user of a Device: its own address space, constants and pushbuffer, a queue of commands that the
/// machine takes on its clock. Made by Device::createContext; each device has one from the start,
/// Device::context. Move-only.
///
/// The calls put commands into the pushbuffer and return at once; nothing runs before the machine does, by
/// synchronize(), PendingLaunch::wait(), a launch that is waited for, or a function of Device. Commands take
/// effect in their order: each launch, copy, fence and sync token when the launch before it has ended;
/// updates of constants wait for none [S2].
///
/// A trap, the watchdog or Device::kill ends the context: the rest of its commands is gone, every call that
/// would add to them says why, and the other contexts go on as if nothing had happened. Its buffers can still
/// be read.
///
/// Buffers may be freed while commands that name them are in the pushbuffer: their memory goes when it is
/// empty. The destructor waits for the context's streams (Stream.h) and ends the context, whatever is in its
/// pushbuffer: synchronize() first. A Device may go before its contexts: they have ended then, and their
/// buffers are gone.
class Context : public DeviceMemory, public ElementCommands<Context> {
public:
  /// None: every call says so.
  Context() : DeviceMemory(nullptr) {}
  Context(Context &&) noexcept;
  Context &operator=(Context &&) noexcept;
  ~Context();

  /// "" for one that was moved from.
  const std::string &name() const;

  using DeviceMemory::upload;
  using ElementCommands::upload;

  /// As leno::launch, but the call returns at once; the arguments are checked now.
  template <std::convertible_to<Argument>... Arguments>
  Result<PendingLaunch> launch(const Kernel &kernel, const LaunchConfig &config,
                               const Arguments &...arguments) {
    std::array<Argument, sizeof...(Arguments)> pack{Argument(arguments)...};
    return launchWith(kernel, config, pack);
  }
  Result<PendingLaunch> launchWith(const Kernel &kernel, const LaunchConfig &config,
                                   std::span<const Argument> arguments);

  /// Copies bytes to the device; `data` is copied now and may change afterwards.
  Status write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data);
  /// Copies bytes from the device into `data`, which must live until the commands have come that far.
  Status read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data);
  /// Copies bytes on the device, by its copy engine.
  Status copy(const Buffer &from, std::uint64_t fromOffset, const Buffer &to, std::uint64_t toOffset,
              std::uint64_t bytes);
  /// Writes constants of a module, from byte `offset` of c[bank] on: launches that come after it see them,
  /// those before it do not [S2]. Fails outside of what the module's `.const` data have in that bank.
  Status writeConstants(const Module &module, unsigned bank, std::uint32_t offset,
                        std::span<const std::byte> data);

  /// Gives a semaphore of the machine a value once all before it is done: a fence. Semaphores
  /// begin at 0; all contexts see them.
  Status release(std::uint32_t semaphore, std::uint64_t value);
  /// What follows waits until the semaphore has at least this value.
  Status acquire(std::uint32_t semaphore, std::uint64_t value);
  /// The CTAs of grids that follow go to SMs by tiles of tileX * tileY CTAs [S4]; 0, 0: where there is room.
  Status syncToken(std::uint32_t tileX, std::uint32_t tileY);
  /// The same without draining: it waits for no launch. What runs stays on its SMs; CTAs that are not out yet,
  /// too, go by the new mapping [S4].
  Status remap(std::uint32_t tileX, std::uint32_t tileY);

  // The driver's policy: at once, and not in the order of the commands, while the context runs. SMs change
  // hands from the next cycle on. Fails on a context that has ended.
  /// Those of higher priority get SMs first.
  Status setPriority(int priority);
  /// Its part of a static split; 0: an equal part of what the others leave. Fails, and changes nothing, where
  /// there are not so many.
  Status setSms(std::uint64_t sms);

  /// Nothing is left to do, or it has ended.
  bool isIdle() const;
  /// Runs the machine until none of its commands is left. Fails, with the reason, when the context
  /// has ended or waits for a semaphore that nobody will release.
  Status synchronize();
  /// Why it has ended; a success while it can go on.
  Status status() const;
  ContextCounts counts() const;
  /// SMs that have its state now.
  unsigned sms() const;

private:
  friend class Device;
  friend class ElementCommands<Context>;
  explicit Context(std::shared_ptr<ContextState> state) : DeviceMemory(std::move(state)) {}
  void close();
  Status map(std::uint32_t tileX, std::uint32_t tileY, bool drains);
  Status fail(Error error) { return error; }
};

struct ContextSettings {
  std::string name;           ///< for messages; empty: its number
  int priority = 0;           ///< those of higher priority get SMs first
  std::uint64_t sms = 0;      ///< its part of a static split; 0: an equal part of what the others leave
  std::uint64_t watchdog = 0; ///< cycles that a grid of it may take; 0: what contexts.watchdog says
  std::uint64_t stackDepth = 0; ///< nesting limit of its launches [S0]; 0: warp.stackDepth, the most there is
};

} // namespace leno::host
