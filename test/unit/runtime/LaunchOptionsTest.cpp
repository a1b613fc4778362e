#include "runtime/LaunchOptions.h"
#include "test/unit/Support.h"

#include <CLI/CLI.hpp>

using namespace leno::runtime;
using leno::test::textOf;

namespace {

struct Parsed {
  LaunchOptions options;
  std::string error; ///< empty when the line was good
  int status = 0;
};

Parsed parse(std::vector<std::string> words) {
  Parsed result;
  CLI::App app;
  addLaunchOptions(app, result.options);
  std::string file;
  app.add_option("FILE", file)->required();
  std::reverse(words.begin(), words.end()); // CLI11 takes a vector from its end
  try {
    app.parse(words);
  } catch (const CLI::ParseError &error) {
    result.error = error.what();
    result.status = error.get_exit_code();
  }
  return result;
}

} // namespace

TEST(LaunchOptions, AllOptions) {
  Parsed parsed = parse({"--kernel", "saxpy", "--grid", "4,0x2", "--block", "32,2,3", "--arg", "u32:5",
                         "--arg", "out:f32[1024,4]:y.npy", "--arg", "i32:-5", "k.s", "--set", "sm.count=2",
                         "--set", "sm.warps=8", "--max-instructions", "100"});
  EXPECT_EQ(parsed.error, "");
  const LaunchOptions &options = parsed.options;
  EXPECT_EQ(options.kernel, "saxpy");
  EXPECT_EQ(options.grid, (Dimensions{4, 2, 1}));
  EXPECT_EQ(options.block, (Dimensions{32, 2, 3}));
  EXPECT_EQ(options.block.count(), 192u);
  EXPECT_EQ(options.arguments, (std::vector<std::string>{"u32:5", "out:f32[1024,4]:y.npy", "i32:-5"}));
  EXPECT_EQ(options.maximumInstructions, 100u);
  auto machine = resolveMachine(options);
  ASSERT_TRUE(bool(machine)) << textOf(std::move(machine));
  EXPECT_EQ(machine->sm.count, 2u);
  EXPECT_EQ(machine->sm.warps, 8u);
  auto specs = parseArguments(options);
  ASSERT_TRUE(bool(specs)) << textOf(std::move(specs));
  EXPECT_EQ(specs->size(), 3u);
  EXPECT_EQ((*specs)[2].bits, 0xfffffffbu);
}

TEST(LaunchOptions, Defaults) {
  Parsed parsed = parse({"k.s"});
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.options.grid, Dimensions());
  EXPECT_EQ(parsed.options.block, Dimensions());
  EXPECT_EQ(parsed.options.maximumInstructions, LaunchOptions::DefaultMaximumInstructions);
}

TEST(LaunchOptions, BadDimensionsAreUsageErrors) {
  const struct {
    const char *option, *value, *part;
  } rows[] = {{"--grid", "0", "X is 0, not in 1..2147483647"},
              {"--grid", "1,2,3,4", "expected X, X,Y or X,Y,Z"},
              {"--grid", "1,", "Y: expected an integer"},
              {"--grid", "a", "X: 'a' is not a digit"},
              {"--grid", "1,-2", "Y is -2, not in 1.."},
              {"--grid", "2147483648", "X is 2147483648, not in 1.."},
              {"--grid", "65536,65536", "the product passes 2147483647"},
              {"--grid", "2147483647,2147483647,2147483647", "the product passes"},
              {"--grid", "99999999999999999999", "not in 1.."},
              {"--block", "2049", "not in 1..2048"},
              {"--block", "64,64", "the product passes 2048"},
              {"--max-instructions", "-1", "is not in 0.."},
              {"--max-instructions", "x", "'x' is not a digit"}};
  for (const auto &row : rows) {
    Parsed parsed = parse({std::string(row.option) + "=" + row.value, "k.s"});
    EXPECT_TRUE(llvm::StringRef(parsed.error).starts_with(row.option)) << parsed.error;
    EXPECT_HOLDS(parsed.error, row.part);
    EXPECT_NE(parsed.status, 0);
  }
}

TEST(LaunchOptions, CtaLargerThanAnSmIsRefused) {
  Parsed parsed = parse({"--block", "1025", "k.s"});
  EXPECT_EQ(parsed.error, "");
  std::string text = textOf(resolveMachine(parsed.options));
  EXPECT_HOLDS(text, "a CTA of 1025 threads does not fit an SM of 32 warps (1024 threads)");
  EXPECT_HOLDS(text, "--set sm.warps=33");
  parsed.options.machineSettings = {"sm.warps=33"};
  EXPECT_EQ(textOf(resolveMachine(parsed.options)), "success");
}

TEST(LaunchOptions, QuestionMarkPrintsTheKeysWithoutAFile) {
  testing::internal::CaptureStdout();
  Parsed parsed = parse({"--machine", "?"});
  std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(parsed.status, 0);
  EXPECT_HOLDS(text, "scheduler.quantum");
}

class LaunchFiles : public leno::test::InDirectory {};

TEST_F(LaunchFiles, SettingsOverrideTheMachineFile) {
  Parsed parsed =
      parse({"--set", "sm.count=2", "--machine", write("m.yaml", "sm: { count: 8, warps: 12 }\n"), "k.s"});
  auto machine = resolveMachine(parsed.options);
  ASSERT_TRUE(bool(machine)) << textOf(std::move(machine));
  EXPECT_EQ(machine->sm.count, 2u);
  EXPECT_EQ(machine->sm.warps, 12u);
}

TEST(LaunchOptions, FirstBadArgumentIsReported) {
  Parsed parsed = parse({"--arg", "u32:5", "--arg", "u8:300", "k.s"});
  EXPECT_EQ(parsed.error, "");
  EXPECT_HOLDS(textOf(parseArguments(parsed.options)), "u8:300 does not fit: 0..255");
}
