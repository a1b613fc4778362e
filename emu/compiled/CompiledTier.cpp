#include "emu/compiled/CompiledTier.h"
#include "asm/support/Assert.h"
#include "emu/compiled/TierChoice.h"
#include "emu/engine/SpecialRegisters.h"
#include "emu/launch/GridRun.h"
#include "emu/observe/OperationCounts.h"
#include "emu/program/OpFacts.h"
#include "emu/warp/Warp.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <bitset>
#include <cstdlib>

using namespace leno;
using compiled::CompiledKernel;
using compiled::StackEntry;
using compiled::StackShape;
using compiled::WarpWords;

std::optional<TierChoice> leno::tierNamed(llvm::StringRef name) {
  if (name == "auto")
    return TierChoice::Auto;
  if (name == "interpreter")
    return TierChoice::Interpreter;
  if (name == "compiled")
    return TierChoice::Compiled;
  return std::nullopt;
}

llvm::Expected<TierChoice> leno::usualTier() {
  const char *named = std::getenv(tierVariable);
  if (!named || !*named)
    return TierChoice::Auto;
  if (std::optional<TierChoice> tier = tierNamed(named))
    return *tier;
  return llvm::createStringError(llvm::formatv("{0} in the environment: there is no tier '{1}': it can be {2}",
                                               tierVariable, named, tierNames));
}

void CompiledTier::Code::set(std::shared_ptr<const CompiledKernel> made, size_t programSize) {
  kernel = std::move(made);
  isRemade = kernel->keptGuess() || kernel->later();
  entries = 0;
  places.assign(programSize + 1, Passed); // one more traps
  for (size_t i = 0; i < programSize; ++i)
    if (u32 leader = kernel->leaderAt(i); leader != CompiledKernel::none && !kernel->isSoonLeft(leader))
      places[i] = Entered, ++entries;
  worth.assign(kernel->leaderCount(), {});
  tables = kernel->tables();
  left.assign(kernel->operations().size(), 0);
  near.assign(kernel->operations().size(), false);
}

/// Whether the lanes' addresses lie as the code would have them: then it was left for something else.
static bool liesSo(const Warp &warp, const Op &op, compiled::Lanes lanes) {
  const u32 *words = reinterpret_cast<const u32 *>(warp.frame + op.a);
  std::optional<unsigned> first;
  for (unsigned i = 0; i < laneCount; ++i)
    if ((warp.active & (warp.predicates[op.guard] ^ op.guardFlip)) >> i & 1) {
      first = first.value_or(i);
      if (words[i] != words[*first] + (lanes == compiled::Lanes::Row ? 4 * (i - *first) : 0))
        return false;
    }
  return true;
}

/// Whether the words of the first and of the second sixteen lanes are in 128 bytes each.
static bool liesNear(const Warp &warp, const Op &op) {
  const u32 *words = reinterpret_cast<const u32 *>(warp.frame + op.a);
  auto isNear = [](const u32 *half) {
    auto [least, most] = std::minmax_element(half, half + laneCount / 2);
    return *most - *least < 128;
  };
  return isNear(words) && isNear(words + laneCount / 2);
}

/// It was in another allocation than before. On demand, each page is mapped when a warp finds that it is not.
bool CompiledTier::Code::findWindow(const Warp &warp, const compiled::Operation &operation) {
  const LaneMask lanes = warp.executing(*warp.pc);
  if (operation.window == compiled::Operation::noWindow || !lanes)
    return false;
  const unsigned lane = unsigned(__builtin_ctz(lanes));
  auto wordOf = [&](s32 row) { return reinterpret_cast<const u32 *>(warp.frame + row)[lane]; };
  const Op &op = *warp.pc;
  const u64 high = op.flags & Op::wideBase ? wordOf(op.a + s32(rowBytes)) : 0;
  const AddressSpace::Allocation *found =
      warp.grid().device().memory().find((high << 32 | wordOf(op.a)) + u64(op.immediate));
  compiled::Windows &its = tables.windows[operation.window];
  if (!found || found->isOnDemand || its.last.base == found->window.base ||
      its.before.base == found->window.base)
    return false;
  its = {found->window, its.last};
  kernel->noteBase(operation.window, found->window.base);
  return true;
}

