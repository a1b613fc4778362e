#include "runtime/checks/RaceCheck.h"
#include "emu/Snapshot.h"
#include "test/unit/Effort.h"
#include "test/unit/checks/CheckTable.h"
#include "test/unit/checks/NaiveRaces.h"
#include "test/unit/emu/Harness.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using namespace leno::test;
using checks::Finding;
using checks::RaceCheck;
using llvm::formatv;

namespace {

/// Statements on few words of shared and of global memory, by lanes, warps and CTAs, with all that orders.
class RandomProgram {
public:
  explicit RandomProgram(unsigned seed) : random(seed) {}

  std::string text() {
    std::string text = R"(
.param u32 data
  S2R R0, SR_TID.X
  S2R R1, SR_CTAID.X
  S2R R20, SR_LANEID
  MOV R2, c[0][data]
  MOV R10, R0
  SHR.u32 R3, R0, 5           # the warp
  SHL R4, R1, 1
  IADD R4, R4, R3             # the warp in the grid
)";
    for (unsigned k = 0, count = 3 + below(14); k < count; ++k)
      text += statement(0);
    return text + "  EXIT\n";
  }

private:
  unsigned below(unsigned n) { return random() % n; }
  template <class... Values> static std::string line(const char *format, Values... values) {
    return ("  " + formatv(format, values...) + "\n").str();
  }

  /// R5: a place among the first 64 bytes, aligned to `bytes`; shared, or with `base` global.
  std::string place(unsigned bytes, bool isGlobal) {
    std::string text;
    switch (below(6)) {
    case 0: // each lane its own
      text = line("SHL R5, R0, 2") + line("IADD R5, R5, 64");
      break;
    case 1: // one for each warp
      text = line("SHL R5, R4, 2") + line("IADD R5, R5, {0}", below(4) * 4);
      break;
    case 2: // a lane's
      text = line("LOP.and R5, R20, {0}", below(4)) + line("SHL R5, R5, 2");
      break;
    default: // one for all
      text = line("MOV32I R5, {0}", below(8) * 4 + (bytes < 4 ? below(4) / bytes * bytes : 0));
    }
    if (bytes == 8)
      text += line("LOP.and R5, R5, 0xfff8");
    return isGlobal ? text + line("IADD R5, R5, R2") : text;
  }

  std::string guard() {
    switch (below(3)) {
    case 0:
      return "";
    case 1:
      return line("ISETP.eq P1, R20, {0}", below(4)) + "  @P1 ";
    default:
      return line("ISETP.eq P1, R4, {0}", below(4)) + "  @P1 ";
    }
  }

