#include "Harness.h"
#include "asm/Encodings.h"
#include "emu/memory/AddressSpace.h"
#include "llvm/ADT/bit.h"

using namespace leno;
using namespace leno::test;

TEST(AddressSpace, AllocationsStartLowAlignedAndZeroed) {
  AddressSpace space;
  u64 address = cantFail(space.allocate(100, "x"));
  EXPECT_EQ(address, AddressSpace::firstAddress);
  std::vector<uint8_t> bytes(100, 1);
  cantFail(space.read(address, bytes));
  EXPECT_EQ(bytes, std::vector<uint8_t>(100, 0));
  EXPECT_EQ(cantFail(space.allocate(1, "y")) % PageTable::pageBytes, 0u);
}

TEST(AddressSpace, BoundsAreExactToTheByte) {
  AddressSpace space;
  u64 address = cantFail(space.allocate(10, "x"));
  EXPECT_NE(space.find(address + 9), nullptr);
  EXPECT_EQ(space.find(address + 10), nullptr);
  EXPECT_EQ(space.find(address + 7, 4), nullptr);
  EXPECT_EQ(space.find(address - 1), nullptr);
}

// Architecture.md 8: paged; the smallest overrun traps, for its bytes or for its page.
TEST(AddressSpace, AGuardPageStandsOnEitherSideOfEveryAllocation) {
  AddressSpace space;
  std::mt19937 random(1);
  std::vector<u64> bases;
  for (unsigned i = 0; i < 300; ++i) {
    if (!bases.empty() && random() % 3 == 0) {
      std::swap(bases[random() % bases.size()], bases.back());
      cantFail(space.release(bases.back()));
      bases.pop_back();
    } else {
      bases.push_back(cantFail(space.allocate(1 + random() % 20000, "x")));
    }
  }
  u64 pages = 0;
  for (const auto &[base, allocation] : space.allocations()) {
    ASSERT_EQ(base % PageTable::pageBytes, 0u);
    u64 end = base + allocation.pages() * PageTable::pageBytes;
    EXPECT_LE(allocation.end(), end);
    EXPECT_FALSE(space.pageTable().translate(base - 1));
    for (u64 page = base; page < end; page += PageTable::pageBytes)
      EXPECT_TRUE(space.pageTable().translate(page));
    EXPECT_FALSE(space.pageTable().translate(end));
    pages += allocation.pages();
  }
  EXPECT_EQ(space.pageTable().pages(), pages);
}

TEST(AddressSpace, AMistakeTellsOfTheBufferAndOfTheUnmappedPage) {
  AddressSpace space;
  u64 base = cantFail(space.allocate(100, "x"));
  EXPECT_EQ(space.describe(base + 100), "just past the end of 'x' (100 bytes at 0x10000)");
  EXPECT_EQ(space.describe(base + 4096),
            "3996 bytes past the end of 'x' (100 bytes at 0x10000); page 0x11000 is not mapped");
  EXPECT_EQ(space.describe(base - 4), "4 bytes before 'x' (100 bytes at 0x10000); page 0xf000 is not mapped");
}

TEST(AddressSpace, ContextsShareNoPhysicalPage) {
  auto frames = std::make_shared<PageFrames>();
  AddressSpace one(frames), other(frames);
  u64 a = cantFail(one.allocate(5000, "a")), b = cantFail(other.allocate(5000, "b"));
  EXPECT_EQ(a, b);
  EXPECT_EQ(one.pageTable().translate(a + 4096), 4096u);
  EXPECT_EQ(other.pageTable().translate(b), 8192u);
  cantFail(one.release(a));
  EXPECT_EQ(one.pageTable().translate(cantFail(one.allocate(1, "c"))), 0u) << "given back, and used again";
}

TEST(AddressSpace, MemoryGivenBackIsUsedAgain) {
  AddressSpace space;
  u64 first = cantFail(space.allocate(1000, "x"));
  cantFail(space.allocate(1000, "y"));
  cantFail(space.release(first));
  EXPECT_EQ(space.find(first), nullptr);
  EXPECT_EQ(cantFail(space.allocate(900, "z")), first);
  EXPECT_EQ(space.bytesAllocated(), 1900u);
}

TEST(AddressSpace, ReleasingWhatIsNoBaseFails) {
  AddressSpace space;
  u64 address = cantFail(space.allocate(16, "x"));
  EXPECT_TRUE(errorToBool(space.release(address + 4)));
}

