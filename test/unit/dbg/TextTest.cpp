#include "Support.h"
#include "dbg/Focus.h"

namespace leno::dbg {
namespace {

TEST(LaneText, MasksAreRanges) {
  EXPECT_EQ(describeLanes(allLanes), "lanes 0-31");
  EXPECT_EQ(describeLanes(0x000100ff), "lanes 0-7,16");
  EXPECT_EQ(describeLanes(0x80000000), "lane 31");
  EXPECT_EQ(describeLanes(0x3), "lanes 0-1");
  EXPECT_EQ(describeLanes(0), "no lanes");
}

TEST(IndexText, OneTwoOrThreeCoordinates) {
  EXPECT_EQ(*parseIndex("3"), (Dim3{3, 0, 0}));
  EXPECT_EQ(*parseIndex("1,2"), (Dim3{1, 2, 0}));
  EXPECT_EQ(*parseIndex(" (1, 2, 3) "), (Dim3{1, 2, 3}));
  EXPECT_EQ(errorOf(parseIndex("1,x").takeError()), "2: expected an index such as 3, 3,1 or 3,1,0");
  EXPECT_EQ(errorOf(parseIndex("1,2,3,4").takeError()), "6: an index has at most three coordinates: X,Y,Z");
}

TEST(TableText, ColumnsLineUpWithoutTrailingBlanks) {
  Table table({"A", "Long", "C"});
  table.row({"wide", "x", ""});
  std::string text;
  llvm::raw_string_ostream os(text);
  table.print(os);
  EXPECT_EQ(text, "A     Long  C\nwide  x\n");
}

TEST(ErrorText, TheCaretStandsUnderTheColumn) {
  std::string text = toString(textError("R3 +", 4, "expected a value"));
  EXPECT_EQ(text, "expected a value\n  R3 +\n      ^");
}

} // namespace
} // namespace leno::dbg
