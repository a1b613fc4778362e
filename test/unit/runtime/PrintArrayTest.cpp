#include "runtime/DataFile.h"
#include "test/unit/Support.h"

#include <cstring>
#include <limits>

using namespace leno;
using namespace leno::runtime;

namespace {

template <typename T>
Array arrayOf(ElementType type, std::vector<uint64_t> shape, const std::vector<T> &values) {
  Array array{type, std::move(shape), std::vector<uint8_t>(values.size() * sizeof(T))};
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

std::string printed(const Array &array, llvm::StringRef label = "") {
  std::string text;
  llvm::raw_string_ostream os(text);
  printArray(os, array, label);
  return text;
}

template <typename T> std::string element(ElementType type, T value) {
  return elementText(type, reinterpret_cast<const uint8_t *>(&value));
}

} // namespace

TEST(PrintArray, ElementsAreTheShortestTextThatReadsBack) {
  EXPECT_EQ(element(ElementType::F32, 0.1f), "0.1");
  EXPECT_EQ(element(ElementType::F64, 0.1), "0.1");
  EXPECT_EQ(element(ElementType::F32, -0.0f), "-0");
  EXPECT_EQ(element(ElementType::F32, std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(element(ElementType::F64, -std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(element(ElementType::F64, 5e-324), "5e-324");
  EXPECT_EQ(element(ElementType::F16, uint16_t(0x2e66)), "0.1"); // binary16 nearest to 0.1
  EXPECT_EQ(element(ElementType::F16, uint16_t(0x7bff)), "65504");
  EXPECT_EQ(element(ElementType::F16, uint16_t(0x0001)), "6e-08");
  EXPECT_EQ(element(ElementType::F16, uint16_t(0x8000)), "-0");
  EXPECT_EQ(element(ElementType::F16, uint16_t(0xfc00)), "-inf");
  EXPECT_EQ(element(ElementType::I8, int8_t(-128)), "-128");
  EXPECT_EQ(element(ElementType::U8, uint8_t(255)), "255");
  EXPECT_EQ(element(ElementType::I64, std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(element(ElementType::U64, std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(element(ElementType::Bool, uint8_t(1)), "1");
  EXPECT_EQ(element(ElementType::C64, std::pair(1.5f, -0.1f)), "1.5-0.1j");
  EXPECT_EQ(element(ElementType::C128, std::pair(0.1, 2.0)), "0.1+2j");
}

TEST(PrintArray, SmallArraysAreComplete) {
  EXPECT_EQ(printed(arrayOf<int32_t>(ElementType::I32, {2, 3}, {1, -2, 3, 40, 5, 6}), "c"),
            "c: i32[2,3]\n"
            "  [0,0]   1  -2   3\n"
            "  [1,0]  40   5   6\n");
  EXPECT_EQ(printed(arrayOf<float>(ElementType::F32, {}, {2.5f})), "f32[]\n  2.5\n");
  EXPECT_EQ(printed(Array{ElementType::F32, {0, 4}, {}}), "f32[0,4]\n");
}

TEST(PrintArray, LongRowsWrapWithTheIndexOfTheirFirstElement) {
  std::vector<uint32_t> values(1000, 7);
  std::string text = printed(arrayOf(ElementType::U32, {1000}, values));
  EXPECT_HOLDS(text, "\n  [  0]  7  7");
  EXPECT_HOLDS(text, "\n  [ 31]  7  7");
  EXPECT_EQ(llvm::StringRef(text).count("7  7") > 0, true);
  for (llvm::StringRef rest = text; !rest.empty(); rest = rest.split('\n').second)
    EXPECT_LE(rest.split('\n').first.size(), 100u);
  size_t shown = 0;
  for (llvm::StringRef rest = llvm::StringRef(text).split('\n').second; !rest.empty();
       rest = rest.split('\n').second)
    shown += rest.split('\n').first.split(']').second.count('7');
  EXPECT_EQ(shown, 1000u);
}

TEST(PrintArray, LargeArraysShowTheFirstAndLastThreeOfEveryDimension) {
  std::vector<uint16_t> values(2000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i;
  EXPECT_EQ(printed(arrayOf(ElementType::U16, {500, 4}, values)), "u16[500,4]\n"
                                                                  "  [  0,0]     0     1     2     3\n"
                                                                  "  [  1,0]     4     5     6     7\n"
                                                                  "  [  2,0]     8     9    10    11\n"
                                                                  "  ...\n"
                                                                  "  [497,0]  1988  1989  1990  1991\n"
                                                                  "  [498,0]  1992  1993  1994  1995\n"
                                                                  "  [499,0]  1996  1997  1998  1999\n");
  EXPECT_EQ(printed(arrayOf(ElementType::U16, {2000}, values)),
            "u16[2000]\n  [   0]     0     1     2  ...  1997  1998  1999\n");
  EXPECT_EQ(llvm::StringRef(printed(arrayOf(ElementType::U16, {2, 1000}, values))).count("..."), 2u);
}
