//===- Pushbuffer.h - What a context has asked for, in order [S4] ---------===//
// S4: "a driver program writes commands to a pushbuffer in memory from which
// the commands are read"; the parallel unit "executes commands asynchronously
// with operation of the CPU". One stream for each context: constants (S2),
// copies and launches take effect in its order.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/launch/GridRun.h"
#include <deque>
#include <functional>
#include <optional>
#include <variant>

namespace leno {

/// c[bank] of the launches after it; those before keep what they have seen (S2), so it waits for none.
struct ConstantUpdate {
  unsigned bank;
  u64 offset;
  std::vector<uint8_t> bytes;
};

// Copies and launches wait until the context's launches before them have ended.
struct CopyToDevice {
  u64 to;
  std::vector<uint8_t> bytes;
};
struct CopyToHost {
  u64 from;
  llvm::MutableArrayRef<uint8_t> to; ///< lives until the command is done
};
struct CopyOnDevice {
  u64 from, to, bytes;
};
struct Launch {
  const Program *program; ///< lives until the launch has ended
  LaunchSpec spec;
  std::function<void(GridRun &)> started; ///< before its first instruction: for observers
  std::function<void(GridRun &)> ended;   ///< also after a trap
  /// It waits only until the CTAs of those before it are out: it needs nothing of what they write.
  bool overlap = false;
  /// S3: with host.model=clock, it waits for the next message of that channel of MessageTraffic, which holds
  /// its instructions and parameters (LaunchMessage.h); `spec` gives its name and limits, and `program` is
  /// used where its code is the message's. A reply tells its end.
  std::optional<u32> channel{};
};

/// The semaphore gets the value once all before in this stream is done (a fence). Semaphores belong to the
/// device: any context, and the host, can wait for them.
struct SemaphoreRelease {
  u32 semaphore;
  u64 value;
};
/// What follows waits until the semaphore has at least the value.
struct SemaphoreAcquire {
  u32 semaphore;
  u64 value;
};
/// S4: all threads of the context have come to it, then its SMs are configured anew: which of them has which
/// tiles of the grids that follow. "Synchronizing the threads is not the same as draining": where it does not
/// drain, it waits for no launch, what runs stays where it is, and the CTAs that are not out yet, too, go by
/// the new mapping.
struct SyncToken {
  TileMapping mapping;
  bool drains = true;
};
/// How much of the machine the context shall have from now on: it waits for no launch. Nothing: as it is.
struct Share {
  std::optional<int> priority{};
  std::optional<u64> sms{}; ///< its part of a static split; 0: an equal part of what the others leave
};
/// The host writes what follows in that cycle, or has written it by then.
struct NotBefore {
  u64 cycle;
};

using Command = std::variant<ConstantUpdate, CopyToDevice, CopyToHost, CopyOnDevice, Launch, SemaphoreRelease,
                             SemaphoreAcquire, SyncToken, Share, NotBefore>;

/// A copy shares the commands.
class Pushbuffer {
public:
  bool empty() const { return commands.empty(); }
  size_t size() const { return commands.size(); }
  void push(Command command) { commands.push_back(std::make_shared<const Command>(std::move(command))); }
  const Command &front() const { return *commands.front(); }
  std::shared_ptr<const Command> take() {
    std::shared_ptr<const Command> first = std::move(commands.front());
    commands.pop_front();
    return first;
  }
  void clear() { commands.clear(); }
  auto begin() const { return commands.begin(); }
  auto end() const { return commands.end(); }

private:
  std::deque<std::shared_ptr<const Command>> commands;
};

/// Device-wide, by number; each begins at 0.
class Semaphores {
public:
  u64 value(u32 number) const {
    auto it = values.find(number);
    return it == values.end() ? 0 : it->second;
  }
  void release(u32 number, u64 value) { values[number] = value; }
  /// Those that somebody has released.
  const std::map<u32, u64> &all() const { return values; }

private:
  std::map<u32, u64> values;
};

} // namespace leno
