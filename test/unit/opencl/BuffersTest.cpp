#include "OpenCLTest.h"

using Bytes = std::vector<unsigned char>;

static Bytes counted(size_t size) {
  Bytes bytes(size);
  std::iota(bytes.begin(), bytes.end(), 0);
  return bytes;
}

TEST_F(OpenCLTest, BuffersKeepWhatIsWritten) {
  Bytes all = counted(200);
  cl_mem buffer = bufferWith(all);
  unsigned char some[3] = {9, 8, 7};
  EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 50, 3, some, 0, nullptr, nullptr), CL_SUCCESS);
  all[50] = 9, all[51] = 8, all[52] = 7;
  EXPECT_EQ(read<unsigned char>(buffer, 200), all);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, buffer, 50, 100, 10, 0, nullptr, nullptr), CL_SUCCESS);
  std::copy(all.begin() + 50, all.begin() + 60, all.begin() + 100);
  EXPECT_EQ(read<unsigned char>(buffer, 200), all);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, buffer, 50, 55, 10, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  unsigned short pattern = 0x0102;
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &pattern, 2, 4, 6, 0, nullptr, nullptr), CL_SUCCESS);
  for (size_t i = 4; i < 10; ++i)
    all[i] = i % 2 ? 1 : 2;
  EXPECT_EQ(read<unsigned char>(buffer, 200), all);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &pattern, 2, 5, 6, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &pattern, 3, 3, 6, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 199, 2, some, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
}

TEST_F(OpenCLTest, BoxesAreCopiedRowByRow) {
  // A picture of 8 x 4 bytes; the box of 3 x 2 at (2, 1) holds 10 11 12, 18 19 20.
  cl_mem buffer = bufferWith(counted(32));
  size_t there[3] = {2, 1, 0}, here[3] = {1, 0, 0}, region[3] = {3, 2, 1};
  Bytes out(10, 255);
  EXPECT_EQ(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, there, here, region, 8, 0, 5, 0, out.data(), 0, nullptr,
                                    nullptr),
            CL_SUCCESS);
  EXPECT_EQ(out, (Bytes{255, 10, 11, 12, 255, 255, 18, 19, 20, 255}));
  EXPECT_EQ(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, here, here, region, 8, 0, 5, 0, out.data(), 0, nullptr,
                                     nullptr),
            CL_SUCCESS);
  Bytes expected = counted(32);
  for (size_t i : {1, 2, 3})
    expected[i] = (unsigned char)(9 + i), expected[8 + i] = (unsigned char)(17 + i);
  EXPECT_EQ(read<unsigned char>(buffer, 32), expected);
  size_t corner[3] = {5, 2, 0};
  EXPECT_EQ(clEnqueueCopyBufferRect(queue, buffer, buffer, here, corner, region, 8, 0, 8, 0, 0, nullptr, nullptr),
            CL_SUCCESS);
  for (size_t i : {0, 1, 2})
    expected[21 + i] = expected[1 + i], expected[29 + i] = expected[9 + i];
  EXPECT_EQ(read<unsigned char>(buffer, 32), expected);
  size_t meets[3] = {3, 1, 0};
  EXPECT_EQ(clEnqueueCopyBufferRect(queue, buffer, buffer, here, meets, region, 8, 0, 8, 0, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  size_t outside[3] = {6, 3, 0};
  EXPECT_EQ(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, outside, here, region, 8, 0, 5, 0, out.data(), 0, nullptr,
                                    nullptr),
            CL_INVALID_VALUE);
  clReleaseMemObject(buffer);
}

TEST_F(OpenCLTest, SubBuffersShareTheirBytes) {
  cl_mem whole = bufferWith(counted(1024));
  cl_buffer_region region = {256, 100};
  cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  unsigned char seven = 77;
  EXPECT_EQ(clEnqueueWriteBuffer(queue, part, CL_TRUE, 3, 1, &seven, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read<unsigned char>(whole, 300)[259], 77);
  size_t offset = 0;
  cl_mem parent = nullptr;
  EXPECT_EQ(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof(offset), &offset, nullptr), CL_SUCCESS);
  EXPECT_EQ(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent, nullptr), CL_SUCCESS);
  EXPECT_EQ(offset, 256u);
  EXPECT_EQ(parent, whole);
  for (auto [origin, size, wrong] : {std::tuple(size_t(4), size_t(8), CL_MISALIGNED_SUB_BUFFER_OFFSET),
                                     {size_t(1024), size_t(1), CL_INVALID_VALUE},
                                     {size_t(0), size_t(0), CL_INVALID_BUFFER_SIZE}}) {
    cl_buffer_region bad = {origin, size};
    EXPECT_EQ(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &bad, &error), nullptr);
    EXPECT_EQ(error, wrong);
  }
  EXPECT_EQ(clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  clReleaseMemObject(whole); // its bytes live as long as the part
  EXPECT_EQ(read<unsigned char>(part, 4)[3], 77);
  clReleaseMemObject(part);
}

TEST_F(OpenCLTest, MappedBytesGoBackWhenTheyAreUnmapped) {
  std::vector<int> mine(64);
  std::iota(mine.begin(), mine.end(), 0);
  cl_mem buffer = bufferOf(256, CL_MEM_USE_HOST_PTR, mine.data());
  auto *at = static_cast<int *>(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 16, 32, 0, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(at, mine.data() + 4);
  cl_uint count = 0;
  clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof(count), &count, nullptr);
  EXPECT_EQ(count, 1u);
  at[0] = 400;
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, at, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, at, 0, nullptr, nullptr), CL_INVALID_VALUE);
  std::vector<int> now = read<int>(buffer, 64);
  EXPECT_EQ(now[4], 400);
  EXPECT_EQ(now[5], 5);
  clReleaseMemObject(buffer);

  cl_mem barred = bufferOf(256, CL_MEM_HOST_NO_ACCESS);
  EXPECT_EQ(clEnqueueMapBuffer(queue, barred, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueReadBuffer(queue, barred, CL_TRUE, 0, 4, &count, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  clReleaseMemObject(barred);
}

TEST_F(OpenCLTest, WrongBuffersAreRefused) {
  int value = 0;
  for (auto [flags, size, host, wrong] :
       {std::tuple(cl_mem_flags(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), size_t(4), (void *)nullptr, CL_INVALID_VALUE),
        {cl_mem_flags(0), size_t(0), (void *)nullptr, CL_INVALID_BUFFER_SIZE},
        {cl_mem_flags(0), ~size_t(0), (void *)nullptr, CL_INVALID_BUFFER_SIZE},
        {cl_mem_flags(CL_MEM_COPY_HOST_PTR), size_t(4), (void *)nullptr, CL_INVALID_HOST_PTR},
        {cl_mem_flags(0), size_t(4), (void *)&value, CL_INVALID_HOST_PTR}}) {
    EXPECT_EQ(clCreateBuffer(context, flags, size, host, &error), nullptr);
    EXPECT_EQ(error, wrong);
  }
  EXPECT_EQ(clCreateBuffer((cl_context)queue, 0, 4, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(clRetainMemObject((cl_mem)context), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clRetainMemObject(nullptr), CL_INVALID_MEM_OBJECT);
}
