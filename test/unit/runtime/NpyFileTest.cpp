// Expected bytes follow numpy's own format document (numpy.lib.format, NEP 1), written out by hand.
#include "runtime/DataFile.h"
#include "test/unit/Support.h"

#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace leno;
using namespace leno::runtime;
using leno::test::bytesOf;
using leno::test::textOf;

namespace {

std::string npy(const std::string &header, const std::string &data, int major = 1, long length = -1) {
  std::string file = "\x93NUMPY";
  file += char(major);
  file += '\0';
  uint64_t size = length < 0 ? header.size() : uint64_t(length);
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    file += char(size >> (8 * i));
  return file + header + data;
}

std::string header(const std::string &descr, const std::string &shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

llvm::Expected<Array> parse(const std::string &file) { return parseNpy("a.npy", bytesOf(file)); }

} // namespace

TEST(NpyFile, ReadsEveryVersion) {
  for (int major : {1, 2, 3}) {
    auto array = parse(npy(header("<u2", "(2,)"), std::string("\x01\x02\x03\x04", 4), major));
    ASSERT_TRUE(bool(array)) << textOf(std::move(array));
    EXPECT_EQ(array->type, ElementType::U16);
    EXPECT_EQ(array->shape, std::vector<uint64_t>{2});
    EXPECT_EQ(array->bytes, bytesOf("\x01\x02\x03\x04"));
  }
}

TEST(NpyFile, ReadsEveryTypeAndSwapsBigEndian) {
  const struct {
    const char *descr;
    ElementType type;
    bool swapped;
  } rows[] = {
      {"|i1", ElementType::I8, false},    {"|u1", ElementType::U8, false},  {"|b1", ElementType::Bool, false},
      {"<i2", ElementType::I16, false},   {">i2", ElementType::I16, true},  {"<u2", ElementType::U16, false},
      {">u2", ElementType::U16, true},    {"<i4", ElementType::I32, false}, {">i4", ElementType::I32, true},
      {"<u4", ElementType::U32, false},   {">u4", ElementType::U32, true},  {"<i8", ElementType::I64, false},
      {">i8", ElementType::I64, true},    {"<u8", ElementType::U64, false}, {">u8", ElementType::U64, true},
      {"<f2", ElementType::F16, false},   {">f2", ElementType::F16, true},  {"<f4", ElementType::F32, false},
      {">f4", ElementType::F32, true},    {"<f8", ElementType::F64, false}, {">f8", ElementType::F64, true},
      {"=f4", ElementType::F32, false},   {"<u1", ElementType::U8, false},  {">b1", ElementType::Bool, true},
      {"u1", ElementType::U8, false},     {"<c8", ElementType::C64, false}, {">c8", ElementType::C64, true},
      {"<c16", ElementType::C128, false}, {">c16", ElementType::C128, true}};
  for (const auto &row : rows) {
    unsigned size = info(row.type).size;
    std::string data;
    for (unsigned i = 0; i < 2 * size; ++i)
      data += char(i + 1);
    auto array = parse(npy(header(row.descr, "(2, 1)"), data));
    ASSERT_TRUE(bool(array)) << row.descr << textOf(std::move(array));
    EXPECT_EQ(array->type, row.type) << row.descr;
    unsigned part =
        info(row.type).partSize(); // the parts of a complex number are swapped, and stay where they are
    for (unsigned i = 0; i < 2 * size; ++i)
      EXPECT_EQ(array->bytes[i], i / part * part + (row.swapped ? part - 1 - i % part : i % part) + 1)
          << row.descr;
  }
}

TEST(NpyFile, ReadsOddButLegalHeaders) {
  const struct {
    const char *header;
    std::vector<uint64_t> shape;
    size_t bytes;
  } rows[] = {
      {"{'descr': '|u1', 'fortran_order': False, 'shape': ()}", {}, 1},
      {"{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"|u1\"}", {2, 3}, 6},
      {"{ 'shape' : ( 2 , 3 , ) , 'descr' : '|u1' , 'fortran_order' : False , }   \n", {2, 3}, 6},
      {"{'descr': '|u1', 'fortran_order': False, 'shape': (2L, 1L)}", {2, 1}, 2},
      {"{'descr': '|u1', 'fortran_order': False, 'shape': (0, 18446744073709551615)}", {0, UINT64_MAX}, 0}};
  for (const auto &row : rows) {
    auto array = parse(npy(row.header, std::string(row.bytes, 'x')));
    ASSERT_TRUE(bool(array)) << row.header << textOf(std::move(array));
    EXPECT_EQ(array->shape, row.shape);
    EXPECT_EQ(array->bytes.size(), row.bytes);
  }
}

TEST(NpyFile, MalformedFilesAreNamedWithTheirOffset) {
  const std::string four(4, 'x');
  const struct {
    std::string file, part;
  } rows[] = {
      {"", "offset 0: not a .npy file"},
      {"P5 1 1 255\nx", "offset 0: not a .npy file"},
      {std::string("\x93NUMPY\x01", 7), "offset 7: the file ends inside its first 10 bytes"},
      {npy(header("<f4", "(1,)"), four, 4), "offset 6: format version 4.0 is not known"},
      {std::string("\x93NUMPY\x02\0\x01\0", 10), "offset 10: the file ends inside the length of its header"},
      {npy("{}", "", 1, 60000),
       "offset 8: the header is said to be 60000 bytes long, but the file ends after 2"},
      {npy("{}", "", 2, 0xffffffff), "offset 8: the header is said to be 4294967295 bytes long"},
      {npy("", ""), "offset 10: expected '{' at the start of the header, found the end of the header"},
      {npy("[1]", ""), "offset 10: expected '{' at the start of the header, found '[1]'"},
      {npy("{}", ""), "the header lacks the key 'descr'"},
      {npy("{'descr': '<f4', 'shape': (1,)}", four), "the header lacks the key 'fortran_order'"},
      {npy("{'descr': '<f4', 'fortran_order': False}", four), "the header lacks the key 'shape'"},
      {npy("{'descr': '<f4', 'descr': '<f4'}", four), "offset 27: the key 'descr' stands twice"},
      {npy("{'shape': (1,), 'shape': (1,)}", four), "the key 'shape' stands twice"},
      {npy("{'color': 1}", four), "offset 11: unknown key"},
      {npy("{descr: 1}", four), "expected a key in quotes, found 'descr: 1}'"},
      {npy("{'descr' '<f4'}", four), "expected ':' after the key"},
      {npy("{'descr': '<f4", four), "a string without its closing quote"},
      {npy("{'descr': '<f4' 'shape': (1,)}", four), "expected ',' or '}' in the header"},
      {npy("{'descr': [('x', '<f4')], 'shape': (1,)}", four), "structured dtype"},
      {npy(header("<c32", "(1,)"), four), "offset 20: dtype '<c32' is not supported"},
      {npy(header("<c32", "(1,)"), four), "a.astype('<c16')"}, // keeps the imaginary part
      {npy(header("<M8[ns]", "(1,)"), four), "a.view('<i8')"},
      {npy(header("<f16", "(1,)"), four), "a.astype('<f8')"},
      {npy(header("|O", "(1,)"), four), "dtype '|O' is not supported"},
      {npy(header("|f4", "(1,)"), four), "dtype '|f4' is not supported"},
      {npy(header("", "(1,)"), four), "dtype '' is not supported"},
      {npy("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", four), "expected True or False"},
      {npy(header("<f4", "[1]"), four), "expected the shape in parentheses"},
      {npy(header("<f4", "(1"), four), "expected a dimension or ')' in the shape, found '}"},
      {npy(header("<f4", "(1)"), four), "expected ',' after the only dimension, as in (1,)"},
      {npy(header("<f4", "(,)"), four), "expected a dimension or ')' in the shape"},
      {npy(header("<f4", "(1,,1)"), four), "expected a dimension or ')' in the shape"},
      {npy(header("<f4", "(1, 1 1)"), four), "expected ',' or ')' in the shape"},
      {npy(header("<f4", "(-1,)"), four), "expected a dimension or ')' in the shape, found '-1,)"},
      {npy(header("<f4", "(1, 2"), four), "expected a dimension or ')' in the shape, found '}"},
      {npy("{'shape': (1, 2", four), "found the end of the header"},
      {npy(header("<f4", "(18446744073709551616,)"), four), "does not fit 64 bits"},
      {npy(header("<f4", "(4611686018427387904,)"), four), "passes 64 bits"},
      {npy(header("<f4", "(4294967296, 4294967296)"), four), "passes 64 bits"},
      {npy(header("<f4", "(1099511627776,)"), four), "takes 4398046511104 bytes, but only 4 follow"},
      {npy(header("<f4", "(2,)"), four),
       "f32[2] takes 8 bytes, but only 4 follow the header; the file is truncated"},
      {npy(header("<f4", "()"), four + "yz"), "2 bytes follow the 4 bytes of f32[]"},
      {npy(header("<f4", "(1,)") + "x", four), "expected spaces up to the end of the header, found 'x'"},
      {npy("{'descr': '|u1', 'fortran_order': False, 'shape': (" +
               llvm::join(std::vector<std::string>(65, "1"), ",") + ")}",
           "x"),
       "more than 64 dimensions"},
  };
  for (const auto &row : rows) {
    std::string text = textOf(parse(row.file));
    EXPECT_TRUE(llvm::StringRef(text).starts_with("a.npy: offset ")) << text;
    EXPECT_HOLDS(text, row.part);
  }
}

TEST(NpyFile, EveryTruncationIsAnError) {
  std::string file = npy(header("<f4", "(2, 2)"), std::string(16, 'x'));
  ASSERT_EQ(textOf(parse(file)), "success");
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(textOf(parse(file.substr(0, size))), "success") << size;
}

TEST(NpyFile, WritesVersion1AsNumpyDoes) {
  Array array{ElementType::F32, {2, 1}, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}};
  std::string file;
  llvm::raw_string_ostream os(file);
  ASSERT_EQ(textOf(writeArray(os, FileFormat::Npy, array)), "success");
  // numpy.save of numpy.array([[1], [-2]], 'f4'): a header of 118 bytes, so that the data start at 128.
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }";
  std::string expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text +
                         std::string(117 - text.size(), ' ') + "\n" +
                         std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);
  EXPECT_EQ(file, expected);
}

TEST(NpyFile, RoundTripsEveryTypeAndRank) {
  for (const ElementInfo &element : elementTypes())
    for (const std::vector<uint64_t> &shape : {std::vector<uint64_t>{},
                                               {1},
                                               {5},
                                               {0},
                                               {2, 3},
                                               {2, 0, 3},
                                               {1, 2, 3, 4},
                                               std::vector<uint64_t>(64, 1)}) {
      Array array{element.type, shape, {}};
      for (uint64_t i = 0; i < *byteCount(element.type, shape); ++i)
        array.bytes.push_back(i * 37 + 1);
      std::string file;
      llvm::raw_string_ostream os(file);
      ASSERT_EQ(textOf(writeArray(os, FileFormat::Npy, array)), "success");
      EXPECT_EQ((file.size() - array.bytes.size()) % 64, 0u);
      auto back = parse(file);
      ASSERT_TRUE(bool(back)) << textOf(std::move(back));
      EXPECT_EQ(back->type, array.type);
      EXPECT_EQ(back->shape, array.shape);
      EXPECT_EQ(back->bytes, array.bytes);
    }
}
