// What stands behind a Device: the machine, who runs it, and launches alone.
#pragma once

#include "asm/support/FloatEnvironment.h"
#include "emu/Machine.h"
#include "runtime/ContextReport.h"
#include "runtime/host/Gate.h"
#include "runtime/host/LaunchProfiles.h"
#include "runtime/host/ModuleState.h"

#include "leno/Device.h"
#include <atomic>
#include <thread>

namespace leno::host {

class ContextLaunchState;

/// The machine of these settings.
struct MachineSettings {
  MachineConfig config;
  const Engine *engine = nullptr;
};
Result<MachineSettings> machineOf(std::span<const std::string> settings);

class MachineState {
public:
  explicit MachineState(const MachineSettings &settings)
      : frames(std::make_shared<PageFrames>()), own(settings.config, *settings.engine, 0, frames),
        machine(settings.config, *settings.engine, frames) {
    machine.setRunsAhead(true);
  }

  /// Fails once the Device is gone, and for who is called by the machine itself.
  Status checkOpen() const;
  /// The machine calls: an event is told.
  bool isInEvent() const { return runner.load() == std::this_thread::get_id(); }

  /// One call: it has the machine alone.
  class Turn {
  public:
    /// `checkOpen` has been asked.
    explicit Turn(MachineState &state) : state(state), alone(state.gate) {
      state.runner = std::this_thread::get_id();
      state.callers = FloatControl::now();
    }
    ~Turn() { state.runner = std::thread::id(); }

  private:
    MachineState &state;
    Gate::Alone alone;
  };

  /// Whoever runs a launch or the machine stops soon. A launch alone ends by a TIMEOUT; on the machine's clock
  /// the wait fails, and nothing is lost: who waits again goes on. May be called by a handler of signals.
  void interrupt() {
    isInterrupted = true;
    gate.isWanted = true; // whoever runs looks up
  }
  /// What comes is not interrupted.
  void endInterrupt() {
    isInterrupted = false;
    gate.settle();
  }
  std::atomic<bool> isInterrupted = false;

  /// What can be seen at any time, from an event as well.
  template <class F> auto look(F &&at) {
    if (isInEvent())
      return at();
    Turn turn(*this);
    return at();
  }

  /// Runs the machine up to that cycle, or until `enough` says so, and makes way for others meanwhile. What
  /// is no more used goes. Budget: it was interrupted.
  StopReason run(u64 until, llvm::function_ref<bool()> enough = {});
  std::string waits();
  /// Streams and contexts end. Profiles are written.
  void close();
  llvm::Error writeProfiles();

  /// A launch that has the SMs for itself, on the host's threads.
  class Alone {
  public:
    explicit Alone(MachineState &state, bool mayNeverEnd) : state(&state), mayNeverEnd(mayNeverEnd) {}
    Alone(Alone &&other) noexcept
        : state(std::exchange(other.state, nullptr)), mayNeverEnd(other.mayNeverEnd) {}
    ~Alone();

  private:
    MachineState *state;
    bool mayNeverEnd;
  };
  /// None once contexts share the machine.
  std::optional<Alone> beginAlone(bool mayNeverEnd);
  /// From now on they do. Waits for launches alone; fails when one may never end. Nobody has the turn.
  Status share();

  /// A launch of the machine whose channels are served while it runs. The caller has the turn.
  void serve(std::shared_ptr<ContextLaunchState> launch) { served.push_back(std::move(launch)); }
  /// Channels of launches that have ended, or will not run, are closed. The caller has the turn.
  void endServices();

  Gate gate; ///< of the memory and constants of all contexts
  std::shared_ptr<PageFrames> frames;
  leno::Device own; ///< the device's own context's memory and constants
  leno::Machine machine;
  std::vector<std::weak_ptr<ContextState>> contexts;
  LaunchProfiles profiles;
  FloatControl callers; ///< the floating-point environment of who has the turn

private:
  std::optional<StopReason> runPiece(u64 until, llvm::function_ref<bool()> enough);
  void serviceChannels();

  /// Host threads that run the machine, one at a time and in the order in which they come.
  class Queue {
  public:
    class Place {
    public:
      explicit Place(Queue &queue);
      ~Place();

    private:
      Queue &queue;
    };
    bool isWanted() const { return waiting > 0; }

  private:
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<unsigned> waiting = 0;
    u64 next = 0, serving = 0;
  };

  Queue runners;
  std::atomic<bool> isClosed = false;
  std::atomic<std::thread::id> runner{};
  std::vector<std::shared_ptr<ContextLaunchState>> served;

  std::mutex aloneMutex;
  std::condition_variable aloneEnded;
  unsigned alone = 0, endless = 0; ///< launches alone; of these, those that may never end
  bool isShared = false;
};

} // namespace leno::host
