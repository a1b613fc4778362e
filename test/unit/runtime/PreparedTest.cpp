#include "runtime/PreparedContexts.h"
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
  llvm::Expected<std::unique_ptr<PreparedContexts>> create(llvm::StringRef text) {
    return PreparedContexts::create({write("c.yaml", text), {}, {}, {}}, diagnostics);
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
  prepared->onStart = [&](Context &context, size_t launch, GridRun &grid) {
    EXPECT_EQ(prepared->current(context)->spec.parameters, grid.launch().parameters);
    heard.push_back(context.name() + std::to_string(launch) + " starts");
  };
  prepared->onEnd = [&](Context &context, size_t launch, GridRun &grid) {
    EXPECT_TRUE(grid.finished());
    heard.push_back(context.name() + std::to_string(launch) + " ends");
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
  const Context &a = *prepared->run().contexts()[0];
  EXPECT_FALSE(a.alive());
  EXPECT_HOLDS(prepared->describeEnd(a), "ADDRESS_OUT_OF_RANGE at add+0x10 (");
  EXPECT_HOLDS(prepared->describeEnd(a), "add.s:8), CTA (0,0,0), warp 0, lanes 4-5: ");
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