  std::string statement(unsigned depth) {
    bool isGlobal = below(2);
    const char *space = isGlobal ? "G" : "S";
    static constexpr const char *sizes[] = {"", "", ".u8", ".u16", ".64"};
    static constexpr unsigned bytes[] = {4, 4, 1, 2, 8};
    unsigned size = below(5);
    switch (below(depth < 2 ? 13 : 8)) {
    case 0:
    case 1:
      return place(bytes[size], isGlobal) + line("MOV32I R10, {0}", below(3)) + guard() +
             line("ST{0}{1} [R5], {2}", space, sizes[size], below(2) ? "R10" : "R0");
    case 2:
      return place(bytes[size], isGlobal) + guard() + line("LD{0}{1} R6, [R5]", space, sizes[size]);
    case 3:
      return place(4, true) + guard() + line("LDG.cv R6, [R5]");
    case 4:
      return place(4, isGlobal) + guard() + line("ATOM{0}.add R6, [R5], R10", isGlobal ? "" : "S");
    case 5:
    case 6:
      return line("MEMBAR.{0}", below(2) ? "CTA" : "GL") + (below(2) ? announce() : "");
    case 7: {
      std::string text = place(4, isGlobal) + line("LD{0}LK P0, R6, [R5]", isGlobal ? "" : "S");
      text += line("@P0 ST{0} [{1}], R10", space, isGlobal ? "R2+32" : "32");
      return text + line("@P0 ST{0}UL [R5], R6", isGlobal ? "" : "S");
    }
    case 8:
    case 9:
      return depth ? announce() : barrier();
    default: {
      unsigned label = labels++;
      std::string text = line("SSY join{0}", label);
      text +=
          below(2) ? line("ISETP.lt P2, R20, {0}", 1 + below(31)) : line("ISETP.eq P2, R4, {0}", below(4));
      text += line("@P2 BRA else{0}", label) + some(depth) + line("SYNC");
      text += formatv("else{0}:\n", label).str() + some(depth) + line("SYNC");
      return text + formatv("join{0}:\n", label).str();
    }
    }
  }
  std::string some(unsigned depth) {
    std::string text;
    for (unsigned k = 0, count = below(4); k < count; ++k)
      text += statement(depth + 1);
    return text;
  }
  /// A message: it is stored, fenced and announced, or waited for.
  std::string announce() {
    if (!below(3)) // by a store, and the word is polled
      return line(below(2) ? "STG [R2+{0}], R10" : "LDG.cv R6, [R2+{0}]", 48 + below(2) * 4) +
             (below(2) ? line("MEMBAR.{0}", below(2) ? "CTA" : "GL") : "");
    return line("RED.add [R2+{0}], R10", 32 + below(2) * 4) +
           (below(2) ? line("MEMBAR.{0}", below(2) ? "CTA" : "GL") : "");
  }
  std::string barrier() {
    if (below(3))
      return line("BAR.SYNC 0");
    unsigned label = labels++;
    return line("ISETP.eq P3, R3, 0") + line("@P3 BRA waits{0}", label) + line("BAR.ARV 1, 64") +
           line("BRA met{0}", label) + formatv("waits{0}:\n", label).str() + line("BAR.SYNC 1, 64") +
           formatv("met{0}:\n", label).str() + (below(2) ? line("BAR.SYNC 0") : line("BAR.SYNC 2, 64"));
  }

  std::mt19937 random;
  unsigned labels = 0;
};

constexpr unsigned ctas = 2, warps = 2;

MachineConfig configOf(unsigned seed) {
  MachineConfig config;
  config.scheduler.quantum = 1 + seed % 7;
  return config;
}

} // namespace

// The same racy bytes as those of all pairs of accesses, none missed and none invented; each pair that is
// told is one.
TEST(RaceCheck, FindsWhatAllPairsFind) {
  unsigned racy = 0, clean = 0;
  for (unsigned seed = 0, count = effort(300); seed < count; ++seed) {
    std::string text = RandomProgram(seed).text();
    Program program = assembled(text);
    TestMachine machine(configOf(seed));
    u64 data = machine.buffer(4096);
    Machine &run = machine.launch(program, {ctas, 1, 1}, {warps * laneCount, 1, 1}, {u32(data)}, 1024);
    NaiveRaces naive(ctas, warps);
    RaceCheck check;
    std::map<NaiveRaces::Byte, std::set<NaiveRaces::Pair>> told;
    check.onRace = [&](const RaceCheck::Race &race) {
      unsigned place = race.space == MemorySpace::Shared ? race.cta.x : 0;
      for (u64 byte = race.address; byte < race.address + race.bytes; ++byte)
        told[{race.space, place, byte}].insert({race.first, race.second});
    };
    run.addObserver(naive);
    run.addObserver(check);
    Stop stop = run.run();
    ASSERT_EQ(stop.reason, StopReason::Finished)
        << "seed " << seed << (run.grid() && run.grid()->trap() ? ": " + run.grid()->trap()->str() : "")
        << text;
    auto all = naive.races();
    for (auto &[byte, pairs] : all)
      ASSERT_TRUE(told.contains(byte))
          << "seed " << seed << " missed " << std::hex << std::get<2>(byte) << " where "
          << pairs.begin()->first << " races with " << pairs.begin()->second << text;
    for (auto &[byte, pairs] : told)
      for (auto pair : pairs)
        ASSERT_TRUE(all.contains(byte) && all[byte].contains(pair))
            << "seed " << seed << " invented " << std::hex << std::get<2>(byte) << ": " << pair.first
            << " and " << pair.second << text;
    ASSERT_EQ(check.take().empty(), all.empty());
    ASSERT_EQ(check.limits(), "");
    ++(all.empty() ? clean : racy);
  }
  RecordProperty("racy", int(racy));
  RecordProperty("clean", int(clean));
  EXPECT_GT(racy, 20u);
  EXPECT_GT(clean, 20u) << "programs without a race tell whether any are invented";
}

