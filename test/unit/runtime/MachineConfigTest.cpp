#include "runtime/MachineConfig.h"
#include "test/unit/Support.h"

using namespace leno::runtime;
using leno::MachineConfig;
using leno::MachineKey;
using leno::machineKeys;
using leno::test::textOf;

TEST(MachineConfig, TableAgreesWithItself) {
  MachineConfig defaults;
  for (const MachineKey &key : machineKeys()) {
    EXPECT_GE(key.defaultValue(), key.least) << key.name;
    EXPECT_LE(key.defaultValue(), key.greatest()) << key.name;
    MachineConfig config;
    ASSERT_EQ(textOf(setMachineKey(config, std::string(key.name) + "=" + shownValue(key, key.most))),
              "success");
    EXPECT_EQ(key.field(config), key.most);
    for (const MachineKey &other : machineKeys()) {
      if (&other != &key) {
        EXPECT_EQ(other.field(config), other.field(defaults)) << key.name << " changes " << other.name;
      }
    }
  }
}

// Who builds a machine from values is told the same limits as who types them.
TEST(MachineConfig, LimitsStandOnce) {
  for (const MachineKey &key : machineKeys())
    for (uint64_t value : {key.least - 1, key.greatest() + 1}) {
      if (key.least == 0 && value == ~uint64_t(0))
        continue;
      MachineConfig config;
      key.field(config) = value;
      EXPECT_HOLDS(textOf(config.check()), std::string(key.name) + " is " + std::to_string(value) + ";");
      EXPECT_HOLDS(textOf(setMachineKey(config, std::string(key.name) + "=" + std::to_string(value))),
                   key.name);
    }
}

// A threshold of the stack is a number, zero too, or a word: then it follows from the number of entries.
TEST(MachineConfig, AWordStandsForAValueThatNoNumberNames) {
  MachineConfig config;
  EXPECT_EQ(config.stack.spillAbove(), 8u) << "half of 16";
  EXPECT_EQ(config.stack.restoreAbove(), 4u) << "a quarter";
  EXPECT_EQ(textOf(setMachineKey(config, "stack.spillThreshold=0")), "success");
  EXPECT_EQ(textOf(setMachineKey(config, "stack.entries=40")), "success");
  EXPECT_EQ(config.stack.spillAbove(), 0u);
  EXPECT_EQ(config.stack.restoreAbove(), 10u);
  EXPECT_EQ(textOf(setMachineKey(config, "stack.spillThreshold=HALF")), "success");
  EXPECT_EQ(config.stack.spillAbove(), 20u);
}

TEST(MachineConfig, SetTakesEveryRadixAndByteUnits) {
  MachineConfig config;
  EXPECT_EQ(textOf(setMachineKey(config, "sm.count=0x10")), "success");
  EXPECT_EQ(config.sm.count, 16u);
  EXPECT_EQ(textOf(setMachineKey(config, "sm.sharedBytes=64KiB")), "success");
  EXPECT_EQ(config.sm.sharedBytes, 65536u);
  EXPECT_EQ(textOf(setMachineKey(config, "memory.bytes = 2GiB")), "success");
  EXPECT_EQ(config.memory.bytes, uint64_t(2) << 30);
}

TEST(MachineConfig, BadSettingsNameTheKeyAndTheWayOut) {
  const struct {
    const char *setting, *part;
  } rows[] = {{"sm.cuont=4", "unknown key 'sm.cuont'; did you mean 'sm.count'?"},
              {"SM.Count=4", "did you mean 'sm.count'?"},
              {"quantum=4", "did you mean 'scheduler.quantum'?"},
              {"nothing.like.it=4", "unknown key 'nothing.like.it' (--machine '?' lists the keys)"},
              {"sm.count", "expected key=value, as in --set sm.count=8"},
              {"=4", "unknown key ''"},
              {"sm.count=", "sm.count is an integer, not ''"},
              {"sm.count=many", "sm.count is an integer, not 'many'"},
              {"sm.count=1KiB", "sm.count is an integer, not '1KiB'"},
              {"sm.count=0", "sm.count is out of range: 0 is not in 1..1024"},
              {"sm.count=1025", "1025 is not in 1..1024"},
              {"sm.count=-1", "-1 is not in 1..1024"},
              {"sm.count=99999999999999999999", "is not in 1..1024"},
              {"memory.bytes=1KiB", "1KiB is not in 64KiB..1024GiB"},
              {"stack.policy=treshold", "stack.policy is one of threshold, set-boundary; not 'treshold'"},
              {"stack.spillThreshold=1024", "1024 is not in 0..1023|half"},
              {"stack.spillThreshold=third", "stack.spillThreshold is an integer or half, not 'third'"},
              {"timing.model=1", "timing.model is one of off, cycles; not '1'"}};
  for (const auto &row : rows) {
    MachineConfig config;
    std::string text = textOf(setMachineKey(config, row.setting));
    EXPECT_TRUE(llvm::StringRef(text).starts_with("--set " + std::string(row.setting) + ": ")) << text;
    EXPECT_HOLDS(text, row.part);
    EXPECT_EQ(config.sm.count, 4u);
  }
}

