#include "emu/launch/GridRun.h"
#include "asm/support/FloatEnvironment.h"
#include "emu/compiled/AutoTier.h"
#include "emu/compiled/CompilerLibrary.h"
#include "emu/compiled/TierChoice.h"
#include "emu/engine/Interpreter.h"
#include "emu/engine/Services.h"
#include "emu/launch/PhasedCtas.h"
#include "emu/launch/WholeWarps.h"
#include "emu/program/OpFacts.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>
#include <utility>

using namespace leno;
using namespace llvm;

static unsigned warpsOfCta(const LaunchSpec &spec) {
  return unsigned((spec.block.count() + laneCount - 1) / laneCount);
}

/// Warps of the whole grid, or the largest number that fits.
static u64 warpsOf(const LaunchSpec &spec) {
  u64 perCta = warpsOfCta(spec), all;
  return __builtin_mul_overflow(spec.grid.count(), perCta, &all) ? std::numeric_limits<u64>::max() : all;
}

/// What each CTA of a launch takes of an SM.
static CtaNeeds needsOf(const Program &program, const LaunchSpec &spec) {
  unsigned warps = warpsOfCta(spec), registers = std::max(spec.registers, program.registers());
  return {warps, spec.sharedBytes, u64(warps) * laneCount * registers};
}

Error GridRun::check(const MachineConfig &config, const Program &program, const LaunchSpec &spec) {
  if (Error error = config.check())
    return error;
  if (spec.entry % 8 != 0 || spec.entry / 8 >= program.size())
    return createStringError(formatv("the entry of kernel '{0}', {1:x}, is not in the program of {2} bytes",
                                     spec.kernel, spec.entry, program.size() * 8));
  auto empty = [](const Dim3 &dim) { return dim.x == 0 || dim.y == 0 || dim.z == 0; };
  if (empty(spec.grid) || empty(spec.block))
    return createStringError("a grid and a block need at least 1 along each axis");
  // Each axis is checked too: the product of three 32-bit numbers can wrap.
  u64 most = u64(config.sm.warps) * laneCount;
  if (spec.block.x > most || spec.block.y > most || spec.block.z > most || spec.block.count() > most)
    return createStringError(
        formatv("a block of {0} x {1} x {2} threads does not fit: a multiprocessor holds {3} warps, "
                "{4} threads",
                spec.block.x, spec.block.y, spec.block.z, config.sm.warps, most));
  if (u64(spec.grid.y) * spec.grid.z > (u64(1) << 31))
    return createStringError(formatv("a grid of {0} x {1} x {2} CTAs is more than the machine counts",
                                     spec.grid.x, spec.grid.y, spec.grid.z));
  if (spec.sharedBytes > config.sm.sharedBytes)
    return createStringError(
        formatv("a CTA of kernel '{0}' needs {1} bytes of shared memory; a multiprocessor has {2}",
                spec.kernel, spec.sharedBytes, config.sm.sharedBytes));
  if (CtaNeeds needs = needsOf(program, spec); needs.registers > config.sm.registers)
    return createStringError(
        formatv("a CTA of kernel '{0}' needs {1} registers, {2} for each lane of its {3} "
                "warps; a multiprocessor has {4}: lower .reg or the block, or raise "
                "sm.registers",
                spec.kernel, needs.registers, needs.registers / laneCount / needs.warps, needs.warps,
                config.sm.registers));
  if (spec.parameters.size() > ConstantBanks::maxBytes - bank0::parameters)
    return createStringError(formatv("kernel '{0}' has {1} bytes of parameters; c[0] has room for {2}",
                                     spec.kernel, spec.parameters.size(),
                                     ConstantBanks::maxBytes - bank0::parameters));
  if (spec.localBytes > config.warp.localBytes)
    return createStringError(
        formatv("kernel '{0}' needs {1} bytes of local memory a lane; a lane has {2}: raise warp.localBytes",
                spec.kernel, spec.localBytes, config.warp.localBytes));
  if (spec.stackDepth > config.warp.stackDepth)
    return createStringError(
        formatv("kernel '{0}' asks for a stack of {1} entries; a warp has room for {2}: raise warp.stackDepth",
                spec.kernel, spec.stackDepth, config.warp.stackDepth));
  return Error::success();
}

