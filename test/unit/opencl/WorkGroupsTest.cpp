// Launches whose sizes are no multiples of their work-groups' [OpenCL 3.0, clEnqueueNDRangeKernel]: along
// each axis the last group is smaller. What each work-item is told [OpenCL C 3.0, 6.15.1] and what
// collectives give is worked out here, item by item.
#include "OpenCLTest.h"

#include <algorithm>
#include <array>

namespace {
constexpr char source[] = R"CL(
enum { Words = 40 };
kernel void told(global ulong *out) {
  global ulong *o = out + Words * get_global_linear_id();
  for (uint d = 0; d < 4; ++d) {
    o[d] = get_global_id(d), o[4 + d] = get_local_id(d), o[8 + d] = get_group_id(d);
    o[12 + d] = get_global_size(d), o[16 + d] = get_local_size(d), o[20 + d] = get_enqueued_local_size(d);
    o[24 + d] = get_num_groups(d), o[28 + d] = get_global_offset(d);
  }
  o[32] = get_global_linear_id(), o[33] = get_local_linear_id(), o[34] = get_work_dim();
  o[35] = get_sub_group_size(), o[36] = get_num_sub_groups(), o[37] = get_enqueued_num_sub_groups();
  o[38] = get_sub_group_id(), o[39] = get_sub_group_local_id();
}
kernel void together(global const int *in, global int *out, local int *room) {
  size_t i = get_global_linear_id(), mine = get_local_linear_id();
  size_t count = get_local_size(0) * get_local_size(1) * get_local_size(2);
  int x = in[i];
  room[mine] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[8 * i] = room[count - 1 - mine];
  out[8 * i + 1] = work_group_reduce_add(x);
  out[8 * i + 2] = work_group_scan_inclusive_add(x);
  out[8 * i + 3] = work_group_scan_exclusive_max(x);
  out[8 * i + 4] = work_group_broadcast(x, get_local_size(0) - 1, get_local_size(1) - 1, get_local_size(2) - 1);
  out[8 * i + 5] = work_group_any(x == 7) * 2 + (work_group_all(x > -50) != 0);
  out[8 * i + 6] = sub_group_reduce_add(x);
  out[8 * i + 7] = sub_group_broadcast(x, get_sub_group_size() - 1);
}
kernel void copied(global const int *in, global int *out, local int *room) {
  size_t first = get_group_id(0) * get_enqueued_local_size(0), count = get_local_size(0);
  event_t event = async_work_group_copy(room, in + first, count, 0);
  wait_group_events(1, &event);
  out[first + get_local_id(0)] = room[count - 1 - get_local_id(0)];
}
kernel void counts(global int *count) { atomic_fetch_add((global atomic_int *)count, 1); }
kernel void stops(global int *p, ulong far) { if (get_local_size(0) == 3) p[far] = 1; }
kernel void says(void) { if (get_local_id(0) == 0) printf("%d of %d\n", (int)get_local_size(0), (int)get_group_id(0)); }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(global int *out) {
  out[get_global_id(0)] = (int)get_local_size(0);
}
)CL";

using Size3 = std::array<size_t, 3>;
struct Shape {
  cl_uint dimensions;
  Size3 global, local, offset;
};
constexpr Shape shapes[] = {
    {1, {100, 1, 1}, {32, 1, 1}, {0, 0, 0}},    {1, {33, 1, 1}, {32, 1, 1}, {1000, 0, 0}},
    {1, {5, 1, 1}, {64, 1, 1}, {3, 0, 0}},      {1, {96, 1, 1}, {32, 1, 1}, {7, 0, 0}},
    {1, {1023, 1, 1}, {1024, 1, 1}, {0, 0, 0}}, {1, {257, 1, 1}, {50, 1, 1}, {0, 0, 0}},
    {2, {10, 7, 1}, {4, 3, 1}, {0, 0, 0}},      {2, {70, 4, 1}, {33, 4, 1}, {5, 6, 0}},
    {2, {12, 5, 1}, {4, 8, 1}, {0, 100, 0}},    {2, {3, 2, 1}, {8, 8, 1}, {0, 0, 0}},
    {3, {7, 5, 3}, {4, 2, 2}, {0, 0, 0}},       {3, {9, 8, 7}, {4, 8, 3}, {11, 12, 13}},
    {3, {5, 5, 5}, {8, 1, 4}, {0, 0, 1}},       {3, {40, 3, 5}, {16, 2, 4}, {1, 2, 3}},
};