bool CompiledTier::Code::leftAt(const Warp &warp, size_t index) {
  const u32 looks = isRemade ? 1 : 64;
  const llvm::ArrayRef<compiled::Operation> all = kernel->operations();
  const compiled::Operation *operation = kernel->operationAt(u32(index));
  if (!operation || findWindow(warp, *operation) || operation->lanes == compiled::Lanes::Any ||
      liesSo(warp, *warp.pc, operation->lanes))
    return false;
  const u32 access = u32(operation - all.begin());
  if (++left[access] != looks)
    return false;
  near[access] = liesNear(warp, *warp.pc);
  // And those behind it whose addresses are there already.
  std::bitset<256> written;
  const u32 end = compiled::endOfBlock(all.data(), u32(all.size()), access);
  for (u32 i = access; i < end; ++i) {
    const Op &op = all[i].op;
    const u32 row = u32(op.a) / rowBytes;
    if (i > access && all[i].kind == compiled::Kind::Accesses && all[i].lanes != compiled::Lanes::Any &&
        row < 255 && !written[row] && !written[row + 1] && !liesSo(warp, op, all[i].lanes))
      ++left[i], near[i] = liesNear(warp, op);
    const OpNeeds::Registers results = warp.grid().program().needs(all[i].index).written;
    for (unsigned k = 0; k < results.count; ++k)
      written.set(results.first + k);
  }
  return true;
}

void CompiledTier::Code::stopAt(const std::vector<u8> &stops) {
  for (size_t i = 0; i < stops.size(); ++i)
    if (stops[i] != None)
      places[i] = PhaseEnds;
}

void CompiledTier::set(Code &made, std::shared_ptr<const CompiledKernel> kernel) {
  giveCounts(made, grid.operationCounts());
  if (&made == &full) {
    knownPhases.clear();
    overwrittenBy.clear();
  }
  made.guess = kernel->guess();
  made.generation = ~u64(0);
  made.set(std::move(kernel), grid.size());
  for (size_t i = 0; i < made.tables.windows.size(); ++i)
    if (const u64 base = made.kernel->baseOf(u16(i)))
      if (const AddressSpace::Allocation *its = grid.device().memory().find(base);
          its && its->window.base == base && !its->isOnDemand)
        made.tables.windows[i].last = its->window;
  made.stopAt(stops);
}

/// There is code with another guess, as a launch before has found out, of this process or another.
bool CompiledTier::takeLater(Code &made) {
  const bool isAsked = llvm::is_contained(made.before, made.kernel);
  if (!isAsked)
    made.before.push_back(made.kernel);
  if (std::shared_ptr<const CompiledKernel> later = made.kernel->later()) {
    set(made, std::move(later));
    return true;
  }
  if (isAsked || !made.kernel->keptGuess())
    return false;
  made.guess = *made.kernel->keptGuess();
  askAnew(made);
  return true;
}

void CompiledTier::askAnew(Code &made) {
  made.isAnswered = false;
  llvm::consumeError(ask(made));
}

void CompiledTier::noteRefused(Code &made) {
  constexpr u32 looks = 64;
  if (!made.guess.sharesWords || made.kernel->timesRefused() < looks || !made.isAnswered || takeLater(made))
    return;
  made.guess.sharesWords = false;
  askAnew(made);
}

void CompiledTier::remake(Code &made) {
  if (!made.isAnswered || takeLater(made)) // it is on its way, or there
    return;
  // All that were left since: others of the same loop would be next. In the end, none is taken for regular.
  constexpr unsigned most = 3;
  const bool all = ++made.remakes == most;
  for (size_t i = 0; i < made.left.size(); ++i)
    if (const compiled::Operation &operation = made.kernel->operations()[i];
        made.left[i] || (all && operation.lanes != compiled::Lanes::Any)) {
      made.guess.irregular.push_back(operation.index);
      if (made.near[i])
        made.guess.near.push_back(operation.index);
    }
  askAnew(made);
}

void CompiledTier::Code::entered(u32 leader, size_t index, u64 instructions) {
  constexpr u32 looks = 256;
  Worth &here = worth[leader];
  here.instructions += instructions;
  if (++here.entries < looks)
    return;
  if (here.instructions < looks * worthwhile) {
    places[index] = Passed, --entries;
    kernel->noteSoonLeft(leader);
  }
  here = {};
}

CompiledTier::CompiledTier(GridRun &grid, const LaunchCode &code, compiled::KernelSource &source)
    : grid(grid), code(code), source(source) {}

Observer::Interests CompiledTier::watchedIn(const GridRun &grid) {
  Observer::Interests all = canBeWatched ? grid.wanted() : 0;
  if (all & Observer::Divergence || grid.device().config().stack.model != MachineConfig::Stack::Chip)
    all |= Observer::Stack;
  return all & (Observer::Counts | Observer::Memory | Observer::GenericMemory | Observer::Atomics |
                Observer::Stack);
}

