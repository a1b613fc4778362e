#include "OpenCLTest.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace {
cl_int statusOf(cl_event event) {
  cl_int status = 1;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr), CL_SUCCESS);
  return status;
}
} // namespace

TEST_F(OpenCLTest, CommandsWaitForEvents) {
  cl_mem buffer = bufferWith(std::vector<int>{1});
  cl_event user = clCreateUserEvent(context, &error), written = nullptr;
  int two = 2, got = 0;
  EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &two, 1, &user, &written), CL_SUCCESS);
  // Another queue does not wait.
  cl_command_queue other = clCreateCommandQueue(context, device, 0, &error);
  EXPECT_EQ(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, 4, &got, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(got, 1);
  EXPECT_GT(statusOf(written), CL_RUNNING);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_INVALID_OPERATION);
  EXPECT_EQ(clWaitForEvents(1, &written), CL_SUCCESS);
  EXPECT_EQ(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, 4, &got, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(got, 2);
  cl_ulong times[4];
  for (cl_uint i = 0; i < 4; ++i)
    EXPECT_EQ(clGetEventProfilingInfo(written, CL_PROFILING_COMMAND_QUEUED + i, sizeof(times[i]), &times[i], nullptr),
              CL_SUCCESS);
  EXPECT_TRUE(std::is_sorted(times, times + 4));
  EXPECT_EQ(clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, sizeof(times[0]), times, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  clReleaseEvent(user), clReleaseEvent(written);
  clReleaseCommandQueue(other), clReleaseMemObject(buffer);
}

TEST_F(OpenCLTest, WhatWaitsForAFailureFails) {
  cl_mem buffer = bufferOf(4);
  cl_event user = clCreateUserEvent(context, &error), first = nullptr, second = nullptr;
  int value = 5;
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &value, 1, &user, &first);
  clEnqueueMarkerWithWaitList(queue, 1, &first, &second);
  EXPECT_EQ(clSetUserEventStatus(user, -42), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(statusOf(user), -42);
  EXPECT_LT(statusOf(first), 0);
  EXPECT_LT(statusOf(second), 0);
  EXPECT_EQ(read<int>(buffer, 1)[0], 0); // the queue goes on
  for (cl_event event : {user, first, second})
    clReleaseEvent(event);
  clReleaseMemObject(buffer);
}

TEST_F(OpenCLTest, AnOutOfOrderQueueRunsWhatIsReady) {
  cl_command_queue any = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  cl_mem buffer = bufferOf(8);
  cl_event user = clCreateUserEvent(context, &error), late = nullptr, soon = nullptr;
  int one = 1, two = 2, got[2];
  clEnqueueWriteBuffer(any, buffer, CL_FALSE, 0, 4, &one, 1, &user, &late);
  clEnqueueWriteBuffer(any, buffer, CL_FALSE, 4, 4, &two, 0, nullptr, &soon);
  EXPECT_EQ(clWaitForEvents(1, &soon), CL_SUCCESS);
  EXPECT_GT(statusOf(late), CL_RUNNING);
  cl_event marker = nullptr, behind = nullptr;
  clEnqueueBarrierWithWaitList(any, 0, nullptr, &marker);
  clEnqueueReadBuffer(any, buffer, CL_FALSE, 0, 8, got, 0, nullptr, &behind);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GT(statusOf(behind), CL_RUNNING); // the barrier holds it
  clSetUserEventStatus(user, CL_COMPLETE);
  EXPECT_EQ(clFinish(any), CL_SUCCESS);
  EXPECT_EQ(got[0], 1);
  EXPECT_EQ(got[1], 2);
  for (cl_event event : {user, late, soon, marker, behind})
    clReleaseEvent(event);
  clReleaseMemObject(buffer), clReleaseCommandQueue(any);
}

// Of each marker that waits for all before it: a few words, not as many as there are commands.
TEST_F(OpenCLTest, ManyMarkersWaitInAQueue) {
  using Clock = std::chrono::steady_clock;
  for (cl_command_queue_properties order : {cl_ulong(0), cl_ulong(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)}) {
    cl_command_queue many = clCreateCommandQueue(context, device, order, &error);
    cl_mem buffer = bufferWith(std::vector<int>(1000));
    cl_event user = clCreateUserEvent(context, &error), last = nullptr;
    Clock::time_point start = Clock::now();
    for (int i = 0; i < 20000; ++i) {
      if (i < 1000)
        EXPECT_EQ(clEnqueueFillBuffer(many, buffer, &i, 4, 4 * size_t(i), 4, 1, &user, nullptr), CL_SUCCESS);
      EXPECT_EQ(clEnqueueMarkerWithWaitList(many, 0, nullptr, i == 19999 ? &last : nullptr), CL_SUCCESS);
    }
    EXPECT_GT(statusOf(last), CL_RUNNING);
    EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
    std::vector<int> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    EXPECT_EQ(read<int>(buffer, 1000), numbers);
    clReleaseEvent(user), clReleaseEvent(last);
    clReleaseMemObject(buffer), clReleaseCommandQueue(many);
  }
}

TEST_F(OpenCLTest, CallbacksAreCalledOnce) {
  static std::atomic<int> calls, status;
  calls = 0, status = 1;
  cl_event user = clCreateUserEvent(context, &error), done = nullptr;
  clEnqueueMarkerWithWaitList(queue, 1, &user, &done);
  auto count = [](cl_event, cl_int with, void *data) {
    status = with;
    calls += *static_cast<int *>(data);
  };
  int add = 10;
  EXPECT_EQ(clSetEventCallback(done, CL_COMPLETE, count, &add), CL_SUCCESS);
  EXPECT_EQ(calls, 0);
  clSetUserEventStatus(user, CL_COMPLETE);
  clFinish(queue);
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(status, CL_COMPLETE);
  EXPECT_EQ(clSetEventCallback(done, CL_RUNNING, count, &add), CL_SUCCESS); // it is past that
  EXPECT_EQ(calls, 20);
  EXPECT_EQ(clSetEventCallback(done, 17, count, &add), CL_INVALID_VALUE);
  clReleaseEvent(user), clReleaseEvent(done);
}

// A queue and a context that are released while commands are under way end when these have.
TEST_F(OpenCLTest, ReleasedQueuesFinishTheirCommands) {
  static std::atomic<bool> ended;
  ended = false;
  cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  clSetContextDestructorCallback(own, [](cl_context, void *) { ended = true; }, nullptr);
  cl_command_queue brief = clCreateCommandQueue(own, device, 0, &error);
  cl_event user = clCreateUserEvent(own, &error);
  clEnqueueMarkerWithWaitList(brief, 1, &user, nullptr);
  clReleaseCommandQueue(brief);
  EXPECT_EQ(clFinish(brief), CL_INVALID_COMMAND_QUEUE);
  clReleaseContext(own);
  EXPECT_FALSE(ended);
  clSetUserEventStatus(user, CL_COMPLETE);
  clReleaseEvent(user);
  for (int i = 0; i < 1000 && !ended; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(ended);
}

TEST_F(OpenCLTest, WrongEventsAreRefused) {
  cl_event none = nullptr;
  EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(1, &none), CL_INVALID_EVENT);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  cl_event foreign = clCreateUserEvent(own, &error);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &foreign, nullptr), CL_INVALID_CONTEXT);
  clSetUserEventStatus(foreign, CL_COMPLETE);
  clReleaseEvent(foreign), clReleaseContext(own);
}