/// Calls with each work-item's global number, without the offset.
template <class Visit> void forItems(const Shape &shape, Visit visit) {
  for (size_t z = 0; z < shape.global[2]; ++z)
    for (size_t y = 0; y < shape.global[1]; ++y)
      for (size_t x = 0; x < shape.global[0]; ++x)
        visit(Size3{x, y, z});
}
size_t linear(const Size3 &at, const Size3 &sizes) { return (at[2] * sizes[1] + at[1]) * sizes[0] + at[0]; }
size_t product(const Size3 &sizes) { return sizes[0] * sizes[1] * sizes[2]; }

/// The group of a work-item: its number along each axis, and its sizes.
struct Group {
  Size3 number, size, item; ///< item: of the work-item, in it
  Group(const Shape &shape, const Size3 &at) {
    for (unsigned d = 0; d < 3; ++d) {
      number[d] = at[d] / shape.local[d];
      item[d] = at[d] % shape.local[d];
      size[d] = std::min(shape.local[d], shape.global[d] - number[d] * shape.local[d]);
    }
  }
};

class WorkGroupsTest : public OpenCLTest {
protected:
  static constexpr char version[] = "-cl-std=CL3.0";
  cl_int launch(cl_kernel kernel, const Shape &shape) {
    cl_int status = clEnqueueNDRangeKernel(queue, kernel, shape.dimensions, shape.offset.data(),
                                           shape.global.data(), shape.local.data(), 0, nullptr, nullptr);
    return status ? status : clFinish(queue);
  }
  /// Each work-item's 40 words, as the specification has them.
  void compare(const Shape &shape, const std::vector<cl_ulong> &got) {
    forItems(shape, [&](const Size3 &at) {
      Group group(shape, at);
      std::vector<cl_ulong> want(40);
      for (unsigned d = 0; d < 4; ++d) {
        bool is = d < 3;
        want[d] = is ? at[d] + shape.offset[d] : 0;
        want[4 + d] = is ? group.item[d] : 0;
        want[8 + d] = is ? group.number[d] : 0;
        want[12 + d] = is ? shape.global[d] : 1;
        want[16 + d] = is ? group.size[d] : 1;
        want[20 + d] = is ? shape.local[d] : 1;
        want[24 + d] = is ? (shape.global[d] + shape.local[d] - 1) / shape.local[d] : 1;
        want[28 + d] = is ? shape.offset[d] : 0;
      }
      size_t here = linear(group.item, group.size), count = product(group.size);
      want[32] = linear(at, shape.global), want[33] = here, want[34] = shape.dimensions;
      want[35] = std::min<size_t>(32, count - here / 32 * 32), want[36] = (count + 31) / 32;
      want[37] = (product(shape.local) + 31) / 32, want[38] = here / 32, want[39] = here % 32;
      auto from = got.begin() + long(40 * linear(at, shape.global));
      EXPECT_EQ(std::vector<cl_ulong>(from, from + 40), want)
          << at[0] << ' ' << at[1] << ' ' << at[2] << " of " << shape.global[0] << ' ' << shape.global[1]
          << ' ' << shape.global[2] << " by " << shape.local[0] << ' ' << shape.local[1] << ' '
          << shape.local[2];
    });
  }
  void runTold(cl_kernel kernel, const Shape &shape) {
    cl_mem out = bufferOf(8 * 40 * product(shape.global));
    set(kernel, 0, out);
    ASSERT_EQ(launch(kernel, shape), CL_SUCCESS);
    compare(shape, read<cl_ulong>(out, 40 * product(shape.global)));
    clReleaseMemObject(out);
  }
};
} // namespace

TEST_F(WorkGroupsTest, TheDeviceHasThem) {
  cl_bool has = CL_FALSE;
  EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof(has), &has, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(has, cl_bool(CL_TRUE));
}

TEST_F(WorkGroupsTest, WorkItemsKnowTheirPlaceAndTheSizes) {
  cl_program program = build(source, version);
  cl_kernel kernel = kernelOf(program, "told");
  for (const Shape &shape : shapes)
    runTold(kernel, shape);
  clReleaseKernel(kernel), clReleaseProgram(program);
}