/// Or anew: with other code.
void CompiledTier::begin(Observer::Interests now) {
  watched = now;
  if (stops.empty() && grid.mayBePhased())
    findStops();
  for (Code *made : {&full, &any, &whole}) {
    if (isBegun)
      *made = {};
    made->guess.hasWideRows = grid.launch().block.x % laneCount == 0;
    made->guess.watched = watched;
  }
  isBegun = true;
  full.isWanted = true;
  // What loops is worth more than its start takes.
  whole.isWanted = grid.mayBeWhole() && hasRoomToPush() && !(watched & ~Observer::withinTurns) &&
                   !grid.waysOfKernel().loops && !grid.launch().localBytes;
}

void CompiledTier::prepare() {
  if (const Observer::Interests now = watchedIn(grid); !isBegun || now != watched)
    begin(now);
  // What the library lacks was told when the launch was made.
  llvm::consumeError(ask(whole));
  if (whole.kernel && !full.isNeeded)
    return;
  llvm::consumeError(ask(full));
  llvm::consumeError(ask(any));
}

llvm::Error CompiledTier::ask(Code &made) {
  if (!made.isWanted || made.isAnswered)
    return llvm::Error::success();
  std::optional<compiled::KernelSource::Made> got =
      source.get(grid.program(), grid.launch().entry, warpsOf(made), made.guess);
  if (!got)
    return llvm::Error::success();
  made.isAnswered = true;
  if (!*got)
    return got->takeError();
  if (**got && (**got)->isMadeOf(code)) { // else something lies on operations of its own: a breakpoint
    set(made, std::move(**got));
    for (const auto &kernel : made.before)
      if (kernel != made.kernel)
        kernel->noteLater(made.kernel);
    ++times;
  }
  return llvm::Error::success();
}

void CompiledTier::wantAny() {
  any.isWanted = true;
  any.places.assign(grid.size() + 1, Code::Passed);
  any.stopAt(stops);
  llvm::consumeError(ask(any)); // else it is interpreted
}

/// Code tells all that somebody wants to hear, and has been asked for.
bool CompiledTier::isReady() {
  if (canBeWatched && grid.wants(Observer::eachInstruction))
    return false;
  if (!isBegun || watched != watchedIn(grid))
    prepare();
  if (const u64 now = grid.device().memory().releases(); now != releases) {
    releases = now;
    for (Code *made : {&full, &any, &whole})
      llvm::fill(made->tables.windows, compiled::Windows());
  }
  return true;
}

/// What has no loops executes no operation twice: code does not look at what is left of a turn.
bool CompiledTier::runsGroups(u64 turn) {
  return isReady() && whole.kernel && whole.isWanted && whole.isAnswered && isAsMade(whole) &&
         turn >= whole.kernel->operations().size();
}

bool CompiledTier::isAsMade(Code &made) const {
  if (made.generation != code.generation()) {
    made.generation = code.generation();
    made.isAsMade = made.kernel->isMadeOf(code);
  }
  return made.isAsMade;
}

bool CompiledTier::isUsable() {
  if (!isReady())
    return false;
  if (!full.kernel && whole.kernel && !full.isNeeded) {
    full.isNeeded = true;
    llvm::consumeError(ask(full));
  }
  return full.kernel && isAsMade(full) && (!any.kernel || isAsMade(any));
}

/// Code does not look at the limit.
bool CompiledTier::hasRoomToPush() const { return grid.nestingLimit() >= StackShape::most; }

/// Somewhere it does not soon leave again.
bool CompiledTier::isWorthEntering() const { return full.entries || any.entries || !any.isAnswered; }

static WarpWords &wordsOf(WarpState &warp) { return *reinterpret_cast<WarpWords *>(&warp); }

static u32 askSpecial(WarpState *warp, u32 number, u32 *row) {
  service::SpecialValues values;
  if (!specialValues(*static_cast<Warp *>(warp), number, values))
    return false;
  for (unsigned i = 0; i < laneCount; ++i)
    row[i] = values.isRamp ? values.first + i * values.step : values.each[i];
  return true;
}

/// By warp, as they follow each other in a block; those past its end, too.
static std::vector<Row> threadsOf(const Dim3 &block, unsigned warps) {
  std::vector<Row> rows(3 * warps);
  Dim3 next{0, 0, 0};
  for (unsigned i = 0; i < warps * laneCount; ++i) {
    Row *its = &rows[i / laneCount * 3];
    const unsigned lane = i % laneCount;
    its[0].lane[lane] = next.x, its[1].lane[lane] = next.y, its[2].lane[lane] = next.z;
    if (++next.x == block.x) {
      next.x = 0;
      if (++next.y == block.y)
        next.y = 0, ++next.z;
    }
  }
  return rows;
}

/// What differs from warp to warp.
void CompiledTier::place(compiled::Kept &kept, Warp &warp, u64 left) {
  kept.place = &warp;
  kept.left = s64(left);
  kept.pushes = kept.pops = 0;
  kept.threads = threads[3 * warp.index()].lane;
  const Dim3 cta = warp.cta().index();
  kept.cta[0] = cta.x, kept.cta[1] = cta.y, kept.cta[2] = cta.z;
  kept.number = warp.index();
}

