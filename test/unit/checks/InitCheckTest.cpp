#include "runtime/checks/InitCheck.h"
#include "test/unit/Effort.h"
#include "test/unit/checks/CheckTable.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>
#include <set>

using namespace leno;
using namespace leno::test;
using checks::InitCheck;
using llvm::formatv;

// Kernels in pairs. R10 to R12 and P1 have no value; R5 is each thread's word of the buffer.
static const CheckCase cases[] = {
    {"a register is stored", R"(
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R10               # @1 @2)",
     "undefined-output"},
    {"a register is stored, and its place written again", R"(
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R10
  STG [R5], R0)",
     ""},
    {"a register is copied, and never used", R"(
  MOV R6, R10
  IADD R7, R6, 1)",
     ""},
    {"a guard", R"(
  @P1 MOV R6, R0              # @1 @2)",
     "undefined-guard"},
    {"a guard that was compared", R"(
  ISETP.lt P1, R0, 5
  @P1 MOV R6, R0)",
     ""},
    {"a branch", R"(
  ISETP.lt P0, R10, 5         # @2
  @P0 BRA on                  # @1
  NOP
on:)",
     "undefined-branch"},
    {"a comparison that nobody uses", R"(
  ISETP.lt P0, R10, 5)",
     ""},
    {"a branch by flags", R"(
  IADD.CC R6, R10, R0         # @2
  BRA CC.LT, on               # @1
  NOP
on:)",
     "undefined-branch"},
    {"a branch by flags of what is there", R"(
  IADD.CC R6, R0, R0
  BRA CC.LT, on
  NOP
on:)",
     ""},
    {"an address", R"(
  LOP.and R6, R10, 0x3c       # @2
  IADD R6, R6, R2
  LDG R7, [R6]                # @1)",
     "undefined-address"},
    {"an address of which a mask leaves nothing", R"(
  LOP.and R6, R10, 0
  IADD R6, R6, R2
  LDG R7, [R6])",
     ""},
    {"the high bits of an address are shifted out", R"(
  LOP.and R6, R10, 0xf0       # @2
  SHR.u32 R6, R6, 2
  IADD R6, R6, R2
  LDG R7, [R6]                # @1)",
     "undefined-address"},
    {"all undefined bits of an address are shifted out", R"(
  LOP.and R6, R10, 0xf
  SHR.u32 R6, R6, 4
  IADD R6, R6, R2
  LDG R7, [R6])",
     ""},
    {"shared memory that nobody wrote", R"(
  SHL R5, R0, 2
  LDS R6, [R5]                # @2
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"shared memory that each thread wrote", R"(
  SHL R5, R0, 2
  STS [R5], R0
  LDS R6, [R5]
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"shared memory of which half was written", R"(
  SHL R5, R0, 2
  STS.U16 [R5], R0
  LDS R6, [R5]                # @2
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"the half of shared memory that was written", R"(
  SHL R5, R0, 2
  STS.U16 [R5], R0
  LDS.U16 R6, [R5]
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"a sign that nobody wrote", R"(
  SHL R5, R0, 2
  STS.U8 [R5], R0
  LDS.S16 R6, [R5]            # @2
  SHR R6, R6, 16
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"the low byte of a word of which no more was written", R"(
  SHL R5, R0, 2
  STS.U8 [R5], R0
  LDS R6, [R5]
  LOP.and R6, R6, 0xff
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"an addition makes upper bits undefined", R"(
  LOP.and R6, R10, 0xff00     # @2
  IADD R6, R6, R0
  SHR.u32 R6, R6, 16
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"an addition leaves lower bits alone", R"(
  LOP.and R6, R10, 0xff00
  IADD R6, R6, R0
  LOP.and R6, R6, 0xff
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"a shift by what has no value", R"(
  SHL R6, R0, R10             # @2
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"a value minus itself", R"(
  IADD R6, R10, -R10
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"a value with itself, exclusively", R"(
  LOP.xor R6, R10, R10
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"two of three sources are one register, exclusively", R"(
  LOP3 R6, R10, R10, R0, 0x96
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"all three are one register, exclusively", R"(
  LOP3 R6, R10, R10, R10, 0x96  # @2
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"the low byte of a product, from above it", R"(
  SHL R10, R10, 8
  IMUL R6, R10, 3
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG.u8 [R5], R6)",
     ""},
    {"the second byte of it", R"(
  SHL R10, R10, 8             # @2
  IMUL R6, R10, 3
  SHR.u32 R6, R6, 8
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG.u8 [R5], R6             # @1)",
     "undefined-output"},
    {"or with ones", R"(
  LOP.or R6, R10, -1
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"or with all ones but one", R"(
  LOP.or R6, R10, -2          # @2
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"bytes are permuted away", R"(
  PRMT R6, R0, 0x0000, R10
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"a byte is permuted in", R"(
  PRMT R6, R0, 0x4000, R10    # @2
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"the other side is selected", R"(
  ISETP.ge P0, R0, 0
  SEL R6, R0, R10, P0
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"one side has no value in some lanes", R"(
  ISETP.ge P0, R4, 5
  SEL R6, R0, R10, P0         # @2
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"a select by what has no value, of equal values", R"(
  SEL R6, R0, R0, P1
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"only lanes that were written go on", R"(
  ISETP.lt P0, R4, 8
  @P0 MOV R10, R0
  @!P0 EXIT
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R10)",
     ""},
    {"lanes that were not written go on", R"(
  ISETP.lt P0, R4, 8
  @P0 MOV R10, R0
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R10               # @1 @2)",
     "undefined-output"},
    {"a false predicate decides", R"(
  ISETP.lt P2, R0, 0
  PSETP.and P0, P2, P1
  @P0 MOV R6, R0)",
     ""},
    {"a true predicate does not decide", R"(
  ISETP.ge P2, R0, 0
  PSETP.and P0, P2, P1        # @2
  @P0 MOV R6, R0              # @1)",
     "undefined-guard"},
    {"a comparison beside a false predicate", R"(
  ISETP.lt P2, R0, 0
  ISETP.lt.and P0, R10, 5, P2
  @P0 MOV R6, R0)",
     ""},
    {"a comparison beside a true predicate", R"(
  ISETP.ge P2, R0, 0
  ISETP.lt.and P0, R10, 5, P2 # @2
  @P0 MOV R6, R0              # @1)",
     "undefined-guard"},
    {"a vote of all with a lane that says no", R"(
  ISETP.lt P0, R4, 1
  ISETP.ge.or P0, R10, 5, !P0
  ISETP.ge P2, R4, 4
  @!P2 ISETP.ge P0, R0, 0x1000
  VOTE.ALL RZ, P3, P0
  @P3 MOV R6, R0)",
     ""},
    {"a vote of all where none says no", R"(
  ISETP.ge P0, R0, 0
  ISETP.lt P2, R4, 1
  @P2 ISETP.ge P0, R10, 5     # @2
  VOTE.ALL RZ, P3, P0
  @P3 MOV R6, R0              # @1)",
     "undefined-guard"},
    {"a lane takes another's value", R"(
  ISETP.lt P0, R4, 1
  @P0 MOV R10, R0
  SHFL.IDX P2, R6, R10, 0, 0x1f
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"a lane takes another's that has none", R"(
  ISETP.lt P0, R4, 1
  @P0 MOV R10, R0
  SHFL.IDX P2, R6, R10, 1, 0x1f # @2
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R6                # @1)",
     "undefined-output"},
    {"predicates are saved and restored", R"(
  P2R R6, RZ, 0x7f
  R2P R6, 0x7f)",
     ""},
    {"a predicate without value is saved, restored and used", R"(
  P2R R6, RZ, 0x7f            # @2
  ISETP.ge P1, R0, 0
  R2P R6, 0x7f
  @P1 MOV R6, R0              # @1)",
     "undefined-guard"},
    {"a reduction at a barrier", R"(
  ISETP.ge P0, R10, 5         # @2
  BAR.RED.AND P3, 0, P0       # @1
  @P3 MOV R6, R0)",
     "undefined-barrier"},
    {"a reduction at a barrier of what is there", R"(
  ISETP.ge P0, R0, 5
  BAR.RED.AND P3, 0, P0
  @P3 MOV R6, R0)",
     ""},
    {"an atomic whose result takes the place of its source", R"(
  SHL R5, R0, 2
  IADD R5, R5, R2
  ATOM.ADD R10, [R5], R10     # @1 @2)",
     "undefined-output"},
    {"an atomic whose result takes the place of what is there", R"(
  SHL R5, R0, 2
  IADD R5, R5, R2
  MOV R10, R0
  ATOM.ADD R10, [R5], R10)",
     ""},
    {"two results of which the second needs what the first replaces", R"(
  PSETP.and.and P1, P2, !PT, PT, P1 # @2
  @P2 MOV R6, R0              # @1)",
     "undefined-guard"},
    {"two results of what is there", R"(
  ISETP.ge P1, R0, 5
  PSETP.and.and P1, P2, !PT, PT, P1
  @P2 MOV R6, R0)",
     ""},
    {"an exchange gives memory a value", R"(
  SHL R5, R0, 2
  ATOMS.EXCH RZ, [R5], R0
  LDS R6, [R5]
  IADD R5, R5, R2
  STG [R5], R6)",
     ""},
    {"flags of a value minus itself", R"(
  IADD.CC R6, R10, -R10
  BRA CC.LT, on
  NOP
on:)",
     ""},
    {"atomics on shared memory that nobody wrote", R"(
  MOV R6, 0
  ATOMS.ADD R7, [R6], R0      # @2
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R7                # @1)",
     "undefined-output"},
    {"atomics on shared memory behind a store", R"(
  MOV R6, 0
  STS [R6], R6
  BAR.SYNC 0
  ATOMS.ADD R7, [R6], R0
  SHL R5, R0, 2
  IADD R5, R5, R2
  STG [R5], R7)",
     ""},
    {"the number of threads that a barrier waits for", R"(
  LOP.and R6, R10, 0          # has a value
  IADD R6, R6, 64
  BAR.SYNC 1, R6)",
     ""},
};