TEST_F(WorkGroupsTest, BarriersAndCollectivesAreOfTheItemsThereAre) {
  cl_program program = build(source, version);
  cl_kernel kernel = kernelOf(program, "together");
  for (const Shape &shape : shapes) {
    size_t count = product(shape.global);
    std::vector<int> in(count);
    for (size_t i = 0; i < count; ++i)
      in[i] = int(i * 37 % 101) - 50;
    cl_mem from = bufferWith(in), out = bufferOf(4 * 8 * count);
    set(kernel, 0, from), set(kernel, 1, out);
    ASSERT_EQ(clSetKernelArg(kernel, 2, 4 * product(shape.local), nullptr), CL_SUCCESS);
    ASSERT_EQ(launch(kernel, shape), CL_SUCCESS);
    std::vector<int> got = read<int>(out, 8 * count);
    forItems(shape, [&](const Size3 &at) {
      Group group(shape, at);
      std::vector<int> all; // of its group, in the order of local numbers
      for (size_t z = 0; z < group.size[2]; ++z)
        for (size_t y = 0; y < group.size[1]; ++y)
          for (size_t x = 0; x < group.size[0]; ++x)
            all.push_back(
                in[linear({at[0] - group.item[0] + x, at[1] - group.item[1] + y, at[2] - group.item[2] + z},
                          shape.global)]);
      size_t here = linear(group.item, group.size);
      auto begin = all.begin(), mine = begin + long(here), warp = begin + long(here / 32 * 32);
      auto warpEnd = begin + long(std::min(all.size(), here / 32 * 32 + 32));
      bool some = std::count(begin, all.end(), 7),
           every = std::none_of(begin, all.end(), [](int x) { return x <= -50; });
      std::vector<int> want = {all[all.size() - 1 - here],
                               std::accumulate(begin, all.end(), 0),
                               std::accumulate(begin, mine + 1, 0),
                               here ? *std::max_element(begin, mine) : std::numeric_limits<int>::min(),
                               all.back(),
                               some * 2 + every,
                               std::accumulate(warp, warpEnd, 0),
                               *(warpEnd - 1)};
      auto first = got.begin() + long(8 * linear(at, shape.global));
      EXPECT_EQ(std::vector<int>(first, first + 8), want)
          << at[0] << ' ' << at[1] << ' ' << at[2] << " of " << shape.global[0] << ' ' << shape.global[1]
          << ' ' << shape.global[2] << " by " << shape.local[0] << ' ' << shape.local[1] << ' '
          << shape.local[2];
    });
    clReleaseMemObject(from), clReleaseMemObject(out);
  }
  clReleaseKernel(kernel), clReleaseProgram(program);
}

TEST_F(WorkGroupsTest, CopiesCountsAndPrintsOfAllGroups) {
  cl_program program = build(source, version);
  cl_kernel copied = kernelOf(program, "copied");
  std::vector<int> in(70), want(70);
  std::iota(in.begin(), in.end(), 0);
  for (int i = 0; i < 70; ++i) // groups from 0, 32 and 64 on, each the other way round
    want[size_t(i)] = i < 64 ? i / 32 * 32 + 31 - i % 32 : 64 + 69 - i;
  cl_mem from = bufferWith(in), out = bufferOf(4 * 70);
  set(copied, 0, from), set(copied, 1, out), clSetKernelArg(copied, 2, 4 * 32, nullptr);
  EXPECT_EQ(run(copied, 70, 32), CL_SUCCESS);
  EXPECT_EQ(read<int>(out, 70), want);
  cl_kernel counts = kernelOf(program, "counts");
  cl_mem count = bufferWith(std::vector<int>{5});
  set(counts, 0, count);
  EXPECT_EQ(launch(counts, {3, {13, 11, 9}, {4, 4, 4}, {0, 0, 0}}), CL_SUCCESS);
  EXPECT_EQ(read<int>(count, 1)[0], 5 + 13 * 11 * 9);
  EXPECT_EQ(run(counts, 1009), CL_SUCCESS); // a prime, by groups that the device chooses
  EXPECT_EQ(read<int>(count, 1)[0], 5 + 13 * 11 * 9 + 1009);
  cl_kernel says = kernelOf(program, "says");
  testing::internal::CaptureStdout();
  EXPECT_EQ(run(says, 21, 8), CL_SUCCESS);
  std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_EQ(printed, "8 of 0\n8 of 1\n5 of 2\n");
  for (cl_kernel kernel : {copied, counts, says})
    clReleaseKernel(kernel);
  for (cl_mem memory : {from, out, count})
    clReleaseMemObject(memory);
  clReleaseProgram(program);
}

