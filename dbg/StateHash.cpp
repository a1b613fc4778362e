// All that decides what comes next: where each SM, warp, barrier, lock, stack and context stands, and the
// memory.
#include "dbg/SessionFile.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace leno::dbg {

using Hash = StateHash;

static void addIndex(Hash &hash, Dim3 place) { hash.add(place.x, place.y, place.z); }

static void addLocks(Hash &hash, const LockTable &locks) {
  hash.number(locks.all().size());
  for (const auto &[address, holder] : locks.all()) {
    hash.add(address, holder.lane, holder.warp->index());
    addIndex(hash, holder.warp->cta().index());
  }
}

static void addCounts(Hash &hash, const CountTables &tables) {
  for (const CountTable &table : tables)
    for (const auto &row : table.rows)
      for (u64 count : row)
        hash.number(count);
}

/// One that nothing has used yet is as none: whoever looks at it first makes it.
static void addConstants(Hash &hash, const ConstantUnit *unit) {
  if (!unit)
    return;
  u64 place = 0;
  auto add = [&](auto... numbers) { ((++place, numbers ? hash.add(place, numbers) : void()), ...); };
  add(unit->commands(), unit->retirements(), unit->l2().hits, unit->l2().misses, unit->backupReads(),
      unit->mostVersions());
  for (unsigned sm = 0; sm < unit->sms(); ++sm) {
    const ConstantCounts &c = unit->sm(sm);
    add(c.hits, c.misses, c.lockStalls, c.copiedWords, c.writtenWords, c.invalidations, c.versions,
        unit->waitCycles(sm), unit->readyFrom(sm));
  }
  unit->addTo(hash);
}

static void addStack(Hash &hash, const Warp &warp) {
  const DivergenceStack &stack = warp.divergence();
  hash.add(stack.depth(), stack.maxDepth());
  for (size_t i = 0; i < stack.depth(); ++i)
    hash.add(stack.at(i).pack(), stack.placeOf(i));
  for (Reason reason : {Reason::Brk, Reason::Cont, Reason::Ret, Reason::Exit})
    hash.number(stack.lanesWaiting(reason));
  hash.number(stack.killed());
  const StackCounters &counts = warp.tokens().counters();
  hash.add(counts.pushes, counts.pops, counts.cleanPops, counts.pushWaits, counts.popWaits,
           counts.stallCycles, counts.deepest);
  for (const StackCounters::Transfers &moved : {counts.spills, counts.restores})
    hash.add(moved.count, moved.transactions, moved.entries);
  warp.tokens().addTo(hash);
}

static void addWarp(Hash &hash, const Warp &warp) {
  hash.add(warp.pcBytes(), warp.active, warp.status, warp.instructions, warp.locksHeld, warp.readyAt,
           warp.barrierLanes, warp.lanesLaunched());
  if (warp.status == WarpStatus::AtBarrier)
    hash.number(warp.barrierOp ? warp.addressOf(*warp.barrierOp) : ~u64(0));
  for (unsigned reg = 0; reg < warp.registers(); ++reg)
    for (unsigned lane = 0; lane < laneCount; ++lane)
      hash.number(warp.readRegister(reg, lane));
  for (unsigned i = 0; i < truePredicate; ++i)
    hash.number(warp.predicates[i]);
  hash.add(warp.codes.overflow, warp.codes.carry, warp.codes.sign, warp.codes.zero);
  hash.bytes(warp.local.host, localBytesOf(warp.local.size));
  warp.scoreboard.addTo(hash);
  addStack(hash, warp);
}

static void addCta(Hash &hash, Cta &cta) {
  addIndex(hash, cta.index());
  hash.number(cta.multiprocessor().index());
  hash.bytes(cta.shared().data(), cta.shared().size());
  for (unsigned i = 0; i < Cta::barrierCount; ++i) {
    const Barrier &barrier = cta.barrier(i);
    hash.add(barrier.arrived(), barrier.waiting(), barrier.warpsNeeded(), barrier.operation(),
             barrier.result());
  }
  addLocks(hash, cta.locks());
  for (const Warp *warp : cta.warps())
    addWarp(hash, *warp);
}

static void addBanks(Hash &hash, const ConstantBanks &banks) {
  for (unsigned bank = 0; bank < ConstantBanks::count; ++bank)
    hash.bytes(banks.bank(bank).data(), banks.bank(bank).size());
}

static void addTrap(Hash &hash, const std::optional<Trap> &trap) { hash.text(trap ? trap->str() : ""); }

static void addGrid(Hash &hash, GridRun &run, const ContextStorage &storage) {
  hash.add(run.gridId(), run.instructions(), run.ctasStarted(), run.ctasAbandoned(), run.isHalted(),
           run.isOver(), run.hasFinishedCtas());
  run.addCtasOutTo(hash);
  addTrap(hash, run.trap());
  addBanks(hash, run.constants());
  if (const MemoryChain *chain = std::as_const(run).memoryChain())
    addCounts(hash, chain->tables()), chain->addTo(hash);
  addCounts(hash, run.unitTables());
  if (std::optional<CycleCounts> counts = run.cycleCounts())
    hash.add(counts->cycles, counts->issued, counts->idle);
  for (const auto &sm : run.sms())
    sm->addTo(hash);
  addLocks(hash, run.locks());
  for (Cta *cta : run.residentCtas()) {
    if (storage.holds(cta->multiprocessor())) // what is left on the chip is worthless
      addIndex(hash, cta->index());
    else
      addCta(hash, *cta);
  }
}

