// Queues, commands and events.
#pragma once

#include "runtime/opencl/Context.h"

#include <condition_variable>
#include <deque>
#include <optional>
#include <set>

struct _cl_command_queue;

/// An event, and with it the command that it tells of.
struct _cl_event : leno::opencl::Object {
  static constexpr auto kind = leno::opencl::Kind::Event;

  leno::opencl::Ref<_cl_context> context;
  leno::opencl::Ref<_cl_command_queue> queue; ///< none: a user event
  cl_command_type type = CL_COMMAND_USER;

  // All that follows under eventMutex().
  cl_int status = CL_QUEUED;
  cl_ulong queued = 0, submitted = 0, started = 0, ended = 0; ///< nanoseconds
  std::function<cl_int()> work;                               ///< gives CL_SUCCESS or the error
  struct Waiting {
    leno::opencl::Ref<_cl_event> event;
    bool fails; ///< when this one does: it named it
  };
  std::vector<Waiting> dependents;
  unsigned waitsFor = 0;
  bool spoiled = false; ///< an event that it waits for has failed
  struct Callback {
    cl_int at;
    void(CL_CALLBACK *function)(cl_event, cl_int, void *);
    void *data;
  };
  std::vector<Callback> callbacks;

  bool isOver() const { return status <= CL_COMPLETE; }
};

struct _cl_command_queue : leno::opencl::Object {
  static constexpr auto kind = leno::opencl::Kind::Queue;
  explicit _cl_command_queue(leno::Stream stream) : stream(std::move(stream)) {}

  leno::opencl::Ref<_cl_context> context;
  cl_command_queue_properties properties = 0;
  std::vector<cl_queue_properties> given; ///< with the final zero
  bool isInOrder() const { return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }

  /// Printf.h; made by the first launch, and used by the stream alone.
  std::shared_ptr<leno::opencl::Storage> printfRoom;
  /// What launches of work-groups of several sizes are told; likewise.
  std::shared_ptr<leno::opencl::Storage> wholeRoom;

  // Under eventMutex().
  leno::opencl::Ref<_cl_event> last;    ///< in order: what the next one comes after; else the last barrier
  std::set<_cl_event *> underWay;       ///< held
  /// Of those, out of order: what the next marker or barrier without a list waits for. The last one is in it,
  /// and stands for all before it.
  std::set<_cl_event *> notMet;
  leno::Stream stream;                  ///< runs what may run now, one by one
};

namespace leno::opencl {

std::mutex &eventMutex();
std::condition_variable &eventChanged();

/// What all clEnqueue... are given.
struct WaitList {
  cl_uint count;
  const cl_event *events;
  cl_event *out; ///< where the new event goes; null: nowhere
};

/// CL_SUCCESS, or what is wrong with it.
cl_int checkWaitList(_cl_context &context, const WaitList &wait);

/// Puts a command into a queue. A barrier waits for all that is in it; what comes later waits for the barrier.
/// `blocking`: returns when it has ended, with its error.
cl_int enqueue(_cl_command_queue &queue, cl_command_type type, const WaitList &wait, bool blocking,
               std::function<cl_int()> work);
/// Work of which enqueueing it does a part: `undo` takes that back where the work fails or is never done.
std::function<cl_int()> undoneUnlessDone(std::function<void()> undo, std::function<cl_int()> work);
enum class Meeting { Marker, Barrier };
cl_int enqueueMeeting(_cl_command_queue &queue, cl_command_type type, const WaitList &wait, Meeting kind);

/// Ends an event, and starts what waited for it.
void complete(_cl_event &event, cl_int status);
/// Waits for all commands of a queue.
void finish(_cl_command_queue &queue);

} // namespace leno::opencl