TEST(MachineConfig, YamlInNestedAndDottedForm) {
  for (const char *text :
       {"sm:\n  count: 8\n  warps: 0x10\n", "sm.count: 8\nsm.warps: 16\n", "{sm: {count: 8, warps: 16}}",
        "# a comment\n---\nsm: { count: 8 }\nsm.warps: \"16\"\n"}) {
    MachineConfig config;
    config.sm.ctas = 3;
    EXPECT_EQ(textOf(parseMachineText(config, text, "m.yaml")), "success") << text;
    EXPECT_EQ(config.sm.count, 8u) << text;
    EXPECT_EQ(config.sm.warps, 16u) << text;
    EXPECT_EQ(config.sm.ctas, 3u) << text;
  }
  for (const char *text : {"", "\n", "# nothing\n", "---\n"}) {
    MachineConfig config;
    EXPECT_EQ(textOf(parseMachineText(config, text, "m.yaml")), "success") << text;
  }
}

TEST(MachineConfig, YamlMistakesAreLocated) {
  const struct {
    const char *text, *place, *part;
  } rows[] = {
      {"sm:\n  cuont: 8\n", "2:3", "unknown key 'sm.cuont'; did you mean 'sm.count'?"},
      {"sm.count: 8\nsm.count: 9\n", "2:1", "'sm.count' is set twice"},
      {"sm.count: 8\nsm:\n  count: 9\n", "3:3", "'sm.count' is set twice"},
      {"sm.count: many\n", "1:11", "sm.count is an integer, not 'many'"},
      {"sm.count: 2000\n", "1:11", "2000 is not in 1..1024"},
      {"sm.count:\n", "1:1", "'sm.count' takes one value, as in sm.count: 4"},
      {"sm.count: [1, 2]\n", "1:11", "takes one value"},
      {"sm.count: { a: 1 }\n", "1:11", "takes one value"},
      {"sm: 4\n", "1:1", "'sm' is a group of keys"},
      {"[1, 2]\n", "1:1", "expected keys and values"},
      {"hello\n", "1:1", "expected keys and values"},
      {"sm.count: 8\n---\nsm.count: 9\n", "3:1", "expected one document"},
      {"[a]: 4\n", "1:1", "expected"},
      {"sm.count: &x 4\nsm.warps: *x\n", "2:1", "takes one value"},
      {"sm: {count: 8\n", "", ""},
      {"sm.count: 8\n\tsm.warps: 4\n", "", ""},
      {"sm.count: \"8\n", "", ""},
      {"\xff\xfe\x01", "", ""},
      {"%YAML 9\n", "", ""},
      {"sm: !!foo {count: }\n", "1:12", ""},
  };
  for (const auto &row : rows) {
    MachineConfig config;
    std::string text = textOf(parseMachineText(config, row.text, "m.yaml"));
    EXPECT_TRUE(llvm::StringRef(text).starts_with("m.yaml:" + std::string(row.place))) << row.text << text;
    EXPECT_HOLDS(text, row.part);
    EXPECT_EQ(config.sm.count, 4u) << "changed by " << row.text;
  }
}

TEST(MachineConfig, DeepNestingEndsInAnErrorNotInAnOverflow) {
  for (char bracket : {'[', '{'}) {
    MachineConfig config;
    EXPECT_NE(textOf(parseMachineText(config, std::string(65536, bracket), "m.yaml")), "success");
    EXPECT_NE(textOf(parseMachineText(config, "sm: " + std::string(65536, bracket), "m.yaml")), "success");
    EXPECT_NE(textOf(parseMachineText(config, "sm.count: " + std::string(65536, bracket), "m.yaml")),
              "success");
  }
}

TEST(MachineConfig, YamlErrorShowsTheLineAndACaret) {
  MachineConfig config;
  EXPECT_EQ(textOf(parseMachineText(config, "sm:\n  count: 0\n", "m.yaml")),
            "m.yaml:2:10: error: sm.count is out of range: 0 is not in 1..1024\n"
            "  count: 0\n"
            "         ^");
}

class MachineFile : public leno::test::InDirectory {};

TEST_F(MachineFile, IsReadOrNamed) {
  MachineConfig config;
  EXPECT_EQ(textOf(loadMachineFile(config, write("m.yaml", "sm.count: 2\n"))), "success");
  EXPECT_EQ(config.sm.count, 2u);
  EXPECT_HOLDS(textOf(loadMachineFile(config, path("none.yaml"))), "No such file or directory");
  EXPECT_HOLDS(textOf(loadMachineFile(config, directory)), "it is a directory");
  EXPECT_HOLDS(textOf(loadMachineFile(config, write("big.yaml", std::string(300000, '#')))),
               "more than 65536 bytes");
  EXPECT_HOLDS(textOf(loadMachineFile(config, write("bad.yaml", "x: 1\n"))),
               "bad.yaml:1:1: error: unknown key 'x'");
}

TEST(MachineConfig, QuestionMarkPrintsAnAlignedTableOfAllKeys) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printMachineKeys(os);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, false);
  ASSERT_EQ(lines.size(), machineKeys().size() + 1);
  size_t column = lines[0].find("meaning");
  for (size_t i = 0; i < machineKeys().size(); ++i) {
    EXPECT_TRUE(lines[i + 1].starts_with(machineKeys()[i].name));
    EXPECT_EQ(lines[i + 1].substr(column), machineKeys()[i].doc);
  }
  EXPECT_HOLDS(text, "48KiB");
}
