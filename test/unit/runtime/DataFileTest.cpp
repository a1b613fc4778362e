#include "runtime/DataFile.h"
#include "test/unit/Support.h"

#include <sys/stat.h>

using namespace leno;
using namespace leno::runtime;
using leno::test::textOf;

class DataFile : public leno::test::InDirectory {
protected:
  DataName named(const std::string &file) const { return llvm::cantFail(outputName(path(file))); }
};

TEST_F(DataFile, RawBytesAreU8) {
  auto array = readArray(write("a.bin", llvm::StringRef("a\0b", 3)));
  ASSERT_TRUE(bool(array)) << textOf(std::move(array));
  EXPECT_EQ(array->type, ElementType::U8);
  EXPECT_EQ(array->shape, std::vector<uint64_t>{3});
  EXPECT_EQ(array->bytes, (std::vector<uint8_t>{'a', 0, 'b'}));
}

TEST_F(DataFile, EmptyRawFileIsAnEmptyArray) {
  auto array = readArray(write("a.bin", ""));
  ASSERT_TRUE(bool(array)) << textOf(std::move(array));
  EXPECT_EQ(array->shape, std::vector<uint64_t>{0});
}

TEST_F(DataFile, UnreadableInputsAreNamed) {
  mkdir(path("d.npy").c_str(), 0777);
  EXPECT_HOLDS(textOf(readArray(path("missing.npy"))), "missing.npy': No such file or directory");
  EXPECT_HOLDS(textOf(readArray(path("d.npy"))), "it is a directory");
  EXPECT_HOLDS(textOf(readArray(write("a.png", "x"))), "unknown ending '.png': use .npy, .pgm, .ppm, .csv, .txt, .bin");
  EXPECT_HOLDS(textOf(readArray("print:")), "print: is an output");
}

TEST_F(DataFile, FilesAboveTheLimitAreRefusedUnread) {
  EXPECT_HOLDS(textOf(readArray(write("a.bin", "12345"), 4)), "more than 4 bytes");
  EXPECT_EQ(textOf(readArray(path("a.bin"), 5)), "success");
  // A sparse file of 1 TiB: no such allocation may be tried.
  ASSERT_EQ(truncate(path("a.bin").c_str(), off_t(1) << 40), 0);
  EXPECT_HOLDS(textOf(readArray(path("a.bin"))), "more than 4294967296 bytes");
}

TEST_F(DataFile, EndlessDeviceStopsAtTheLimit) {
  EXPECT_HOLDS(textOf(readArray("/dev/zero", 100000)), "more than 100000 bytes");
}

TEST_F(DataFile, OutputsAreWrittenTogether) {
  Array image{ElementType::U8, {1, 2}, {1, 2}};
  ASSERT_EQ(textOf(writeOutputs(
                {{named("a.pgm"), &image, ""}, {named("a.npy"), &image, ""}, {named("a.bin"), &image, ""}})),
            "success");
  EXPECT_EQ(read("a.pgm"), "P5\n2 1\n255\n\x01\x02");
  EXPECT_EQ(read("a.bin"), "\x01\x02");
  auto back = readArray(path("a.npy"));
  ASSERT_TRUE(bool(back)) << textOf(std::move(back));
  EXPECT_EQ(back->shape, image.shape);
  EXPECT_EQ(fileCount(), 3u);
}

TEST_F(DataFile, OneBadOutputLeavesAllOthersUnwritten) {
  Array image{ElementType::U8, {1, 2}, {1, 2}}, vector{ElementType::F32, {1}, {0, 0, 0, 0}};
  EXPECT_HOLDS(textOf(writeOutputs({{named("a.npy"), &image, ""}, {named("b.pgm"), &vector, ""}})),
               "use .npy");
  EXPECT_HOLDS(textOf(writeOutputs({{named("a.npy"), &image, ""}, {named("none/b.npy"), &vector, ""}})),
               "no directory");
  EXPECT_HOLDS(textOf(writeOutputs({{named("a.bin"), &image, ""}, {*outputName("/dev/full"), &vector, ""}})),
               "No space left");
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(DataFile, CheckFindsBadOutputsAndWritesNothing) {
  Array image{ElementType::U8, {1, 2}, {}}; // not computed yet
  EXPECT_EQ(textOf(checkOutputs({{named("a.pgm"), &image, ""}, {*outputName("print:"), &image, ""}})),
            "success");
  EXPECT_HOLDS(textOf(checkOutputs({{named("a.ppm"), &image, ""}})), "name it .pgm");
  EXPECT_HOLDS(textOf(checkOutputs({{named("none/a.pgm"), &image, ""}})), "no directory");
  EXPECT_HOLDS(textOf(checkOutputs({{named("a.npy"), &image, ""}, {named("a.npy"), &image, ""}})),
               "same file");
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(DataFile, PrintGoesToStandardOutput) {
  Array image{ElementType::U8, {2}, {1, 2}};
  testing::internal::CaptureStdout();
  std::string error = textOf(writeOutputs({{*outputName("print:"), &image, "c"}}));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "c: u8[2]\n  [0]  1  2\n");
  EXPECT_EQ(error, "success");
}

// numpy itself, where the machine has it: the reader and the writer against the format's owner.
TEST_F(DataFile, NumpyWritesWhatWeReadAndReadsWhatWeWrite) {
  const char *python = "/usr/bin/python3";
  if (std::system((std::string(python) + " -c 'import numpy' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "no numpy here";
  std::string script = write("t.py", R"(
import sys, numpy as np, numpy.lib.format as f
d = sys.argv[1]
codes = ['u1','i1','<u2','>i2','<u4','>i4','<u8','>i8','<f2','>f2','<f4','>f4','<f8','>f8','?','<c8','>c16']
if sys.argv[2] == 'write':
    for i, c in enumerate(codes):
        a = (np.arange(24).reshape(2, 3, 4) - 5).astype(c)
        if a.dtype.kind == 'c':
            a += 1j * np.arange(24).reshape(2, 3, 4)
        if i % 2:
            a = np.asfortranarray(a)
        with open(f'{d}/n{i}.npy', 'wb') as o:
            f.write_array(o, a, version=(i % 3 + 1, 0))
else:
    for i, c in enumerate(codes):
        a, b = np.load(f'{d}/n{i}.npy'), np.load(f'{d}/w{i}.npy')
        assert a.shape == b.shape and (a == b).all(), c
        assert a.dtype.newbyteorder('=') == b.dtype, c
)");
  std::string command = std::string(python) + " " + script + " " + directory;
  ASSERT_EQ(std::system((command + " write").c_str()), 0);
  for (int i = 0; i < 17; ++i) {
    std::string name = std::to_string(i) + ".npy";
    auto array = readArray(path("n" + name));
    ASSERT_TRUE(bool(array)) << textOf(std::move(array));
    EXPECT_EQ(array->shape, (std::vector<uint64_t>{2, 3, 4}));
    ASSERT_EQ(textOf(writeOutputs({{named("w" + name), &*array, ""}})), "success");
  }
  EXPECT_EQ(std::system((command + " check").c_str()), 0);
}
