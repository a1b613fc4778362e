#include "runtime/Prepared.h"
#include "test/unit/Support.h"

#include "llvm/Support/raw_ostream.h"

using namespace leno;
using namespace leno::runtime;
using leno::test::textOf;

namespace {

class PreparedContextsTest : public leno::test::InDirectory {
protected:
  PreparedContextsTest() {
    // Adds c[1][0] and a parameter to every byte of a buffer.
    write("add.s",
          ".const 1\nbias: .word 0\n.kernel add\n.param ptr data\n.param u32 more\n"
          " S2R R0, SR_TID.X;\n IADD R0, R0, c[0][data];\n LDG.u8 R1, [R0];\n IADD R1, R1, c[1][bias];\n"
          " IADD R1, R1, c[0][more];\n STG.u8 [R0], R1;\n EXIT;\n.endkernel\n");
    write("in.bin", llvm::StringRef("\x01\x02\x03\x04", 4));
  }
  llvm::Expected<std::unique_ptr<Prepared>> create(llvm::StringRef text) {
    LaunchOptions options;
    options.contexts = write("c.yaml", text);
    return Prepared::create(options, diagnostics);
  }
  std::string mistake(llvm::StringRef text) {
    std::string told = textOf(create(text));
    llvm::StringRef line = llvm::StringRef(told).split('\n').first;
    EXPECT_TRUE(line.consume_front(path("c.yaml") + ":")) << told;
    return line.str();
  }
  std::string diagnosed;
  llvm::raw_string_ostream diagnostics{diagnosed};
};

class PreparedLaunchTest : public leno::test::InDirectory {
protected:
  /// A kernel that counts every byte of a buffer up by one.
  PreparedLaunchTest() {
    options.block = {4, 1, 1};
    options.file =
        write("up.s", ".kernel up\n.param ptr data\n S2R R0, SR_TID.X;\n IADD R0, R0, c[0][data];\n"
                      " LDG.u8 R1, [R0];\n IADD R1, R1, 1;\n STG.u8 [R0], R1;\n EXIT;\n.endkernel\n");
    write("in.bin", llvm::StringRef("\x01\x02\x03\x04", 4));
    options.arguments = {"inout:" + path("in.bin") + ":" + path("out.bin")};
  }
  llvm::Expected<std::unique_ptr<Prepared>> create() { return Prepared::create(options, llvm::nulls()); }

  LaunchOptions options;
};

constexpr const char *TwoContexts = R"(
contexts:
  - name: a
    buffers:
      x: inout:in.bin:a.bin
    stream:
      - launch: add.s
        block: 4
        args: [x, u32:10]
      - constants: 1
        values: [u32:5]
      - launch: add.s
        block: 4
        args: [x, u32:0]
  - name: b
    stream:
      - not-before: 5000
      - launch: add.s
        block: 4
        args: ['inout:in.bin:b.bin', 'u32:1']
)";

} // namespace

TEST_F(PreparedContextsTest, EachContextHasItsOwnStreamAndData) {
  auto prepared = llvm::cantFail(create(TwoContexts));
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(prepared->run().run().reason, StopReason::Finished);
    EXPECT_EQ(prepared->run().contexts()[0]->launches().size(), 2u);
    EXPECT_GE(prepared->run().contexts()[1]->launches()[0].decoded, 5000u);
    EXPECT_EQ(textOf(prepared->writeOutputs()), "success");
    EXPECT_EQ(read("a.bin"), "\x10\x11\x12\x13");
    EXPECT_EQ(read("b.bin"), "\x02\x03\x04\x05");
    EXPECT_EQ(textOf(prepared->restart()), "success");
  }
  EXPECT_EQ(prepared->outputs().size(), 2u);
}

TEST_F(PreparedContextsTest, WhatComesLaterComesUnderEveryAllocation) {
  for (std::string allocation : {"one", "static", "dynamic"}) {
    auto prepared = llvm::cantFail(create("machine:\n  contexts.allocation: " + allocation + TwoContexts));
    EXPECT_EQ(prepared->run().runUntil(4999).reason, StopReason::Cycle);
    EXPECT_EQ(prepared->run().contexts()[1]->launches().size(), 0u);
    EXPECT_EQ(prepared->run().run().reason, StopReason::Finished);
    ASSERT_EQ(prepared->run().contexts()[1]->launches().size(), 1u);
    EXPECT_LE(prepared->run().contexts()[1]->launches()[0].decoded, 5001u);
    EXPECT_EQ(textOf(prepared->writeOutputs()), "success");
    EXPECT_EQ(read("b.bin"), "\x02\x03\x04\x05");
  }
}

