// Several contexts on one machine at once [S4].
//
//     #include "leno/Leno.h"
//     #include <cstdio>
//
//     int main() {
//       auto device = leno::SharedDevice::create({"sm.count=4", "timing.model=cycles"}).orExit();
//       leno::Context busy = device.createContext({.name = "busy"}).orExit();
//       leno::Context urgent = device.createContext({.name = "urgent", .priority = 1}).orExit();
//       leno::Kernel saxpy = leno::Module::load("saxpy.s").orExit().kernel().orExit();
//
//       std::vector<float> ones(100'000, 1.0f);
//       leno::Buffer x = busy.upload(ones, "x").orExit(), y = busy.upload(ones, "y").orExit();
//       leno::Buffer z = urgent.upload(std::span<const float>(ones).first(256), "z").orExit();
//       busy.launch(saxpy, {.grid = {391}, .block = {256}}, 100'000u, 2.5f, x, y).orExit();
//       device.run(2'000).orExit(); // cycles
//
//       auto soon = urgent.launch(saxpy, {.grid = {1}, .block = {256}}, 256u, 1.0f, z, z).orExit();
//       if (soon.wait().orExit().trap) // the long kernel goes on meanwhile, on fewer SMs
//         return 1;
//       std::printf("urgent: z[0] = %g, %s\n", z.download<float>().orExit()[0],
//                   soon.cycles().startLatency() < 1000 ? "soon" : "late"); // 2, soon
//       device.runUntilIdle().orExit();
//       std::printf("busy: y[0] = %g\n", y.download<float>().orExit()[0]); // 3.5
//     }
#pragma once

#include "leno/Device.h"
#include "leno/ElementCommands.h"
#include "leno/Launch.h"
#include <functional>
#include <span>

namespace leno::host {

class ContextState;
class ContextLaunchState;
class SharedState;
struct ContextEvent;

/// In cycles of the machine.
struct LaunchCycles {
  std::optional<std::uint64_t> decoded; ///< the front end took it from the stream
  std::optional<std::uint64_t> started; ///< its first CTA went to an SM
  std::optional<std::uint64_t> ended;   ///< also by a trap
  /// Between decoding and the first CTA, its setup included; 0 while it has not started.
  std::uint64_t startLatency() const { return started && decoded ? *started - *decoded : 0; }
};

/// A launch that a context has taken.
class ContextLaunch {
public:
  ContextLaunch(const ContextLaunch &) = default;
  ContextLaunch &operator=(const ContextLaunch &) = default;
  /// It has ended, or will not run.
  bool isDone() const;
  /// Runs the machine until it has ended. Fails when it did not run: its context had ended before, or it
  /// waits for a semaphore that nobody will release.
  Result<LaunchResult> wait() const;
  /// As far as it has come.
  LaunchCycles cycles() const;

private:
  friend class Context;
  explicit ContextLaunch(std::shared_ptr<ContextLaunchState> state) : state(std::move(state)) {}
  std::shared_ptr<ContextLaunchState> state;
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

/// One user of a SharedDevice: its own address space, constants and stream of commands. Made by
/// SharedDevice::createContext. Move-only.
///
/// The calls put commands into the stream and return at once; nothing runs before the machine does, by
/// synchronize(), ContextLaunch::wait() or a function of SharedDevice. Commands take effect in their order:
/// each launch, copy, fence and sync token when the launch before it has ended; updates of constants wait for
/// none [S2].
///
/// A trap, the watchdog or SharedDevice::kill ends the context: the rest of its stream is gone, every call
/// that would add to it says why, and the other contexts go on as if nothing had happened. Its buffers can
/// still be read.
///
/// Buffers may be freed while commands that name them are in the stream: their memory goes when the stream is
/// empty. The destructor ends the context, whatever is in its stream: synchronize() first. A SharedDevice may
/// go before its contexts: they have ended then, and their buffers are gone.
class Context : public DeviceMemory, public ElementCommands<Context> {
public:
  Context(Context &&) noexcept;
  Context &operator=(Context &&) noexcept;
  ~Context();

  /// "" for one that was moved from.
  const std::string &name() const;

  using DeviceMemory::upload;
  using ElementCommands::upload;
  /// A zeroed buffer whose pages are mapped when kernels first touch them: each first touch is a page fault
  /// (device.faultCycles), during which others get its SMs. The host reads and writes it as any other.
  Result<Buffer> allocateOnDemand(std::uint64_t bytes, std::string_view name = "buffer");

  /// As leno::launch; the arguments are checked now. LaunchConfig::threads and channels are of a Device that
  /// one program has for itself, and are refused.
  template <std::convertible_to<Argument>... Arguments>
  Result<ContextLaunch> launch(const Kernel &kernel, const LaunchConfig &config,
                               const Arguments &...arguments) {
    std::array<Argument, sizeof...(Arguments)> pack{Argument(arguments)...};
    return launchWith(kernel, config, pack);
  }
  Result<ContextLaunch> launchWith(const Kernel &kernel, const LaunchConfig &config,
                                   std::span<const Argument> arguments);

