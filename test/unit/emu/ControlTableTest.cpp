#include "Harness.h"
#include "asm/LoadProgram.h"
#include "emu/program/Predecoder.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"

// Tables of control flow, each row worked out by hand from Architecture.md 5: a warp of eight lanes, and
// after each instruction its place (in words), the active lanes and the stack, the oldest entry first.
//
// P0 is true in lanes 0 to 3 (0f), P1 in lanes 0, 1, 4 and 5 (33). R1 is 0 in even lanes and 8 in odd ones,
// R2 is 0, R3 is 16 in lanes 0 to 3 and 24 in the others. ZF is set in lanes 0, 2, 4 and 6 (55), the other
// flags nowhere.
using namespace leno;
using namespace leno::test;

namespace {

struct Row {
  const char *name, *text;
  std::vector<std::string> steps;
};

void prepare(Warp &warp) {
  for (unsigned lane = 0; lane < 8; ++lane) {
    warp.writePredicate(0, lane, lane < 4);
    warp.writePredicate(1, lane, lane % 4 < 2);
    warp.writeRegister(1, lane, lane % 2 * 8);
    warp.writeRegister(2, lane, 0);
    warp.writeRegister(3, lane, lane < 4 ? 16 : 24);
  }
  warp.codes.zero = 0x55;
}

std::string stateOf(const Warp &warp) {
  std::string text = llvm::formatv("{0} {1:x-2}", warp.pcBytes() / 8, warp.active);
  for (size_t i = 0; i < warp.divergence().depth(); ++i) {
    Token entry = warp.divergence().at(i);
    text += llvm::formatv(" {0} {1:x-2}@{2}", tokenTypeName(entry.type), entry.mask, entry.pc).str();
  }
  return text;
}

void check(const Row &row) {
  SCOPED_TRACE(row.name);
  std::string diagnostics, text = std::string("  .kernel k\n  ") + row.text + "\n  .endkernel\n";
  llvm::raw_string_ostream told(diagnostics);
  llvm::Expected<Executable> executable = loadProgramText(text, row.name, {}, told);
  ASSERT_TRUE(bool(executable)) << llvm::toString(executable.takeError()) << diagnostics;
  Program code = predecode(executable->code(), widest());
  TestMachine machine;
  LaunchSpec spec;
  spec.kernel = "k";
  spec.block = {8};
  spec.registers = 8;
  machine.run = cantFail(Machine::create(machine.device, code, spec));
  Machine &run = *machine.run;
  run.start();
  Warp &warp = *run.grid()->residentCtas()[0]->warps()[0];
  prepare(warp);
  for (size_t i = 0; i < row.steps.size(); ++i) {
    Stop stop = run.step(warp);
    std::string got = stop.reason == StopReason::Trapped ? trapName(run.grid()->trap()->kind)
                      : run.grid()->finished()           ? "exit"
                                                         : stateOf(warp);
    ASSERT_EQ(got, row.steps[i]) << "after step " << i << " of\n" << row.text;
  }
}

void checkAll(const std::vector<Row> &rows) {
  for (const Row &row : rows)
    check(row);
}

} // namespace

TEST(ControlTable, Brx) {
  checkAll({
      {"the lowest lane's target first, the others at the branch itself",
       "SSY .+40; BRX R1, .+8; SYNC; SYNC; NOP; EXIT",
       {"1 ff SYNC ff@5", "2 55 SYNC ff@5 DIV aa@1", "1 aa SYNC ff@5", "3 aa SYNC ff@5", "5 ff", "exit"}},
      {"one target of some lanes: the others at the next instruction",
       "SSY .+32; @P0 BRX R2, .+16; SYNC; SYNC; EXIT",
       {"1 ff SYNC ff@4", "3 0f SYNC ff@4 DIV f0@2", "2 f0 SYNC ff@4", "4 ff", "exit"}},
      {"several targets of some lanes: first at the branch, at last at the next instruction",
       "SSY .+40; @P0 BRX R1, .+8; SYNC; SYNC; NOP; EXIT",
       {"1 ff SYNC ff@5", "2 05 SYNC ff@5 DIV fa@1", "1 fa SYNC ff@5", "3 0a SYNC ff@5 DIV f0@2",
        "2 f0 SYNC ff@5", "5 ff", "exit"}},
      {"nobody takes it", "@!PT BRX R1, .+8; EXIT", {"1 ff", "exit"}},
      {"guard and flags together",
       "SSY .+32; @P0 BRX CC.eq, R2, .+16; SYNC; SYNC; EXIT",
       {"1 ff SYNC ff@4", "3 05 SYNC ff@4 DIV fa@2", "2 fa SYNC ff@4", "4 ff", "exit"}},
      {"a promise kept", "BRX.U R2, .+16; NOP; EXIT", {"2 ff", "exit"}},
      {"a promise broken", "BRX.U R1, .+8; NOP; EXIT", {"DIVERGENT"}},
      {"a promise broken by the guard", "@P0 BRX.U R2, .+8; EXIT", {"DIVERGENT"}},
      {"backwards", "BRA .+24; EXIT; NOP; BRX R2, .-16", {"3 ff", "1 ff", "exit"}},
      {".S joins all that execute it",
       "SSY .+40; BRX.S R1, .+8; NOP; NOP; NOP; EXIT",
       {"1 ff SYNC ff@5", "1 aa SYNC ff@5", "5 ff", "exit"}},
  });
}