static const CheckCase cases[] = {
    {"lanes of a store differ", R"(
  ISETP.eq P1, R3, 0
  @P1 STS [0x40], R0          # @1 @2)",
     "lanes-of-a-store"},
    {"lanes of a store agree", R"(
  ISETP.eq P1, R3, 0
  @P1 STS [0x40], R3)",
     ""},
    {"a warp loads what another stores", R"(
  ISETP.eq P1, R3, 0
  @P1 STS [0x40], R3          # @2
  @!P1 LDS R6, [0x40]         # @1)",
     "load-after-store"},
    {"a barrier stands between", R"(
  ISETP.eq P1, R3, 0
  @P1 STS [0x40], R3
  BAR.SYNC 0
  @!P1 LDS R6, [0x40])",
     ""},
    {"a warp stores before it arrives", R"(
  ISETP.eq P1, R3, 0
  @P1 STS [0x40], R3
  @P1 BAR.ARV 1, 64
  @!P1 BAR.SYNC 1, 64
  @!P1 LDS R6, [0x40])",
     ""},
    {"a warp stores when it has arrived", R"(
  ISETP.eq P1, R3, 0
  @P1 BAR.ARV 1, 64
  @P1 STS [0x40], R3          # @2
  @!P1 BAR.SYNC 1, 64
  @!P1 LDS R6, [0x40]         # @1)",
     "load-after-store"},
    {"a reduction stands between", R"(
  ISETP.eq P1, R3, 0
  @P1 STS [0x40], R3
  BAR.RED.POPC R7, 0, P1
  @!P1 LDS R6, [0x40])",
     ""},
    {"a barrier of all waits for a warp that exits", R"(
  ISETP.eq P1, R3, 0
  @P1 STS [0x40], R3
  @P1 EXIT
  BAR.SYNC 0
  LDS R6, [0x40])",
     ""},
    {"a barrier with a count does not", R"(
  ISETP.eq P1, R3, 0
  @P1 STS [0x40], R3          # @2
  @P1 EXIT
  BAR.SYNC 0, 32
  LDS R6, [0x40]              # @1)",
     "load-after-store"},
    {"a warp loads what it has stored by another instruction", R"(
  SHL R5, R0, 2
  STS [R5], R0
  LOP.xor R5, R5, 4
  LDS R6, [R5])",
     ""},
    {"generic addresses of global memory", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @P1 ST [R2], R3             # @2
  @!P1 LD R6, [R2]            # @1)",
     "load-after-store"},
    {"CTAs have shared memories of their own", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  STS [0x40], R1)",
     ""},
    {"lanes on two paths", R"(
  ISETP.eq P1, R3, 0
  @!P1 EXIT
  ISETP.eq P2, R4, 0
  SSY join
  @P2 BRA other
  LDS R6, [0x40]              # @1
  SYNC
other:
  STS [0x40], R3              # @2
  SYNC
join:)",
     "load-after-store"},
    {"lanes that have met again", R"(
  ISETP.eq P1, R3, 0
  @!P1 EXIT
  ISETP.eq P2, R4, 0
  SSY join
  @P2 BRA other
  SYNC
other:
  STS [0x40], R3
  SYNC
join:
  LDS R6, [0x40])",
     ""},
    {"warps store bytes of one word", R"(
  ISETP.eq P1, R3, 0
  @P1 STS.u8 [0x40], R3
  @!P1 STS.u8 [0x41], R3)",
     ""},
    {"a half covers another warp's byte", R"(
  ISETP.eq P1, R3, 0
  @P1 STS.u8 [0x41], R3       # @2
  @!P1 STS.u16 [0x40], R3     # @1)",
     "store-after-store"},
    {"CTAs", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @P1 STG [R2], R3            # @2
  @!P1 LDG R6, [R2]           # @1)",
     "load-after-store"},
    {"CTAs that only load", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  LDG R6, [R2])",
     ""},
    {"a message with fences of the context", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @!P1 BRA reader
  STG [R2], R3                # @2
  MEMBAR.GL
  RED.add [R2+64], R0
  EXIT
reader:
  ATOM.add R6, [R2+64], R3
  MEMBAR.GL
  LDG R6, [R2]                # @1)",
     ""},
    {"a message with fences of the CTA", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @!P1 BRA reader
  STG [R2], R3                # @2
  MEMBAR.CTA
  RED.add [R2+64], R0
  EXIT
reader:
  ATOM.add R6, [R2+64], R3
  MEMBAR.CTA
  LDG R6, [R2]                # @1)",
     "load-after-store"},
    {"a message whose writer has no fence", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @!P1 BRA reader
  STG [R2], R3                # @2
  RED.add [R2+64], R0
  EXIT
reader:
  ATOM.add R6, [R2+64], R3
  MEMBAR.GL
  LDG R6, [R2]                # @1)",
     "load-after-store"},
    {"a message whose reader has no fence", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @!P1 BRA reader
  STG [R2], R3                # @2
  MEMBAR.GL
  RED.add [R2+64], R0
  EXIT
reader:
  ATOM.add R6, [R2+64], R3
  LDG R6, [R2]                # @1)",
     "load-after-store"},
    {"a flag that is polled with .cv", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @!P1 BRA reader
  STG [R2], R3                # @2
  MEMBAR.GL
  RED.add [R2+64], R0
  EXIT
reader:
  LDG.cv R6, [R2+64]
  MEMBAR.SYS
  LDG R6, [R2]                # @1)",
     ""},
    {"a flag that is polled with a plain load", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @P1 RED.add [R2+64], R0     # @2
  @!P1 LDG R6, [R2+64]        # @1)",
     "load-after-atomic"},
    {"a flag that is stored to, and polled with .cv", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  MOV32I R8, 1
  ISETP.eq P1, R1, 0
  @!P1 BRA reader
  STG [R2], R8
  MEMBAR.GL
  STG [R2+64], R8
  EXIT
reader:
  LDG.cv R6, [R2+64]
  ISETP.ne P0, R6, 1
  @P0 BRA reader
  MEMBAR.GL
  LDG R6, [R2])",
     ""},
    {"the same without the writer's fence", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  MOV32I R8, 1
  ISETP.eq P1, R1, 0
  @!P1 BRA reader
  STG [R2], R8                # @2
  STG [R2+64], R8
  EXIT
reader:
  LDG.cv R6, [R2+64]
  ISETP.ne P0, R6, 1
  @P0 BRA reader
  MEMBAR.GL
  LDG R6, [R2]                # @1)",
     "load-after-store"},
    {"a flag that somebody without a fence has stored to since", R"(
  ISETP.eq P1, R1, 0
  @!P1 BRA reader
  MOV32I R8, 1
  MOV32I R9, 2
  ISETP.eq P2, R3, 1
  @P2 BRA second
  STG [R2], R8                # @2
  MEMBAR.GL
  STG [R2+64], R8
  BAR.SYNC 0
  EXIT
second:
  BAR.SYNC 0
  STG [R2+64], R9
  STG [R2+128], R9
  EXIT
reader:
  ISETP.eq P2, R3, 1
  @P2 EXIT
wait:
  LDG.cv R6, [R2+128]
  ISETP.ne P0, R6, 2
  @P0 BRA wait
  LDG.cv R6, [R2+64]
  MEMBAR.GL
  LDG R6, [R2]                # @1)",
     "load-after-store"},
    {"a flag that somebody with a fence has stored to since", R"(
  ISETP.eq P1, R1, 0
  @!P1 BRA reader
  MOV32I R8, 1
  MOV32I R9, 2
  ISETP.eq P2, R3, 1
  @P2 BRA second
  STG [R2], R8
  MEMBAR.GL
  STG [R2+64], R8
  BAR.SYNC 0
  EXIT
second:
  BAR.SYNC 0
  MEMBAR.GL
  STG [R2+64], R9
  STG [R2+128], R9
  EXIT
reader:
  ISETP.eq P2, R3, 1
  @P2 EXIT
wait:
  LDG.cv R6, [R2+128]
  ISETP.ne P0, R6, 2
  @P0 BRA wait
  LDG.cv R6, [R2+64]
  MEMBAR.GL
  LDG R6, [R2])",
     ""},
    {"atomics of one word", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  RED.add [R2+64], R0)",
     ""},
    {"an atomic and a store", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @P1 STG [R2], R3            # @2
  @!P1 RED.add [R2], R0       # @1)",
     "atomic-after-store"},
    {"both take the lock", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  LDLK P0, R6, [R2+64]
  @P0 STG [R2], R3
  @P0 STUL [R2+64], R6)",
     ""},
    {"one takes the lock", R"(
  ISETP.eq P2, R3, 1
  @P2 EXIT
  ISETP.eq P1, R1, 0
  @!P1 BRA free
  LDLK P0, R6, [R2+64]
  @P0 STG [R2], R3            # @2
  @P0 STUL [R2+64], R6
  EXIT
free:
  STG [R2], R3                # @1)",
     "store-after-store"},
};