void CompiledTier::prepare(compiled::Kept &kept, Warp &warp, u64 left) {
  if (threads.empty())
    threads = threadsOf(grid.launch().block, grid.warpsPerCta());
  place(kept, warp, left);
  kept.prefersFull = prefersFull;
  kept.special = askSpecial;
  const Dim3 &block = grid.launch().block, &all = grid.launch().grid;
  const u32 sizes[] = {block.x, block.y, block.z, all.x, all.y, all.z};
  std::copy_n(sizes, 6, kept.sizes);
  kept.launched = warp.lanesLaunched();
  kept.frameBytes = u32(warp.registers() * rowBytes);
  kept.isUnseen = isUnseen;
  kept.staysInCta = false;
}

//===--- Counts -----------------------------------------------------------===//

void CompiledTier::giveCounts(OperationCounts &to) {
  for (Code *made : {&full, &any, &whole})
    giveCounts(*made, to);
}

void CompiledTier::giveCounts(Code &made, OperationCounts &to) {
  if (made.tables.counters.empty())
    return;
  auto take = [&](u32 counter) { return std::exchange(made.tables.counters[counter], 0); };
  const llvm::ArrayRef<compiled::Operation> all = made.kernel->operations();
  for (u32 first = 0; first < all.size(); ++first) {
    if (!all[first].isLeader)
      continue;
    const u32 end = compiled::endOfBlock(all.data(), u32(all.size()), first);
    if (u64 times = take(all[first].blockCounter())) {
      const u64 lanes = take(all[first].blockCounter() + 1);
      to.add(all[first].index, all[end - 1].index + 1, times, &made == &any ? lanes : times * laneCount);
    }
    for (u32 i = first; i < end; ++i)
      giveCounts(made, i, end, to);
  }
}

/// Behind the last operation that shares the guard of the one before it, in its block.
static u32 endOfGuard(llvm::ArrayRef<compiled::Operation> all, u32 next, u32 end) {
  while (next < end && hasGuard(all[next].op) && !all[next].countsGuard)
    ++next;
  return next;
}

/// Of one operation, beside how often it has executed.
void CompiledTier::giveCounts(Code &made, u32 number, u32 blockEnd, OperationCounts &to) {
  using compiled::Kind;
  auto take = [&](u32 counter) { return std::exchange(made.tables.counters[counter], 0); };
  const llvm::ArrayRef<compiled::Operation> all = made.kernel->operations();
  const compiled::Operation &operation = all[number];
  if (operation.countsGuard)
    if (u64 times = take(operation.guardCounter()))
      to.addGuarded(code.ops(), operation.index, all[endOfGuard(all, number + 1, blockEnd) - 1].index + 1,
                    times, take(operation.guardCounter() + 1));
  StackEvents events;
  const u32 counter = operation.stackCounter();
  auto pushed = [&](TokenType type, u64 times) { events.pushes[size_t(type)] += times; };
  if (operation.kind == Kind::Branches) {
    pushed(TokenType::Sync, take(counter));
    events.divergences = take(counter + 1);
    pushed(TokenType::Div, events.divergences);
  } else if (operation.kind == Kind::Pushes || operation.kind == Kind::Calls) {
    const u64 times = take(counter);
    if (operation.op.flags & Op::setSync)
      pushed(TokenType::Sync, times);
    pushed(operation.kind == Kind::Calls ? TokenType::Call : TokenType(operation.tokenType), times);
  } else if (operation.kind == Kind::TakesOut) {
    events.reconvergences = take(counter);
    const StackShape &shape = made.kernel->shape(operation.stack);
    for (unsigned k = 0; k < shape.depth; ++k)
      events.pops[shape.entries[k].type] += take(counter + 1 + k);
    events.popsOnChip = events.popped();
  }
  if (events != StackEvents())
    to.stackOf(operation.index) += events;
}

/// Of the block that was left before that operation so many have not executed.
void CompiledTier::takeBack(const Warp &warp, const Code &made, u32 at, u64 behind) {
  if (!isCounted() || !behind)
    return;
  OperationCounts &counts = grid.operationCounts();
  const u64 lanes = u64(__builtin_popcount(warp.active));
  counts.add(at, at + behind, 0 - u64(1), 0 - lanes);
  const llvm::ArrayRef<compiled::Operation> all = made.kernel->operations();
  const u32 number = u32(made.kernel->numberOf(at));
  const compiled::Operation &operation = all[number];
  if (const LaneMask passed = warp.executing(operation.op);
      passed && hasGuard(operation.op) && !operation.countsGuard)
    counts.addGuarded(code.ops(), at, all[endOfGuard(all, number, number + u32(behind)) - 1].index + 1,
                      0 - u64(1), 0 - u64(__builtin_popcount(passed)));
}

