#include "dbg/Location.h"
#include "Support.h"

namespace leno::dbg {
namespace {

/// 16 instructions; label `start` at 0, `loop` at 0x20; k.s has instructions on lines 3, 5 (twice) and 9.
class FakeNames : public ProgramNames {
public:
  std::optional<u64> pc;
  bool lines = true;

  std::optional<u64> symbol(llvm::StringRef name) const override {
    return name == "start" ? std::optional<u64>(0) : name == "loop" ? std::optional<u64>(0x20) : std::nullopt;
  }
  std::vector<std::string> symbols() const override { return {"start", "loop"}; }
  std::vector<u64> addressesOf(llvm::StringRef file, unsigned line) const override {
    if (!file.empty() && file != "k.s" && file != "/src/k.s")
      return {};
    return line == 3   ? std::vector<u64>{0}
           : line == 5 ? std::vector<u64>{0x8, 0x20}
           : line == 9 ? std::vector<u64>{0x30}
                       : std::vector<u64>{};
  }
  std::vector<std::string> files() const override {
    return lines ? std::vector<std::string>{"/src/k.s"} : std::vector<std::string>{};
  }
  u64 codeBytes() const override { return 128; }
  std::optional<SourceLine> hereLine() const override { return SourceLine{"/src/k.s", 3}; }
  std::optional<u64> here() const override { return pc; }
};

class Locations : public testing::Test {
protected:
  FakeNames names;
  FakeContext context;

  std::string parse(llvm::StringRef text) {
    auto location = parseLocation(text, names, context);
    if (!location)
      return errorOf(location.takeError());
    std::string result;
    for (u64 address : location->addresses)
      result += (result.empty() ? "" : " ") + std::to_string(address);
    return result;
  }
};

TEST_F(Locations, Labels) {
  EXPECT_EQ(parse("loop"), "32");
  EXPECT_EQ(parse("  loop "), "32");
  EXPECT_EQ(parse("loop+8"), "40");
  EXPECT_EQ(parse("loop + 0x10"), "48");
}

TEST_F(Locations, LinesOfAFileOrOfTheCurrentOne) {
  EXPECT_EQ(parse("k.s:3"), "0");
  EXPECT_EQ(parse("/src/k.s:5"), "8 32");
  EXPECT_EQ(parse("5"), "8 32");
}

TEST_F(Locations, ALineWithoutInstructionsStandsForTheNextOne) {
  EXPECT_EQ(parse("k.s:6"), "48");
  EXPECT_EQ(parse("10"), "0: line 10 has no instruction, and none follows it");
}

TEST_F(Locations, AddressesAreExpressions) {
  EXPECT_EQ(parse("*0x18"), "24");
  EXPECT_EQ(parse("*(8 + 8)"), "16");
  EXPECT_EQ(parse("*$pc + 8"), "32");
}

TEST_F(Locations, NothingIsTheFocusedWarpsPc) {
  EXPECT_EQ(parse(""), "0: no warp is in focus: name a label, file:line or *address");
  names.pc = 0x28;
  EXPECT_EQ(parse(""), "40");
}

TEST_F(Locations, MistakesNameTheirColumn) {
  EXPECT_EQ(parse("lop"), "0: there is no label 'lop'; did you mean 'loop'?");
  EXPECT_EQ(parse("xyzzy"), "0: there is no label 'xyzzy'");
  EXPECT_EQ(parse("loop+"), "5: expected an offset in bytes after '+'");
  EXPECT_EQ(parse("loop+4"), "0: 0x24 is not the address of an instruction: they are multiples of 8");
  EXPECT_EQ(parse("loop+0x1000"), "0: 0x1020 is outside of the program, which ends at 0x80");
  EXPECT_EQ(parse("*"), "0: expected an expression");
  EXPECT_EQ(parse("*1.5"), "1: an address is an integer, not a float");
  EXPECT_EQ(parse("j.s:3"), "0: no source file 'j.s' is in the program; did you mean 'k.s'?");
  EXPECT_EQ(parse("k.s:0"), "4: expected a line number");
  EXPECT_EQ(parse("k.s:x"), "4: expected a line number");
}

TEST_F(Locations, LinesNeedLineInformation) {
  names.lines = false;
  EXPECT_EQ(parse("3"),
            "0: the program has no line information: assemble it with -g, or name a label or *address");
}

} // namespace
} // namespace leno::dbg