TEST(AddressSpace, HostAccessAcrossAnEndFailsAndNamesTheAllocation) {
  AddressSpace space;
  u64 address = cantFail(space.allocate(16, "image"));
  std::vector<uint8_t> bytes(17);
  std::string message = toString(space.read(address, bytes));
  EXPECT_NE(message.find("image"), std::string::npos) << message;
}

TEST(AddressSpace, ZeroBytesAreRefused) {
  AddressSpace space;
  EXPECT_TRUE(errorToBool(space.allocate(0, "x").takeError()));
}

namespace {
/// An instruction with a value in one of its fields that the assembler refuses there, as data.
std::string wordWith(const Program &instruction, llvm::StringRef field, u64 value) {
  u64 word = instruction.word(0);
  for (const EncodingInfo &encoding : allEncodings())
    for (const EncodingField &f : encoding.fields)
      if ((word & encoding.fixed) == encoding.value && f.name == field)
        return ".quad " + std::to_string((word & ~f.bits) | value << llvm::countr_zero(f.bits)) + "\n";
  llvm::report_fatal_error("no such field");
}

/// R0 = tid, R5 = 4 * tid + parameter 0, R4 = parameter 0; then the text.
Program addressed(const std::string &text) {
  return assembled(R"(
    .param u32 out
    S2R R0, SR_TID.X
    SHL R5, R0, 2
    MOV R4, c[0][out]
    IADD R5, R5, R4
  )" + text);
}
} // namespace

TEST(Memory, AnOverrunTrapsNamingTheLowestLaneAndItsAddress) {
  TestMachine machine;
  u64 out = machine.buffer(30 * 4, "out");
  Program code = addressed("STG [R5], R0\n EXIT");
  Machine &run = machine.launch(code, {}, {32}, {u32(out)});
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  ASSERT_TRUE(run.grid()->trap());
  EXPECT_EQ(run.grid()->trap()->kind, TrapKind::AddressOutOfRange);
  EXPECT_EQ(run.grid()->trap()->lanes, 0xc0000000u);
  EXPECT_EQ(run.grid()->trap()->address, out + 120);
  EXPECT_EQ(run.grid()->trap()->pc, 4 * 8u);
  EXPECT_NE(run.grid()->trap()->detail.find("just past the end of 'out' (120 bytes"), std::string::npos)
      << run.grid()->trap()->detail;
}

TEST(Memory, AnInstructionThatTrapsWritesNothing) {
  TestMachine machine;
  u64 out = machine.buffer(30 * 4);
  Program code = addressed("MOV32I R1, 7\n STG [R5], R1\n EXIT");
  EXPECT_EQ(machine.launch(code, {}, {32}, {u32(out)}).run().reason, StopReason::Trapped);
  EXPECT_EQ(machine.words(out, 30), std::vector<u32>(30, 0));
}

TEST(Memory, LanesThatDoNotExecuteMayHoldAnyAddress) {
  TestMachine machine;
  u64 out = machine.buffer(30 * 4);
  Program code = addressed("ISETP.lt P0, R0, 30\n @P0 STG [R5], R0\n EXIT");
  EXPECT_EQ(machine.launch(code, {}, {32}, {u32(out)}).run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(out, 30)[29], 29u);
}

TEST(Memory, MisalignedAccessesTrap) {
  for (auto [size, offset] : {std::pair("", 2), {".u16", 1}, {".64", 4}, {".128", 8}}) {
    TestMachine machine;
    u64 out = machine.buffer(4096);
    Program code = assembled(std::string(".param u32 out\n MOV R4, c[0][out]\n LDG") + size + " R8, [R4+" +
                             std::to_string(offset) + "]\n EXIT");
    Machine &run = machine.launch(code, {}, {1}, {u32(out)});
    EXPECT_EQ(run.run().reason, StopReason::Trapped);
    EXPECT_EQ(run.grid()->trap()->kind, TrapKind::MisalignedAddress);
    EXPECT_EQ(run.grid()->trap()->address, out + unsigned(offset));
  }
}