static void addCommand(Hash &hash, const leno::Command &command) {
  hash.number(command.index());
  auto data = [&](ArrayRef<u8> bytes) { hash.bytes(bytes.data(), bytes.size()); };
  std::visit(makeVisitor([&](const ConstantUpdate &c) { hash.add(c.bank, c.offset), data(c.bytes); },
                         [&](const CopyToDevice &c) { hash.number(c.to), data(c.bytes); },
                         [&](const CopyToHost &c) { hash.add(c.from, c.to.size()); },
                         [&](const CopyOnDevice &c) { hash.add(c.from, c.to, c.bytes); },
                         [&](const Launch &c) {
                           hash.text(c.spec.kernel);
                           addIndex(hash, c.spec.grid), addIndex(hash, c.spec.block);
                           hash.add(c.spec.entry, c.spec.maxInstructions, c.spec.stackDepth, c.overlap);
                           data(c.spec.parameters);
                         },
                         [&](const SemaphoreRelease &c) { hash.add(c.semaphore, c.value); },
                         [&](const SemaphoreAcquire &c) { hash.add(c.semaphore, c.value); },
                         [&](const SyncToken &c) { hash.add(c.mapping.tileX, c.mapping.tileY, c.drains); },
                         [&](const Share &c) { hash.maybe(c.priority), hash.maybe(c.sms); },
                         [&](const NotBefore &c) { hash.number(c.cycle); }),
             command);
}

static void addContext(Hash &hash, Context &context) {
  const ContextCounts &counts = context.counts();
  hash.add(context.sms(), context.smsGranted(), counts.commands, counts.instructions, counts.runCycles,
           counts.blockedCycles, counts.smCycles, counts.saves, counts.restores, counts.drains,
           counts.savedBytes, counts.restoredBytes, counts.switchCycles, counts.pageFaults,
           counts.slicesGained, counts.slicesLost, counts.constantWaits, counts.constantBytes);
  const ContextMoment &moment = context.moment();
  hash.add(moment.constants.words, moment.constants.cycle, moment.mapping.tileX, moment.mapping.tileY,
           moment.isBlocked, moment.keptWaitingUntil, moment.blockedInWindow, moment.faultedUntil,
           moment.endIsTold, moment.retired, moment.rank, moment.asked, moment.shareChanged);
  hash.maybe(moment.takenUntil), hash.maybe(moment.constants.waitsSince);
  hash.text(context.whyEnded());
  hash.number(context.pushbuffer().size());
  for (const auto &command : context.pushbuffer())
    addCommand(hash, *command);
  context.storage().addTo(hash);
  addCounts(hash, counts.memory.tables());
  addTrap(hash, context.trap());
  hash.number(context.launches().size());
  for (const LaunchRecord &launch : context.launches())
    hash.add(launch.decoded, launch.started.value_or(~u64(0)), launch.ended.value_or(~u64(0)),
             launch.instructions, launch.trapped);
  if (!context.device().messages().channels().empty() || !context.device().messages().nothingPosted())
    context.device().messages().addTo(hash);
  addBanks(hash, context.device().constants());
  addConstants(hash, std::as_const(context).constantUnit());
  for (const auto &[base, allocation] : context.memory().allocations()) {
    hash.number(base);
    hash.bytes(allocation.window.host, allocation.window.size);
  }
  hash.number(context.grids().size());
  for (const GridInFlight &grid : context.grids()) {
    hash.number(grid.run->hasBegun());
    addGrid(hash, *grid.run, context.storage());
  }
}

u64 stateHash(const Machine &machine) {
  Hash hash;
  Machine::Position at = machine.position();
  hash.add(machine.ticks(), at.cycle, at.begun, at.sm, at.chosen);
  auto number = [](const Context *context) { return context ? u64(context->id()) : ~u64(0); };
  for (const Machine::Slot &slot : machine.places())
    hash.add(slot.state, number(slot.owner), number(slot.holder), slot.busyUntil, slot.since, slot.drains,
             slot.rotates, slot.drainsUntil);
  const MachineMoment &moment = machine.moment();
  for (const auto &sm : moment.hardware) {
    hash.add(sm.last, sm.turnUntil, sm.storageUntil);
    hash.all(sm.port);
  }
  hash.all(moment.allSemaphores.all());
  hash.add(number(moment.only), moment.windowEnds, moment.sliceEnds, moment.turn, number(moment.unsettled));
  if (const Warp *warp = moment.current.warp; warp && !warp->exited()) {
    addIndex(hash, warp->cta().index());
    hash.add(warp->index(), moment.current.done, moment.current.left);
  }
  const FrontEndMoment &decoder = machine.frontEnd().moment();
  hash.add(number(decoder.last), decoder.switchCount, decoder.copyEngineFree);
  if (const HostProcessor *host = machine.host())
    host->addTo(hash);
  addCounts(hash, machine.sharedModels().memorySide.counts());
  machine.sharedModels().memorySide.addTo(hash);
  machine.sharedModels().ofSms.addTo(hash);
  for (const auto &context : machine.contexts())
    addContext(hash, *context);
  return hash.value();
}

} // namespace leno::dbg
