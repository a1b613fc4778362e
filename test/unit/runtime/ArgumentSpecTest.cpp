#include "runtime/ArgumentSpec.h"
#include "test/unit/Support.h"

using namespace leno;
using namespace leno::runtime;
using leno::test::textOf;

TEST(ArgumentSpec, ScalarsOfEveryTypeAndRadix) {
  const struct {
    const char *value;
    ElementType type;
    uint64_t bits;
  } rows[] = {{"u32:5", ElementType::U32, 5},
              {"i32:-5", ElementType::I32, 0xfffffffb},
              {"u64:0x10", ElementType::U64, 16},
              {"u8:255", ElementType::U8, 255},
              {"i8:-128", ElementType::I8, 0x80},
              {"u16:0b11", ElementType::U16, 3},
              {"i16:0o17", ElementType::I16, 15},
              {"i64:-9223372036854775808", ElementType::I64, uint64_t(1) << 63},
              {"u64:18446744073709551615", ElementType::U64, UINT64_MAX},
              {"u32:-0", ElementType::U32, 0},
              // IEEE 754 binary32 and binary64 encodings.
              {"f32:2.5", ElementType::F32, 0x40200000},
              {"f32:-0", ElementType::F32, 0x80000000},
              {"f32:inf", ElementType::F32, 0x7f800000},
              {"f32:-inf", ElementType::F32, 0xff800000},
              {"f32:nan", ElementType::F32, 0x7fc00000},
              {"f32:1e-45", ElementType::F32, 1},
              {"f32:0x1.8p3", ElementType::F32, 0x41400000},
              {"f32:16777217", ElementType::F32, 0x4b800000}, // halfway: to even
              {"f64:1e-3", ElementType::F64, 0x3f50624dd2f1a9fc},
              {"f64:3", ElementType::F64, 0x4008000000000000}};
  for (const auto &row : rows) {
    auto spec = parseArgument(row.value);
    ASSERT_TRUE(bool(spec)) << row.value << ": " << textOf(std::move(spec));
    EXPECT_EQ(spec->kind, ArgumentSpec::Kind::Scalar);
    EXPECT_EQ(spec->type, row.type) << row.value;
    EXPECT_EQ(spec->bits, row.bits) << row.value;
    EXPECT_EQ(spec->text, row.value);
  }
}

TEST(ArgumentSpec, Buffers) {
  // Bytes as they are only where the name says so.
  EXPECT_TRUE(bool(parseArgument("in:bin:/usr/share/common-licenses/GPL-3")));
  EXPECT_HOLDS(textOf(parseArgument("in:/usr/share/common-licenses/GPL-3")),
               "bin:/usr/share/common-licenses/GPL-3");
  auto typed = parseArgument("inout:f32:csv:a.dat:bin:b.dat");
  ASSERT_TRUE(bool(typed)) << textOf(std::move(typed));
  EXPECT_EQ(typed->type, ElementType::F32);
  EXPECT_EQ(typed->input.path, "a.dat");
  EXPECT_EQ(typed->input.format, FileFormat::Csv);
  EXPECT_EQ(typed->output.path, "b.dat");
  EXPECT_EQ(typed->output.format, FileFormat::Raw);
  auto named = parseArgument("n=-5");
  ASSERT_TRUE(bool(named)) << textOf(std::move(named));
  EXPECT_EQ(named->parameter, "n");
  EXPECT_EQ(named->kind, ArgumentSpec::Kind::Untyped);
  ASSERT_EQ(textOf(named->takeType({"n", leno::ParamType::I16})), "success");
  EXPECT_EQ(named->bits, 0xfffbu);
  EXPECT_TRUE(parseArgument("in:a=b.npy")->parameter.empty());
  EXPECT_TRUE(bool(parseArgument("in:notes.txt")));
  auto in = parseArgument("in:data/x.npy");
  ASSERT_TRUE(bool(in)) << textOf(std::move(in));
  EXPECT_EQ(in->kind, ArgumentSpec::Kind::In);
  EXPECT_EQ(in->input.path, "data/x.npy");

  auto out = parseArgument("out:f32[1024,0x4]:dir/y:2.npy");
  ASSERT_TRUE(bool(out)) << textOf(std::move(out));
  EXPECT_EQ(out->kind, ArgumentSpec::Kind::Out);
  EXPECT_EQ(out->type, ElementType::F32);
  EXPECT_EQ(out->shape, (std::vector<uint64_t>{1024, 4}));
  EXPECT_EQ(out->output.path, "dir/y:2.npy");

  auto inout = parseArgument("inout:a.bin:b.npy");
  ASSERT_TRUE(bool(inout)) << textOf(std::move(inout));
  EXPECT_EQ(inout->kind, ArgumentSpec::Kind::InOut);
  EXPECT_EQ(inout->input.path, "a.bin");
  EXPECT_EQ(inout->output.path, "b.npy");

  auto print = parseArgument("out:i16[3]:print:");
  ASSERT_TRUE(bool(print)) << textOf(std::move(print));
  EXPECT_EQ(print->output.path, "print:");
  auto zero = parseArgument("zero:u16[4,2]");
  ASSERT_TRUE(bool(zero)) << textOf(std::move(zero));
  EXPECT_EQ(zero->kind, ArgumentSpec::Kind::Zero);
  EXPECT_EQ(zero->type, ElementType::U16);
  EXPECT_EQ(zero->shape, (std::vector<uint64_t>{4, 2}));

  auto printInOut = parseArgument("inout:a.npy:print:");
  ASSERT_TRUE(bool(printInOut)) << textOf(std::move(printInOut));
  EXPECT_EQ(printInOut->output.path, "print:");
  EXPECT_EQ(textOf(parseArgument("out:u8[480,640]:a.pgm")), "success");
  EXPECT_EQ(textOf(parseArgument("out:u8[480,640,3]:a.ppm")), "success");
}