  /// Copies bytes to the device; `data` is copied now and may change afterwards.
  Status write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data);
  /// Copies bytes from the device into `data`, which must live until the stream has come that far.
  Status read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data);
  /// Copies bytes on the device, by its copy engine.
  Status copy(const Buffer &from, std::uint64_t fromOffset, const Buffer &to, std::uint64_t toOffset,
              std::uint64_t bytes);
  /// Writes constants of a module, from byte `offset` of c[bank] on: launches that come after it see them,
  /// those before it do not [S2]. Fails outside of what the module's `.const` data have in that bank.
  Status writeConstants(const Module &module, unsigned bank, std::uint32_t offset,
                        std::span<const std::byte> data);

  /// Gives a semaphore of the machine a value once all before it in the stream is done: a fence. Semaphores
  /// begin at 0; all contexts see them.
  Status release(std::uint32_t semaphore, std::uint64_t value);
  /// What follows waits until the semaphore has at least this value.
  Status acquire(std::uint32_t semaphore, std::uint64_t value);
  /// The CTAs of grids that follow go to SMs by tiles of tileX * tileY CTAs [S4]; 0, 0: where there is room.
  Status syncToken(std::uint32_t tileX, std::uint32_t tileY);

  /// Nothing is left to do, or it has ended.
  bool isIdle() const;
  /// Runs the machine until nothing is left to do in this stream. Fails, with the reason, when the context
  /// has ended or waits for a semaphore that nobody will release.
  Status synchronize();
  /// Why it has ended; a success while it can go on.
  Status status() const;
  ContextCounts counts() const;
  /// SMs that have its state now.
  unsigned sms() const;

private:
  friend class ElementCommands<Context>;
  friend class SharedDevice;
  explicit Context(std::shared_ptr<ContextState> state);
  void close();
  Status fail(Error error) { return error; }

  std::shared_ptr<ContextState> mine;
};

struct ContextSettings {
  std::string name;           ///< for messages; empty: its number
  int priority = 0;           ///< those of higher priority get SMs first
  std::uint64_t sms = 0;      ///< its part of a static split; 0: an equal part of what the others leave
  std::uint64_t watchdog = 0; ///< cycles that a grid of it may take; 0: what contexts.watchdog says
};

/// Something that the machine did about contexts.
struct ContextEvent {
  std::uint64_t cycle = 0;
  std::string context; ///< its name or number
  std::string kind;    ///< "SmSaves", "GridStarts", ... (emu/device/DeviceEvent.h has them all)
  /// "cycle 120 context busy: SmSaves sm=3 bytes=4224", as leno-run --trace writes it.
  std::string text;
};

/// Why a run of the machine has stopped.
enum class RunStop {
  Idle,  ///< no context has anything left to do: time stands still
  Cycle, ///< the cycles asked for have passed
  Stuck, ///< all that have something to do wait for semaphores; SharedDevice::waits() says which
};

/// A machine that several contexts share at once. Simulated time passes in synchronize(), wait() and the
/// functions below alone, on the calling thread: the order of the calls decides everything, and the same
/// calls give the same cycles. Move-only. Several host threads may use it and its contexts, one call at a
/// time.
class SharedDevice {
public:
  /// As Device::create; keys that begin with `contexts.` say how SMs are shared.
  static Result<SharedDevice> create(std::span<const std::string> settings = {});
  static Result<SharedDevice> create(std::initializer_list<std::string> settings) {
    return create(std::span<const std::string>(settings.begin(), settings.size()));
  }
  SharedDevice(SharedDevice &&) noexcept;
  SharedDevice &operator=(SharedDevice &&) noexcept;
  /// Ends the contexts that are left.
  ~SharedDevice();

  std::vector<Device::Setting> settings() const;

  /// Fails when a static split of the SMs has none left for it.
  Result<Context> createContext(ContextSettings settings = {});

  /// Cycles since it was made.
  std::uint64_t cycle() const;
  /// Runs for so many cycles, or until nothing can go on.
  Result<RunStop> run(std::uint64_t cycles);
  /// Runs until no context has anything left to do. Fails when contexts wait for semaphores that nobody will
  /// release, with who waits for what. That a context has ended by a trap is for its status() to tell.
  Status runUntilIdle();

  /// Ends a context now: its kernel traps TIMEOUT.
  Status kill(Context &context, std::string_view why = "the host has killed it");
  /// The host releases a semaphore.
  Status release(std::uint32_t semaphore, std::uint64_t value);
  std::uint64_t semaphore(std::uint32_t number) const;
  /// "context 'b' waits for semaphore 3 to reach 2, and it is 0; ..." or "".
  std::string waits() const;

  /// Calls the function for each event from now on; none: for no event. It must not use the machine, its
  /// contexts or their buffers: they say so.
  Status onEvent(std::function<void(const ContextEvent &)> function);

private:
  explicit SharedDevice(std::shared_ptr<SharedState> state) : state(std::move(state)) {}
  void close();
  std::shared_ptr<SharedState> state;
};

} // namespace leno::host