TEST_F(WorkGroupsTest, ARequiredSizeIsThatOfWholeGroups) {
  cl_program program = build(source, version);
  cl_kernel kernel = kernelOf(program, "fixed");
  cl_mem out = bufferOf(4 * 21);
  set(kernel, 0, out);
  EXPECT_EQ(run(kernel, 21, 7), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(run(kernel, 21, 8), CL_SUCCESS);
  std::vector<int> want(21, 8);
  std::fill(want.begin() + 16, want.end(), 5);
  EXPECT_EQ(read<int>(out, 21), want);
  clReleaseMemObject(out), clReleaseKernel(kernel), clReleaseProgram(program);
}

TEST_F(WorkGroupsTest, AFaultOfTheLastGroupIsTheCommands) {
  cl_program program = build(source, version);
  cl_kernel kernel = kernelOf(program, "stops");
  cl_mem out = bufferOf(4 * 21);
  set(kernel, 0, out), set(kernel, 1, cl_ulong(1) << 40);
  size_t global = 19, local = 8;
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, &event),
            CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(run(kernel, 20, 8), CL_SUCCESS);
  clReleaseEvent(event), clReleaseMemObject(out), clReleaseKernel(kernel), clReleaseProgram(program);
}

TEST_F(WorkGroupsTest, ProgramsOfOneSizeRefuseThem) {
  const char *plain = "kernel void f(global int *out) { out[get_global_id(0)] = 1; }";
  for (const char *options :
       {"", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size"}) {
    cl_program program = build(plain, options);
    cl_kernel kernel = kernelOf(program, "f");
    cl_mem out = bufferOf(4 * 100);
    set(kernel, 0, out);
    EXPECT_EQ(run(kernel, 100, 32), CL_INVALID_WORK_GROUP_SIZE) << options;
    EXPECT_EQ(run(kernel, 96, 32), CL_SUCCESS) << options;
    EXPECT_EQ(run(kernel, 97), CL_SUCCESS) << options;
    clReleaseMemObject(out), clReleaseKernel(kernel), clReleaseProgram(program);
  }
}

// `whole` is a name in the device library, too: of its own.
TEST_F(WorkGroupsTest, LinkedProgramsAndBinariesHaveThemToo) {
  const char *asks = "size_t whole(uint d) { return get_enqueued_local_size(d); }";
  const char *fills = "size_t whole(uint d); kernel void f(global int *out) { out[get_global_id(0)] = "
                      "whole(0) * 100 + get_local_size(0); }";
  cl_program parts[2];
  for (int i = 0; i < 2; ++i) {
    const char *text = i ? fills : asks;
    parts[i] = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
    ASSERT_EQ(clCompileProgram(parts[i], 0, nullptr, version, 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS);
  }
  cl_program linked = clLinkProgram(context, 0, nullptr, "", 2, parts, nullptr, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS) << log(linked);
  size_t size = 0;
  clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr);
  std::vector<unsigned char> bytes(size);
  unsigned char *to = bytes.data();
  clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof(to), &to, nullptr);
  const unsigned char *from = bytes.data();
  cl_program loaded = clCreateProgramWithBinary(context, 1, &device, &size, &from, nullptr, &error);
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  for (cl_program program : {linked, loaded}) {
    cl_kernel kernel = kernelOf(program, "f");
    size_t length = 0;
    char attributes[100] = "?";
    EXPECT_EQ(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(attributes), attributes, &length),
              CL_SUCCESS);
    EXPECT_STREQ(attributes, ""); // the source has none
    cl_mem out = bufferOf(4 * 10);
    set(kernel, 0, out);
    EXPECT_EQ(run(kernel, 10, 8), CL_SUCCESS);
    EXPECT_EQ(read<int>(out, 10), (std::vector<int>{808, 808, 808, 808, 808, 808, 808, 808, 802, 802}));
    clReleaseMemObject(out), clReleaseKernel(kernel), clReleaseProgram(program);
  }
  clReleaseProgram(parts[0]), clReleaseProgram(parts[1]);
}
