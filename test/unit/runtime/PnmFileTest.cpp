// The format is netpbm's pgm(5) and ppm(5).
#include "runtime/DataFile.h"
#include "test/unit/Support.h"

using namespace leno;
using namespace leno::runtime;
using leno::test::bytesOf;
using leno::test::textOf;

static llvm::Expected<Array> parse(const std::string &file) { return parsePnm("a.pgm", bytesOf(file)); }

TEST(PnmFile, ReadsGreyAndColourAsTextAndBytes) {
  const struct {
    const char *file;
    std::vector<uint64_t> shape;
    std::vector<uint8_t> bytes;
  } rows[] = {
      {"P2 3 2 255 1 2 3 4 5 6", {2, 3}, {1, 2, 3, 4, 5, 6}},
      {"P2\n# a comment\n3 # width\n2\n255\n1 2 3\n# rows\n4 5 6\n", {2, 3}, {1, 2, 3, 4, 5, 6}},
      {"P5\n2 1\n255\nAB", {1, 2}, {'A', 'B'}},
      {"P5 2 1 255\n\nB", {1, 2}, {'\n', 'B'}},
      {"P5\n#c\n2#d\n1\n255#e\nAB", {1, 2}, {'A', 'B'}},
      {"P3 1 1 255 7 8 9", {1, 1, 3}, {7, 8, 9}},
      {"P6 1 2 255 abcdef", {2, 1, 3}, {'a', 'b', 'c', 'd', 'e', 'f'}},
      {"P2 3 1 1 0 1 0", {1, 3}, {0, 255, 0}},           // scaled to 0..255
      {"P2 4 1 15 0 1 7 15", {1, 4}, {0, 17, 119, 255}}, // 255 / 15 = 17
      {"P5 2 1 100 \x01\x64", {1, 2}, {3, 255}},         // 2.55 rounds to 3
  };
  for (const auto &row : rows) {
    auto image = parse(row.file);
    ASSERT_TRUE(bool(image)) << row.file << ": " << textOf(std::move(image));
    EXPECT_EQ(image->type, ElementType::U8);
    EXPECT_EQ(image->shape, row.shape) << row.file;
    EXPECT_EQ(image->bytes, row.bytes) << row.file;
  }
}

TEST(PnmFile, MalformedImagesAreNamedWithLineAndColumn) {
  const struct {
    const char *file, *place, *part;
  } rows[] = {
      {"", "1:1", "not a .pgm or .ppm image"},
      {"GIF89a", "1:1", "not a .pgm or .ppm image"},
      {"P4 8 1 x", "1:1", "P4 (bitmap) is not supported"},
      {"P7\nWIDTH 1", "1:1", "P7 (pam) is not supported"},
      {"P55 1 255 x", "1:3", "expected a space"},
      {"P5", "1:3", "expected the width, found the end of the file"},
      {"P5\n12", "2:3", "expected the height"},
      {"P5\n12 x", "2:4", "expected the height as a decimal number, found 'x'"},
      {"P5\n12 1\n", "3:1", "expected the largest value"},
      {"P5\n-1 1\n255\n", "2:1", "expected the width as a decimal number, found '-'"},
      {"P5\n0 1\n255\n", "2:1", "the width is 0"},
      {"P5\n1 1\n0\n", "3:1", "the largest value is 0"},
      {"P5\n1 1\n65535\nxx", "3:1", "more than 8 bits"},
      {"P5\n99999999999999999999 1\n255\n", "2:1", "the width does not fit 64 bits"},
      {"P6\n4294967296 4294967296\n255\n", "1:3", "pass 64 bits"},
      {"P6\n4294967295 4294967295\n255\n", "1:3", "pass 64 bits"},
      {"P5\n1000000 1000000\n255\nx", "4:2", "take 1000000000000 bytes, but only 1 follow"},
      {"P2\n1000000 1000000\n255\n1", "4:2", "need 1000000000000 samples, but the file has room for 1"},
      {"P5\n2 1\n255\nx", "4:2", "2 x 1 pixels take 2 bytes, but only 1 follow the header"},
      {"P5\n2 1\n255\nxyz", "4:3", "1 bytes follow the 2 x 1 pixels"},
      {"P5\n2 1\n255", "3:4", "only 0 follow"},
      {"P5 2 1 10 \x01\x0b", "1:12", "the sample 11 is above the largest value 10"},
      {"P2\n2 1\n255\n1 256", "4:3", "the sample 256 is above the largest value 255"},
      {"P2\n2 1\n255\n1 2x", "4:4", "expected sample 2 of 2 as a decimal number, found 'x'"},
      {"P2\n2 1\n255\n1 2 3", "4:5", "more text follows the 2 samples"},
      {"P3\n1 1\n255\n1  2 ", "4:6", "expected sample 3 of 3, found the end of the file"},
  };
  for (const auto &row : rows) {
    std::string text = textOf(parse(row.file));
    EXPECT_TRUE(llvm::StringRef(text).starts_with("a.pgm:" + std::string(row.place) + ": "))
        << text << " " << row.place;
    EXPECT_HOLDS(text, row.part);
  }
}

