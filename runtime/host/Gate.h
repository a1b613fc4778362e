// Who may touch a device's memory when, among host threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace leno::host {

/// Grids share a device's memory while their warps run. What copies from or to it, changes its allocations or
/// makes a grid has it alone, and comes first: grids look at `isWanted` and make way.
class Gate {
public:
  class Shared {
  public:
    explicit Shared(Gate &gate) : gate(gate) {
      std::unique_lock lock(gate.mutex);
      gate.changed.wait(lock, [&] { return !gate.isAlone && gate.waiting == 0; });
      ++gate.sharing;
    }
    ~Shared() {
      std::lock_guard lock(gate.mutex);
      --gate.sharing;
      gate.changed.notify_all();
    }
    Shared(const Shared &) = delete;
    Shared &operator=(const Shared &) = delete;

  private:
    Gate &gate;
  };

  class Alone {
  public:
    explicit Alone(Gate &gate) : gate(gate) {
      std::unique_lock lock(gate.mutex);
      ++gate.waiting;
      gate.isWanted = true;
      gate.changed.wait(lock, [&] { return !gate.isAlone && gate.sharing == 0; });
      gate.isWanted = --gate.waiting > 0;
      gate.isAlone = true;
    }
    ~Alone() {
      std::lock_guard lock(gate.mutex);
      gate.isAlone = false;
      gate.changed.notify_all();
    }
    Alone(const Alone &) = delete;
    Alone &operator=(const Alone &) = delete;

  private:
    Gate &gate;
  };

  /// Those who share it looked up without anybody waiting (MachineState::interrupt).
  void settle() {
    std::lock_guard lock(mutex);
    isWanted = waiting > 0;
  }

  /// Somebody waits to have it alone.
  std::atomic<bool> isWanted = false;

private:
  std::mutex mutex;
  std::condition_variable changed;
  unsigned sharing = 0, waiting = 0;
  bool isAlone = false;
};

} // namespace leno::host
