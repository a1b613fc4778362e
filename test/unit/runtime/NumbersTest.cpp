#include "asm/support/Numbers.h"
#include "test/unit/Support.h"

using leno::scanInteger;
using leno::ScannedInteger;

TEST(Numbers, EveryRadixAndSign) {
  const struct {
    const char *text;
    bool negative;
    uint64_t magnitude;
  } rows[] = {{"0", false, 0},
              {"12", false, 12},
              {"+7", false, 7},
              {"-3", true, 3},
              {"0x1F", false, 31},
              {"-0X10", true, 16},
              {"0b101", false, 5},
              {"0o17", false, 15},
              {"18446744073709551615", false, UINT64_MAX},
              {"0xffffffffffffffff", false, UINT64_MAX}};
  for (const auto &row : rows) {
    ScannedInteger scanned = scanInteger(row.text);
    EXPECT_EQ(scanned.status, ScannedInteger::Ok) << row.text;
    EXPECT_EQ(scanned.negative, row.negative) << row.text;
    EXPECT_EQ(scanned.magnitude, row.magnitude) << row.text;
  }
}

TEST(Numbers, MalformedTextNamesTheColumn) {
  const struct {
    const char *text;
    size_t column;
    const char *part;
  } rows[] = {{"", 0, "expected an integer"},
              {"-", 1, "expected an integer"},
              {"0x", 2, "expected an integer"},
              {"12a", 2, "'a'"},
              {"0b12", 3, "base 2"},
              {"0o8", 2, "base 8"},
              {"010", 0, "0o10"},
              {"007", 0, "0o7"},
              {" 1", 0, "' '"},
              {"--1", 1, "'-'"},
              {"1KiB", 1, "'K'"}};
  for (const auto &row : rows) {
    ScannedInteger scanned = scanInteger(row.text);
    EXPECT_EQ(scanned.status, ScannedInteger::Malformed) << row.text;
    EXPECT_EQ(scanned.column, row.column) << row.text;
    EXPECT_HOLDS(scanned.message, row.part);
  }
}

TEST(Numbers, MoreThan64BitsIsTooLargeNotWrapped) {
  for (const char *text : {"18446744073709551616", "0x10000000000000000", "99999999999999999999999999"})
    EXPECT_EQ(scanInteger(text).status, ScannedInteger::TooLarge) << text;
}

TEST(Numbers, ByteUnits) {
  EXPECT_EQ(scanInteger("48KiB", true).magnitude, 49152u);
  EXPECT_EQ(scanInteger("1GiB", true).magnitude, 1u << 30);
  EXPECT_EQ(scanInteger("99999999999GiB", true).status, ScannedInteger::TooLarge);
  EXPECT_EQ(scanInteger("KiB", true).status, ScannedInteger::Malformed);
}