TEST(Memory, EveryWidthLoadsWithItsExtension) {
  for (const Engine *engine : availableEngines()) {
    TestMachine machine({}, *engine);
    u64 in = machine.buffer(64), out = machine.buffer(64);
    machine.setWords(in, {0x8081fe85, 0x11111111, 0x22222222, 0x33333333});
    Program code = assembled(R"(
      .param u32 in
      .param u32 out
      MOV R4, c[0][in]
      MOV R5, c[0][out]
      LDG.u8 R8, [R4]
      LDG.s8 R9, [R4]
      LDG.u16 R10, [R4+2]
      LDG.s16 R11, [R4+2]
      LDG.64 R12, [R4+8]
      LDG.128 R16, [R4]
      STG [R5], R8
      STG [R5+4], R9
      STG [R5+8], R10
      STG [R5+12], R11
      STG.64 [R5+16], R12
      STG.128 [R5+32], R16
      STG.u8 [R5+48], R9
      STG.u16 [R5+50], R10
      EXIT
    )",
                             *engine);
    ASSERT_EQ(machine.launch(code, {}, {1}, {u32(in), u32(out)}).run().reason, StopReason::Finished);
    std::vector<u32> expected = {0x85, 0xffffff85, 0x8081,     0xffff8081, 0x22222222, 0x33333333, 0,
                                 0,    0x8081fe85, 0x11111111, 0x22222222, 0x33333333, 0x80810085};
    EXPECT_EQ(machine.words(out, 13), expected) << engine->name;
  }
}

TEST(Memory, TheHighestLaneWinsWhenSeveralStoreToOneAddress) {
  for (const Engine *engine : availableEngines()) {
    TestMachine machine({}, *engine);
    u64 out = machine.buffer(4);
    Program code =
        assembled(".param u32 out\n S2R R0, SR_TID.X\n MOV R4, c[0][out]\n STG [R4], R0\n EXIT", *engine);
    ASSERT_EQ(machine.launch(code, {}, {32}, {u32(out)}).run().reason, StopReason::Finished);
    EXPECT_EQ(machine.words(out, 1)[0], 31u);
  }
}

TEST(Memory, WideBasesReachAllFortyBits) {
  TestMachine machine;
  u64 out = machine.buffer(4);
  Program code = assembled(R"(
    .param u32 out
    MOV R4, c[0][out]
    MOV32I R5, 1
    MOV32I R6, 9
    STG [R4.64], R6
    EXIT
  )");
  Machine &run = machine.launch(code, {}, {1}, {u32(out)});
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  EXPECT_EQ(run.grid()->trap()->address, out + (u64(1) << 32));
}

// The pairs R7:R6 are 4 (tid ^ 5) - 4096 as 64-bit numbers: adding the offset carries into the upper word.
TEST(Memory, ScatteredWideAddressesCarryIntoTheUpperWord) {
  for (const Engine *engine : availableEngines())
    for (u32 spoilt : {0u, 1u << 9, allLanes}) { // lanes whose upper word is one too large
      TestMachine machine({}, *engine);
      u64 out = machine.buffer(32 * 4, "out");
      ASSERT_LT(out, u64(1) << 22) << "the offset has 24 bits";
      s32 offset = s32(out) + 4096;
      std::string place = "[R6.64+" + std::to_string(offset) + "]";
      std::string upper = !spoilt ? "" : spoilt == allLanes ? "MOV32I R7, 0\n" : "@P0 MOV32I R7, 0\n";
      Program code = assembled(R"(
        S2R R0, SR_TID.X
        LOP.xor R1, R0, 5
        SHL R5, R1, 2
        IADD R6, R5, -4096
        MOV32I R7, -1
        STG )" + place + R"(, R0
        LDG R8, )" + place + R"(
        IADD R8, R8, R0
        STG )" + place + R"(, R8
        ISETP.eq P0, R0, 9
        )" + upper + "LDG R8, " + place +
                                   "\n EXIT",
                               *engine);
      Machine &run = machine.launch(code, {}, {32});
      ASSERT_EQ(run.run().reason, spoilt ? StopReason::Trapped : StopReason::Finished) << engine->name;
      for (u32 i = 0; i < 32; ++i)
        EXPECT_EQ(machine.words(out, 32)[i], 2 * (i ^ 5)) << engine->name;
      if (spoilt) {
        EXPECT_EQ(run.grid()->trap()->lanes, spoilt);
        u32 lane = spoilt == allLanes ? 0 : 9;
        EXPECT_EQ(run.grid()->trap()->address, (u64(1) << 32) + out + 4 * (lane ^ 5));
      }
    }
}

