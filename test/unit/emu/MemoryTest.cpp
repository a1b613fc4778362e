#include "Harness.h"
#include "emu/memory/AddressSpace.h"

using namespace leno;
using namespace leno::test;
using isa::MemSize;

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
/// R0 = tid, R5 = 4 * tid + parameter 0, R4 = parameter 0.
Code addressed() {
  Code code;
  code.s2r(0, isa::SpecialRegister::TID_X).shlImm(5, 0, 2).param(4, 0).iadd(5, 5, 4);
  return code;
}
} // namespace

TEST(Memory, AnOverrunTrapsNamingTheLowestLaneAndItsAddress) {
  TestMachine machine;
  u64 out = machine.buffer(30 * 4, "out");
  Code code = addressed();
  code.stg(5, 0, 0).exit().done();
  Machine &run = machine.launch(code.program, {}, {32}, {u32(out)});
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
  Code code = addressed();
  code.mov(1, 7).stg(5, 0, 1).exit().done();
  EXPECT_EQ(machine.launch(code.program, {}, {32}, {u32(out)}).run().reason, StopReason::Trapped);
  EXPECT_EQ(machine.words(out, 30), std::vector<u32>(30, 0));
}

TEST(Memory, LanesThatDoNotExecuteMayHoldAnyAddress) {
  TestMachine machine;
  u64 out = machine.buffer(30 * 4);
  Code code = addressed();
  code.isetpImm(0, isa::Cmp::LT, 0, 30).when(0).stg(5, 0, 0).exit().done();
  EXPECT_EQ(machine.launch(code.program, {}, {32}, {u32(out)}).run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(out, 30)[29], 29u);
}

TEST(Memory, MisalignedAccessesTrap) {
  for (auto [size, offset] :
       {std::pair(MemSize::B32, 2), {MemSize::U16, 1}, {MemSize::B64, 4}, {MemSize::B128, 8}}) {
    TestMachine machine;
    u64 out = machine.buffer(4096);
    Code code;
    code.param(4, 0).ldg(8, 4, offset, size).exit().done();
    Machine &run = machine.launch(code.program, {}, {1}, {u32(out)});
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
    Code code(*engine);
    code.param(4, 0).param(5, 4);
    code.ldg(8, 4, 0, MemSize::U8)
        .ldg(9, 4, 0, MemSize::S8)
        .ldg(10, 4, 2, MemSize::U16)
        .ldg(11, 4, 2, MemSize::S16);
    code.ldg(12, 4, 8, MemSize::B64).ldg(16, 4, 0, MemSize::B128);
    for (int k = 0; k < 4; ++k)
      code.stg(5, 4 * k, unsigned(8 + k));
    code.stg(5, 16, 12, MemSize::B64).stg(5, 32, 16, MemSize::B128).stg(5, 48, 9, MemSize::U8);
    code.stg(5, 50, 10, MemSize::U16).exit().done();
    ASSERT_EQ(machine.launch(code.program, {}, {1}, {u32(in), u32(out)}).run().reason, StopReason::Finished);
    std::vector<u32> expected = {0x85, 0xffffff85, 0x8081,     0xffff8081, 0x22222222, 0x33333333, 0,
                                 0,    0x8081fe85, 0x11111111, 0x22222222, 0x33333333, 0x80810085};
    EXPECT_EQ(machine.words(out, 13), expected) << engine->name;
  }
}

TEST(Memory, TheHighestLaneWinsWhenSeveralStoreToOneAddress) {
  for (const Engine *engine : availableEngines()) {
    TestMachine machine({}, *engine);
    u64 out = machine.buffer(4);
    Code code(*engine);
    code.s2r(0, isa::SpecialRegister::TID_X).param(4, 0).stg(4, 0, 0).exit().done();
    ASSERT_EQ(machine.launch(code.program, {}, {32}, {u32(out)}).run().reason, StopReason::Finished);
    EXPECT_EQ(machine.words(out, 1)[0], 31u);
  }
}

TEST(Memory, WideBasesReachAllFortyBits) {
  TestMachine machine;
  u64 out = machine.buffer(4);
  Code code;
  code.param(4, 0).mov(5, 1).mov(6, 9).stg(4, 0, 6, MemSize::B32, true).exit().done();
  Machine &run = machine.launch(code.program, {}, {1}, {u32(out)});
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
      Code code(*engine);
      code.s2r(0, isa::SpecialRegister::TID_X).lopImm(1, isa::LogicOp::XOR, 0, 5).shlImm(5, 1, 2);
      code.iaddImm(6, 5, u32(-4096)).mov(7, u32(-1));
      code.stg(6, offset, 0, MemSize::B32, true);
      code.ldg(8, 6, offset, MemSize::B32, true).iadd(8, 8, 0).stg(6, offset, 8, MemSize::B32, true);
      code.isetpImm(0, isa::Cmp::EQ, 0, 9);
      if (spoilt == allLanes)
        code.mov(7, 0);
      else if (spoilt)
        code.when(0).mov(7, 0);
      code.ldg(8, 6, offset, MemSize::B32, true).exit().done();
      Machine &run = machine.launch(code.program, {}, {32});
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
  Code code; // even lanes the one, odd lanes the other
  code.s2r(0, isa::SpecialRegister::TID_X).shlImm(5, 0, 2).lopImm(1, isa::LogicOp::AND, 0, 1);
  code.isetpImm(0, isa::Cmp::NE, 1, 0)
      .param(4, 0)
      .when(0)
      .param(4, 4)
      .iadd(5, 5, 4)
      .stg(5, 0, 0)
      .exit()
      .done();
  ASSERT_EQ(machine.launch(code.program, {}, {32}, {u32(first), u32(second)}).run().reason,
            StopReason::Finished);
  EXPECT_EQ(machine.words(first, 3), (std::vector<u32>{0, 0, 2}));
  EXPECT_EQ(machine.words(second, 4), (std::vector<u32>{0, 1, 0, 3}));
}

