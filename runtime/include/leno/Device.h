// The emulated machine. One program can have it for itself (Leno.h), and several contexts can share it [S4]:
//
//     #include "leno/Leno.h"
//     #include <cstdio>
//
//     int main() {
//       auto device = leno::Device::create({"sm.count=4", "timing.model=cycles"}).orExit();
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

#include "leno/Context.h"
#include <functional>
#include <initializer_list>
#include <string_view>

namespace leno::host {

class MachineState;

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
  Stuck, ///< all that have something to do wait for semaphores; Device::waits() says which
};

/// A machine: SMs that hold warps of 32 lanes (Architecture.md 1), and contexts that share them. It is its
/// own first context, too: it allocates in it, and leno::launch and streams of the device run in it.
/// Move-only; its buffers do not keep it alive. Any host thread may launch, copy, allocate and run the
/// machine at any time; an object of this API is for one thread at a time.
///
/// As long as nothing but leno::launch and streams of the device is used, launches are alone: each has the
/// SMs for itself, on the host's threads, and no simulated time passes outside of it. The first call that
/// creates a context or gives a command to context() ends that. From then on all launches are commands of
/// their contexts on the machine's one clock, whoever waits for them runs it, on one host thread at a time,
/// and a trap ends its context (Context). Time passes in these waits and in run() and its like alone: from
/// one host thread the same calls give the same cycles.
///
/// The destructor waits for the device's streams, and ends all contexts.
class Device : public DeviceMemory {
public:
  /// A machine with the default sizes, then each "key=value" in turn, as leno-run's --set has them:
  /// "sm.count=8", "memory.bytes=2GiB"; keys that begin with `contexts.` say how SMs are shared. Fails,
  /// naming the key, its range and the nearest known key, also when keys make no machine together. `leno-run
  /// --machine ?` and settings() list the keys.
  static Result<Device> create(std::span<const std::string> settings = {});
  static Result<Device> create(std::initializer_list<std::string> settings) {
    return create(std::span<const std::string>(settings.begin(), settings.size()));
  }
  Device(Device &&) noexcept;
  Device &operator=(Device &&) noexcept;
  ~Device();

  struct Setting {
    std::string key;
    std::uint64_t value;
    std::string unit; ///< "bytes", "warp instructions"; empty for a plain count
    std::string description;
  };
  /// Every key with the value this machine has.
  std::vector<Setting> settings() const;

  /// One more context. Waits for launches alone that are under way. Fails when one of them may never end by
  /// itself (it has channels, or no limit of instructions), and when a static split of the SMs has none left.
  Result<Context> createContext(ContextSettings settings = {});
  /// The device's own context, "main", of priority 0: for commands on the machine's clock. With a static
  /// split it counts from its first command on.
  Context &context() { return own; }

  /// Cycles since it was made; launches alone take none.
  std::uint64_t cycle() const;
  /// Runs for so many cycles, or until nothing can go on.
  Result<RunStop> run(std::uint64_t cycles);
  /// Runs until no context has anything left to do. Fails when contexts wait for semaphores that nobody will
  /// release, with who waits for what. That a context has ended by a trap is for its status() to tell.
  Status runUntilIdle();

  /// Ends a context now: its kernel traps TIMEOUT. Not a launch alone, which has a limit of its own.
  Status kill(Context &context, std::string_view why = "the host has killed it");
  /// The host releases a semaphore.
  Status release(std::uint32_t semaphore, std::uint64_t value);
  std::uint64_t semaphore(std::uint32_t number) const;
  /// "context 'b' waits for semaphore 3 to reach 2, and it is 0; ..." or "".
  std::string waits() const;

  /// Writes the reports of LaunchConfig::profile now, of all launches that have ended. Fails when a folder or
  /// file cannot be written; the destructor tells that on standard error.
  Status writeProfiles();

  /// Calls the function for each event from now on; none: for no event. Launches alone have none. It must not
  /// use the machine, its contexts or their buffers: they say so. The end of the device is not told.
  Status onEvent(std::function<void(const ContextEvent &)> function);

private:
  Device(std::shared_ptr<MachineState> machine, std::shared_ptr<ContextState> context);
  void close();
  std::shared_ptr<MachineState> machine; ///< null when it was moved from
  Context own;
};

} // namespace leno::host
