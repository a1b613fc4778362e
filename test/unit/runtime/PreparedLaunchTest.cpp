#include "runtime/PreparedLaunch.h"
#include "test/unit/Support.h"

#include "llvm/Support/raw_ostream.h"

using namespace leno;
using namespace leno::runtime;
using leno::test::textOf;

namespace {

class PreparedLaunchTest : public leno::test::InDirectory {
protected:
  /// A kernel that counts every byte of a buffer up by one.
  PreparedLaunchTest() {
    options.block = {4, 1, 1};
    source = write("up.s", ".kernel up\n.param ptr data\n S2R R0, SR_TID.X;\n IADD R0, R0, c[0][data];\n"
                           " LDG.u8 R1, [R0];\n IADD R1, R1, 1;\n STG.u8 [R0], R1;\n EXIT;\n.endkernel\n");
    write("in.bin", llvm::StringRef("\x01\x02\x03\x04", 4));
    options.arguments = {"inout:" + path("in.bin") + ":" + path("out.bin")};
  }
  llvm::Expected<std::unique_ptr<PreparedLaunch>> create() {
    return PreparedLaunch::create(source, options, llvm::nulls());
  }

  std::string source;
  LaunchOptions options;
};

} // namespace

TEST_F(PreparedLaunchTest, WritesNothingUntilAsked) {
  auto launch = llvm::cantFail(create());
  EXPECT_EQ(launch->run().run().reason, StopReason::Finished);
  EXPECT_EQ(fileCount(), 2u);
  EXPECT_EQ(textOf(launch->writeOutputs()), "success");
  EXPECT_EQ(read("out.bin"), "\x02\x03\x04\x05");
}

TEST_F(PreparedLaunchTest, ARestartIsTheStateBeforeTheFirstInstruction) {
  auto launch = llvm::cantFail(create());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(launch->run().run(3).reason, StopReason::Budget);
    EXPECT_EQ(textOf(launch->restart()), "success");
    EXPECT_EQ(launch->run().grid()->instructions(), 0u);
    EXPECT_EQ(launch->run().run().reason, StopReason::Finished);
    EXPECT_EQ(textOf(launch->writeOutputs()), "success");
    EXPECT_EQ(read("out.bin"), "\x02\x03\x04\x05");
    EXPECT_EQ(textOf(launch->restart()), "success");
  }
}

TEST_F(PreparedLaunchTest, MistakesAreFoundBeforeAnythingRuns) {
  options.arguments = {"in:" + path("none.bin")};
  EXPECT_HOLDS(textOf(create()), "none.bin");
  options.arguments = {"inout:" + path("in.bin") + ":" + path("no/out.bin")};
  EXPECT_HOLDS(textOf(create()), "there is no directory");
  options.arguments = {"u33:1"};
  llvm::Error error = create().takeError();
  EXPECT_TRUE(error.isA<ArgumentError>());
  llvm::consumeError(std::move(error));
  options.arguments = {"inout:" + path("in.bin") + ":" + path("out.pgm")};
  EXPECT_HOLDS(textOf(create()), "not u8[4]");
  write("empty.bin", "");
  options.arguments = {"in:" + path("empty.bin")};
  EXPECT_HOLDS(textOf(create()), "holds no data for parameter 'data'");
}

TEST_F(PreparedLaunchTest, ATrapIsToldWithLabelAndLine) {
  options.block = {6, 1, 1};
  auto launch = llvm::cantFail(create());
  ASSERT_EQ(launch->run().run().reason, StopReason::Trapped);
  std::string text = launch->describe(*launch->run().grid()->trap());
  EXPECT_HOLDS(text, "ADDRESS_OUT_OF_RANGE at up+0x10 (");
  EXPECT_HOLDS(text, "up.s:5), CTA (0,0,0), warp 0, lanes 4-5: ");
}