TEST_F(PreparedContextsTest, HooksNameTheLaunch) {
  auto prepared = llvm::cantFail(create(TwoContexts));
  std::vector<std::string> heard;
  prepared->onStart = [&](u32 context, size_t launch, GridRun &grid) {
    EXPECT_EQ(prepared->current(context)->spec.parameters, grid.launch().parameters);
    heard.push_back(prepared->run().contexts()[context]->name() + std::to_string(launch) + " starts");
  };
  prepared->onEnd = [&](u32 context, size_t launch, GridRun &grid) {
    EXPECT_TRUE(grid.finished());
    heard.push_back(prepared->run().contexts()[context]->name() + std::to_string(launch) + " ends");
  };
  EXPECT_EQ(prepared->run().run().reason, StopReason::Finished);
  EXPECT_EQ(heard, (std::vector<std::string>{"a0 starts", "a0 ends", "a1 starts", "a1 ends", "b0 starts",
                                             "b0 ends"}));
}

TEST_F(PreparedContextsTest, WhoWaitsIsTold) {
  auto prepared =
      llvm::cantFail(create("contexts:\n  - name: a\n    stream:\n      - release: ready\n      - acquire: "
                            "done\n        value: 3\n  - name: b\n    stream:\n      - acquire: ready\n"));
  EXPECT_EQ(prepared->run().run().reason, StopReason::Stuck);
  EXPECT_EQ(prepared->describeWaits(), "context 'a' waits for semaphore 'done' to reach 3, and it is 0");
}

TEST_F(PreparedContextsTest, ATrapIsToldWithLabelAndLine) {
  auto prepared =
      llvm::cantFail(create("contexts:\n  - name: a\n    stream:\n      - launch: add.s\n        block: 6\n"
                            "        args: ['in:in.bin', 'u32:1']\n"));
  EXPECT_EQ(prepared->run().run().reason, StopReason::Finished);
  EXPECT_FALSE(prepared->run().contexts()[0]->alive());
  EXPECT_HOLDS(prepared->describeEnd(0), "ADDRESS_OUT_OF_RANGE at add+0x10 (");
  EXPECT_HOLDS(prepared->describeEnd(0), "add.s:8), CTA (0,0,0), warp 0, lanes 4-5: ");
}

TEST_F(PreparedContextsTest, MistakesAreLocatedInTheFile) {
  auto launch = [](const std::string &rest) {
    return "contexts:\n  - name: a\n    stream:\n      - " + rest + "\n";
  };
  EXPECT_HOLDS(mistake(launch("launch: none.s")), "4:17: error: cannot launch from '" + path("none.s") + "'");
  EXPECT_HOLDS(mistake(launch("launch: add.s\n        kernel: sub")), "5:17: error: ");
  EXPECT_HOLDS(mistake(launch("launch: add.s")),
               "4:17: error: kernel add(ptr data, u32 more) takes 2 arguments, not 0");
  EXPECT_HOLDS(mistake(launch("launch: add.s\n        args: ['in:none.bin', 'u32:1']")), "5:16: error: ");
  EXPECT_HOLDS(mistake(launch("launch: add.s\n        args: ['in:in.bin', 'f32:1']")),
               "5:15: error: argument 2 ('f32:1') of kernel add");
  EXPECT_HOLDS(mistake(launch("launch: add.s\n        block: 1025\n        args: ['in:in.bin', 'u32:1']")),
               "4:17: error: ");
  EXPECT_HOLDS(mistake(launch("constants: 2\n        values: [u32:1]")),
               "4:20: error: no program of context 'a' has constants in bank 2");
  EXPECT_HOLDS(mistake(launch("launch: add.s\n        args: ['in:in.bin', 'u32:1']\n      - constants: 1\n   "
                              "     offset: 4\n        values: [u32:1]")),
               "6:20: error: 4 bytes at c[1][4] pass the 4 bytes");
  std::filesystem::copy_file(path("add.s"), path("more.s"));
  EXPECT_HOLDS(mistake(launch("launch: add.s\n        args: ['in:in.bin', 'u32:1']\n      - launch: more.s\n "
                              "       args: ['in:in.bin', 'u32:1']")),
               "6:17: error: constant bank 1 of context 'a' holds the constants of '" + path("add.s"));
  EXPECT_HOLDS(
      mistake(
          "machine:\n  contexts.allocation: static\n  sm.count: 1\ncontexts:\n  - name: a\n  - name: b\n"),
      "6:5: error: there is no SM left for context 'b'");
}

