#include "runtime/ContextFile.h"
#include "test/unit/Effort.h"
#include "test/unit/Support.h"

#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace leno;
using namespace leno::runtime;
using leno::test::textOf;

namespace {

llvm::Expected<ContextFile> parse(llvm::StringRef text) {
  MachineConfig machine;
  return ContextFile::parse(text, "f.yaml", machine);
}

/// "3:9: error: message" of the only mistake.
std::string mistake(llvm::StringRef text) {
  std::string told = textOf(parse(text));
  llvm::StringRef line = llvm::StringRef(told).split('\n').first;
  EXPECT_TRUE(line.consume_front("f.yaml:")) << told;
  return line.str();
}

/// A context with one command, which stands in line 4 from column 9 on.
std::string command(const std::string &text) {
  return "contexts:\n  - name: a\n    stream:\n      - " + text + "\n";
}

} // namespace

TEST(ContextFileTest, ReadsEveryKey) {
  MachineConfig machine;
  ContextFile file = llvm::cantFail(ContextFile::parse(R"(
machine:
  sm: { count: 3 }
contexts:
  - name: a
    priority: -2
    sms: 2
    watchdog: 5000
    buffers:
      y: zero:f32[8]
    stream:
      - launch: k.s
        kernel: k
        grid: 4,2
        block: [32, 2]
        args: [u32:5, y, in:x.npy]
        max-instructions: 77
      - constants: 3
        offset: 8
        values: [u32:258, u8:7]
      - release: ready
      - acquire: ready
        value: 4
      - sync-token: 2,3
      - sync-token: none
      - not-before: 20000
  - name: b
)",
                                                       "dir/f.yaml", machine));
  EXPECT_EQ(machine.sm.count, 3u);
  ASSERT_EQ(file.contexts.size(), 2u);
  const ContextFile::Context &a = file.contexts[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.priority, -2);
  EXPECT_EQ(a.sms, 2u);
  EXPECT_EQ(a.watchdog, 5000u);
  ASSERT_EQ(a.buffers.size(), 1u);
  EXPECT_EQ(a.buffers[0].spec.kind, ArgumentSpec::Kind::Zero);
  ASSERT_EQ(a.stream.size(), 7u);
  const auto &launch = std::get<ContextFile::Launch>(a.stream[0]);
  EXPECT_EQ(launch.file, "dir/k.s");
  EXPECT_EQ(launch.kernel, "k");
  EXPECT_EQ(launch.grid, (Dimensions{4, 2, 1}));
  EXPECT_EQ(launch.block, (Dimensions{32, 2, 1}));
  EXPECT_EQ(launch.maximumInstructions, 77u);
  ASSERT_EQ(launch.arguments.size(), 3u);
  EXPECT_EQ(launch.arguments[0].spec.bits, 5u);
  EXPECT_EQ(launch.arguments[1].buffer, "y");
  EXPECT_EQ(launch.arguments[2].spec.input.path, "dir/x.npy");
  const auto &constants = std::get<ContextFile::Constants>(a.stream[1]);
  EXPECT_EQ(constants.bank, 3u);
  EXPECT_EQ(constants.offset, 8u);
  EXPECT_EQ(constants.bytes, (std::vector<uint8_t>{2, 1, 0, 0, 7}));
  EXPECT_EQ(std::get<ContextFile::Semaphore>(a.stream[2]).value, 1u);
  EXPECT_EQ(std::get<ContextFile::Semaphore>(a.stream[3]).kind, ContextFile::Semaphore::Acquire);
  EXPECT_EQ(std::get<ContextFile::Semaphore>(a.stream[3]).value, 4u);
  EXPECT_EQ(std::get<ContextFile::SyncToken>(a.stream[4]).mapping, (TileMapping{2, 3}));
  EXPECT_EQ(std::get<ContextFile::SyncToken>(a.stream[5]).mapping, TileMapping());
  EXPECT_EQ(std::get<ContextFile::NotBefore>(a.stream[6]).cycle, 20000u);
  EXPECT_EQ(file.contexts[1].stream.size(), 0u);
}

TEST(ContextFileTest, TheExampleHasEveryKey) {
  ContextFile file = llvm::cantFail(parse(ContextFile::example()));
  EXPECT_EQ(file.contexts.size(), 3u);
  EXPECT_TRUE(file.contexts[0].buffers[2].isOnDemand);
  // Each key that a mistake lists is there.
  std::string example = ContextFile::example().str(), badLaunch = command("launch: k.s\n        x: 1");
  for (const char *text : {"x: 1", "contexts:\n  - x: 1", badLaunch.c_str()}) {
    std::string told = textOf(parse(text));
    llvm::StringRef keys = llvm::StringRef(told).split("its keys are ").second.split('\n').first;
    EXPECT_FALSE(keys.empty());
    for (llvm::StringRef key : llvm::split(keys, ", "))
      EXPECT_HOLDS(example, key.str() + ":");
  }
}