/// What was done with entries of its stack.
void CompiledTier::countStack(Warp &warp, u64 deepest, const compiled::Kept &kept) {
  if (!deepest)
    return;
  warp.divergence().count(kept.pushes, kept.pops, deepest);
  if (isCounted())
    grid.operationCounts().noteDepth(deepest);
}

//===--- Running ----------------------------------------------------------===//

/// The upper entries of the warp's stack are with the code while it runs.
void CompiledTier::enter(Warp &warp, Code &made, u32 leader, u64 &left) {
  const CompiledKernel &kernel = *made.kernel;
  DivergenceStack &stack = warp.divergence();
  warp.endStretch();
  const StackShape &before = kernel.shapeAt(leader);
  compiled::Kept kept;
  // Where others wait, its end may be a deadlock, which is told of the operation and of registers.
  isUnseen = grid.executesPast() && !warp.cta().hasWaiting();
  prepare(kept, warp, left);
  kept.depth = kept.deepest = stack.depth();
  std::copy_n(stack.waitingLanes(), 5, kept.waiting);
  for (unsigned k = StackShape::most; k-- > 0;) {
    kept.masks[k] = 0;
    if (k >= before.depth || !stack.depth())
      continue;
    Token top = stack.at(stack.depth() - 1);
    if (StackEntry{u8(top.type), top.pc} != before.entries[k])
      continue;
    kept.masks[k] = stack.take().mask;
  }
  const u32 at = kernel.run(wordsOf(warp), leader, kept, made.tables);
  if (at == compiled::exited) {
    left = u64(kept.left);
    countStack(warp, kept.deepest, kept);
    warp.active = 0;
    service::retire(warp, *grid.opAt(kept.stack));
    return;
  }
  left = u64(std::max<s64>(kept.left, 0));
  leave(warp, made, at, kept);
}

/// It stands before that operation.
void CompiledTier::leave(Warp &warp, const Code &made, u32 at, compiled::Kept &kept) {
  DivergenceStack &stack = warp.divergence();
  warp.pc = grid.opAt(at);
  takeBack(warp, made, at, kept.behind);
  warp.past = unsigned(std::max<s64>(-kept.left, 0));
  std::copy_n(kept.waiting, 5, stack.waitingLanes());
  const StackShape &after = made.kernel->shape(kept.stack);
  for (unsigned k = 0; k < after.depth; ++k)
    if (kept.masks[k])
      stack.giveBack({TokenType(after.entries[k].type), kept.masks[k], after.entries[k].pc});
  countStack(warp, kept.deepest, kept);
  LENO_ASSERT(stack.depth() == kept.depth, "compiled code has lost an entry of the stack");
}

/// Of one that has just started.
void CompiledTier::prepareStarted(Warp &warp, u64 budget) {
  isUnseen = true;
  if (!isPrepared) {
    prepare(started, warp, budget);
    isPrepared = true;
  }
  std::fill_n(started.waiting, 5, 0);
  std::fill_n(started.masks, StackShape::most, 0); // entries that were taken out are there still
  place(started, warp, budget);
  started.depth = started.deepest = 0;
}

Tier::Whole CompiledTier::runWhole(Warp &warp, u64 budget) {
  if (!isUsable() || !isWorthEntering() || warp.active != allLanes || !prefersFull || !hasRoomToPush())
    return {0, false};
  const size_t index = grid.indexOf(*warp.pc);
  const u32 leader = full.leaderAt(index);
  if (leader == CompiledKernel::none)
    return {0, false};
  prepareStarted(warp, budget);
  const u32 at = full.kernel->run(wordsOf(warp), leader, started, full.tables);
  const u64 left = u64(std::max<s64>(started.left, 0));
  if (at == compiled::exited) [[likely]] {
    countStack(warp, started.deepest, started);
    if (!full.kernel->isOnePart())
      warp.start(warp.cta(), warp.index()); // as it was
    return {budget - left, true};
  }
  leave(warp, full, at, started);
  full.entered(leader, index, budget - left + warp.past);
  if (full.leftAt(warp, at))
    remake(full);
  isPrepared = false;
  return {budget - left, false};
}

Tier::Grouped CompiledTier::runGroup(Warp &warp, compiled::Group &group) {
  prepareStarted(warp, group.turn);
  group.threads = threads.front().lane;
  group.deepest = 0;
  auto placeIn = [](const compiled::Group &of) { return u64(of.warp) * of.count + of.cta; };
  const u64 before = placeIn(group);
  const u32 at = whole.kernel->run(wordsOf(warp), group, started, whole.tables);
  countStack(warp, std::max(group.deepest, started.deepest), started);
  turns += placeIn(group) - before;
  if (at == compiled::exited)
    return Grouped::Paused;
  isPrepared = false;
  leftAt = at;
  ofTurn = group.turn;
  return Grouped::Left;
}

