// The queue of a stream, its thread, and what events keep.
#pragma once

#include "runtime/host/PendingState.h"

#include "leno/Stream.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace leno::host {

/// Something that a host thread can wait for: it comes once, as a success or with an error.
template <typename T> class Outcome {
public:
  void set(T value) {
    std::lock_guard lock(mutex);
    content.emplace(std::move(value));
    come.notify_all();
  }
  const T &wait() {
    std::unique_lock lock(mutex);
    come.wait(lock, [&] { return content.has_value(); });
    return *content;
  }
  bool isThere() {
    std::lock_guard lock(mutex);
    return content.has_value();
  }

private:
  std::mutex mutex;
  std::condition_variable come;
  std::optional<T> content;
};

/// The place that an event marks.
using Place = std::shared_ptr<Outcome<Status>>;

class EventState {
public:
  Place place() const {
    std::lock_guard lock(mutex);
    return current;
  }
  void move(Place to) {
    std::lock_guard lock(mutex);
    current = std::move(to);
  }

private:
  mutable std::mutex mutex;
  Place current; ///< null: never recorded
};

/// A launch that a stream has taken; alone, nobody `taken`.
class StreamLaunchState final : public PendingState {
public:
  bool isDone() override { return outcome.isThere(); }
  Result<LaunchResult> wait() override { return outcome.wait(); }
  LaunchCycles cycles() override { return taken.isThere() ? taken.wait()->cycles() : LaunchCycles(); }

  Outcome<Result<LaunchResult>> outcome;
  Outcome<std::shared_ptr<ContextLaunchState>> taken; ///< by its context
};

class StreamState : public std::enable_shared_from_this<StreamState> {
public:
  /// Runs on the stream's thread. `failed`: the stream has failed already; only what others wait for is to be
  /// told.
  using Command = std::function<Status(const Error *failed)>;

  explicit StreamState(std::shared_ptr<ContextState> context) : context(std::move(context)) {}
  void start();
  /// Fails once the stream has failed or is closed.
  Result<std::shared_ptr<ContextState>> openContext() const;
  /// Fails for a buffer that is not its context's, or too small; the stream then, too.
  struct Target;
  Result<Target> targetOf(const Buffer &buffer, const char *what, std::uint64_t offset, std::uint64_t count);
  /// Fails, and takes nothing, when the stream has failed or is closed.
  Status add(Command command);
  /// The first failure stays.
  Status fail(Error error);
  bool isIdle() const;
  Status synchronize();
  Status reset();
  /// Takes no more, runs what there is, ends the thread and lets go of the context; `why` tells who comes
  /// later.
  void close(const std::string &why);

private:
  struct Entry {
    Command command;
    ContextState::Use use; ///< buffers freed since stay
  };
  void work();
  Status status() const { return failure ? Status(*failure) : Status(); }

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::shared_ptr<ContextState> context;
  std::deque<Entry> queue;
  bool isBusy = false, hasEnded = false;
  std::string closed; ///< not empty: why there is no more
  std::optional<Error> failure;
  std::thread thread;
};

} // namespace leno::host