TEST(ContextFileTest, DamagedFilesAreMistakes) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < leno::test::effort(2000); ++round) {
    std::string text = ContextFile::example().str();
    for (unsigned damage = 0; damage <= random() % 4; ++damage) {
      size_t at = random() % text.size();
      switch (random() % 3) {
      case 0:
        text[at] = " :-[]{},\"'\n#&*!|>%0a\xff"[random() % 20];
        break;
      case 1:
        text.erase(at, 1 + random() % 20);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 30));
      }
    }
    std::string told = textOf(parse(text));
    EXPECT_TRUE(told == "success" || llvm::StringRef(told).starts_with("f.yaml:")) << told;
  }
}

TEST(ContextFileTest, MistakesOfTheFileAreLocated) {
  EXPECT_EQ(mistake(""), "1:1: error: a context file is a list of keys and their values");
  EXPECT_EQ(mistake("machine: {}\n"),
            "1:1: error: a context file needs 'contexts', a list with at least one");
  EXPECT_HOLDS(mistake("context: []\n"),
               "1:1: error: a context file has no key 'context'; did you mean 'contexts'?");
  EXPECT_HOLDS(mistake("contexts: 5\n"), "1:11: error: 'contexts' is a list");
  EXPECT_HOLDS(mistake("machine:\n  sm.coumt: 5\n"),
               "2:3: error: unknown key 'sm.coumt'; did you mean 'sm.count'?");
  EXPECT_HOLDS(mistake("contexts:\n  - priority: 1\n"), "2:5: error: a context needs a name");
  EXPECT_HOLDS(mistake("contexts:\n  - name: a\n  - name: a\n"), "3:5: error: there are two contexts 'a'");
  EXPECT_HOLDS(mistake("contexts:\n  - name: a\n    name: b\n"), "3:5: error: 'name' is there twice");
  EXPECT_HOLDS(mistake("contexts:\n  - name: a\n    sms: 1025\n"),
               "3:10: error: 'sms' is out of range: 1025 is not in 0..1024");
  EXPECT_HOLDS(mistake("contexts:\n  - name: a\n    priority: 1x\n"),
               "3:16: error: 'priority' is an integer, not '1x'");
  EXPECT_HOLDS(mistake("contexts:\n  - name: a\n    buffers:\n      x: u32:5\n"),
               "4:10: error: a buffer is in:FILE");
  EXPECT_HOLDS(mistake("contexts:\n  - name: a\n    buffers:\n      x: zero:f33[4]\n"),
               "4:15: error: unknown element type 'f33'");
  EXPECT_HOLDS(mistake("contexts: [[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]\n"),
               "error: nested too deep");
}

TEST(ContextFileTest, MistakesOfCommandsAreLocated) {
  EXPECT_HOLDS(mistake(command("lunch: k.s")), "4:9: error: a command is one of launch, constants");
  EXPECT_HOLDS(mistake(command("launch: k.s\n        gird: 4")),
               "5:9: error: a launch has no key 'gird'; did you mean 'grid'?");
  EXPECT_HOLDS(mistake(command("launch: k.s\n        grid: 0")),
               "5:15: error: 'grid': '0': X is 0, not in 1..2147483647");
  EXPECT_HOLDS(mistake(command("launch: k.s\n        block: [1,2,3,4]")),
               "5:16: error: 'block': '1,2,3,4': expected X");
  EXPECT_HOLDS(mistake(command("launch: k.s\n        args: u32:5")), "5:15: error: 'args' is a list");
  EXPECT_HOLDS(mistake(command("launch: k.s\n        args: [u32:5, u32:x]")), "5:27: error: ");
  EXPECT_HOLDS(mistake(command("launch: k.s\n        args: ['u32:5', 'u32:4x']")), "5:31: error: ");
  EXPECT_HOLDS(mistake(command("launch: k.s\n        args: [five]")),
               "5:16: error: the context has no buffer 'five'; a value is a number, or has its type before it");
  EXPECT_HOLDS(mistake(command("launch: '-'")), "4:17: error: a context file names its programs");
  EXPECT_HOLDS(mistake(command("constants: 0")),
               "4:20: error: 'constants' is out of range: 0 is not in 1..15");
  EXPECT_HOLDS(mistake(command("constants: 1")), "4:9: error: an update of constants needs 'values'");
  EXPECT_HOLDS(mistake(command("constants: 1\n        values: [in:x.bin]")), "error: a constant is a scalar");
  EXPECT_HOLDS(mistake(command("release:")), "4:9: error: 'release' takes one value");
  EXPECT_HOLDS(mistake(command("sync-token: 0,1")),
               "4:21: error: 'sync-token' takes the CTAs of a tile, X,Y, or none");
  EXPECT_HOLDS(mistake(command("not-before: -1")), "4:21: error: 'not-before' is out of range");
}