u64 CompiledTier::moveLeft(Warp &from, Warp &to) {
  const size_t bytes = size_t(from.registers()) * rowBytes;
  std::memcpy(to.frame, from.frame, bytes);
  std::memset(from.frame, 0, bytes);
  std::copy_n(from.predicates, truePredicate, to.predicates);
  to.codes = from.codes;
  to.active = from.active;
  started.pushes = started.pops = 0; // they are counted
  leave(to, whole, leftAt, started);
  if (whole.leftAt(to, leftAt)) {
    remake(whole);
    leftTurns = turns = 0;
  }
  // Where warps often leave it, and what they leave it for is not mended (leftAt), it gains nothing.
  constexpr u32 looks = 128;
  if (++leftTurns == looks) {
    whole.isWanted = turns > 8 * looks;
    leftTurns = turns = 0;
  }
  return ofTurn - u64(std::max<s64>(started.left, 0));
}

Tier::Ran CompiledTier::run(Warp &warp, u64 budget) {
  if (!isUsable() || !isWorthEntering())
    return interpreter.run(warp, budget);
  u64 left = budget;
  const Why why = runOn(warp, left, false);
  return {budget - left, why};
}

/// In a phase, to where it ends.
Tier::Why CompiledTier::runOn(Warp &warp, u64 &left, bool inPhase) {
  bool isEntered = !warp.stepOver; // else its operation was told already, and is not to be met again
  const DivergenceStack &stack = warp.divergence();
  while (left > 0) {
    const LaneMask lanes = warp.active;
    Code &made = codeOf(warp);
    // Compiled code pushes up to a shape's entries without a look at the limit, and ends lanes without one at
    // their locks.
    const size_t index = grid.indexOf(*warp.pc);
    if (inPhase && stops[index])
      break;
    const u32 leader = isEntered && !warp.locksHeld && stack.depth() + StackShape::most <= stack.limit()
                           ? made.leaderAt(index)
                           : CompiledKernel::none;
    if (leader != CompiledKernel::none) {
      const u64 before = left;
      enter(warp, made, leader, left);
      made.entered(leader, index, before - left + warp.past);
      if (warp.status != WarpStatus::Ready)
        return Why::Stopped;
      if (left && made.leftAt(warp, grid.indexOf(*warp.pc)))
        remake(made);
      if (before == left)
        noteRefused(made);
      if (&made == &full)
        fullInstructions += before - left;
      else if (left != before && warp.active == allLanes && prefersFull)
        continue; // it may have left for the other
    }
    isEntered = true;
    if (!left || (inPhase && stops[grid.indexOf(*warp.pc)]))
      break;
    // Where it has left, at least one operation, and then on to the next leader.
    const u8 *others = any.isWanted ? any.places.data() : nullptr;
    Ran ran =
        interpreter.runUntil(warp, left, {grid.opAt(0), prefersFull ? full.places.data() : others, others});
    left -= ran.instructions;
    if (warp.status != WarpStatus::Ready)
      return ran.why;
    // Changing over costs: where lanes part again and again soon, the code for any is used throughout.
    if (!inPhase && leader != CompiledKernel::none && lanes == allLanes && warp.active != allLanes &&
        ++partings == 256) {
      prefersFull = fullInstructions > 256 * 64;
      partings = fullInstructions = 0;
    }
  }
  return Why::Budget;
}

//===--- Phases -----------------------------------------------------------===//

void CompiledTier::findStops() {
  const llvm::ArrayRef<Op> ops = grid.program().ops();
  stops.assign(grid.size() + 1, None);
  for (size_t i = 0; i < ops.size() && i < stops.size(); ++i)
    if (Cta::isPlainBarrier(ops[i]))
      stops[i] = AtBarrier;
    else if (factsOf(ops[i]).waits || (ops[i].semantic == Semantic::S2R && isClock(ops[i].extra)))
      stops[i] = Others;
}

bool CompiledTier::endsAt(const Warp &warp, size_t index) const {
  return stops[index] == AtBarrier && warp.active == warp.divergence().live() && !warp.divergence().depth() &&
         !warp.locksHeld;
}

bool CompiledTier::runsPhases() {
  return isUsable() && prefersFull && hasRoomToPush() && llvm::is_contained(stops, AtBarrier);
}

/// Where lanes part as a rule, that is the code for any.
CompiledTier::Code &CompiledTier::codeOfPhase(size_t from) {
  if (pieces.empty())
    pieces.resize(stops.size());
  Piece &its = pieces[from];
  ++its.tries;
  return its.parted > 8 && its.parted > its.tries / 4 && any.kernel && any.isAnswered ? any : full;
}