TEST(ControlTable, Jmp) {
  checkAll({
      {"all lanes: nothing is pushed", "JMP 0x10; NOP; EXIT", {"2 ff", "exit"}},
      {"no lane", "@!PT JMP 0x10; EXIT; NOP", {"1 ff", "exit"}},
      {"the taken side first",
       "SSY .+32; @P0 JMP 0x18; SYNC; SYNC; EXIT",
       {"1 ff SYNC ff@4", "3 0f SYNC ff@4 DIV f0@2", "2 f0 SYNC ff@4", "4 ff", "exit"}},
      {"the flags decide",
       "SSY .+32; JMP CC.ne, 0x18; SYNC; SYNC; EXIT",
       {"1 ff SYNC ff@4", "3 aa SYNC ff@4 DIV 55@2", "2 55 SYNC ff@4", "4 ff", "exit"}},
      {"a promise broken", "@P0 JMP.U 0x8; EXIT", {"DIVERGENT"}},
      {".S: the taken lanes join there, the others run on here",
       "SSY .+32; @P0 JMP.S 0x18; SYNC; NOP; EXIT",
       {"1 ff SYNC ff@4", "2 f0 SYNC ff@4", "4 ff", "exit"}},
      {".S of lanes of which the flags hold some back: DIV is for those without the guard",
       "SSY .+32; @P0 JMP.S CC.eq, 0x18; SYNC; NOP; EXIT",
       {"1 ff SYNC ff@4", "2 f0 SYNC ff@4", "4 ff", "exit"}},
      {".S without a guard: nobody is left for a DIV",
       "SSY .+32; JMP.S CC.eq, 0x18; SYNC; NOP; EXIT",
       {"1 ff SYNC ff@4", "4 ff", "exit"}},
      {".S of lanes that the flags hold back: they join too",
       "SSY .+32; @P0 JMP.S CC.sf, 0x18; SYNC; NOP; EXIT",
       {"1 ff SYNC ff@4", "2 f0 SYNC ff@4", "4 ff", "exit"}},
  });
}

TEST(ControlTable, Jmx) {
  checkAll({
      {"to addresses in registers",
       "SSY .+32; JMX R3; SYNC; SYNC; EXIT",
       {"1 ff SYNC ff@4", "2 0f SYNC ff@4 DIV f0@1", "1 f0 SYNC ff@4", "3 f0 SYNC ff@4", "4 ff", "exit"}},
      {"an address is added", "JMX R2, 0x10; NOP; EXIT", {"2 ff", "exit"}},
      {"the lanes without the guard go on here",
       "SSY .+32; @P0 JMX R3; SYNC; SYNC; EXIT",
       {"1 ff SYNC ff@4", "2 0f SYNC ff@4 DIV f0@2", "2 f0 SYNC ff@4", "4 ff", "exit"}},
      {"a promise broken", "JMX.U R3; NOP; NOP; EXIT", {"DIVERGENT"}},
      {"the address just past the end is a target", "JMX R3, 0x8; NOP; NOP; EXIT", {"3 0f DIV f0@0"}},
      {"past the end", "JMX R3, 0x20; EXIT", {"PC_OUT_OF_RANGE"}},
  });
}

TEST(ControlTable, Calls) {
  checkAll({
      {"JCAL", "JCAL 0x10; EXIT; RET", {"2 ff CALL ff@1", "1 ff", "exit"}},
      {"an early return waits for the others",
       "JCAL 0x10; EXIT; @P0 RET; RET",
       {"2 ff CALL ff@1", "3 f0 CALL ff@1", "1 ff", "exit"}},
      {"a call in one side of a branch returns these lanes alone",
       "@P0 BRA .+16; EXIT; JCAL 0x20; EXIT; RET",
       {"2 0f DIV f0@1", "4 0f DIV f0@1 CALL 0f@3", "3 0f DIV f0@1", "1 f0", "exit"}},
      {"PRET and a branch",
       "PRET .+24; BRA .+8; RET; EXIT",
       {"1 ff CALL ff@3", "2 ff CALL ff@3", "3 ff", "exit"}},
      {"PRET and functions of their own: they come back together",
       "PRET .+32; JMX R3; RET; RET; EXIT",
       {"1 ff CALL ff@4", "2 0f CALL ff@4 DIV f0@1", "1 f0 CALL ff@4", "3 f0 CALL ff@4", "4 ff", "exit"}},
      {"lanes that end in a function do not come back",
       "JCAL 0x10; EXIT; @P0 KIL; RET",
       {"2 ff CALL ff@1", "3 f0 CALL ff@1", "1 f0", "exit"}},
      {"a return without a call", "RET", {"RET_EMPTY_STACK"}},
      {"a break out of a function",
       "PBK .+32; CAL .+16; EXIT; BRK; EXIT",
       {"1 ff BRK ff@4", "3 ff BRK ff@4 CALL ff@2", "STACK_ERROR"}},
  });
}