TEST(InitCheck, TellsWhatNobodyWroteAndNoMore) {
  for (const CheckCase &test : cases)
    expectCase<InitCheck>(test);
}

// Each way a value comes, with each use that matters. R6 is zero, by somebody's will or by chance.
TEST(InitCheck, FollowsEachSourceToEachUse) {
  struct Source {
    const char *name, *undefined, *defined;
  };
  constexpr Source sources[] = {
      {"a register", "  MOV R6, R10\n", "  MOV R6, RZ\n"},
      {"a product", "  IMAD R6, R10, R0, RZ\n", "  IMAD R6, RZ, R0, RZ\n"},
      {"shared memory", "  LDS R6, [R7]\n", "  STS [R7], RZ\n  LDS R6, [R7]\n"},
      {"a pair of shared memory", "  SHL R7, R0, 3\n  STS [R7], RZ\n  LDS.64 R16, [R7]\n  MOV R6, R17\n",
       "  SHL R7, R0, 3\n  STS.64 [R7], RZ\n  LDS.64 R16, [R7]\n  MOV R6, R17\n"},
      {"global memory", "  STG [R5+1024], R10\n  LDG R6, [R5+1024]\n  STG [R5+1024], RZ\n",
       "  STG [R5+1024], RZ\n  LDG R6, [R5+1024]\n  STG [R5+1024], RZ\n"},
      {"a selection", "  SEL R6, RZ, R10, P1\n", "  SEL R6, RZ, R10, PT\n"},
  };
  struct Use {
    const char *kind, *text;
  };
  constexpr Use uses[] = {
      {"undefined-guard", "  ISETP.lt P0, R6, 5\n  @P0 MOV R8, R0\n"},
      {"undefined-branch", "  ISETP.lt P0, R6, 5\n  @P0 BRA on\n  NOP\non:\n"},
      {"undefined-address", "  IADD R8, R6, R2\n  LDG R9, [R8]\n"},
      {"undefined-address", "  STS [R6+0x380], R0\n"},
      {"undefined-output", "  STG [R5], R6\n"},
      {"undefined-barrier", "  IADD R8, R6, 64\n  BAR.SYNC 1, R8\n"},
  };
  auto kindsOf = [](const std::string &body) {
    Program program = assembled(std::string("\n.param u32 data\n  S2R R0, SR_TID.X\n  MOV R2, c[0][data]\n"
                                            "  SHL R7, R0, 2\n  IADD R5, R7, R2\n") +
                                body + "  EXIT\n");
    TestMachine machine;
    u64 data = machine.buffer(4096);
    Machine &run = machine.launch(program, {1, 1, 1}, {64, 1, 1}, {u32(data)}, 1024, 100'000);
    InitCheck check;
    run.addObserver(check);
    run.run();
    std::set<std::string> kinds;
    for (const checks::Finding &finding : check.take())
      kinds.insert(finding.kind);
    return kinds;
  };
  for (const Source &source : sources)
    for (const Use &use : uses) {
      SCOPED_TRACE(std::string(source.name) + ": " + use.text);
      EXPECT_EQ(kindsOf(source.undefined + std::string(use.text)), std::set<std::string>{use.kind});
      EXPECT_EQ(kindsOf(source.defined + std::string(use.text)), std::set<std::string>{});
    }
}

//===--- Garbage ----------------------------------------------------------===//

namespace {

/// Straight code over R10 to R15, of which R10, R11 and P1 have no value at first.
class RandomCode {
public:
  explicit RandomCode(unsigned seed) : random(seed) {}
  std::string text() {
    std::string text;
    for (unsigned k = 0, count = 2 + below(12); k < count; ++k)
      text += statement();
    return text + "  SHL R5, R0, 2\n  IADD R5, R5, R2\n  STG [R5], R" + std::to_string(10 + below(6)) + "\n";
  }

private:
  unsigned below(unsigned n) { return random() % n; }
  std::string reg() { return "R" + std::to_string(10 + below(6)); }
  std::string source() {
    static constexpr const char *numbers[] = {"0", "1", "-1", "0xff", "0xff00", "R0", "R4"};
    return below(3) ? reg() : numbers[below(7)];
  }
  std::string statement() {
    std::string d = reg(), a = reg(), b = source();
    std::string guard = below(6) ? "  " : "  @P0 ";
    switch (below(16)) {
    case 0:
      return formatv("{0}MOV {1}, {2}\n", guard, d, b);
    case 1:
      return formatv("{0}LOP.and {1}, {2}, {3}\n", guard, d, a, b);
    case 2:
      return formatv("{0}LOP.or {1}, {2}, {3}\n", guard, d, a, b);
    case 3:
      return formatv("{0}LOP.xor {1}, {2}, {3}\n", guard, d, a, b);
    case 4:
      return formatv("{0}SHL {1}, {2}, {3}\n", guard, d, a, below(3) ? std::to_string(below(33)) : b);
    case 5:
      return formatv("{0}SHR.u32 {1}, {2}, {3}\n", guard, d, a, below(33));
    case 6:
      return formatv("{0}SHR {1}, {2}, {3}\n", guard, d, a, below(33));
    case 7:
      return formatv("{0}IADD {1}, {2}, {3}\n", guard, d, a, b);
    case 8:
      return formatv("{0}IMAD {1}, {2}, {3}, {4}\n", guard, d, a, b, reg());
    case 9:
      return formatv("{0}PRMT {1}, {2}, {3:x}, {4}\n", guard, d, a, below(0x10000), reg());
    case 10:
      return formatv("{0}BFE.u32 {1}, {2}, {3}\n", guard, d, a, below(32) | below(33) << 8);
    case 11:
      return formatv("{0}BFI {1}, {2}, {3}, {4}\n", guard, d, a, below(32) | below(33) << 8, reg());
    case 12:
      return formatv("{0}LOP3 {1}, {2}, {3}, {4}, {5:x}\n", guard, d, a, reg(), reg(), below(256));
    case 14:
      return formatv("{0}IMUL{1} {2}, {3}, {4}\n", guard, below(4) ? "" : ".HI", d, a, b);
    case 13:
      return formatv("{0}SEL {1}, {2}, {3}, P1\n", guard, d, a, b);
    default:
      return formatv("  ISETP.lt P1, {0}, {1}\n", a, b);
    }
  }
  std::minstd_rand random;
};

struct Outcome {
  std::vector<u8> bytes;
  size_t findings;
};
Outcome run(const std::string &body, const char *before) {
  Program program = assembled(std::string(R"(
.param u32 data
  S2R R0, SR_TID.X
  S2R R4, SR_LANEID
  MOV R2, c[0][data]
  ISETP.lt P0, R4, 7
  MOV R12, R0
  IADD R13, R0, 77
  MOV32I R14, 0x12345678
  SHL R15, R0, 9
)") + before + body + "  EXIT\n");
  TestMachine machine;
  u64 data = machine.buffer(256);
  Machine &execution = machine.launch(program, {1, 1, 1}, {64, 1, 1}, {u32(data)}, 0, 100'000);
  InitCheck check;
  execution.addObserver(check);
  execution.run();
  Outcome result{std::vector<u8>(256), check.take().size()};
  llvm::cantFail(machine.device.memory().peek(data, result.bytes));
  return result;
}

} // namespace

// Where two different garbages give two results, the code without any must have been told of.
TEST(InitCheck, TellsWhateverGarbageChanges) {
  unsigned told = 0, differed = 0;
  for (unsigned seed = 0; seed < effort(400); ++seed) {
    std::string body = RandomCode(seed).text();
    std::vector<Outcome> garbages;
    for (const char *garbage : {"  MOV R10, 0\n  MOV R11, 0\n  ISETP.lt P1, R0, 0\n",
                                "  MOV R10, -1\n  MOV R11, -1\n  ISETP.ge P1, R0, 0\n",
                                "  MOV32I R10, 0xa5c3960f\n  MOV32I R11, 0x5a3c69f1\n  ISETP.ge P1, R0, 9\n"})
      garbages.push_back(run(body, garbage));
    for (const Outcome &one : garbages)
      EXPECT_EQ(one.findings, 0u) << body;
    bool differs = garbages[0].bytes != garbages[1].bytes || garbages[0].bytes != garbages[2].bytes;
    size_t findings = run(body, "").findings;
    differed += differs;
    told += findings > 0;
    EXPECT_TRUE(findings || !differs) << "seed " << seed << '\n' << body;
  }
  // Most of what it tells of does change something.
  EXPECT_GT(differed, told / 2);
  EXPECT_GT(differed, 20u);
}