TEST(ArgumentSpec, MistakesHaveAColumnAndAWayOut) {
  const struct {
    const char *value;
    size_t column;
    const char *part;
  } rows[] = {
      {"", 0, "expected a type and a value"},
      {"x.npy", 0, "to read that file write in:x.npy"},
      {"n=", 2, "expected a type and a value"},
      {"n=u32:x", 6, "'x' is not a digit of a base 10 integer"},
      {"int:5", 0, "expected a type and a value"},
      {"u32", 3, "expected ':' after 'u32', as in u32:5"},
      {"in", 2, "as in in:FILE"},
      {"inout", 5, "as in inout:FILE:FILE2"},
      {"u32:", 4, "expected an integer"},
      {"u32:4294967296", 4, "u32:4294967296 does not fit: 0..4294967295"},
      {"u32:-1", 4, "u32:-1 does not fit: 0..4294967295"},
      {"i32:0xffffffff", 4, "does not fit: -2147483648..2147483647"},
      {"i32:-2147483649", 4, "does not fit: -2147483648..2147483647"},
      {"u8:256", 3, "does not fit: 0..255"},
      {"i8:128", 3, "does not fit: -128..127"},
      {"i8:-129", 3, "does not fit: -128..127"},
      {"u16:65536", 4, "does not fit: 0..65535"},
      {"i64:9223372036854775808", 4, "does not fit: -9223372036854775808..9223372036854775807"},
      {"u64:18446744073709551616", 4, "does not fit: 0..18446744073709551615"},
      {"u32:12x", 6, "'x' is not a digit of a base 10 integer"},
      {"u32:2.5", 5, "u32 takes an integer; use f32 or f64"},
      {"u32:010", 4, "leading zero is ambiguous"},
      {"f32:", 4, "expected a number"},
      {"f32:abc", 4, "expected a number"},
      {"f32:1.5x", 4, "expected a number"},
      {"f32:1e39", 4, "1e39 does not fit: the largest f32 is 3.4028235e38; write inf for infinity"},
      {"f64:1e309", 4, "1e309 does not fit: the largest f64 is 1.797"},
      {"f32:1e-46", 4, "write 0"},
      {"f32:0x40490fdb", 4, "to pass bits as they are use u32"},
      {"f16:1", 0, "a scalar cannot be f16"},
      {"bool:1", 0, "a scalar cannot be bool"},
      {"in:", 3, "expected the name of a file to read"},
      {"in:a.png", 3, "unknown ending '.png'"},
      {"in:print:", 3, "print: is an output"},
      {"out:", 4, "expected the type and shape of the output"},
      {"out:y.npy", 4, "as in out:f32[1024,4]:y.npy"},
      {"out:f32:y.npy", 7, "expected the shape in brackets, such as f32[1024,4]"},
      {"out:f33[4]:y.npy", 4, "unknown element type 'f33'"},
      {"out:f32[4]", 10, "expected ':' and the name of a file to write"},
      {"out:f32[4]:", 11, "expected the name of a file to write"},
      {"out:f32[4", 9, "expected ']'"},
      {"out:f32[4:y.npy", 9, "expected ']'"},
      {"out:f32[]:y.npy", 8, "expected a dimension"},
      {"out:f32[4,]:y.npy", 10, "expected a dimension"},
      {"out:f32[4,0]:y.npy", 10, "a dimension is at least 1"},
      {"out:f32[-4]:y.npy", 8, "a dimension is at least 1"},
      {"out:f32[4x]:y.npy", 9, "'x' is not a digit"},
      {"out:f32[4]z:y.npy", 10, "expected ':' and a file after the shape"},
      {"out:f32[4294967296,4294967296]:y.npy", 4, "40-bit address space"},
      {"out:u8[1099511627777]:y.npy", 4, "40-bit address space"},
      {"out:f32[4,4]:y.pgm", 4, "holds u8[height,width], not f32[4,4]"},
      {"out:u8[4,4]:y.ppm", 4, "name it .pgm"},
      {"out:f32[4]:y", 11, "has no ending"},
      {"zero", 4, "as in zero:f32[1024,4]"},
      {"zero:f32", 8, "expected the shape in brackets"},
      {"zero:f32[4]:a.npy", 11, "expected nothing after the shape"},
      {"inout:a.npy", 11, "expected ':' and a second file"},
      {"inout:a.npy:", 12, "expected the name of a file to write"},
      {"inout::b.npy", 6, "expected the name of a file to read"},
      {"inout:a.npy:b.xyz", 12, "unknown ending '.xyz'"},
  };
  for (const auto &row : rows) {
    auto spec = parseArgument(row.value);
    ASSERT_FALSE(bool(spec)) << row.value;
    llvm::handleAllErrors(spec.takeError(), [&](const ArgumentError &error) {
      EXPECT_EQ(error.column, row.column) << row.value << ": " << error.message;
      EXPECT_EQ(error.value, row.value);
      EXPECT_HOLDS(error.message, row.part);
    });
  }
}

TEST(ArgumentSpec, ErrorTextHasACaretUnderTheMistake) {
  EXPECT_EQ(textOf(parseArgument("u32:4294967296")), "u32:4294967296 does not fit: 0..4294967295\n"
                                                     "    u32:4294967296\n"
                                                     "        ^");
  // One column for a character of several bytes.
  EXPECT_HOLDS(textOf(parseArgument("inout:\xc3\xa9.npy:b.x")), "\n    " + std::string(12, ' ') + "^");
}