/// Neither timing nor constants nor memory are modelled.
static bool mayBeCompiled(const MachineConfig &config) {
  return config.timing.model != MachineConfig::Timing::Cycles &&
         config.constants.model != MachineConfig::Constants::Caches && !MemoryChain::setting(config);
}

/// Nothing of the machine but what instructions do is modelled.
static bool isPlain(const MachineConfig &config) {
  return mayBeCompiled(config) && config.stack.model == MachineConfig::Stack::Chip;
}

static Expected<TierChoice> tierOf(const MachineConfig &config, const LaunchSpec &spec) {
  Expected<TierChoice> tier = spec.tier == TierChoice::Usual ? usualTier() : Expected<TierChoice>(spec.tier);
  if (!tier)
    return tier;
  return mayBeCompiled(config) ? *tier : TierChoice::Interpreter;
}

Error GridRun::chooseTier() {
  Expected<TierChoice> choice = tierOf(machine.config(), spec);
  if (!choice)
    return choice.takeError();
  if (*choice == TierChoice::Auto)
    tier = std::make_unique<AutoTier>(*this, launchCode, compiled::HotKernel::of(code, spec.entry));
  else if (*choice == TierChoice::Compiled) {
    if (Error error = compiled::checkCompiler())
      return error;
    static compiled::WaitingSource waiting;
    tier = std::make_unique<CompiledTier>(*this, launchCode, waiting);
  }
  return Error::success();
}

Expected<std::unique_ptr<GridRun>> GridRun::create(Device &device, const Program &program,
                                                   const LaunchSpec &spec, Watchers &watchers,
                                                   const GridPart &part) {
  const MachineConfig &config = device.config();
  if (Error error = check(config, program, spec))
    return std::move(error);
  u64 resident = std::min(config.sm.count * config.sm.warps, warpsOf(spec));
  Expected<LocalMemory> local = LocalMemory::create(spec.localBytes, resident, config.memory.bytes);
  if (!local)
    return local.takeError();
  std::unique_ptr<GridRun> run(new GridRun(device, program, spec, watchers, std::move(*local), part));
  if (Error error = run->chooseTier())
    return std::move(error);
  return run;
}

/// Of a launch alone; share() sets another.
static GridClock clockFor(const MachineConfig &config) {
  return GridClock(config.timing.model == MachineConfig::Timing::Cycles ? GridClock::Latencies
                                                                        : GridClock::Still);
}

/// CHOICE: where code is in the driver's memory follows from what it is, so that all launches of a program
/// find the same lines.
static u64 placeOf(const Program &program) {
  StateHash hash;
  for (size_t i = 0; i < program.size(); ++i)
    hash.number(program.word(i));
  u64 pages = (MemoryChain::constantsAddress - MemoryChain::codeAddress) / PageTable::pageBytes;
  return MemoryChain::codeAddress + hash.value() % pages * PageTable::pageBytes;
}

GridRun::GridRun(Device &device, const Program &program, const LaunchSpec &spec, Watchers &watchers,
                 LocalMemory local, const GridPart &part)
    : GridMoment{WorkDistributor(spec.grid, needsOf(program, spec), part.shared), clockFor(device.config())},
      machine(device), code(program), watchers(watchers), spec(spec), part(part),
      id(part.shared ? part.shared->gridId : device.nextGridId()),
      registerCount(std::max(spec.registers, program.registers())), ways(program.waysFrom(spec.entry)),
      isPlainMachine(isPlain(device.config())), launchCode(program), tier(std::make_unique<Interpreter>()),
      banks(device.constants()), local(std::move(local)) {
  composeConstants();
  const MachineConfig &config = device.config();
  if (config.constants.model == MachineConfig::Constants::Caches)
    cachedConstants.emplace(device.constantUnit(), banks, code);
  patchConstants();
  if (cachedConstants)
    launchCode.lay(LaunchCode::Patch::ThroughCaches,
                   [&](const Op &op) { return cachedConstants->areReadBy(op); });
  if (part.shared)
    launchCode.lay(LaunchCode::Patch::HostThreads);
  ctasAtOnce = occupancyOf(config.sm, distributor.ctaNeeds()).ctas * config.sm.count;
  if (MemoryChain::setting(config))
    chain.emplace(config, &device.memory().pageTable(), device.driverMemory(), device.sharedModels());
  for (unsigned i = part.index; i < config.sm.count; i += part.count)
    multiprocessors.push_back(std::make_unique<StreamingMultiprocessor>(
        *this, i, config, cachedConstants ? &device.constantUnit() : nullptr));
  if (chain)
    for (const auto &sm : multiprocessors)
      sm->memory().lead(*chain, sm->index());
  if (config.units.model != MachineConfig::Units::None)
    unitCounts.resize(config.sm.count);
  if (chain && chain->fetches())
    codePlace = placeOf(program);
  if (!watchers.observers.empty())
    observersChanged();
  else if (fencesWait())
    launchCode.lay(LaunchCode::Patch::ToldFence, [](const Op &op) { return op.semantic == Semantic::MEMBAR; });
}

