#include "Support.h"
#include <cmath>

namespace leno::dbg {
namespace {

class Expressions : public testing::Test {
protected:
  FakeContext context;

  /// The value in its own format, or the error with its column.
  std::string eval(llvm::StringRef text, char format = '\0') {
    auto expression = Expression::parse(text);
    if (!expression)
      return errorOf(expression.takeError());
    auto value = expression->evaluate(context);
    if (!value)
      return errorOf(value.takeError());
    return formatValue(*value, format, [](u64 address) { return "label+" + std::to_string(address); });
  }
  std::string set(llvm::StringRef text) {
    auto assignment = Assignment::parse(text);
    if (!assignment)
      return errorOf(assignment.takeError());
    return errorOf(assignment->perform(context));
  }
};

TEST_F(Expressions, PrecedenceIsThatOfC) {
  EXPECT_EQ(eval("2 + 3 * 4"), "14");
  EXPECT_EQ(eval("(2 + 3) * 4"), "20");
  EXPECT_EQ(eval("20 - 5 - 3"), "12");
  EXPECT_EQ(eval("1 << 2 + 1"), "8");
  EXPECT_EQ(eval("6 & 3 == 3"), "0"); // == binds tighter, as in C
  EXPECT_EQ(eval("1 | 6 ^ 3 & 2"), "5");
  EXPECT_EQ(eval("1 || 0 && 0"), "true");
  EXPECT_EQ(eval("-2 * -3"), "6");
  EXPECT_EQ(eval("!0 && ~0 == -1"), "true");
}

TEST_F(Expressions, NumbersInAnyRadix) {
  EXPECT_EQ(eval("0x1f + 0b101 + 0o17"), "51");
  EXPECT_EQ(eval("0xffffffff"), "4294967295");
  EXPECT_EQ(eval("1.5"), "1.5");
  EXPECT_EQ(eval("1e-3"), "0.001");
  EXPECT_EQ(eval("2.5f"), "2.5");
  EXPECT_EQ(eval("0x1e+1"), "31"); // no exponent in hexadecimal
  EXPECT_EQ(eval("1e"), "0: '1e' is not a number");
  EXPECT_EQ(eval("18446744073709551616"), "0: the number does not fit 64 bits");
}

TEST_F(Expressions, IntegersWrapAtTheWiderOperandsWidth) {
  EXPECT_EQ(eval("s32(0x7fffffff) + 1"), "-2147483648");
  EXPECT_EQ(eval("u32(0xffffffff) + 1"), "0");
  EXPECT_EQ(eval("u64(0xffffffff) + 1"), "4294967296");
  EXPECT_EQ(eval("u8(255) + u8(1)"), "256");
  EXPECT_EQ(eval("u8(300)"), "44");
  EXPECT_EQ(eval("s8(200)"), "-56");
}

TEST_F(Expressions, NumbersThatWereTypedAreExactAmongThemselves) {
  EXPECT_EQ(eval("0x7fffffff + 1"), "2147483648");
  EXPECT_EQ(eval("0xffffffff + 1"), "4294967296");
  EXPECT_EQ(eval("1 << 40"), "1099511627776");
  EXPECT_EQ(eval("(1 << 20) * (1 << 20)"), "1099511627776");
  EXPECT_EQ(eval("1 << 64"), "0");
}

TEST_F(Expressions, ComparisonsOfIntegersAreExactAcrossSigns) {
  EXPECT_EQ(eval("-1 < 0xffffffff"), "true");
  EXPECT_EQ(eval("R0 > -1"), "true");
  EXPECT_EQ(eval("u64(0) - 1 == -1"), "false");
}

TEST_F(Expressions, DivisionIsCsAndNeverFaults) {
  EXPECT_EQ(eval("-7 / 2"), "-3");
  EXPECT_EQ(eval("-7 % 2"), "-1");
  EXPECT_EQ(eval("7 / 0"), "2: division by zero");
  EXPECT_EQ(eval("s32(0x80000000) / -1"), "-2147483648");
  EXPECT_EQ(eval("s64(0x8000000000000000) / -1"), "-9223372036854775808");
  EXPECT_EQ(eval("1.0 / 0"), "inf");
}

TEST_F(Expressions, ShiftsPastTheWidthGiveZeroOrTheSign) {
  EXPECT_EQ(eval("s32(1) << 32"), "0");
  EXPECT_EQ(eval("1 << 200"), "0");
  EXPECT_EQ(eval("-8 >> 1"), "-4");
  EXPECT_EQ(eval("-8 >> 100"), "-1");
  EXPECT_EQ(eval("0x80000000 >> 31"), "1");
  EXPECT_EQ(eval("1 << -1"), "2: a shift by a negative count");
}

TEST_F(Expressions, RegistersAreOfTheFocusedLaneOrTheNamedOne) {
  EXPECT_EQ(eval("R2 + 0"), "203");
  EXPECT_EQ(eval("R2[7] + 0"), "207");
  EXPECT_EQ(eval("r2[R0 + 1] + 0"), "204");
  EXPECT_EQ(eval("RZ + 0"), "0");
  EXPECT_EQ(eval("R2[32]"), "3: a lane is an integer from 0 to 31");
  EXPECT_EQ(eval("R2[-1]"), "3: a lane is an integer from 0 to 31");
  EXPECT_EQ(eval("1 + R100"), "4: no such register");
  EXPECT_EQ(eval("R255"), "0: there is no register, parameter, shared variable or label 'R255'");
}

TEST_F(Expressions, AWordPrintsItsFaces) {
  context.registers[1][3] = 0x3f800000;
  EXPECT_EQ(eval("R1"), "1065353216  0x3f800000  1.0f");
  EXPECT_EQ(eval("R0"), "3  0x00000003");
}

TEST_F(Expressions, TypesOfRegistersKeepTheirBits) {
  context.registers[1][3] = 0xbf800000;
  EXPECT_EQ(eval("f32(R1)"), "-1.0");
  EXPECT_EQ(eval("R1.f32"), "-1.0");
  EXPECT_EQ(eval("s32(R1)"), "-1082130432");
  EXPECT_EQ(eval("R1.u8"), "0");
  EXPECT_EQ(eval("s32(f32(R1)) - 1"), "-2"); // a typed value is converted
  context.registers[2][3] = 0;
  context.registers[3][3] = 0x3ff00000;
  EXPECT_EQ(eval("f64(R2)"), "1.0");
  EXPECT_EQ(eval("R2.u64", 'x'), "0x3ff0000000000000");
  EXPECT_EQ(eval("R3.u64"), "0: a 64-bit value stands in an even register and the next one");
}

TEST_F(Expressions, AFloatLiteralTakesTheOtherFloatsWidth) {
  context.registers[1][3] = 0x3dcccccd; // 0.1f
  EXPECT_EQ(eval("R1.f32 == 0.1"), "true");
  EXPECT_EQ(eval("f64(R1.f32) == 0.1"), "false");
  EXPECT_EQ(eval("R1.f32 + 0.2"), "0.3");
  EXPECT_EQ(eval("0.1 + 0.2"), "0.30000000000000004");
}

TEST_F(Expressions, PredicatesAndFlagsAreBitsOrMasks) {
  EXPECT_EQ(eval("P0"), "true");
  EXPECT_EQ(eval("P0[4]"), "false");
  EXPECT_EQ(eval("P0.mask"), "0x0000000f (lanes 0-3)");
  EXPECT_EQ(eval("~P0.mask & 0xff == 0xf0"), "0");
  EXPECT_EQ(eval("P0.mask & P1.mask"), "0x00000008 (lane 3)");
  EXPECT_EQ(eval("PT"), "true");
  EXPECT_EQ(eval("ZF"), "true");
  EXPECT_EQ(eval("SF[1]"), "true");
  EXPECT_EQ(eval("CF.mask"), "0x00000001 (lane 0)");
  EXPECT_EQ(eval("P0.f32"), "2: '.f32' means nothing here: expected .mask");
}

TEST_F(Expressions, QuantifiersLookAtTheActiveLanesOnly) {
  EXPECT_EQ(eval("any(R0 == 15)"), "true");
  EXPECT_EQ(eval("any(R0 == 16)"), "false"); // inactive
  EXPECT_EQ(eval("all(R0 < 16)"), "true");
  EXPECT_EQ(eval("count(R0 > 3)"), "12");
  EXPECT_EQ(eval("mask(R0 % 2 == 0)"), "0x00005555 (lanes 0,2,4,6,8,10,12,14)");
  EXPECT_EQ(eval("count(P0) == 4"), "true");
  EXPECT_EQ(eval("any(all(P0))"),
            "4: all cannot stand inside another quantifier: it looks at every lane already");
}

TEST_F(Expressions, MemoryIsReadInItsSpaceAndType) {
  EXPECT_EQ(eval("[4].u8"), "4");
  EXPECT_EQ(eval("[4]", 'x'), "0x07060504");
  EXPECT_EQ(eval("global[4].u16"), "1284");
  EXPECT_EQ(eval("shared[8].u64", 'x'), "0x0f0e0d0c0b0a0908");
  EXPECT_EQ(eval("c[0][R0 + 1].u8"), "4");
  EXPECT_EQ(eval("[[3].u8 + 1].u8"), "4");
  EXPECT_EQ(eval("1 + [14]"), "4: outside of memory");
  EXPECT_EQ(eval("c[16][0]"), "2: the constant banks are c[0] to c[15]");
  EXPECT_EQ(eval("[1.5]"), "1: an address is an integer, not a float");
}

TEST_F(Expressions, NamesMayHoldDotsOrEndInAType) {
  context.names["n"] = Value{ValueType::U32, 0x3f800000};
  context.names["outer.loop"] = Value{ValueType::Address, 0x20};
  context.names[".L1"] = Value{ValueType::Address, 0x28};
  EXPECT_EQ(eval("n + 1"), "1065353217");
  EXPECT_EQ(eval("n.f32"), "1.0");
  EXPECT_EQ(eval("outer.loop"), "0x0020 <label+32>");
  EXPECT_EQ(eval(".L1 + 8"), "48");
  EXPECT_EQ(eval("$pc", 'x'), "0x0000000000000018");
  EXPECT_EQ(eval("$cta.x"), "7");
  EXPECT_EQ(eval("SR_TID.X"), "67");
  EXPECT_EQ(eval("sr_tid.x[0]"), "64");
  EXPECT_EQ(eval("SR_NOPE"), "0: there is no special register 'SR_NOPE'");
}

TEST_F(Expressions, FormatsOfAValue) {
  EXPECT_EQ(eval("255", 'x'), "0x000000ff");
  EXPECT_EQ(eval("5", 't'), "0b00000000000000000000000000000101");
  EXPECT_EQ(eval("u8(5)", 'b'), "0b00000101");
  EXPECT_EQ(eval("0x3f800000", 'f'), "1.0");
  EXPECT_EQ(eval("0xffffffff", 'd'), "-1");
  EXPECT_EQ(eval("-1", 'u'), "4294967295");
  EXPECT_EQ(eval("65", 'c'), "65 'A'");
  EXPECT_EQ(eval("10", 'c'), "10 '\\x0a'");
  EXPECT_EQ(eval("8", 'o'), "0o10");
  EXPECT_EQ(eval("24", 'a'), "0x0018 <label+24>");
  EXPECT_EQ(eval("1.75", 'd'), "1");
}

TEST_F(Expressions, ErrorsNameTheirColumn) {
  EXPECT_EQ(eval(""), "0: expected an expression");
  EXPECT_EQ(eval("1 +"), "3: expected a value: the expression ends here");
  EXPECT_EQ(eval("1 + )"), "4: expected a value, not ')'");
  EXPECT_EQ(eval("(1"), "2: expected ')' to close the parenthesis");
  EXPECT_EQ(eval("R0[1"), "4: expected ']' after the lane");
  EXPECT_EQ(eval("1 2"), "2: '2' does not belong here");
  EXPECT_EQ(eval("R1 = 2"), "3: '=' does not belong here: == compares, `set NAME = VALUE` assigns");
  EXPECT_EQ(eval("1 ? 2"), "2: '?' means nothing in an expression");
  EXPECT_EQ(eval("f(1)"), "0: there is no function 'f': expected any, all, count, mask or a type");
  EXPECT_EQ(eval("1.5 & 1"), "4: this operator needs integers; u32(...) makes one");
  EXPECT_EQ(eval("nothing"), "0: there is no register, parameter, shared variable or label 'nothing'");
}

TEST_F(Expressions, DeepNestingIsRefusedNotCrashed) {
  std::string refused = "the expression has more than 1000 parts";
  EXPECT_NE(eval(std::string(100000, '(')).find(refused), std::string::npos);
  EXPECT_NE(eval(std::string(100000, '-') + "1").find(refused), std::string::npos);
  EXPECT_NE(eval(std::string(100000, '[')).find(refused), std::string::npos);
  std::string sum = "1";
  for (int i = 0; i < 100000; ++i)
    sum += "+1";
  EXPECT_NE(eval(sum).find(refused), std::string::npos);
}

TEST_F(Expressions, AssignmentToRegisters) {
  EXPECT_EQ(set("R2 = 5"), "no error");
  EXPECT_EQ(context.registers[2][3], 5u);
  EXPECT_EQ(context.registers[2][4], 204u);
  EXPECT_EQ(set("R2[7] = 1.0"), "no error");
  EXPECT_EQ(context.registers[2][7], 0x3f800000u);
  EXPECT_EQ(set("R1[*] = R0 * 2"), "no error");
  EXPECT_EQ(context.registers[1][15], 30u);
  EXPECT_EQ(context.registers[1][16], 116u); // inactive lanes keep theirs
  EXPECT_EQ(set("R2.f64 = 1"), "no error");
  EXPECT_EQ(context.registers[3][3], 0x3ff00000u);
  EXPECT_EQ(set("R3 = -1"), "no error");
  EXPECT_EQ(context.registers[3][3], 0xffffffffu);
}

TEST_F(Expressions, AssignmentReadsEveryLaneBeforeItStores) {
  EXPECT_EQ(set("R1[*] = R1[0] + 1"), "no error");
  EXPECT_EQ(context.registers[1][0], 101u);
  EXPECT_EQ(context.registers[1][9], 101u);
}

TEST_F(Expressions, AssignmentToPredicatesFlagsAndMemory) {
  EXPECT_EQ(set("P2 = 1"), "no error");
  EXPECT_EQ(context.predicates[2], 8u);
  EXPECT_EQ(set("P2.mask = 0xf0"), "no error");
  EXPECT_EQ(context.predicates[2], 0xf0u);
  EXPECT_EQ(set("P3[*] = R0 > 7"), "no error");
  EXPECT_EQ(context.predicates[3], 0xff00u);
  EXPECT_EQ(set("ZF = 0"), "no error");
  EXPECT_EQ(context.flags[3], 0u);
  EXPECT_EQ(set("[4].f32 = 1"), "no error");
  EXPECT_EQ(context.memory[0][7], 0x3f);
  EXPECT_EQ(set("shared[0].u8 = 300"), "no error");
  EXPECT_EQ(context.memory[1][0], 44);
  EXPECT_EQ(context.memory[1][1], 1);
}

TEST_F(Expressions, AssignmentsThatAreRefused) {
  EXPECT_EQ(set("R2"), "2: expected '=' and a value, as in `set R3 = 5`");
  EXPECT_EQ(set("R2 5"), "3: expected '=' and a value, as in `set R3 = 5`");
  EXPECT_EQ(set("1 = 5"), "0: only a register, a predicate, a flag, memory or a variable can be set");
  EXPECT_EQ(set("c[0][4] = 5"), "0: constants cannot be set: a launch has its own copy of them");
  EXPECT_EQ(set("RZ = 5"), "0: RZ is always 0");
  EXPECT_EQ(set("PT = 0"), "0: PT is always true");
  EXPECT_EQ(set("R2 = 1 +"), "8: expected a value: the expression ends here");
  EXPECT_EQ(set("R2 = "), "5: expected a value: the expression ends here");
}

} // namespace
} // namespace leno::dbg
