// Commands wait for events on nobody's thread: the last event that a command waits for puts it into its queue's
// stream, which runs one after the other.
#include "runtime/opencl/Command.h"

#include "runtime/opencl/Info.h"

#include <algorithm>

using namespace leno::opencl;

namespace leno::opencl {

std::mutex &eventMutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}
std::condition_variable &eventChanged() {
  static auto *changed = new std::condition_variable;
  return *changed;
}

cl_int checkWaitList(_cl_context &context, const WaitList &wait) {
  if ((wait.count == 0) != (wait.events == nullptr))
    return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < wait.count; ++i)
    if (!isGood(wait.events[i]))
      return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < wait.count; ++i)
    if (wait.events[i]->context.get() != &context)
      return CL_INVALID_CONTEXT;
  return CL_SUCCESS;
}

namespace {

using Callbacks = std::vector<std::pair<_cl_event::Callback, cl_int>>;

/// The callbacks that this status is for, the first to be called first.
Callbacks takeCallbacks(_cl_event &event) {
  Callbacks due;
  std::erase_if(event.callbacks, [&](const _cl_event::Callback &callback) {
    if (event.status > callback.at)
      return false;
    due.push_back({callback, event.status < 0 ? event.status : callback.at});
    return true;
  });
  return due;
}

void call(_cl_event &event, const Callbacks &due) {
  for (auto &[callback, status] : due)
    callback.function(&event, status, callback.data);
}

void setStatus(_cl_event &event, cl_int status, cl_ulong &time) {
  Callbacks due;
  {
    std::lock_guard lock(eventMutex());
    event.status = status;
    time = now();
    due = takeCallbacks(event);
  }
  call(event, due);
}

/// Nothing is left that it waits for.
void start(Ref<_cl_event> event) {
  setStatus(*event, CL_SUBMITTED, event->submitted);
  leno::Stream &stream = event->queue->stream;
  leno::Status taken = stream.call([event] {
    runsCommands() = true;
    if (event->spoiled)
      return complete(*event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    setStatus(*event, CL_RUNNING, event->started);
    complete(*event, event->work ? event->work() : CL_SUCCESS);
  });
  if (!taken)
    complete(*event, CL_OUT_OF_RESOURCES);
}

Ref<_cl_event> newEvent(_cl_command_queue &queue, cl_command_type type) {
  auto *made = new _cl_event;
  Ref<_cl_event> event(made);
  drop(made); // the program has no handle yet
  event->context = queue.context;
  event->queue = Ref<_cl_command_queue>(&queue);
  event->type = type;
  return event;
}

/// `before` under eventMutex().
void waitFor(_cl_event &event, _cl_event &before, bool fails) {
  if (before.status < 0)
    event.spoiled |= fails;
  if (before.isOver())
    return;
  before.dependents.push_back({Ref<_cl_event>(&event), fails});
  ++event.waitsFor;
}

void submit(_cl_command_queue &queue, Ref<_cl_event> event, const WaitList &wait, bool isMeeting,
            bool isBarrier) {
  if (wait.out) {
    ++event->holders;
    *wait.out = give(event.get());
  }
  bool ready;
  {
    std::lock_guard lock(eventMutex());
    event->queued = now();
    for (cl_uint i = 0; i < wait.count; ++i)
      waitFor(*event, *wait.events[i], true);
    if (queue.last)
      waitFor(*event, *queue.last, false);
    if (!queue.isInOrder()) {
      if (isMeeting && wait.count == 0) {
        for (_cl_event *other : queue.notMet)
          waitFor(*event, *other, false);
        queue.notMet.clear();
      }
      queue.notMet.insert(event.get());
    }
    if (queue.isInOrder() || isBarrier)
      queue.last = event;
    ++event->holders;
    queue.underWay.insert(event.get());
    ready = event->waitsFor == 0;
  }
  if (ready)
    start(event);
}

} // namespace

void complete(_cl_event &event, cl_int status) {
  Ref<_cl_event> held(&event), left;
  std::vector<_cl_event::Waiting> dependents;
  std::vector<Ref<_cl_event>> ready;
  Callbacks due;
  std::function<cl_int()> work;
  {
    std::lock_guard lock(eventMutex());
    work.swap(event.work);
  }
  work = nullptr; // what it held may have callbacks, which may ask for events
  {
    std::lock_guard lock(eventMutex());
    event.status = status;
    event.ended = now();
    due = takeCallbacks(event);
    dependents.swap(event.dependents);
    for (auto &[other, fails] : dependents) {
      other->spoiled |= fails && status < 0;
      if (--other->waitsFor == 0)
        ready.push_back(other);
    }
  }
  call(event, due);
  for (Ref<_cl_event> &other : ready)
    start(std::move(other));
  {
    std::lock_guard lock(eventMutex());
    if (event.queue)
      event.queue->notMet.erase(&event);
    if (event.queue && event.queue->underWay.erase(&event)) {
      left = Ref<_cl_event>(&event);
      --event.holders;
    }
    if (event.queue && event.queue->last.get() == &event)
      event.queue->last = {};
  }
  eventChanged().notify_all();
}

cl_int enqueue(_cl_command_queue &queue, cl_command_type type, const WaitList &wait, bool blocking,
               std::function<cl_int()> work) {
  if (cl_int wrong = checkWaitList(*queue.context, wait))
    return wrong;
  Ref<_cl_event> event = newEvent(queue, type);
  event->work = std::move(work);
  submit(queue, event, wait, false, false);
  if (!blocking)
    return CL_SUCCESS;
  std::unique_lock lock(eventMutex());
  eventChanged().wait(lock, [&] { return event->isOver(); });
  return event->status < 0 ? event->status : CL_SUCCESS;
}

std::function<cl_int()> undoneUnlessDone(std::function<void()> undo, std::function<cl_int()> work) {
  struct Undo {
    std::function<void()> call;
    bool isDone = false;
    ~Undo() {
      if (!isDone)
        call();
    }
  };
  auto held = std::make_shared<Undo>(std::move(undo));
  return [held, work = std::move(work)] {
    cl_int status = work();
    held->isDone = status == CL_SUCCESS;
    return status;
  };
}

cl_int enqueueMeeting(_cl_command_queue &queue, cl_command_type type, const WaitList &wait, Meeting kind) {
  if (cl_int wrong = checkWaitList(*queue.context, wait))
    return wrong;
  submit(queue, newEvent(queue, type), wait, true, kind == Meeting::Barrier);
  return CL_SUCCESS;
}

void finish(_cl_command_queue &queue) {
  std::unique_lock lock(eventMutex());
  std::vector<Ref<_cl_event>> all;
  for (_cl_event *event : queue.underWay)
    all.push_back(Ref<_cl_event>(event));
  eventChanged().wait(lock, [&] {
    return std::none_of(all.begin(), all.end(),
                        [&](const Ref<_cl_event> &event) { return queue.underWay.count(event.get()); });
  });
  lock.unlock(); // before the references go
}

namespace {

cl_command_queue create(cl_context context, cl_device_id id, cl_command_queue_properties properties,
                        std::vector<cl_queue_properties> given, cl_int *error) {
  if (!isGood(context))
    return fail<_cl_command_queue>(CL_INVALID_CONTEXT, error);
  if (!isDevice(id))
    return fail<_cl_command_queue>(CL_INVALID_DEVICE, error);
  constexpr cl_command_queue_properties known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE |
                                                CL_QUEUE_ON_DEVICE_DEFAULT;
  if (properties & ~known)
    return fail<_cl_command_queue>(CL_INVALID_VALUE, error);
  if (properties & (CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)) // there are none
    return fail<_cl_command_queue>(CL_INVALID_QUEUE_PROPERTIES, error);
  leno::Result<leno::Stream> stream = leno::Stream::create(context->where());
  if (!stream)
    return fail<_cl_command_queue>(CL_OUT_OF_RESOURCES, error);
  auto *queue = new _cl_command_queue(std::move(*stream));
  queue->context = Ref<_cl_context>(context);
  queue->properties = properties;
  queue->given = std::move(given);
  succeed(error);
  return give(queue);
}

} // namespace
} // namespace leno::opencl

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id id,
                                                  cl_command_queue_properties properties, cl_int *error) {
  return create(context, id, properties, {}, error);
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id id,
                                                                const cl_queue_properties *properties,
                                                                cl_int *error) {
  cl_command_queue_properties flags = 0;
  std::vector<cl_queue_properties> given;
  for (auto *next = properties; next && *next; next += 2) {
    given.insert(given.end(), {next[0], next[1]});
    if (*next == CL_QUEUE_PROPERTIES)
      flags = next[1];
    else if (*next == CL_QUEUE_SIZE)
      return fail<_cl_command_queue>(CL_INVALID_QUEUE_PROPERTIES, error);
    else
      return fail<_cl_command_queue>(CL_INVALID_VALUE, error);
  }
  if (properties)
    given.push_back(0);
  return create(context, id, flags, std::move(given), error);
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties, cl_bool,
                                             cl_command_queue_properties *) {
  return isGood(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id, cl_command_queue) {
  return isGood(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue) {
  return retain(queue, CL_INVALID_COMMAND_QUEUE);
}
// What is in it still runs: each command holds its queue.
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue) {
  return release(queue, CL_INVALID_COMMAND_QUEUE);
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t room,
                                         void *value, size_t *size) {
  if (!isGood(queue))
    return CL_INVALID_COMMAND_QUEUE;
  Answer answer(room, value, size);
  switch (what) {
  case CL_QUEUE_CONTEXT:
    return answer.of(queue->context.get());
  case CL_QUEUE_DEVICE:
    return answer.of<cl_device_id>(&device());
  case CL_QUEUE_REFERENCE_COUNT:
    return answer.of<cl_uint>(queue->users);
  case CL_QUEUE_PROPERTIES:
    return answer.of(queue->properties);
  case CL_QUEUE_PROPERTIES_ARRAY:
    return answer.list(queue->given);
  case CL_QUEUE_DEVICE_DEFAULT:
    return answer.of<cl_command_queue>(nullptr);
  case CL_QUEUE_SIZE: // of queues on the device
    return CL_INVALID_COMMAND_QUEUE;
  default:
    return CL_INVALID_VALUE;
  }
}

// Commands start as soon as they may.
cl_int CL_API_CALL clFlush(cl_command_queue queue) {
  return isGood(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}
cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  if (!isGood(queue))
    return CL_INVALID_COMMAND_QUEUE;
  finish(*queue);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *events,
                                               cl_event *event) {
  if (!isGood(queue))
    return CL_INVALID_COMMAND_QUEUE;
  return enqueueMeeting(*queue, CL_COMMAND_MARKER, {count, events, event}, Meeting::Marker);
}
cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *events,
                                                cl_event *event) {
  if (!isGood(queue))
    return CL_INVALID_COMMAND_QUEUE;
  return enqueueMeeting(*queue, CL_COMMAND_BARRIER, {count, events, event}, Meeting::Barrier);
}
cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event) {
  return event ? clEnqueueMarkerWithWaitList(queue, 0, nullptr, event) : CL_INVALID_VALUE;
}
cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue) {
  return clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr);
}
cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *events) {
  if (!isGood(queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (count == 0 || !events)
    return CL_INVALID_VALUE;
  cl_int status = clEnqueueBarrierWithWaitList(queue, count, events, nullptr);
  return status == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : status;
}
