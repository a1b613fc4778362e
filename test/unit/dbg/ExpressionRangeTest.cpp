// Ranges of lanes and elements, names of registers, generic addresses, variables.
#include "Support.h"

namespace leno::dbg {
namespace {

class ExpressionRanges : public testing::Test {
protected:
  FakeContext context;

  std::string all(llvm::StringRef text) {
    auto expression = Expression::parse(text);
    if (!expression)
      return errorOf(expression.takeError());
    auto values = expression->evaluateAll(context);
    if (!values)
      return errorOf(values.takeError());
    std::string result;
    for (const Value &value : *values)
      result += (result.empty() ? "" : " ") + formatValue(value, value.type == ValueType::Word ? 'd' : 0,
                                                          [](u64) { return std::string(); });
    return result;
  }
  std::string eval(llvm::StringRef text) {
    auto expression = Expression::parse(text);
    if (!expression)
      return errorOf(expression.takeError());
    auto value = expression->evaluate(context);
    return value ? std::to_string(value->bits) : errorOf(value.takeError());
  }
  std::string set(llvm::StringRef text) {
    auto assignment = Assignment::parse(text);
    return errorOf(assignment ? assignment->perform(context) : assignment.takeError());
  }
};

TEST_F(ExpressionRanges, OfLanes) {
  EXPECT_EQ(all("R1[5:8]"), "105 106 107 108");
  EXPECT_EQ(all("R1[5:5]"), "105");
  EXPECT_EQ(all("P0[2:5]"), "true true false false"); // 0x0000000f
  EXPECT_EQ(all("SR_TID.X[0:2]"), "64 65 66");
  context.active = 0x00000011;
  EXPECT_EQ(all("R2[*]"), "200 204");
  EXPECT_EQ(all("R1[8:5]"), "5: the last lane of a range is not below the first");
  EXPECT_EQ(all("R1[5:32]"), "5: a lane is an integer from 0 to 31");
  EXPECT_EQ(all("R1[5:"), "5: expected a value: the expression ends here");
  EXPECT_EQ(all("R1[5:6"), "6: expected ']' after the lane");
}

TEST_F(ExpressionRanges, OfElements) {
  EXPECT_EQ(all("[4].u8@3"), "4 5 6");
  EXPECT_EQ(all("shared[0].u16@2"), "256 770"); // bytes 00 01, 02 03
  EXPECT_EQ(all("R1@3"), "103 203 303");
  EXPECT_EQ(all("R1[7]@2"), "107 207");
  EXPECT_EQ(all("R2.u64@2"),
            std::to_string(u64(303) << 32 | 203) + " " + std::to_string(u64(503) << 32 | 403));
  EXPECT_EQ(all("[4].u8@0"), "7: a range has from 1 to 1024 elements");
  EXPECT_EQ(all("[4].u8@1025"), "7: a range has from 1 to 1024 elements");
  EXPECT_EQ(all("P0@2"), "2: '@' does not belong here");
  EXPECT_EQ(all("R1[0:3]@2"), "8: a range is of lanes or of elements, not of both");
}

TEST_F(ExpressionRanges, StandAlone) {
  EXPECT_EQ(eval("R1[0:3] + 1"), "0: a range of lanes stands alone, as in `print R0[0:7]`");
  EXPECT_EQ(eval("1 + [4].u8@2"), "11: a range stands alone, as in `print [x].f32@8`");
  EXPECT_EQ(eval("any(R1[*] > 3)"), "4: a range of lanes stands alone, as in `print R0[0:7]`");
}

TEST_F(ExpressionRanges, NamesOfRegisters) {
  context.registerNames["acc"] = {false, false, 4, 0, 1};
  context.registerNames["m"] = {false, true, 1, 2, 3}; // .reg m[2:4], R1
  context.registerNames["done"] = {true, false, 1, 0, 1};
  EXPECT_EQ(all("acc"), "403");
  EXPECT_EQ(all("acc[7]"), "407");
  EXPECT_EQ(all("acc[6:7]"), "406 407");
  EXPECT_EQ(all("acc.u8"), "147"); // 403 is 0x193
  EXPECT_EQ(all("acc[7].u8"), "151");
  EXPECT_EQ(all("u8(acc)"), "147");
  EXPECT_EQ(all("m[2]"), "103");
  EXPECT_EQ(all("m[4][7]"), "307");
  EXPECT_EQ(all("m[R0[3] - 1][6:7]"), "106 107");
  EXPECT_EQ(all("m[2]@3"), "103 203 303");
  EXPECT_EQ(all("done"), "true"); // P1 is 0x8
  EXPECT_EQ(all("done[2]"), "false");
  EXPECT_EQ(all("done.mask"), "0x00000008 (lane 3)");
  EXPECT_EQ(all("m"), "0: 'm' is several registers: m[2] to m[4]; a second pair of brackets takes the lane");
  EXPECT_EQ(all("m[5]"), "2: 'm' goes from 2 to 4");
  EXPECT_EQ(all("m[1]"), "2: 'm' goes from 2 to 4");
  EXPECT_EQ(all("acc[1][2]"), "4: 'acc' is one register: its brackets take a lane");
  EXPECT_EQ(all("acc.mask"), "0: 'acc' is a register: only a predicate has a mask");
  EXPECT_EQ(all("done.u32"), "0: 'done' is a predicate, which has no other type");
  context.names["n"] = Value::u32Of(9);
  EXPECT_EQ(all("n"), "9");
  EXPECT_EQ(
      all("n[3]"),
      "0: 'n' is no register: it has no lanes; memory is [n], [n + 4].f32, and [n]@8 several words of it");
  EXPECT_EQ(set("acc[0:1] = SR_TID.X"), "no error");
  EXPECT_EQ(all("acc[0:2]"), "64 65 402");
  EXPECT_EQ(set("m[3] = 7"), "no error");
  EXPECT_EQ(all("R2[2:4]"), "202 7 204");
  EXPECT_EQ(set("done.mask = 0xf0"), "no error");
  EXPECT_EQ(context.predicates[1], 0xf0u);
  EXPECT_EQ(set("n = 7"), "0: 'n' is no name of a register or predicate");
}

TEST_F(ExpressionRanges, GenericAddressesLeadToTheirSpace) {
  context.memory[1][8] = 77; // shared
  context.memory[3][8] = 99; // local
  EXPECT_EQ(all("[0xff00000008].u8"), "77");
  EXPECT_EQ(all("[0xfe00000008].u8"), "99");
  EXPECT_EQ(all("[8].u8"), "8");
  EXPECT_EQ(set("[0xff00000008].u8@2 = 5"), "no error");
  EXPECT_EQ(all("shared[8].u8@2"), "5 5");
}

TEST_F(ExpressionRanges, SetTakesLaneAndElementRanges) {
  EXPECT_EQ(set("R1[14:17] = R0 * 2"), "no error");
  EXPECT_EQ(all("R1[13:18]"), "113 28 30 32 34 118"); // lanes 16 and 17 are not active
  EXPECT_EQ(set("[0].u16@3 = 7"), "no error");
  EXPECT_EQ(all("[0].u16@4"), "7 7 7 1798"); // the last: bytes 06 07
  EXPECT_EQ(set("R1@2 = 0"), "3: one register at a time: leave out the count");
}

TEST_F(ExpressionRanges, Variables) {
  EXPECT_EQ(set("$i = R1 + 1"), "no error");
  EXPECT_EQ(context.variables["i"], (Value{ValueType::S32, 104}));
  EXPECT_EQ(set("$i[3] = 1"),
            "0: a variable takes neither a lane nor a type; registers are written without '$', "
            "as in `set R1[3] = 5`");
}

} // namespace
} // namespace leno::dbg