GridRun::~GridRun() { release(); }

void GridRun::release() {
  for (const auto &sm : multiprocessors)
    sm->release();
}

void GridRun::forgetCtas() {
  for (const auto &sm : multiprocessors)
    sm->forgetCtas();
}

void GridRun::composeConstants() {
  const u32 head[] = {spec.block.x, spec.block.y, spec.block.z, spec.grid.x,
                      spec.grid.y,  spec.grid.z,  id,           spec.sharedBytes};
  static_assert(bank0::gridDim == 12 && bank0::gridId == 24 && bank0::sharedBytes == 28);
  static_assert(bank0::hostWords == sizeof(head) && bank0::parameters == sizeof(head) + sizeof(spec.hostWords));
  std::vector<uint8_t> bytes(bank0::parameters + spec.parameters.size());
  std::memcpy(bytes.data(), head, sizeof(head));
  std::memcpy(bytes.data() + bank0::hostWords, spec.hostWords.data(), sizeof(spec.hostWords));
  if (!spec.parameters.empty())
    std::memcpy(bytes.data() + bank0::parameters, spec.parameters.data(), spec.parameters.size());
  if (Error error = banks.write(0, 0, bytes)) // create() has checked the size
    LENO_ASSERT(false, toString(std::move(error)).c_str());
  windows = banks.windows();
}

std::optional<Program::PoolRow> GridRun::badConstantOf(const Op &op) const {
  if (op.flags & Op::setSync) // whose b is the join
    return std::nullopt;
  u32 word;
  for (s32 offset : {op.a, op.b, op.c})
    if (std::optional<size_t> row = code.poolRowAt(offset))
      for (u32 k = 0, words = code.pool()[*row].words; k < words; ++k)
        if (const Program::PoolRow &entry = code.pool()[*row - k];
            entry.isConstant && !banks.word(entry.bank, entry.offset, word))
          return entry;
  return std::nullopt;
}

// A constant outside its bank traps when its instruction is reached, not at the launch. A word whose
// registers are wrong already traps for them.
void GridRun::patchConstants() {
  bool anyBad = false;
  for (const Program::PoolRow &row : code.pool()) {
    u32 word = row.value;
    if (row.isConstant && !banks.word(row.bank, row.offset, word)) {
      word = 0;
      anyBad = true;
    }
    pool.push_back(row.isConstant && cachedConstants ? ~word : word); // LaunchConstants.h
  }
  if (anyBad)
    launchCode.lay(LaunchCode::Patch::BadConstant, [&](const Op &op) {
      return op.inner != service::misalignedRegister && badConstantOf(op);
    });
}

bool GridRun::finished() const {
  return distributor.empty() && !isWhole() && !fault && all_of(multiprocessors, [](const auto &sm) {
           return all_of(sm->residentCtas(), [](const auto &cta) { return cta->finished(); });
         });
}

bool GridRun::isEmpty() const {
  return distributor.empty() && !isWhole() &&
         all_of(multiprocessors, [](const auto &sm) { return sm->residentCtas().empty(); });
}

StackCounters GridRun::stackCounters() const {
  StackCounters sum;
  for (const auto &sm : multiprocessors)
    sum += sm->stackCounters();
  return sum;
}

u64 GridRun::stackBitsOnChip() const {
  for (const auto &sm : multiprocessors)
    if (const Warp *warp = sm->anyWarp())
      return warp->tokens().onChipBits(nestingLimit());
  return 0;
}

