// Expected texts are worked out by hand, and by what C's printf is known to give.
#include "OpenCLTest.h"
#include "runtime/opencl/Printf.h"

using leno::opencl::printed;

static std::string text(std::string_view format, std::vector<std::uint64_t> words) {
  return printed(format, words, [](std::uint64_t address) { return "at " + std::to_string(address); });
}

TEST(Printf, NumbersAreAsWideAsTheFormatSays) {
  EXPECT_EQ(text("%d %i %u\n", {0xffffffff, 5, 0xffffffff}), "-1 5 4294967295\n");
  EXPECT_EQ(text("%hhd %hu %ld", {0x80, 0x1ffff, ~std::uint64_t(1)}), "-128 65535 -2");
  EXPECT_EQ(text("[%5d|%-5d|%05d|%+d]", {42, 42, 42, 42}), "[   42|42   |00042|+42]");
  EXPECT_EQ(text("%x %#X %o %c%%", {255, 255, 8, 'z'}), "ff 0XFF 10 z%");
}

TEST(Printf, FloatsVectorsAndStrings) {
  auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  EXPECT_EQ(text("%f %.2e %g %a", {bits(1.5), bits(12345), bits(0.0001), bits(1)}), "1.500000 1.23e+04 0.0001 0x1p+0");
  EXPECT_EQ(text("%v4hld;", {1, 2, 0xffffffff, 4}), "1,2,-1,4;");
  EXPECT_EQ(text("%2.1v2hlf", {bits(0.25), bits(-3)}), "0.2,-3.0");
  EXPECT_EQ(text("<%s>", {77}), "<at 77>");
  EXPECT_EQ(text("%d %d", {1}), "1 0"); // what is missing is 0
  EXPECT_EQ(text("%q %", {}), "%q %");
}

TEST_F(OpenCLTest, KernelsPrint) {
  cl_program program = build("__kernel void say(int n, float4 v) {\n"
                             "  if (get_global_id(0) == 1)\n"
                             "    printf(\"%s %d: %v4hlf, %ld\\n\", \"item\", n + (int)get_global_id(0), v, -5L);\n"
                             "}\n",
                             "-cl-std=CL3.0");
  cl_kernel kernel = kernelOf(program, "say");
  set(kernel, 0, 41);
  set(kernel, 1, cl_float4{{1, 2.5f, -3, 0}});
  testing::internal::CaptureStdout();
  EXPECT_EQ(run(kernel, 64), CL_SUCCESS);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "item 42: 1.000000,2.500000,-3.000000,0.000000, -5\n");
  clReleaseKernel(kernel), clReleaseProgram(program);
}
