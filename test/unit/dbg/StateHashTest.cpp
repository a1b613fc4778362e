// A saved session is checked by a hash of the machine: each piece of its state counts.
#include "dbg/SessionFile.h"
#include "emu/Snapshot.h"
#include "emu/memory/L1Cache.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

namespace leno::dbg {
namespace {

constexpr const char *program = R"(
        .kernel work
        .param  ptr out
        .shared table, 64
        .local  16
        S2R     R0, SR_TID.X
        SHL     R1, R0, 2
        IADD    R1, R1, c[0][out]
        STG     [R1], R0
        LDG     R2, [R1]
        IADD    R3, R2, 1
        STG     [R1], R3
        MOV     R4, RZ
again:  IADD    R4, R4, 1
        ISETP.lt P0, R4, 1000
  @P0   BRA     again
        EXIT
        .endkernel
)";

/// Two contexts with a kernel each, on a machine that models everything.
class StateHash : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("leno-hash", folder));
    write("work.s", program);
    std::string text =
        "machine: { sm.count: 2, stack.model: cache, timing.model: cycles, constants.model: caches, "
        "l2.model: slices, l1.model: cache, icache.model: cache, l15.model: cache }\ncontexts:\n";
    for (const char *name : {"first", "second"})
      text += std::string("  - name: ") + name +
              "\n    stream: [ { launch: work.s, block: 64, args: ['out:u32[64]:" + name +
              ".bin'] }, { launch: work.s, block: 64, args: ['out:u32[64]:" + name + "2.bin'] } ]\n";
    write("contexts.yaml", text);
    runtime::LaunchOptions options;
    options.contexts = (folder.str() + "/contexts.yaml").str();
    auto work = runtime::Prepared::create(options, llvm::errs());
    ASSERT_TRUE(bool(work)) << toString(work.takeError());
    session = std::make_unique<Session>(std::move(*work));
    llvm::cantFail(session->start());
    // To where both have warps on an SM that have stored something and are in the loop.
    for (unsigned i = 0; i < 10000 && !(stored(0) && stored(1)); ++i)
      session->timeline().run(1);
    ASSERT_TRUE(stored(0) && stored(1));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  void write(llvm::StringRef name, llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream((folder.str() + "/" + name).str(), code) << bytes;
  }
  Machine &machine() { return session->prepared().run(); }
  Cta *cta(u32 context) {
    GridRun *grid = machine().grid(context);
    return grid && !grid->residentCtas().empty() ? grid->residentCtas()[0] : nullptr;
  }
  bool stored(u32 context) { return cta(context) && cta(context)->warps()[0]->instructions >= 9; }

  llvm::SmallString<64> folder;
  std::unique_ptr<Session> session;
};

struct Piece {
  const char *name;
  void (*change)(Machine &machine, GridRun &grid, Cta &cta, Warp &warp);
};

#define PIECE(name, statement)                                                                               \
  Piece {                                                                                                    \
    name, [](Machine &machine, GridRun &grid, Cta &cta, Warp &warp) { statement; }                           \
  }

const Piece pieces[] = {
    PIECE("active lanes", warp.active ^= 1),
    PIECE("PC", warp.pc = grid.opAt(grid.size() - 1)),
    PIECE("status", warp.status = WarpStatus::AwaitsConstants),
    PIECE("register", warp.frame[3 * rowBytes + 5] ^= 1),
    PIECE("predicate", warp.predicates[2] ^= 4),
    PIECE("overflow", warp.codes.overflow ^= 1),
    PIECE("carry", warp.codes.carry ^= 1),
    PIECE("sign", warp.codes.sign ^= 1),
    PIECE("zero", warp.codes.zero ^= 1),
    PIECE("instructions", ++warp.instructions),
    PIECE("locks held", ++warp.locksHeld),
    PIECE("ready at", ++warp.readyAt),
    PIECE("lanes at a barrier", warp.barrierLanes ^= 1),
    PIECE("local memory", warp.local.host[7] ^= 1),
    PIECE("stack entry", ASSERT_TRUE(warp.divergence().push({TokenType::Brk, 1, 3}))),
    PIECE("killed lanes", warp.divergence().kill(2)),
    PIECE("shared memory", cta.shared()[9] ^= 1),
    PIECE("barrier", ASSERT_TRUE(cta.arrive(warp, *warp.pc, 3, {BarrierOperation::Arrive, 2, laneCount, 0}))),
    PIECE("lock of shared memory", ASSERT_TRUE(cta.locks().acquire(4, 4, {&warp, 1}))),
    PIECE("lock of global memory", ASSERT_TRUE(grid.locks().acquire(4, 4, {&warp, 1}))),
    PIECE("clock of an SM", cta.multiprocessor().advance(1)),
    PIECE("global memory", grid.device().memory().allocations().begin()->second.window.host[3] ^= 1),
    PIECE("constants", llvm::cantFail(grid.device().constants().write(2, 0, {1, 2, 3, 4}))),
    PIECE("constant caches", grid.device().constantUnit().addWait(0, 1)),
    PIECE("memory models",
          grid.memoryChain()->accessByHost(grid.device().memory().allocations().begin()->first, 4, true)),
    PIECE("pushbuffer",
          llvm::cantFail(machine.submit(*machine.contexts()[grid.device().contextId()], NotBefore{1}))),
    PIECE("another command in it",
          llvm::cantFail(machine.submit(*machine.contexts()[grid.device().contextId()], NotBefore{2}))),
    PIECE("semaphore", machine.semaphores().release(3, 1)),
    PIECE("another value of it", machine.semaphores().release(3, 2)),
    PIECE("mapping of tiles", grid.remap({2, 2})),
    PIECE("another mapping", grid.remap({2, 1})),
    PIECE("which CTAs are out, without a mapping", (grid.remap({2, 1}), grid.remap({}))),
    PIECE("priority",
          llvm::cantFail(machine.share(*machine.contexts()[grid.device().contextId()], {.priority = 9}))),
    PIECE("turn of an SM", ASSERT_TRUE(cta.multiprocessor().nextReady(~u64(0)))),
    PIECE("way to memory", cta.multiprocessor().memory().write(1, 1, StackRegion::firstAddress, 32)),
    PIECE("lines of an L1", const_cast<L1Cache *>(grid.memoryChain()->find<L1Cache>())
                                ->arrive(cta.multiprocessor().index(), grid.device().driverMemory())),
    PIECE("lines of a constant cache",
          grid.device().constantUnit().leave(cta.multiprocessor().identity(), 0)),
    PIECE("end of a context", machine.kill(*machine.contexts()[grid.device().contextId()], "by the test")),
};

TEST_F(StateHash, EachPieceOfEachContextChangesIt) {
  auto meter = std::make_shared<u64>(0);
  std::unique_ptr<Snapshot> snapshot = machine().snapshot(nullptr, meter);
  u64 before = stateHash(machine());
  for (u32 context : {0u, 1u}) {
    std::map<u64, const char *> seen{{before, "nothing"}};
    for (const Piece &piece : pieces) {
      Cta &home = *cta(context);
      piece.change(machine(), *machine().grid(context), home, *home.warps()[0]);
      auto [place, isNew] = seen.try_emplace(stateHash(machine()), piece.name);
      EXPECT_TRUE(isNew) << piece.name << " of context " << context << " is like " << place->second;
      machine().restore(*snapshot);
      ASSERT_EQ(stateHash(machine()), before) << piece.name;
    }
  }
}

} // namespace
} // namespace leno::dbg