CountTables GridRun::unitTables() const {
  static constexpr CountName names[] = {
      {"int", "int"},       {"float", "float"},
      {"double", "double"}, {"special", "special"},
      {"memory", "memory"}, {"resultWaits", "result waits", "resultWaits", "cycles waited for results"}};
  static_assert(std::size(names) == MachineConfig::Units::kindCount + 1);
  if (unitCounts.empty())
    return {};
  CountTable table{"unitsBySm", "instructions by unit, by SM", "SM", names};
  for (const auto &counts : unitCounts)
    table.rows.emplace_back(counts.begin(), counts.end());
  return {table};
}

CountTables GridRun::countTables() const {
  CountTables tables = unitTables();
  if (chain)
    append_range(tables, chain->tables());
  if (const ConstantUnit *constants = constantUnit())
    append_range(tables, constants->tables());
  return tables;
}

std::vector<Cta *> GridRun::residentCtas() const {
  std::vector<Cta *> result;
  for (const auto &sm : multiprocessors)
    for (const auto &cta : sm->residentCtas())
      result.push_back(cta.get());
  return result;
}

Cta *GridRun::findCta(Dim3 index) const {
  for (Cta *cta : residentCtas())
    if (cta->index() == index)
      return cta;
  return nullptr;
}

void GridRun::addObserver(Observer &observer) {
  LENO_ASSERT(canBeWatched, "the emulator was built without its doors for observers");
  own.add(observer);
  observersChanged();
}

void GridRun::removeObserver(Observer &observer) {
  own.remove(observer);
  observersChanged();
}

void GridRun::observersChanged() {
  listeners = {};
  interests = 0;
  for (const ObserverList *list : {&watchers.observers, &own})
    list->forEach([&](Observer &observer) {
      Observer::Interests its = observer.interests();
      if (its & Observer::Memory)
        its |= Observer::GenericMemory | Observer::Atomics;
      if (its & Observer::Life)
        its |= Observer::Grids;
      interests |= its;
      for (size_t kind = 0; kind < listeners.size(); ++kind)
        if (its >> kind & 1)
          listeners[kind].push_back(&observer);
    });
  if (wants(Observer::Counts))
    counts.resize(launchCode.ops().size());
  launchCode.count(wants(Observer::Counts));
  launchCode.lay(LaunchCode::Patch::ToldFence,
                 [&](const Op &op) { return op.semantic == Semantic::MEMBAR && (wants(Observer::Fences) || fencesWait()); });
  for (const auto &sm : multiprocessors)
    sm->setWatched();
}

void GridRun::tellCounts() {
  if (!wants(Observer::Counts))
    return;
  for (const auto &sm : multiprocessors)
    for (const auto &cta : sm->residentCtas())
      for (Warp *warp : cta->warps())
        warp->endStretch();
  tier->giveCounts(counts);
  counts.drain(launchCode.ops(), [&](size_t i, const OperationCount &count) {
    tell(Observer::Counts, [&](Observer &o) { o.executed(*launchCode.at(i), count); });
  });
  if (Progress made = counts.drainProgress(); made != Progress())
    tell(Observer::Counts, [&](Observer &o) { o.progressed(made); });
}

void GridRun::raise(Trap trap) {
  tell(Observer::Grids, [&](Observer &o) { o.trap(*this, trap); });
  lastKind = trap.kind;
  auto rank = [&](const Trap &t) { return std::pair(endsCtaOnly(t.kind), linear(t.cta)); };
  if (!fault || rank(trap) < rank(*fault))
    fault = std::move(trap);
}

bool GridRun::setBreakpoint(u64 pc, bool on) {
  if (pc % 8 != 0 || pc / 8 >= size())
    return false;
  launchCode.set(LaunchCode::Patch::Breakpoint, pc / 8, on);
  return true;
}

void GridRun::setBreakpoints(std::set<u64> addresses) {
  for (u64 address : breakpoints)
    if (!addresses.count(address))
      setBreakpoint(address, false);
  for (u64 address : addresses)
    if (!breakpoints.count(address))
      setBreakpoint(address, true);
  breakpoints = std::move(addresses);
}

//===--- Running ----------------------------------------------------------===//

void GridRun::takeTurn(Warp &warp, u64 budget) {
  if (!warp.ahead && warp.pc->flags & Op::breakpoint && !warp.stepOver)
      [[unlikely]] { // no time passes before it
    warp.status = WarpStatus::Breakpoint;
    warp.stepOver = true;
    return;
  }
  const Op &first = hasScoreboard() ? warp.nextInTurn() : *warp.pc;
  clock.issue(warp);
  const u64 count = execute(warp, budget);
  if (!storing.empty()) [[unlikely]]
    postStores();
  warp.clockIsFresh = false; // observers want it fresh, and may be gone when the warp runs on
  clock.ran(warp, count);
  if (count == 0)
    return;
  if (hasScoreboard())
    noteResults(warp, first);
  if (fetches())
    fetch(warp, clock.now() + 1);
}

