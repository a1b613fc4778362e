//===- MachineHash.h - All that can be seen of a machine in one number ----===//
// Through the doors that anybody may look in, not through Snapshot: registers,
// predicates, codes, masks, PCs, every stack entry and where it is kept, the
// stacks' counters, all memories, barriers, locks, clocks and counts.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"

namespace leno::test {

class MachineHash {
public:
  static u64 of(const GridRun &run) {
    MachineHash hash;
    hash.grid(run);
    return hash.value;
  }

private:
  // FNV-1a.
  void bytes(const void *data, size_t size) {
    for (size_t i = 0; i < size; ++i)
      value = (value ^ static_cast<const unsigned char *>(data)[i]) * 0x100000001b3;
  }
  template <class... T> void add(const T &...values) { (number(u64(values)), ...); }
  void number(u64 v) { bytes(&v, sizeof(v)); }

  void grid(const GridRun &run) {
    add(run.instructions(), run.ctasStarted(), run.finished(), run.trap().has_value());
    if (run.trap()) {
      std::string text = run.trap()->str();
      bytes(text.data(), text.size());
    }
    if (auto cycles = run.cycleCounts())
      add(cycles->cycles, cycles->issued, cycles->idle);
    counters(run.stackCounters());
    if (const ConstantUnit *unit = run.constantUnit())
      constants(*unit);
    if (const MemoryChain *chain = run.memoryChain())
      for (const CountTable &table : chain->tables())
        for (const auto &row : table.rows)
          for (u64 count : row)
            add(count);
    for (const auto &[base, allocation] : run.device().memory().allocations()) {
      add(base);
      bytes(allocation.window.host, allocation.window.size);
    }
    for (Cta *cta : run.residentCtas())
      this->cta(*cta);
  }
  void constants(const ConstantUnit &unit) {
    add(unit.commands(), unit.retirements(), unit.l2().hits, unit.l2().misses, unit.backupReads());
    for (unsigned sm = 0; sm < unit.sms(); ++sm) {
      const ConstantCounts &c = unit.sm(sm);
      add(c.hits, c.misses, c.lockStalls, c.copiedWords, c.writtenWords, c.invalidations, c.versions,
          unit.waitCycles(sm), unit.readyFrom(sm));
    }
  }
  void counters(const StackCounters &c) {
    add(c.pushes, c.pops, c.cleanPops, c.pushWaits, c.popWaits, c.stallCycles, c.deepest);
    for (const StackCounters::Transfers &t : {c.spills, c.restores})
      add(t.count, t.transactions, t.entries);
  }
  void cta(Cta &cta) {
    add(cta.index().x, cta.index().y, cta.index().z, cta.multiprocessor().index(),
        cta.multiprocessor().clock(), cta.multiprocessor().readyFrom());
    bytes(cta.shared().data(), cta.shared().size());
    for (unsigned barrier = 0; barrier < Cta::barrierCount; ++barrier)
      add(cta.waiting(barrier));
    for (const Warp *warp : cta.warps())
      this->warp(*warp, cta);
  }
  void warp(const Warp &warp, Cta &cta) {
    add(warp.pcBytes(), warp.active, warp.status, warp.instructions, warp.locksHeld, warp.readyAt,
        warp.lanesLaunched());
    bytes(warp.frame, size_t(warp.registers()) * rowBytes);
    for (unsigned p = 0; p < truePredicate; ++p)
      add(warp.predicates[p]);
    add(warp.codes.overflow, warp.codes.carry, warp.codes.sign, warp.codes.zero);
    bytes(warp.local.host, size_t(warp.local.size + 3) / 4 * 4 * laneCount);
    const DivergenceStack &stack = warp.divergence();
    add(stack.depth(), stack.maxDepth());
    for (size_t i = 0; i < stack.depth(); ++i)
      add(stack.at(i).pack(), stack.placeOf(i));
    for (unsigned reason = 1; reason <= unsigned(Reason::Exit); ++reason)
      add(stack.lanesWaiting(Reason(reason)));
    add(stack.killed());
    counters(warp.tokens().counters());
    for (const LockTable *locks : {&warp.grid().locks(), &cta.locks()})
      for (auto [address, lane] : locks->heldBy(&warp, allLanes))
        add(address, lane);
  }

  u64 value = 0xcbf29ce484222325;
};

} // namespace leno::test
