#include "asm/support/Assert.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "emu/warp/StackCache.h"
#include <algorithm>
#include <cstring>

using namespace leno;

static std::unique_ptr<TokenStorage> makeStorage(const MachineConfig::Stack &config, StackRegion &region,
                                                 StreamingMultiprocessor &sm, WarpClock &clock) {
  if (config.model == MachineConfig::Stack::Chip)
    return std::make_unique<OnChipStorage>();
  if (config.model == MachineConfig::Stack::Memory)
    return std::make_unique<InMemoryStorage>(region, sm.memory(), clock);
  return std::make_unique<StackCache>(config, region, sm.memory(), clock);
}

Warp::Warp(GridRun &run, StreamingMultiprocessor &sm, unsigned place)
    : WarpMoment(), run(run), sm(sm), registerCount(run.registers()),
      region(run.device().stackRegion(sm.identity(), place)),
      storage(makeStorage(run.device().config().stack, region, sm, ownTime)),
      stack(*storage, run.nestingLimit()) {
  static_assert(frame::sinkRow == -8 && frame::firstPoolRow == -9);
  const size_t below = 8 + run.poolWords().size();
  Row *zero = sm.frameMemory().Allocate<Row>(below + registerCount) + below;
  frame = reinterpret_cast<unsigned char *>(zero);
  std::fill(zero + frame::sinkRow, zero + registerCount, Row()); // the zero rows are so now and for ever
  for (size_t k = 0; k < run.poolWords().size(); ++k)
    std::fill_n(zero[frame::firstPoolRow - s64(k)].lane, laneCount, run.poolWords()[k]);
  constants = run.constantWindows(sm.identity());
  local = run.placeLocal();
  if (run.hasScoreboard())
    ownTime.setScoreboard();
}

void Warp::start(Cta &cta, unsigned index, unsigned char *registers) {
  home = &cta;
  number = index;
  u64 threads = run.launch().block.count() - u64(index) * laneCount;
  launched = threads >= laneCount ? allLanes : (LaneMask(1) << threads) - 1;
  active = launched;
  for (LaneMask &predicate : predicates)
    predicate = 0;
  predicates[truePredicate] = allLanes;
  codes = {};
  if (registers)
    frame = registers;
  else
    std::memset(frame, 0, size_t(registerCount) * rowBytes);
  shared = cta.sharedWindow();
  if (!registers && usedBefore && local.size) // local memory is zero at first, like registers
    std::memset(local.host, 0, localBytesOf(local.size));
  usedBefore = true;
  locksHeld = 0;
  pc = run.opAt(run.launch().entry / 8);
  status = WarpStatus::Ready;
  setWatched();
  memoryModelled = run.memoryChain();
  sharesMemory = run.lockMutex();
  clockIsFresh = false;
  stack.reset(launched);
  instructions = 0;
  ahead = past = 0;
  readyAt = fetchWait = resultWait = 0;
  if (run.hasScoreboard())
    scoreboard.reset(registerCount);
  stepOver = false;
}

void Warp::renew() {
  storage = makeStorage(run.device().config().stack, region, sm, ownTime);
  stack.moveTo(*storage);
  home = nullptr;
  global = otherGlobal = {}; // a page of it may not be mapped yet
  ownTime = {};
}

void Warp::setWatched() {
  stackWatched = run.wants(Observer::Stack | Observer::Counts);
  memoryWatched = run.memoryWatched();
  genericWatched = run.genericWatched();
  atomicsWatched = run.atomicsWatched();
  storage->setListener(stackWatched ? this : nullptr);
}

u64 Warp::addressOf(const Op &op) const { return u64(run.indexOf(op)) * 8; }

Dim3 Warp::thread(unsigned lane) const {
  const Dim3 &block = run.launch().block;
  u32 linear = number * laneCount + lane;
  return {linear % block.x, linear / block.x % block.y, linear / block.x / block.y};
}

u32 Warp::readRegister(unsigned reg, unsigned lane) const {
  return reg < registerCount ? reinterpret_cast<const Row *>(frame)[reg].lane[lane] : 0;
}

void Warp::writeRegister(unsigned reg, unsigned lane, u32 value) {
  if (reg < registerCount)
    reinterpret_cast<Row *>(frame)[reg].lane[lane] = value;
}

void Warp::writePredicate(unsigned predicate, unsigned lane, bool value) {
  if (predicate >= truePredicate)
    return;
  LaneMask bit = LaneMask(1) << lane;
  predicates[predicate] = value ? predicates[predicate] | bit : predicates[predicate] & ~bit;
}

void Warp::beginStretch(const Op &first) {
  OperationCounts &counts = run.operationCounts();
  const size_t index = run.indexOf(first);
  counts.enter(index, active, stretch);
  if (sharesGuard(first))
    counts.guarded(index, executing(first));
}

void Warp::endStretch() {
  if (!stretch.active)
    return;
  OperationCounts &counts = run.operationCounts();
  const size_t index = run.indexOf(*pc);
  counts.leave(index, stretch);
  if (sharesGuard(*pc))
    counts.leaveGroup(index, executing(*pc));
}

void Warp::passBarrier(const Barrier &barrier) {
  status = WarpStatus::Ready;
  if (barrier.operation() == BarrierOperation::Sync)
    return;
  u32 result = barrier.result();
  if (barrier.operation() == BarrierOperation::Popc) {
    Row &row = *reinterpret_cast<Row *>(frame + barrierOp->d);
    for (LaneMask left = barrierLanes; left; left &= left - 1)
      row.lane[__builtin_ctz(left)] = result;
  } else {
    LaneMask &predicate = predicates[barrierOp->u];
    predicate = result ? predicate | barrierLanes : predicate & ~barrierLanes;
  }
}

void Warp::stackTransfer(const StackTransfer &transfer) {
  if (StackEvents *events = run.stackEvents(*pc))
    (transfer.isRestore ? events->restores : events->spills) += {1, transfer.transactions, transfer.count};
  run.tell(Observer::Stack, [&](Observer &o) { o.stackTransfer(*this, *pc, transfer); });
}

void Warp::stackWait(u64 cycles) {
  if (StackEvents *events = run.stackEvents(*pc)) {
    ++events->waits;
    events->stallCycles += cycles;
  }
  run.tell(Observer::Stack, [&](Observer &o) { o.stackWait(*this, *pc, cycles); });
}

const Op *Warp::trap(const Op &op, TrapKind kind, LaneMask lanes, std::string detail,
                     std::optional<u64> address, std::vector<CallSite> calls) {
  status = WarpStatus::Trapped;
  pc = &op;
  Trap fault;
  fault.kind = kind;
  fault.pc = addressOf(op);
  fault.cta = home->index();
  fault.warp = number;
  fault.lanes = lanes;
  fault.hasAddress = address.has_value();
  fault.address = address.value_or(0);
  fault.calls = std::move(calls);
  fault.detail = std::move(detail);
  run.raise(std::move(fault));
  return nullptr;
}