TEST(Memory, AccessesToTwoAllocationsInOneInstruction) {
  TestMachine machine;
  u64 first = machine.buffer(64 * 4, "first"), second = machine.buffer(64 * 4, "second");
  // Even lanes the one, odd lanes the other.
  Program code = assembled(R"(
    .param u32 first
    .param u32 second
    S2R R0, SR_TID.X
    SHL R5, R0, 2
    LOP.and R1, R0, 1
    ISETP.ne P0, R1, 0
    MOV R4, c[0][first]
    @P0 MOV R4, c[0][second]
    IADD R5, R5, R4
    STG [R5], R0
    EXIT
  )");
  ASSERT_EQ(machine.launch(code, {}, {32}, {u32(first), u32(second)}).run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(first, 3), (std::vector<u32>{0, 0, 2}));
  EXPECT_EQ(machine.words(second, 4), (std::vector<u32>{0, 1, 0, 3}));
}

TEST(Memory, SharedMemoryHasExactBoundsAndWraps) {
  TestMachine machine;
  Program code = assembled(R"(
    S2R R0, SR_TID.X
    SHL R5, R0, 2
    STS [R5], R0
    LDS R6, [R5+4]
    EXIT
  )");
  Machine &run = machine.launch(code, {}, {32}, {}, 128);
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  EXPECT_EQ(run.grid()->trap()->kind, TrapKind::AddressOutOfRange);
  EXPECT_EQ(run.grid()->trap()->lanes, 0x80000000u);
  EXPECT_EQ(run.grid()->trap()->pc, 3 * 8u);
  EXPECT_EQ(run.grid()->trap()->address, 128u);
}

TEST(Memory, IndexedConstantsReadEachLanesWordAndTrapOutsideTheBank) {
  auto build = [](const char *constant) {
    return assembled(std::string(R"(
      .param u32 out
      S2R R0, SR_TID.X
      SHL R5, R0, 2
      MOV R4, c[0][out]
      IADD R6, R5, R4
      LDC R7, )") + constant +
                     "\n STG [R6], R7\n EXIT");
  };
  TestMachine machine;
  std::vector<u32> table(40);
  for (u32 i = 0; i < 40; ++i)
    table[i] = i * i;
  cantFail(machine.device.constants().write(3, 0, {reinterpret_cast<uint8_t *>(table.data()), 160}));
  u64 out = machine.buffer(128);
  Program good = build("c[3][R5+32]"), bad = build("c[3][R5+36]");
  ASSERT_EQ(machine.launch(good, {}, {32}, {u32(out)}).run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(out, 32)[5], 13u * 13);
  Machine &run = machine.launch(bad, {}, {32}, {u32(out)});
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  EXPECT_EQ(run.grid()->trap()->kind, TrapKind::InvalidConstantAddress);
  EXPECT_EQ(run.grid()->trap()->lanes, 0x80000000u);
}

TEST(Memory, ABadConstantSourceTrapsOnlyWhenItIsReached) {
  auto build = [](const std::string &test) {
    return assembled("ISETP" + test + " P0, RZ, 0\n @P0 MOV R1, c[5][16]\n EXIT");
  };
  TestMachine machine;
  Program unreached = build(".f"), reached = build(".t");
  EXPECT_EQ(machine.launch(unreached, {}, {1}).run().reason, StopReason::Finished);
  Machine &run = machine.launch(reached, {}, {1});
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  EXPECT_EQ(run.grid()->trap()->kind, TrapKind::InvalidConstantAddress);
  EXPECT_EQ(run.grid()->trap()->pc, 8u);
}

TEST(Memory, UnalignedRegisterGroupsTrapWhenExecuted) {
  for (unsigned reg : {1u, 2u, 253u}) {
    TestMachine machine;
    u64 out = machine.buffer(64);
    Program load = assembled(reg == 2 ? "LDG.128 R0, [R4]" : "LDG.64 R0, [R4]");
    Program code = assembled(".param u32 out\n MOV R4, c[0][out]\n" + wordWith(load, "rd", reg) + "EXIT");
    Machine &run = machine.launch(code, {}, {1}, {u32(out)});
    EXPECT_EQ(run.run().reason, StopReason::Trapped);
    EXPECT_EQ(run.grid()->trap()->kind, TrapKind::MisalignedRegister) << reg;
  }
}

TEST(Memory, ReadingRzIsZeroForAllWidthsAndWritingItVanishes) {
  TestMachine machine;
  u64 out = machine.buffer(64);
  machine.setWords(out, std::vector<u32>(16, 5));
  Program code =
      assembled(".param u32 out\n MOV R4, c[0][out]\n LDG.128 RZ, [R4]\n STG.128 [R4+16], RZ\n EXIT");
  ASSERT_EQ(machine.launch(code, {}, {1}, {u32(out)}).run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(out, 9), (std::vector<u32>{5, 5, 5, 5, 0, 0, 0, 0, 5}));
}