TEST(RaceCheck, FindsEachRaceAndLeavesItsNeighbourAlone) {
  for (const CheckCase &test : cases)
    expectCase<RaceCheck>(test);
}

// What it cannot follow it tells.
//===--- Every two kinds of access, ordered and not -------------------------===//

namespace {
struct Access {
  const char *name, *shared, *global; ///< instructions; null: there is none
  bool stores, isOrdering, isAtomic;
};
constexpr Access accesses[] = {
    {"load", "LDS R6, [0x40]", "LDG R6, [R2]", false, false, false},
    {"load", nullptr, "LDG.cv R6, [R2]", false, true, false},
    {"store", "STS [0x40], R3", "STG [R2], R3", true, false, false},
    {"atomic", "ATOMS.add R6, [RZ+0x40], R3", "RED.add [R2], R3", true, true, true},
};

/// By the rules at RaceCheck's head.
bool mayRace(const Access &a, const Access &b) {
  bool polls = (a.isOrdering && !a.isAtomic) || (b.isOrdering && !b.isAtomic);
  if (polls || (a.isOrdering && b.isOrdering))
    return false;
  return a.stores || b.stores;
}

void expectPair(const std::string &name, const std::string &racy, const std::string &ordered,
                const std::string &kind) {
  expectCase<RaceCheck>({(name + ", and nothing between").c_str(), racy.c_str(), kind.c_str()});
  expectCase<RaceCheck>({(name + ", and an order between").c_str(), ordered.c_str(), ""});
}
} // namespace

