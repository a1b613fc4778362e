// What stands behind a SharedDevice, its contexts and their launches.
#pragma once

#include "asm/support/FloatEnvironment.h"
#include "emu/Machine.h"
#include "emu/observe/Statistics.h"
#include "runtime/host/BoundLaunch.h"

#include "leno/SharedDevice.h"
#include <atomic>
#include <thread>

namespace leno::host {

/// The machine of these settings.
struct MachineSettings {
  MachineConfig config;
  const Engine *engine = nullptr;
};
Result<MachineSettings> machineOf(std::span<const std::string> settings);
std::vector<Device::Setting> settingsOf(MachineConfig config);

class SharedState {
public:
  explicit SharedState(const MachineSettings &machine) : device(machine.config, *machine.engine) {}

  /// Fails once the SharedDevice is gone, and for who is called by the machine itself.
  Status checkOpen() const;

  /// One call: it has the machine alone.
  class Turn {
  public:
    /// `checkOpen` has been asked.
    explicit Turn(SharedState &state) : state(state), alone(state.gate) {
      state.runner = std::this_thread::get_id();
      state.callers = FloatControl::now();
    }
    ~Turn() { state.runner = std::thread::id(); }

  private:
    SharedState &state;
    Gate::Alone alone;
  };

  /// What can be seen at any time, from an event as well.
  template <class F> auto look(F &&at) {
    if (runner.load() == std::this_thread::get_id())
      return at();
    Turn turn(*this);
    return at();
  }

  /// Runs the machine up to that cycle, or until `enough` says so. What is no more used goes.
  StopReason run(u64 until, llvm::function_ref<bool()> enough);
  std::string waits();
  /// The contexts end.
  void close();

  Gate gate;
  leno::Machine device;
  std::vector<std::weak_ptr<ContextState>> contexts;
  std::atomic<bool> isClosed = false;
  std::atomic<std::thread::id> runner{};
  FloatControl callers; ///< the floating-point environment of who has the turn
};

class ContextState : public std::enable_shared_from_this<ContextState> {
public:
  ContextState(std::shared_ptr<SharedState> machine, leno::Context &context);

  const std::string &name() const { return label; }
  const std::shared_ptr<SharedState> &shared() const { return machine; }
  const std::shared_ptr<DeviceState> &memory() const { return device; }
  leno::Context &context() const { return *own; }

  Result<std::shared_ptr<ContextLaunchState>> launch(const Kernel &kernel, const LaunchConfig &config,
                                                     std::span<const Argument> arguments);
  Status write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data);
  Status read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data);
  Status copy(const Buffer &from, std::uint64_t fromOffset, const Buffer &to, std::uint64_t toOffset,
              std::uint64_t bytes);
  Status writeConstants(const Module &module, unsigned bank, std::uint32_t offset,
                        std::span<const std::byte> data);
  /// Adds a command that names no buffer.
  Status add(Command command);

  /// Why it takes no more, or none can be put to it.
  Status checkOpen() const;
  /// Why it has ended.
  Status status() const;
  bool isDone() const;
  /// Runs the machine until `enough`; fails when this context waits for ever.
  Status runUntil(llvm::function_ref<bool()> enough);
  /// It ends.
  void close();

  /// What its commands may use: buffers freed since, and modules.
  struct InUse {
    DeviceState::Use use;
    std::vector<std::shared_ptr<const ModuleState>> modules;
  };
  /// Nothing is left that could use them.
  std::optional<InUse> takeUnused();
  void noteTrap(std::string text) { trapText = std::move(text); }

private:
  Status submit(Command command, std::shared_ptr<const ModuleState> module);
  Result<std::uint64_t> addressOf(const Buffer &buffer, const char *what, std::uint64_t offset,
                                  std::uint64_t count) const;

  std::shared_ptr<SharedState> machine;
  leno::Context *own; ///< the machine's
  std::string label;
  std::shared_ptr<DeviceState> device;
  std::optional<InUse> inUse;
  std::string trapText;
  size_t launches = 0;
};

class ContextLaunchState {
public:
  ContextLaunchState(std::shared_ptr<ContextState> context, size_t number, std::string kernel)
      : context(std::move(context)), number(number), kernel(std::move(kernel)) {}
  bool isDone() const { return result || !context->context().alive(); }

  std::shared_ptr<ContextState> context;
  size_t number; ///< of its context's launches
  std::string kernel;
  Statistics counts;
  std::optional<LaunchResult> result;
};

} // namespace leno::host