/// It has all lanes, and nothing on its stack.
bool CompiledTier::isWhole(const Code &made, const WarpWords &words) const {
  if (!started.deepest) // nothing was pushed
    return words.active == allLanes;
  const unsigned depth = made.kernel->shape(started.stack).depth;
  const bool isEmpty = std::all_of(started.masks, started.masks + depth, [](LaneMask mask) { return !mask; });
  return words.active == allLanes && !started.depth && isEmpty &&
         llvm::all_of(started.waiting, [](LaneMask lanes) { return !lanes; });
}

void CompiledTier::findOverwritten(size_t from) {
  overwrittenBy.assign(grid.registers(), never);
  std::vector<bool> isMet(grid.registers());
  auto meet = [&](OpNeeds::Registers those, bool isOverwritten) {
    for (u32 row = those.first; row < std::min<u32>(those.first + those.count, grid.registers()); ++row)
      if (!isMet[row]) {
        isMet[row] = true;
        if (isOverwritten)
          overwrittenBy[row] = u32(from);
      }
  };
  for (;; ++from) {
    using compiled::Kind;
    const compiled::Operation *next = full.kernel->operationAt(u32(from));
    if (!next || (next->kind != Kind::Computes && next->kind != Kind::Accesses && next->kind != Kind::Asks))
      break;
    const OpNeeds &needs = grid.program().needs(from);
    for (unsigned k = 0; k < needs.reads; ++k)
      meet(needs.read[k], false);
    meet(needs.written, !hasGuard(next->op));
  }
}

/// Those to become zero, by the operations that overwrite them.
template <class Is> void CompiledTier::clearRegisters(const WarpWords &words, Is isToBe) const {
  for (size_t row = 0; row < overwrittenBy.size(); ++row)
    if (isToBe(overwrittenBy[row]))
      std::memset(words.frame + row * rowBytes, 0, rowBytes);
}

Tier::Phase CompiledTier::runPhase(Warp &warp, WarpWords &words, size_t from, u64 budget, bool isBlank) {
  prepareStarted(warp, budget);
  if (isBlank) {
    if (overwrittenBy.empty())
      findOverwritten(from);
    clearRegisters(words, [](u32 by) { return by == never; });
  }
  Code &made = codeOfPhase(from);
  phase = {&made, from};
  leftAt = u32(from);
  started.stack = 0; // as no code would leave it
  started.behind = 0;
  started.prefersFull = &made == &full; // else code goes on in loops with all lanes
  words.active = allLanes;
  if (u32 leader = made.kernel->leaderAt(from); leader != CompiledKernel::none)
    leftAt = made.kernel->run(words, leader, started, made.tables);
  const u64 executed = budget - u64(std::max<s64>(started.left, 0));
  const bool isOver =
      leftAt == compiled::exited || (started.left > 0 && stops[leftAt] == AtBarrier && isWhole(made, words));
  if (&made == &any)
    isPrepared = false; // what was on its stack
  if (!isOver) {
    if (isBlank) // what has not been overwritten
      clearRegisters(words, [&](u32 by) { return by != never && by >= leftAt; });
    return {executed, PhaseEnd::Left, 0};
  }
  countStack(warp, started.deepest, started);
  if (leftAt == compiled::exited)
    return {executed, PhaseEnd::Ended, started.stack}; // the operation, then
  return {executed, PhaseEnd::Barrier, leftAt};
}

/// What is changed from these operations on before others can tell; returns the barriers that are met first.
std::vector<size_t> CompiledTier::findBarriers(llvm::SmallVector<s64, 16> waiting, OwnPhases &its) const {
  std::vector<size_t> barriers;
  std::vector<bool> seen(stops.size());
  while (!waiting.empty()) {
    const s64 index = waiting.pop_back_val();
    if (index < 0 || u64(index) >= grid.size() || seen[size_t(index)])
      continue;
    seen[size_t(index)] = true;
    if (stops[size_t(index)] == AtBarrier)
      barriers.push_back(size_t(index));
    const compiled::Operation *found = full.kernel->operationAt(u32(index));
    if (stops[size_t(index)] != None || !found)
      continue;
    const compiled::Operation &operation = *found;
    if (operation.kind == compiled::Kind::Leaves || operation.goesOut)
      continue;
    const Op &op = operation.op;
    const bool branches = operation.kind == compiled::Kind::Branches;
    if (branches)
      waiting.push_back(index + 1 + op.immediate);
    if (!branches || hasGuard(op))
      waiting.push_back(index + 1);
    its.writesShared |= operation.kind == compiled::Kind::Accesses && factsOf(op).memory->writes;
    const OpNeeds::Registers results = grid.program().needs(size_t(index)).written;
    for (unsigned k = 0; k < results.count && results.first + k < grid.registers(); ++k)
      if (const u32 row = results.first + k; !llvm::is_contained(its.rows, row))
        its.rows.push_back(row);
  }
  return barriers;
}