TEST(RaceCheck, FindsEveryTwoKindsOfAccess) {
  unsigned pairs = 0;
  for (const Access &first : accesses)
    for (const Access &second : accesses) {
      std::string name = formatv("{0}, then {1}", first.global, second.global);
      std::string kind =
          mayRace(first, second) ? formatv("{0}-after-{1}", second.name, first.name).str() : "";
      // Two warps of a CTA, in shared and in global memory: a barrier orders them.
      for (bool isShared : {true, false}) {
        const char *one = isShared ? first.shared : first.global;
        const char *two = isShared ? second.shared : second.global;
        if (!one || !two)
          continue;
        auto text = [&](const char *between) {
          return formatv("\n  ISETP.ne P2, R1, 0\n  @P2 EXIT\n  ISETP.eq P1, R3, 0\n"
                         "  @P1 {0}  # @2\n{1}  @!P1 {2}  # @1",
                         one, between, two)
              .str();
        };
        expectPair(name + " of another warp", text(""), text("  BAR.SYNC 0\n"), kind);
        ++pairs;
      }
      // Two CTAs: fences around atomics of another word do.
      auto text = [&](const char *fence) {
        return formatv("\n  ISETP.eq P2, R3, 1\n  @P2 EXIT\n  ISETP.eq P1, R1, 0\n  @!P1 BRA other\n"
                       "  {0}  # @2\n  {1}\n  RED.add [R2+64], R0\n  EXIT\nother:\n"
                       "  ATOM.add R9, [R2+64], R3\n  {1}\n  {2}  # @1",
                       first.global, fence, second.global)
            .str();
      };
      expectPair(name + " of another CTA", text("MEMBAR.CTA"), text("MEMBAR.GL"), kind);
      ++pairs;
    }
  EXPECT_EQ(pairs, 16u * 2 + 9);
}