//===--- A launch alone -----------------------------------------------------===//

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

//===--- Saved --------------------------------------------------------------===//

/// All files are gone: what was saved does not need them, and writes none.
TEST_F(PreparedContextsTest, WhatWasSavedNeedsNoFiles) {
  std::string text = TwoContexts;
  text.replace(text.find("inout:in.bin:a.bin"), 18, "'inout:in.bin:a.bin'");
  for (size_t at;
       (at = text.find(":a.bin")) != std::string::npos || (at = text.find(":b.bin")) != std::string::npos;)
    text.replace(at, 6, ":print:");
  auto first = llvm::cantFail(create("machine: { sm.count: 3 }" + text));
  first->setMaximumInstructions(3, 1, 0);
  Prepared::Saved saved = first->save();
  EXPECT_EQ(saved.programs.size(), 1u);
  EXPECT_EQ(saved.inputs.size(), 2u);
  std::filesystem::remove_all(directory);
  std::filesystem::create_directory(directory);
  auto prepared = llvm::cantFail(Prepared::create(saved));
  EXPECT_EQ(prepared->config().sm.count, 3u);
  EXPECT_FALSE(prepared->writesFiles());
  EXPECT_EQ(prepared->run().run().reason, StopReason::Finished);
  EXPECT_TRUE(prepared->hasFinished(0));
  EXPECT_FALSE(prepared->hasFinished(1)); // 3 instructions are not enough
  EXPECT_EQ(prepared->trap(1)->kind, TrapKind::Timeout);
  std::string printed;
  llvm::raw_string_ostream os(printed);
  EXPECT_EQ(textOf(prepared->writeOutputs(os)), "success");
  EXPECT_HOLDS(printed, "a.x: u8[4]");
  EXPECT_HOLDS(printed, "16  17  18  19");
  EXPECT_EQ(fileCount(), 0u);
  // Saved again it is the same.
  Prepared::Saved again = prepared->save();
  EXPECT_EQ(again.contexts, saved.contexts);
  EXPECT_EQ(again.programs, saved.programs);
  EXPECT_EQ(again.limits, saved.limits);
  EXPECT_EQ(again.options.machineSettings, saved.options.machineSettings);
}

TEST_F(PreparedLaunchTest, WhatWasSavedNeedsNoFiles) {
  options.arguments = {"inout:" + path("in.bin") + ":print:"};
  Prepared::Saved saved = llvm::cantFail(create())->save();
  std::filesystem::remove_all(directory);
  std::filesystem::create_directory(directory);
  auto prepared = llvm::cantFail(Prepared::create(saved));
  EXPECT_TRUE(prepared->isAlone());
  EXPECT_EQ(prepared->run().run().reason, StopReason::Finished);
  std::string printed;
  llvm::raw_string_ostream os(printed);
  EXPECT_EQ(textOf(prepared->writeOutputs(os)), "success");
  EXPECT_HOLDS(printed, "data: u8[4]");
  EXPECT_HOLDS(printed, "2  3  4  5");
}

TEST_F(PreparedContextsTest, WhatWasSavedIsWhole) {
  auto mistake = [&](auto damage) {
    Prepared::Saved saved = llvm::cantFail(create(TwoContexts))->save();
    damage(saved);
    return textOf(Prepared::create(std::move(saved)));
  };
  EXPECT_HOLDS(mistake([](Prepared::Saved &s) { s.programs.clear(); }), "fewer programs");
  EXPECT_HOLDS(mistake([](Prepared::Saved &s) { s.programs[0].resize(100); }), "add.s");
  EXPECT_HOLDS(mistake([](Prepared::Saved &s) { s.limits.pop_back(); }), "fewer limits");
  EXPECT_HOLDS(mistake([](Prepared::Saved &s) { s.inputs.pop_back(); }), "fewer inputs");
  EXPECT_HOLDS(mistake([](Prepared::Saved &s) { s.inputs.push_back(s.inputs[0]); }), "more programs");
  EXPECT_HOLDS(mistake([](Prepared::Saved &s) { s.inputs[0].bytes.pop_back(); }),
               "the input of buffer 'x' has not the bytes of its shape");
  EXPECT_HOLDS(mistake([](Prepared::Saved &s) { s.contexts = "contexts: []"; }), "a context file needs");
}
