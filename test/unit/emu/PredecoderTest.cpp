#include "emu/program/Predecoder.h"
#include "Harness.h"

// From assembler text to results: the words that the assembler makes mean what the text says.
using namespace leno;
using namespace leno::test;

TEST(Predecoder, AKernelRunsFromTextToResults) {
  Program code = assembled(R"(
    .kernel collatz
    .param  ptr out
    .param  u32 n
            S2R    R0, SR_TID.X;
            S2R    R1, SR_CTAID.X;
            MOV    R2, c[0][0];
            IMAD   R0, R1, R2, R0;
            ISETP.ge.u32 P0, R0, c[0][n];
      @P0   EXIT;
            IADD   R3, R0, 1;
            MOV    R4, RZ;
            PBK    done;
    loop:   ISETP.le.u32 P1, R3, 1;
      @P1   BRK;
            LOP.and R5, R3, 1;
            ISETP.eq P2, R5, 0;
            SSY    join;
      @P2   BRA    even;
            IMAD   R3, R3, 3, RZ;
            IADD   R3, R3, 1;
            SYNC;
    even:   SHR.u32 R3, R3, 1;
            SYNC;
    join:   IADD   R4, R4, 1;
            BRA    loop;
    done:   MOV    R6, c[0][out];
            SHL    R7, R0, 2;
            IADD   R6, R6, R7;
            STG    [R6], R4;
            EXIT;
    .endkernel
  )");
  TestMachine machine;
  u64 out = machine.buffer(1000 * 4);
  LaunchSpec spec;
  spec.grid = {8}, spec.block = {128};
  spec.maxInstructions = 10'000'000;
  struct {
    u64 out;
    u32 n;
  } parameters{out, 1000};
  spec.parameters.assign(reinterpret_cast<uint8_t *>(&parameters),
                         reinterpret_cast<uint8_t *>(&parameters) + 12);
  auto run = llvm::cantFail(Machine::create(machine.device, code, spec));
  ASSERT_EQ(run->run().reason, StopReason::Finished)
      << (run->grid()->trap() ? run->grid()->trap()->str() : "");
  std::vector<u32> got = machine.words(out, 1000);
  for (u32 i = 0; i < 1000; ++i) {
    u32 steps = 0;
    for (u32 x = i + 1; x > 1; ++steps)
      x = x % 2 ? 3 * x + 1 : x / 2;
    ASSERT_EQ(got[i], steps) << i;
  }
}

TEST(Predecoder, SourcesKeepTheirSlotsAndSigns) {
  Program code = assembled(R"(
    .kernel k
    .param  ptr out
            MOV    R4, c[0][out];
            MOV32I R0, 100;
            MOV32I R1, 7;
            IADD   R8, R0, -R1;
            STG    [R4], R8;
            LOP.and R8, R0, ~R1;
            STG    [R4+4], R8;
            IMAD   R8, R0, R1, c[0][0x0];
            STG    [R4+8], R8;
            ISETP.gt P0, R0, R1;
            SEL    R8, R0, R1, !P0;
            STG    [R4+12], R8;
            I2F    R9, R0;
            FFMA   R9, R9, 2.0, -R9;
            F2I    R8, R9;
            STG    [R4+16], R8;
            EXIT;
    .endkernel
  )");
  TestMachine machine;
  u64 out = machine.buffer(64);
  ASSERT_EQ(machine.launch(code, {}, {32}, {u32(out)}).run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(out, 5), (std::vector<u32>{93, 100 & ~7u, 732, 7, 100}));
}

TEST(Predecoder, WordsThatAreNoInstructionTrapWhenReached) {
  const uint64_t words[] = {~uint64_t(0)};
  Program program = predecode(words, widest());
  TestMachine machine;
  Machine &run = machine.launch(program, {}, {32});
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  EXPECT_EQ(run.grid()->trap()->kind, TrapKind::IllegalInstruction);
}