// A byte in common is enough, and a byte beside is not.
TEST(RaceCheck, IsExactToTheByte) {
  struct Width {
    const char *suffix;
    unsigned bytes;
  };
  constexpr Width widths[] = {{".u8", 1}, {".u16", 2}, {"", 4}, {".64", 8}, {".128", 16}};
  for (const Width &first : widths)
    for (const Width &second : widths) {
      unsigned at = 64, last = at + first.bytes - 1, common = last / second.bytes * second.bytes;
      unsigned beside = (last / second.bytes + 1) * second.bytes;
      auto text = [&](unsigned other) {
        return formatv("\n  ISETP.ne P2, R1, 0\n  @P2 EXIT\n  ISETP.eq P1, R3, 0\n"
                       "  @P1 STS{0} [{1}], RZ  # @2\n  @!P1 STS{2} [{3}], RZ  # @1",
                       first.suffix, at, second.suffix, other)
            .str();
      };
      expectPair(formatv("{0} bytes and {1}", first.bytes, second.bytes), text(common), text(beside),
                 "store-after-store");
    }
}

TEST(RaceCheck, TellsThatItsMemoryIsFull) {
  Program program = assembled("  S2R R0, SR_TID.X\n  SHL R5, R0, 2\n  STS [R5], R0\n  EXIT\n");
  TestMachine machine;
  Machine &run = machine.launch(program, {1, 1, 1}, {32, 1, 1}, {}, 128);
  RaceCheck check;
  check.setMemory(100);
  run.addObserver(check);
  run.run();
  EXPECT_EQ(check.limits(), "warp accesses not followed to the end: 1, because the shadow memory was full");
}

// Going back in time it knows what it knew, and finds the same again.
TEST(RaceCheck, GoesBackInTime) {
  unsigned compared = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Program program = assembled(RandomProgram(seed).text());
    TestMachine machine(configOf(seed));
    u64 data = machine.buffer(4096);
    Machine &run = machine.launch(program, {ctas, 1, 1}, {warps * laneCount, 1, 1}, {u32(data)}, 1024);
    RaceCheck check;
    run.addObserver(check);
    auto finished = [&] {
      run.run();
      std::string all;
      for (const Finding &one : check.take())
        all += formatv("{0} {1} {2} {3} {4:x} {5}\n", one.kind, one.first.pc, one.second->pc, one.count,
                       one.address, one.text)
                   .str();
      return all;
    };
    run.run(40 + seed);
    auto meter = std::make_shared<u64>(0);
    std::unique_ptr<Snapshot> middle = run.snapshot(nullptr, meter);
    std::string first = finished();
    run.restore(*middle);
    EXPECT_EQ(finished(), first) << "seed " << seed;
    compared += !first.empty();
  }
  EXPECT_GT(compared, 5u);
}

// A launch comes after the one that has ended before it began.
TEST(RaceCheck, LaunchesOneAfterTheOtherDoNotRace) {
  Program program = assembled(".param u32 data\n  MOV R2, c[0][data]\n  S2R R0, SR_TID.X\n  SHL R0, R0, 2\n"
                              "  IADD R2, R2, R0\n  STG [R2], R0\n  EXIT\n");
  TestMachine machine;
  u64 data = machine.buffer(4096);
  RaceCheck check;
  for (unsigned launch = 0; launch < 2; ++launch) {
    Machine &run = machine.launch(program, {1, 1, 1}, {64, 1, 1}, {u32(data)});
    run.addObserver(check);
    EXPECT_EQ(run.run().reason, StopReason::Finished);
    run.removeObserver(check);
  }
  EXPECT_TRUE(check.take().empty());
  // Both at once, by CTAs of one launch, do.
  Machine &run = machine.launch(program, {2, 1, 1}, {64, 1, 1}, {u32(data)});
  run.addObserver(check);
  run.run();
  std::vector<Finding> found = check.take();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, "store-after-store");
  EXPECT_EQ(found[0].count, 2u) << "both warps of the CTA";
  EXPECT_EQ(found[0].address, data);
  EXPECT_EQ(found[0].bytes, 4u);
}