LLVM_ATTRIBUTE_ALWAYS_INLINE void GridRun::executedOnes(Warp &warp, u64 count) {
  warp.multiprocessor().advance(count);
  executed += count;
  warp.instructions += count;
}

/// How many instructions have had their turn.
LLVM_ATTRIBUTE_ALWAYS_INLINE u64 GridRun::execute(Warp &warp, u64 budget) {
  if (warp.ahead) { // it has executed: this is its turn
    --warp.ahead;
    executedOnes(warp, 1);
    return 1;
  }
  const bool alone = runsAhead();
  u64 left = budget;
  if (warp.past) { // so has this of compiled code
    const u64 count = std::min(left, u64(warp.past));
    warp.past -= unsigned(count);
    left -= count;
    executedOnes(warp, count);
  }
  while (left > 0) {
    Tier::Ran ran = alone ? Interpreter::runOne(warp) : tier->run(warp, left);
    left -= ran.instructions;
    executedOnes(warp, ran.instructions);
    if (ran.why != Tier::Why::NeedsClock)
      break;
    warp.status = WarpStatus::Ready;
    warp.clock = warp.multiprocessor().clock();
    warp.clockIsFresh = true;
  }
  if (alone && warp.status == WarpStatus::Ready)
    runAhead(warp, machine.config().stack.model == MachineConfig::Stack::Chip);
  return budget - left;
}

/// S1: an operation has taken its unit, and its results come in time. The warp's next one waits for what it
/// needs, and the last one for everything.
void GridRun::noteResults(Warp &warp, const Op &op) {
  const OpNeeds &needs = code.needs(indexOf(op));
  StreamingMultiprocessor &sm = warp.multiprocessor();
  auto &counts = unitCounts[sm.index()];
  u64 now = clock.now(), latency = 1;
  if (needs.unit != isa::Unit::None) {
    sm.takeUnit(needs.unit, now);
    latency = machine.config().units.kinds[size_t(needs.unit)].latency;
    ++counts[size_t(needs.unit)];
  }
  warp.scoreboard.write(needs, std::max(now + latency, warp.time().answer() + 1));
  warp.resultWait = 0;
  if (warp.status != WarpStatus::Ready && warp.status != WarpStatus::AtBarrier)
    return;
  const Op &next = warp.nextInTurn();
  bool isLast = flowOf(next.semantic) == isa::Flow::Exit;
  u64 there = isLast ? warp.scoreboard.readyFrom() : warp.scoreboard.readyFrom(code.needs(indexOf(next)));
  if (there > warp.readyAt) {
    warp.resultWait = there - warp.readyAt;
    warp.readyAt = there;
    counts.back() += warp.resultWait;
  }
}

/// While it waits for something else, too: its address is known when the instruction before has issued.
void GridRun::fetch(Warp &warp, u64 cycle) {
  if (warp.status == WarpStatus::Ready || warp.status == WarpStatus::AtBarrier)
    warp.fetchWait =
        chain->fetch(warp.multiprocessor().index(), codePlace + warp.pcBytes(), cycle, warp.readyAt);
}

void GridRun::accessPlaced(const MemoryAccess &access, const MemoryChain::Placed &times) {
  if (machine.config().host.model == MachineConfig::Host::Off)
    return;
  if (access.kind == MemoryAccess::Kind::Load)
    return machine.messages().loaded(access, times, machine.memory());
  if (access.kind == MemoryAccess::Kind::Store)
    for (LaneMask left = access.lanes; left; left &= left - 1) {
      Storing &one = storing.emplace_back(Storing{access.addresses[__builtin_ctz(left)], {}, times});
      one.before.resize(access.bytes);
      cantFail(machine.memory().peek(one.address, one.before), "a lane may store to it");
    }
}

