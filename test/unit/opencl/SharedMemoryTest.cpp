#include "OpenCLTest.h"

// Pointers inside of shared virtual memory mean the same on both sides.
TEST_F(OpenCLTest, ListsInSharedVirtualMemory) {
  struct Node {
    Node *next;
    cl_long value;
  };
  auto *nodes = static_cast<Node *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 3 * sizeof(Node), 0));
  ASSERT_NE(nodes, nullptr);
  ASSERT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, nodes, 3 * sizeof(Node), 0, nullptr, nullptr), CL_SUCCESS);
  nodes[0] = {&nodes[2], 1}, nodes[2] = {&nodes[1], 20}, nodes[1] = {nullptr, 300};
  ASSERT_EQ(clEnqueueSVMUnmap(queue, nodes, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMUnmap(queue, nodes, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_program program = build("typedef struct Node { __global struct Node *next; long value; } Node;\n"
                             "__kernel void sum(__global Node *node) {\n"
                             "  __global Node *first = node; long all = 0;\n"
                             "  for (; node; node = node->next) all += node->value;\n"
                             "  first->value = all;\n"
                             "}\n",
                             "-cl-std=CL3.0");
  cl_kernel kernel = kernelOf(program, "sum");
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, &nodes[0]), CL_SUCCESS);
  int here = 0;
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, &here), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
  Node got;
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, &got, &nodes[0], sizeof(got), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(got.value, 321);
  EXPECT_EQ(got.next, &nodes[2]);
  // A buffer over it is the same memory.
  cl_mem buffer = bufferOf(2 * sizeof(Node), CL_MEM_USE_HOST_PTR, &nodes[0]);
  EXPECT_EQ(read<Node>(buffer, 1)[0].value, 321);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, 1 << 10, nodes, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  // So is a part of that, and other buffers are not.
  cl_buffer_region region = {0, 16};
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  cl_mem other = bufferOf(16);
  auto isShared = [](cl_mem memory) {
    cl_bool is = 7;
    EXPECT_EQ(clGetMemObjectInfo(memory, CL_MEM_USES_SVM_POINTER, sizeof(is), &is, nullptr), CL_SUCCESS);
    return is;
  };
  EXPECT_EQ(isShared(buffer), cl_bool(CL_TRUE));
  EXPECT_EQ(isShared(part), cl_bool(CL_TRUE));
  EXPECT_EQ(isShared(other), cl_bool(CL_FALSE));
  clReleaseMemObject(part), clReleaseMemObject(other);
  cl_long pattern = 5;
  EXPECT_EQ(clEnqueueSVMMemFill(queue, nodes, &pattern, 8, 16, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read<Node>(buffer, 1)[0].value, 5);
  clReleaseMemObject(buffer), clReleaseKernel(kernel), clReleaseProgram(program);
  clSVMFree(context, nodes);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, nodes, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(OpenCLTest, ContextsHaveSharedMemoryOfTheirOwn) {
  cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  void *here = clSVMAlloc(context, 0, 100, 64), *there = clSVMAlloc(other, 0, 100, 64);
  ASSERT_NE(here, nullptr);
  ASSERT_NE(there, nullptr);
  EXPECT_NE(here, there);
  EXPECT_EQ(clSVMAlloc(context, 0, 0, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, 0, 100, 3), nullptr);
  clSVMFree(context, here), clSVMFree(other, there);
  clReleaseContext(other);
}

// A command that its list of events makes fail has not been executed [OpenCL 3.0, 5.12]: what it would have
// mapped is not mapped, what it would have unmapped still is.
TEST_F(OpenCLTest, MapsOfSharedMemoryWhoseCommandsFail) {
  auto *data = static_cast<int *>(clSVMAlloc(context, 0, 4096, 0));
  ASSERT_NE(data, nullptr);
  cl_event never = clCreateUserEvent(context, &error), done = nullptr;
  clSetUserEventStatus(never, -1);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_WRITE, data, 4096, 1, &never, &done), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clEnqueueSVMUnmap(queue, data, 0, nullptr, nullptr), CL_INVALID_VALUE);
  clReleaseEvent(done);

  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, data, 4096, 0, nullptr, nullptr), CL_SUCCESS);
  data[0] = 77;
  EXPECT_EQ(clEnqueueSVMUnmap(queue, data, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueSVMUnmap(queue, data, 1, &never, &done), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clEnqueueSVMUnmap(queue, data, 0, nullptr, nullptr), CL_SUCCESS);
  int got = 0;
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, &got, data, 4, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(got, 77);
  EXPECT_EQ(clEnqueueSVMUnmap(queue, data, 0, nullptr, nullptr), CL_INVALID_VALUE);
  clReleaseEvent(done), clReleaseEvent(never);
  clSVMFree(context, data);
}