TEST(PnmFile, WritesWhatItReads) {
  for (bool colour : {false, true}) {
    Array image{ElementType::U8, {2, 3}, {}};
    if (colour)
      image.shape.push_back(3);
    for (size_t i = 0; i < (colour ? 18 : 6); ++i)
      image.bytes.push_back(i * 13 + 10); // starts with a new line: only one white space ends a header
    std::string file;
    llvm::raw_string_ostream os(file);
    ASSERT_EQ(textOf(writeArray(os, colour ? FileFormat::Ppm : FileFormat::Pgm, image)), "success");
    EXPECT_TRUE(llvm::StringRef(file).starts_with(colour ? "P6\n3 2\n255\n\n" : "P5\n3 2\n255\n\n")) << file;
    auto back = parse(file);
    ASSERT_TRUE(bool(back)) << textOf(std::move(back));
    EXPECT_EQ(back->shape, image.shape);
    EXPECT_EQ(back->bytes, image.bytes);
  }
}

TEST(PnmFile, OnlyImagesGoIntoImageFiles) {
  const struct {
    const char *path;
    ElementType type;
    std::vector<uint64_t> shape;
    const char *part;
  } rows[] = {{"a.pgm", ElementType::F32, {4, 4}, "holds u8[height,width], not f32[4,4]: use .npy"},
              {"a.pgm", ElementType::U8, {4}, "not u8[4]: use .npy"},
              {"a.pgm", ElementType::U8, {4, 4, 3}, "name it .ppm"},
              {"a.ppm", ElementType::U8, {4, 4}, "name it .pgm"},
              {"a.ppm", ElementType::U8, {4, 4, 4}, "holds u8[height,width,3], not u8[4,4,4]: use .npy"},
              {"a.PGM", ElementType::U8, {0, 4}, "use .npy"},
              {"a.pgm", ElementType::U8, {4, 4}, "success"},
              {"a.ppm", ElementType::U8, {4, 4, 3}, "success"},
              {"a.npy", ElementType::F16, {}, "success"},
              {"print:", ElementType::I64, {3}, "success"},
              {"a.bin", ElementType::I64, {3}, "success"},
              {"a.csv", ElementType::F32, {4, 4}, "success"},
              {"a.txt", ElementType::F32, {4, 4, 4}, "no place for f32[4,4,4]: use .npy"},
              {"pgm:a.dat", ElementType::F32, {4, 4}, "holds u8[height,width], not f32[4,4]: use .npy"},
              {"-", ElementType::F32, {4, 4}, "success"},
              {"a.png", ElementType::U8, {4, 4}, "unknown ending '.png': use .npy"},
              {"a", ElementType::U8, {4, 4}, "has no ending"}};
  for (const auto &row : rows)
    if (auto name = outputName(row.path))
      EXPECT_HOLDS(textOf(checkOutputFormat(name->format, row.type, row.shape)), row.part);
    else
      EXPECT_HOLDS(llvm::toString(name.takeError()), row.part);
}
