// Events that programs ask, wait for and set.
#include "runtime/opencl/Info.h"
#include "runtime/opencl/Command.h"

using namespace leno::opencl;

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *error) {
  if (!isGood(context))
    return fail<_cl_event>(CL_INVALID_CONTEXT, error);
  auto *event = new _cl_event;
  event->context = Ref<_cl_context>(context);
  event->status = CL_SUBMITTED;
  succeed(error);
  return give(event);
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int status) {
  if (!isGood(event) || event->queue)
    return CL_INVALID_EVENT;
  if (status > CL_COMPLETE)
    return CL_INVALID_VALUE;
  {
    std::lock_guard lock(eventMutex());
    if (event->isOver())
      return CL_INVALID_OPERATION;
    event->status = status; // of two threads that set it one does
  }
  complete(*event, status);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *events) {
  if (count == 0 || !events)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i)
    if (!isGood(events[i]))
      return CL_INVALID_EVENT;
  for (cl_uint i = 1; i < count; ++i)
    if (events[i]->context.get() != events[0]->context.get())
      return CL_INVALID_CONTEXT;
  std::vector<Ref<_cl_event>> all(events, events + count);
  cl_int result = CL_SUCCESS;
  std::unique_lock lock(eventMutex());
  for (const Ref<_cl_event> &event : all) {
    eventChanged().wait(lock, [&] { return event->isOver(); });
    if (event->status < 0)
      result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  lock.unlock(); // before the references go
  return result;
}

cl_int CL_API_CALL clRetainEvent(cl_event event) { return retain(event, CL_INVALID_EVENT); }
cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  // A user event that nobody can set any more would stop what waits for it for ever.
  return release(event, CL_INVALID_EVENT);
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info what, size_t room, void *value, size_t *size) {
  if (!isGood(event))
    return CL_INVALID_EVENT;
  Answer answer(room, value, size);
  switch (what) {
  case CL_EVENT_COMMAND_QUEUE:
    return answer.of(event->queue.get());
  case CL_EVENT_CONTEXT:
    return answer.of(event->context.get());
  case CL_EVENT_COMMAND_TYPE:
    return answer.of(event->type);
  case CL_EVENT_COMMAND_EXECUTION_STATUS: {
    std::lock_guard lock(eventMutex());
    return answer.of(event->status);
  }
  case CL_EVENT_REFERENCE_COUNT:
    return answer.of<cl_uint>(event->users);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t room, void *value,
                                           size_t *size) {
  if (!isGood(event))
    return CL_INVALID_EVENT;
  std::lock_guard lock(eventMutex());
  if (!event->queue || !(event->queue->properties & CL_QUEUE_PROFILING_ENABLE) || event->status != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  Answer answer(room, value, size);
  switch (what) {
  case CL_PROFILING_COMMAND_QUEUED:
    return answer.of(event->queued);
  case CL_PROFILING_COMMAND_SUBMIT:
    return answer.of(event->submitted);
  case CL_PROFILING_COMMAND_START:
    return answer.of(event->started);
  case CL_PROFILING_COMMAND_END:
  case CL_PROFILING_COMMAND_COMPLETE:
    return answer.of(event->ended);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int at,
                                      void(CL_CALLBACK *function)(cl_event, cl_int, void *), void *data) {
  if (!isGood(event))
    return CL_INVALID_EVENT;
  if (!function || (at != CL_SUBMITTED && at != CL_RUNNING && at != CL_COMPLETE))
    return CL_INVALID_VALUE;
  cl_int status;
  {
    std::lock_guard lock(eventMutex());
    if (event->status > at) {
      event->callbacks.push_back({at, function, data});
      return CL_SUCCESS;
    }
    status = event->status < 0 ? event->status : at;
  }
  function(event, status, data);
  return CL_SUCCESS;
}
