#include "runtime/checks/SyncCheck.h"
#include "test/unit/checks/CheckTable.h"

using namespace leno;
using namespace leno::test;
using checks::SyncCheck;

static const CheckCase cases[] = {
    {"a barrier that some lanes go round", R"(
  ISETP.ne P0, R0, 0
  SSY join
  @!P0 BRA join1
  BAR.SYNC 0                  # @1
  SYNC
join1:
  SYNC
join:)",
     "divergent-barrier", true},
    {"the same where it is a trap", R"(
  ISETP.ne P0, R0, 0
  SSY join
  @!P0 BRA join1
  BAR.SYNC 0                  # @1
  SYNC
join1:
  SYNC
join:)",
     "divergent-barrier"},
    {"warps that meet with different counts", R"(
  ISETP.eq P0, R3, 0
  @P0 BAR.SYNC 3, 64
  @!P0 BAR.SYNC 3             # @1)",
     "barrier-mismatch"},
    {"warps that meet with one count", R"(
  ISETP.eq P0, R3, 0
  @P0 BAR.ARV 3, 64
  @!P0 BAR.SYNC 3, 64)",
     ""},
    {"two warps wait at different barriers", R"(
  ISETP.eq P0, R3, 0
  @P0 BAR.SYNC 1, 64
  @!P0 BAR.SYNC 2, 64         # @1)",
     "barrier-deadlock"},
    {"two warps wait at one barrier", R"(
  ISETP.eq P0, R3, 0
  @P0 BAR.SYNC 1, 64
  @!P0 BAR.SYNC 1, 64)",
     ""},
    {"a barrier behind the join", R"(
  ISETP.ne P0, R0, 0
  SSY join
  @!P0 BRA join1
  SYNC
join1:
  SYNC
join:
  BAR.SYNC 0)",
     "", true},
    {"a warp exits before the barrier", R"(
  ISETP.eq P0, R3, 1
  @P0 EXIT                    # @2
  BAR.SYNC 0                  # @1)",
     "barrier-missed"},
    {"a warp exits behind the barrier", R"(
  BAR.SYNC 0
  ISETP.eq P0, R3, 1
  @P0 EXIT)",
     ""},
    {"two warps arrive, and nobody waits", R"(
  BAR.ARV 1, 64               # @1)",
     "arrival-without-wait"},
    {"one of two warps arrives, at the end of its CTA", R"(
  ISETP.eq P0, R3, 1
  @P0 BAR.ARV 1, 64           # @1)",
     "arrival-without-wait"},
    {"one arrives, the other waits", R"(
  ISETP.eq P0, R3, 1
  @P0 BAR.ARV 1, 64
  @!P0 BAR.SYNC 1, 64)",
     ""},
    {"a lane takes its lock again", R"(
  SHL R5, R0, 2
  LDSLK P0, R6, [R5]          # @2
  LDSLK P1, R6, [R5]          # @1
  @P0 STSUL [R5], R6)",
     "lock-taken-twice"},
    {"a lane takes another lock beside its own", R"(
  SHL R5, R0, 3
  LDSLK P0, R6, [R5]
  LDSLK P1, R7, [R5+4]
  @P1 STSUL [R5+4], R7
  @P0 STSUL [R5], R6)",
     ""},
    {"a lane exits with its lock", R"(
  ISETP.eq P1, R0, 3
  @!P1 EXIT
  LDSLK P0, R6, [0x40]        # @2
  EXIT                        # @1)",
     "lock-held-at-exit"},
    {"a lane gives its lock back and exits", R"(
  ISETP.eq P1, R0, 3
  @!P1 EXIT
  LDSLK P0, R6, [0x40]
  STSUL [0x40], R6)",
     ""},
    {"two warps take two locks, each in its own order", R"(
  ISETP.eq P1, R4, 0
  @!P1 EXIT
  SHL R5, R3, 2               # the first lock is the warp's own
  LOP.xor R6, R5, 4           # the second the other's
  ISETP.eq P2, R3, 1
  @P2 BAR.SYNC 0
  LDSLK P0, R7, [R5]
  LDSLK P0, R8, [R6]          # @1 @2
  STSUL [R6], R8
  STSUL [R5], R7
  ISETP.eq P2, R3, 0
  @P2 BAR.SYNC 0)",
     "lock-order"},
    {"two warps take two locks in one order", R"(
  ISETP.eq P1, R4, 0
  @!P1 EXIT
  ISETP.eq P2, R3, 1
  @P2 BAR.SYNC 0
  LDSLK P0, R7, [0x0]
  LDSLK P0, R8, [0x4]
  STSUL [0x4], R8
  STSUL [0x0], R7
  ISETP.eq P2, R3, 0
  @P2 BAR.SYNC 0)",
     ""},
    {"lanes spin for a lock that one of them has", R"(
  ISETP.eq P1, R3, 0
  @!P1 EXIT
  SSY join
spin:
  LDSLK P0, R6, [0x40]        # @1 @2
  @!P0 BRA spin
  SYNC
join:
  STSUL [0x40], R6)",
     "simt-livelock"},
    {"who gets the lock gives it back before the others try again", R"(
  ISETP.eq P1, R3, 0
  @!P1 EXIT
  MOV R7, RZ
spin:
  LDSLK P0, R6, [0x40]
  @P0 MOV32I R7, 1
  @P0 STSUL [0x40], R6
  ISETP.eq P2, R7, 0
  @P2 BRA spin)",
     ""},
    {"lanes spin for a lock of their own that one of them has swapped in", R"(
  ISETP.eq P1, R3, 0
  @!P1 EXIT
  MOV R7, RZ
  MOV32I R8, 1
  SSY join
spin:
  ATOM.cas R6, [R2], R7, R8   # @1 @2
  ISETP.ne P0, R6, 0
  @P0 BRA spin
  SYNC
join:
  STG [R2], RZ)",
     "simt-livelock"},
    {"who swaps the lock in gives it back in the loop", R"(
  ISETP.eq P1, R3, 0
  @!P1 EXIT
  MOV R7, RZ
  MOV32I R8, 1
  MOV R9, RZ
spin:
  ATOM.cas R6, [R2], R7, R8
  ISETP.ne P0, R6, 0
  @!P0 MOV32I R9, 1
  @!P0 ATOM.exch R6, [R2], RZ
  ISETP.eq P2, R9, 0
  @P2 BRA spin)",
     ""},
    {"a lane counts to far while the others wait", R"(
  ISETP.eq P1, R3, 0
  @!P1 EXIT
  MOV32I R8, 1
  SSY join
count:
  ATOM.add R6, [R2], R8
  MOV32I R9, 12000
  ISETP.lt P0, R6, R9
  ISETP.eq.and P0, R4, 0, P0
  @P0 BRA count
  SYNC
join:)",
     ""},
    {"a lane waits for a flag that another lane of its warp is to set", R"(
  ISETP.eq P1, R0, 0
  ISETP.lt P2, R0, 2
  @!P2 EXIT
  ISETP.ne P2, R1, 0
  @P2 EXIT
  MOV32I R8, 1
  SSY join
  @P1 BRA wait
  SYNC
wait:
  LDG.cv R6, [R2]
  ISETP.eq P0, R6, 0          # @1
  @P0 BRA wait
  SYNC
join:
  @!P1 STG [R2], R8)",
     "simt-livelock"},
    {"a lane waits for a flag that another warp sets", R"(
  ISETP.eq P1, R4, 0
  @!P1 EXIT
  MOV32I R8, 1
  ISETP.eq P1, R3, 0
  @P1 BRA wait
  RED.add [R2], R8
  EXIT
wait:
  LDG.cv R6, [R2]
  ISETP.eq P0, R6, 0
  @P0 BRA wait)",
     ""},
};

TEST(SyncCheck, FindsEachMistakeAndLeavesItsNeighbourAlone) {
  for (const CheckCase &test : cases)
    expectCase<SyncCheck>(test);
}