TEST(Memory, SharedMemoryHasExactBoundsAndWraps) {
  TestMachine machine;
  Code code;
  code.s2r(0, isa::SpecialRegister::TID_X).shlImm(5, 0, 2).sts(5, 0, 0).lds(6, 5, 4).exit().done();
  Machine &run = machine.launch(code.program, {}, {32}, {}, 128);
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  EXPECT_EQ(run.grid()->trap()->kind, TrapKind::AddressOutOfRange);
  EXPECT_EQ(run.grid()->trap()->lanes, 0x80000000u);
  EXPECT_EQ(run.grid()->trap()->pc, 3 * 8u);
  EXPECT_EQ(run.grid()->trap()->address, 128u);
}

TEST(Memory, IndexedConstantsReadEachLanesWordAndTrapOutsideTheBank) {
  auto build = [](u32 offset) {
    Code code;
    code.s2r(0, isa::SpecialRegister::TID_X).shlImm(5, 0, 2).param(4, 0).iadd(6, 5, 4);
    code.op<sem::LDC>(isa::LDCMods{},
                      [=](OpBuilder &b) { b.dst(Slot::D, 7), b.constantAddress(3, 5, s32(offset)); });
    code.stg(6, 0, 7).exit().done();
    return code;
  };
  TestMachine machine;
  std::vector<u32> table(40);
  for (u32 i = 0; i < 40; ++i)
    table[i] = i * i;
  cantFail(machine.device.constants().write(3, 0, {reinterpret_cast<uint8_t *>(table.data()), 160}));
  u64 out = machine.buffer(128);
  Code good = build(32), bad = build(36);
  ASSERT_EQ(machine.launch(good.program, {}, {32}, {u32(out)}).run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(out, 32)[5], 13u * 13);
  Machine &run = machine.launch(bad.program, {}, {32}, {u32(out)});
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  EXPECT_EQ(run.grid()->trap()->kind, TrapKind::InvalidConstantAddress);
  EXPECT_EQ(run.grid()->trap()->lanes, 0x80000000u);
}

TEST(Memory, ABadConstantSourceTrapsOnlyWhenItIsReached) {
  auto build = [](bool reach) {
    Code code;
    code.isetpImm(0, reach ? isa::Cmp::T : isa::Cmp::F, RZ, 0).when(0);
    code.op<sem::MOV>(isa::MOVMods{}, [](OpBuilder &b) { b.dst(Slot::D, 1), b.constant(Slot::B, 5, 16); });
    code.exit().done();
    return code;
  };
  TestMachine machine;
  Code unreached = build(false), reached = build(true);
  EXPECT_EQ(machine.launch(unreached.program, {}, {1}).run().reason, StopReason::Finished);
  Machine &run = machine.launch(reached.program, {}, {1});
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  EXPECT_EQ(run.grid()->trap()->kind, TrapKind::InvalidConstantAddress);
  EXPECT_EQ(run.grid()->trap()->pc, 8u);
}

TEST(Memory, UnalignedRegisterGroupsTrapWhenExecuted) {
  for (unsigned reg : {1u, 2u, 253u}) {
    TestMachine machine;
    u64 out = machine.buffer(64);
    Code code;
    code.param(4, 0).ldg(reg, 4, 0, reg == 1 || reg == 253 ? MemSize::B64 : MemSize::B128).exit().done();
    Machine &run = machine.launch(code.program, {}, {1}, {u32(out)});
    EXPECT_EQ(run.run().reason, StopReason::Trapped);
    EXPECT_EQ(run.grid()->trap()->kind, TrapKind::MisalignedRegister) << reg;
  }
}

TEST(Memory, ReadingRzIsZeroForAllWidthsAndWritingItVanishes) {
  TestMachine machine;
  u64 out = machine.buffer(64);
  machine.setWords(out, std::vector<u32>(16, 5));
  Code code;
  code.param(4, 0).ldg(RZ, 4, 0, MemSize::B128).stg(4, 16, RZ, MemSize::B128).exit().done();
  ASSERT_EQ(machine.launch(code.program, {}, {1}, {u32(out)}).run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(out, 9), (std::vector<u32>{5, 5, 5, 5, 0, 0, 0, 0, 5}));
}