/// The store is done: what was there before comes back until it lands.
void GridRun::postStores() {
  for (const Storing &one : storing) {
    u64 size = one.before.size();
    const AddressSpace::Allocation *buffer = machine.memory().find(one.address, size);
    unsigned char *host = buffer->window.host + (one.address - buffer->window.base);
    machine.messages().post(one.address, {host, size}, one.times.done, false);
    machine.messages().stored(one.address, {host, size}, one.times);
  }
  for (const Storing &one : storing) {
    const AddressSpace::Allocation *buffer = machine.memory().find(one.address, one.before.size());
    std::memcpy(buffer->window.host + (one.address - buffer->window.base), one.before.data(), one.before.size());
  }
  storing.clear();
}

bool GridRun::begin(std::optional<u64> cycle) {
  if (cachedConstants && machine.constantUnit().bring(banks, cycle) != ConstantUnit::Wait::None)
    return false;
  started = true;
  tell(Observer::Grids, [&](Observer &o) { o.gridStart(*this); });
  return true;
}

bool GridRun::start() {
  if (started || !begin())
    return started;
  handOut();
  tellCounts(); // of what has started: a snapshot may be made now
  return true;
}

void GridRun::wakeForConstants() {
  constantRetirements = machine.constantUnit().retirements();
  ctaFinished = true;
  for (Cta *cta : residentCtas())
    for (Warp *warp : cta->warps())
      if (warp->status == WarpStatus::AwaitsConstants)
        warp->status = WarpStatus::Ready;
}

void GridRun::endCtasFrom(u64 first) {
  distributor.close();
  settleWhole();
  for (Cta *cta : residentCtas())
    if (!cta->finished() && linear(cta->index()) >= first) {
      cta->abandon();
      ctaFinished = true;
    }
  halted = false;
  fault.reset();
}

Warp *GridRun::lowestReady() {
  settleWhole();
  std::vector<Cta *> ctas = residentCtas();
  std::sort(ctas.begin(), ctas.end(),
            [&](Cta *a, Cta *b) { return linear(a->index()) < linear(b->index()); });
  for (Cta *cta : ctas)
    for (Warp *warp : cta->warps())
      if (!cta->finished() && warp->status == WarpStatus::Ready)
        return warp;
  return nullptr;
}

void GridRun::releaseLocksOf(const Warp &warp) {
  std::unique_lock<std::mutex> lock;
  if (lockMutex())
    lock = std::unique_lock(*lockMutex());
  locks().releaseAll(&warp);
}

void GridRun::retireFinished() {
  for (const auto &sm : multiprocessors) {
    sm->retireFinished();
    if (constantsMoved())
      wakeForConstants();
  }
  ctaFinished = false;
}

/// A part of a grid runs its CTAs side by side, so that one with many would end long after the others: of the
/// last it takes one when it has none.
void GridRun::handOut() {
  if (!whole && !hasHandedOut && executesPast()) {
    if (mayBeWhole())
      whole = std::make_unique<WholeWarps>(*this);
    else if (mayBePhased() && tier->runsPhases())
      whole = std::make_unique<PhasedCtas>(*this);
  }
  if (whole)
    return;
  hasHandedOut = true;
  if (!takesOne())
    distributor.distribute(multiprocessors);
  else if (residentCtas().empty())
    handOutOne();
  seekPhases();
}

void GridRun::handOutOne() {
  tookAt = executed;
  for (const auto &sm : multiprocessors)
    if (distributor.handOut(*sm))
      return;
}

//===--- Turns without resident warps -------------------------------------===//

static_assert(GridRun::mostPast == compiled::RegionPlan::mostOfWhole);

Tier::Grouped GridRun::runGroup(Warp &warp, compiled::Group &group) {
  const Tier::Grouped end = tier->runGroup(warp, group);
  for (size_t i = 0; i < group.count; ++i) {
    multiprocessors[i]->advance(group.ctas[i].executed);
    executed += group.ctas[i].executed;
  }
  return end;
}

u64 GridRun::runLeft(Warp &from, Warp &to, u64 turn) {
  const u64 count = tier->moveLeft(from, to);
  executedOnes(to, count);
  return count + execute(to, turn - count);
}

Tier::Whole GridRun::runWhole(Warp &warp, u64 turn) {
  Tier::Whole ran = tier->runWhole(warp, turn);
  executedOnes(warp, ran.instructions);
  if (!ran.hasEnded)
    ran.instructions += execute(warp, turn - ran.instructions);
  return ran;
}