TEST(ControlTable, Kil) {
  checkAll({
      {"some lanes", "SSY .+24; @P0 KIL; SYNC; EXIT", {"1 ff SYNC ff@3", "2 f0 SYNC ff@3", "3 f0", "exit"}},
      {"all lanes of one side", "@P0 BRA .+16; EXIT; KIL", {"2 0f DIV f0@1", "1 f0", "exit"}},
      {"all lanes: entries for nobody are popped", "SSY .+16; KIL; EXIT", {"1 ff SYNC ff@2", "exit"}},
      {"no lane", "@!PT KIL; EXIT", {"1 ff", "exit"}},
      {".S adds nothing",
       "SSY .+24; @P0 KIL.S; SYNC; EXIT",
       {"1 ff SYNC ff@3", "2 f0 SYNC ff@3", "3 f0", "exit"}},
      {"in a loop: the others leave it",
       "PBK .+24; @P0 KIL; BRK; EXIT",
       {"1 ff BRK ff@3", "2 f0 BRK ff@3", "3 f0", "exit"}},
  });
}

TEST(ControlTable, Cont) {
  checkAll({
      {"lanes wait for the turn's end",
       "PCNT .+32; @P0 CONT; NOP; CONT; EXIT",
       {"1 ff CONT ff@4", "2 f0 CONT ff@4", "3 f0 CONT ff@4", "4 ff", "exit"}},
      {"out of an if",
       "PCNT .+40; @P0 BRA .+16; CONT; @P1 CONT; CONT; EXIT",
       {"1 ff CONT ff@5", "3 0f CONT ff@5 DIV f0@2", "4 0c CONT ff@5 DIV f0@2", "2 f0 CONT ff@5", "5 ff",
        "exit"}},
      {"beside a break",
       "PBK .+40; PCNT .+24; @P0 BRK; CONT; BRK; EXIT",
       {"1 ff BRK ff@5", "2 ff BRK ff@5 CONT ff@4", "3 f0 BRK ff@5 CONT ff@4", "4 f0 BRK ff@5", "5 ff",
        "exit"}},
      {"without its entry", "CONT", {"STACK_ERROR"}},
      {".S adds nothing",
       "PCNT .+24; @P0 CONT.S; CONT; EXIT",
       {"1 ff CONT ff@3", "2 f0 CONT ff@3", "3 ff", "exit"}},
  });
}

TEST(ControlTable, PopSync) {
  checkAll({
      {"on a computing instruction",
       "SSY .+24; @P0 MOV.S R4, 1; SYNC; EXIT",
       {"1 ff SYNC ff@3", "2 f0 SYNC ff@3", "3 ff", "exit"}},
      {"of all lanes", "SSY .+24; ISETP.lt.S P2, R1, 4; NOP; EXIT", {"1 ff SYNC ff@3", "3 ff", "exit"}},
      {"of no lane",
       "SSY .+24; @!PT MOV.S R4, 1; SYNC; EXIT",
       {"1 ff SYNC ff@3", "2 ff SYNC ff@3", "3 ff", "exit"}},
      {"the guard counts as it was before",
       "SSY .+24; @P0 ISETP.t.S P0, R1, R1; SYNC; EXIT",
       {"1 ff SYNC ff@3", "2 f0 SYNC ff@3", "3 ff", "exit"}},
      {"on a branch that is taken",
       "SSY .+32; @P0 BRA.S .+16; SYNC; NOP; EXIT",
       {"1 ff SYNC ff@4", "2 f0 SYNC ff@4", "4 ff", "exit"}},
      {"on a branch with a join of its own",
       "@P0 BRA.SSY.S .+16, .+24; SYNC; NOP; EXIT",
       {"1 f0 SYNC ff@3", "3 ff", "exit"}},
      {"on BRK", "PBK .+24; @P0 BRK.S; BRK; EXIT", {"1 ff BRK ff@3", "2 f0 BRK ff@3", "3 ff", "exit"}},
      {"on RET", "CAL .+16; EXIT; @P0 RET.S; RET", {"2 ff CALL ff@1", "3 f0 CALL ff@1", "1 ff", "exit"}},
      {"on EXIT", "SSY .+24; @P0 EXIT.S; SYNC; EXIT", {"1 ff SYNC ff@3", "2 f0 SYNC ff@3", "3 f0", "exit"}},
      {"on a barrier", "SSY .+24; BAR.SYNC.S 0; NOP; EXIT", {"1 ff SYNC ff@3", "3 ff", "exit"}},
      {"without an entry", "MOV.S R4, 1; EXIT", {"STACK_ERROR"}},
  });
}