CompiledTier::KnownPhases CompiledTier::findOwnPhases(size_t from) const {
  KnownPhases found{KnownPhases::None, {}};
  std::vector<bool> passed(stops.size());
  std::vector<size_t> barriers = findBarriers({s64(from)}, found.its);
  if (!barriers.empty())
    found.are = KnownPhases::Some;
  while (!barriers.empty()) {
    llvm::SmallVector<s64, 16> behind;
    for (size_t barrier : barriers)
      if (!passed[barrier])
        behind.push_back(s64(barrier + 1));
    for (size_t barrier : barriers)
      passed[barrier] = true;
    barriers = findBarriers(std::move(behind), found.its);
    found.its.areSeveral |= !barriers.empty();
  }
  return found;
}

const Tier::OwnPhases *CompiledTier::ownPhases(size_t from) {
  if (isCounted()) // each turn has its counts
    return nullptr;
  if (knownPhases.empty())
    knownPhases.resize(stops.size());
  KnownPhases &known = knownPhases[from];
  if (known.are == KnownPhases::Unasked)
    known = findOwnPhases(from);
  return known.are == KnownPhases::Some ? &known.its : nullptr;
}

/// As a TurnsEntry does, which not all leaders have.
u32 CompiledTier::runTurns(compiled::OwnTurns &its, size_t from) {
  const CompiledKernel &kernel = *full.kernel;
  const u32 leader = kernel.leaderAt(from);
  if (leader != CompiledKernel::none && kernel.hasTurns(leader)) {
    started.threads = threads.front().lane;
    return kernel.run(its, leader, started, full.tables);
  }
  for (u32 done = 0; done < its.count; ++done) {
    compiled::OwnTurn &each = *its.turns[done];
    const u64 budget = done ? its.others : its.first;
    started.left = s64(budget);
    started.threads = threads[3 * each.warp].lane;
    started.number = each.warp;
    its.at =
        leader == CompiledKernel::none ? u32(from) : kernel.run(*each.words, leader, started, full.tables);
    each.instructions = u32(budget - u64(std::max<s64>(started.left, 0)));
    if (stops[its.at] != AtBarrier || started.left <= 0 || (done && its.barrier != its.at))
      return done;
    its.barrier = its.at;
  }
  return its.count;
}

std::optional<Tier::OwnTurns> CompiledTier::runOwnPhase(Warp &warp, size_t from,
                                                        llvm::ArrayRef<compiled::OwnTurn *> turns, u64 turn,
                                                        u64 ofFirst) {
  prepareStarted(warp, turn);
  started.staysInCta = true;
  compiled::OwnTurns its{turns.data(), u32(turns.size()), 0, 0, turn - ofFirst, turn};
  const u32 done = runTurns(its, from);
  started.staysInCta = false;
  if (done < its.count) {
    isPrepared = false;
    LENO_ASSERT(its.at != compiled::exited, "compiled code that was to stay in its CTA has ended a warp");
    if (started.left < 0) { // it goes on past the end of a turn
      knownPhases[from] = {KnownPhases::None, {}};
      return std::nullopt;
    }
  }
  return OwnTurns{done, its.barrier, its.at};
}

Tier::Phase CompiledTier::goOn(Warp &warp, u64 budget) {
  isPrepared = false;
  Code &made = *phase.code;
  leave(warp, made, leftAt, started);
  if (&made == &full)
    pieces[phase.from].parted += full.kernel->partsAt(leftAt);
  u64 left = u64(std::max<s64>(started.left, 0));
  if (left && made.leftAt(warp, leftAt))
    remake(made);
  if (left == budget)
    noteRefused(made);
  return runToBarrier(warp, budget, left);
}

Tier::Phase CompiledTier::resume(Warp &warp, u64 budget) {
  isPrepared = false;
  return runToBarrier(warp, budget, budget);
}

Tier::Phase CompiledTier::runToBarrier(Warp &warp, u64 budget, u64 left) {
  runOn(warp, left, true);
  warp.endStretch();
  const size_t index = grid.indexOf(*warp.pc);
  const bool isReady = warp.status == WarpStatus::Ready;
  return {budget - left,
          warp.exited()                            ? PhaseEnd::Ended
          : isReady && left && endsAt(warp, index) ? PhaseEnd::Barrier
          : isReady && !left && !warp.locksHeld    ? PhaseEnd::Paused
                                                   : PhaseEnd::Left,
          index};
}