WholeTurns::Ran GridRun::runWhole(u64 most) {
  const u64 turn = machine.config().scheduler.quantum;
  WholeTurns::Ran ran;
  seeksPhases = false;
  const u64 room = executesPast() ? std::min(most, spec.maxInstructions - executed - nearLimit()) : 0;
  const bool isWhole = room > turn + multiprocessors.size() && whole->isPossible();
  if (isWhole)
    ran = whole->run(room, turn);
  if (ran.stays)
    stayResident();
  if (!isWhole || ran.stays)
    settleWhole();
  if (ran.stays && ran.ofTurn < turn && ran.stays->status == WarpStatus::Ready) {
    const u64 rest = execute(*ran.stays, turn - ran.ofTurn);
    ran.ofTurn += rest;
    ran.ticks += rest;
  }
  return ran;
}

void GridRun::settleWhole() {
  if (!whole)
    return;
  nextSm = whole->settle();
  whole.reset();
  hasHandedOut = true;
  handOut();
}

void GridRun::stayResident() {
  const u64 usually = usuallyResident.load(std::memory_order_relaxed);
  staysResident = executed - enteredPhases > staysResident ? usually : 2 * staysResident;
  phasesFrom = executed + staysResident;
}

void GridRun::seekPhases() {
  if (!mayBePhased())
    return;
  const bool runs = executesPast() && tier->runsPhases();
  seeksPhases = whole ? !runs : runs && hasHandedOut && executed >= phasesFrom;
}

bool GridRun::enterPhases(size_t next) {
  seekPhases();
  const bool isPossible = seeksPhases && !ctaFinished &&
                          all_of(residentCtas(), [](const Cta *cta) { return PhasedCta::canTake(*cta); });
  seeksPhases = false;
  if (!isPossible) {
    phasesFrom = executed + usuallyResident.load(std::memory_order_relaxed);
    return false;
  }
  enteredPhases = executed;
  whole = std::make_unique<PhasedCtas>(*this, next);
  return true;
}

void GridRun::timeout(Warp &warp, u64 limit) {
  warp.trap(warp.nextInTurn(), TrapKind::Timeout, warp.activeInTurn(),
            formatv("the grid has executed its limit of {0} warp instructions and has not ended", limit));
  halted = true;
  faultyWarp = &warp;
}

GridRun::Turned GridRun::afterTurn(Warp &warp) {
  switch (warp.status) {
  case WarpStatus::Trapped:
    return afterTrap(warp);
  case WarpStatus::Breakpoint:
    warp.status = WarpStatus::Ready;
    return Turned::Breakpoint;
  case WarpStatus::Exited:
    ctaFinished |= warp.cta().finished();
    break;
  default:
    break;
  }
  return ctaFinished ? Turned::CtaFinished : seeksPhases ? Turned::MayChange : Turned::Ran;
}

GridRun::Turned GridRun::afterTrap(Warp &warp) {
  if (endsCtaOnly(lastKind) && !watchers.debugger) {
    warp.cta().abandon();
    ++abandoned;
    ctaFinished = true;
    return Turned::CtaFinished;
  }
  halted = true;
  faultyWarp = &warp;
  return Turned::Trapped;
}

bool GridRun::end() {
  if (cachedConstants && !fault && !finished())
    return false;
  LENO_ASSERT(fault || finished(), "no warp can run and the grid has not ended");
  if (!ended)
    tell(Observer::Grids, [&](Observer &o) { o.gridEnd(*this); });
  ended = true;
  halted = fault.has_value();
  return true;
}

bool GridRun::share(const GridClock &time, TileMapping mapping, LockTable &locks, unsigned place, u64 cycle) {
  LENO_ASSERT(!started, "a grid is shared before it starts");
  clock = time;
  distributor.setMapping(mapping);
  sharedLocks = &locks;
  localPlace = place;
  return begin(cycle);
}

void GridRun::kill(std::string why) {
  Trap timeout;
  timeout.kind = TrapKind::Timeout;
  timeout.detail = std::move(why);
  // CHOICE: it names the first warp that could run, though the watchdog does not depend on any.
  for (const auto &sm : multiprocessors)
    for (const auto &cta : sm->residentCtas())
      for (Warp *warp : cta->warps())
        if (warp->pc && warp->status == WarpStatus::Ready) {
          warp->trap(warp->nextInTurn(), timeout.kind, warp->activeInTurn(), std::move(timeout.detail));
          halted = true;
          return;
        }
  raise(std::move(timeout));
  halted = true;
}
