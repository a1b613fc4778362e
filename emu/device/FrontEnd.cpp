#include "emu/device/FrontEnd.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <limits>

using namespace leno;
using namespace llvm;

constexpr u64 never = std::numeric_limits<u64>::max();

/// Constants are written word by word.
static u64 wordsOf(const ConstantUpdate &update) {
  return update.bytes.empty() ? 1 : (update.offset + update.bytes.size() - 1) / 4 - update.offset / 4 + 1;
}

bool FrontEnd::isIdle(const Context &context) const {
  if (!context.alive())
    return true;
  if (!context.flights.empty() || context.takenUntil)
    return false;
  if (context.commands.empty())
    return true;
  if (std::holds_alternative<NotBefore>(context.commands.front()))
    return true;
  const auto *wait = std::get_if<SemaphoreAcquire>(&context.commands.front());
  return wait && semaphores.value(wait->semaphore) < wait->value;
}

/// In order: what touches memory or tells others waits for the launches before it; constants do not (S2), nor
/// launches that overlap, shares, and tokens that do not drain. Launches that overlap, and constants that go to
/// caches, wait until all CTAs of those before are out (ConstantUnit.h).
bool FrontEnd::canTake(const Context &context) const {
  if (!context.alive() || context.takenUntil || context.commands.empty())
    return false;
  const Command &command = context.commands.front();
  if (const auto *wait = std::get_if<SemaphoreAcquire>(&command))
    return semaphores.value(wait->semaphore) >= wait->value;
  if (std::holds_alternative<NotBefore>(command)) // the host's, and taken by its time alone
    return false;
  if (std::holds_alternative<Share>(command))
    return true;
  if (const auto *token = std::get_if<SyncToken>(&command); token && !token->drains)
    return true;
  const auto *launch = std::get_if<Launch>(&command);
  if (std::holds_alternative<ConstantUpdate>(command) || (launch && launch->overlap))
    return (!launch && config.constants.model == MachineConfig::Constants::None) || context.flights.empty() ||
           !context.youngest()->hasCtasToHandOut();
  return context.flights.empty();
}

/// How long the front command takes from now on.
u64 FrontEnd::cyclesOf(const Context &context, u64 now) {
  const Command &command = context.commands.front();
  if (std::holds_alternative<Launch>(command))
    return 1 + config.device.launchCycles;
  if (const auto *update = std::get_if<ConstantUpdate>(&command))
    return config.constants.model == MachineConfig::Constants::None ? 1 : wordsOf(*update);
  u64 bytes = 0;
  if (const auto *in = std::get_if<CopyToDevice>(&command))
    bytes = in->bytes.size();
  else if (const auto *out = std::get_if<CopyToHost>(&command))
    bytes = out->to.size();
  else if (const auto *on = std::get_if<CopyOnDevice>(&command))
    bytes = on->bytes;
  if (!bytes)
    return 1;
  // One copy engine, which takes them as they come.
  copyEngineFree = std::max(copyEngineFree, now + 1) + divideCeil(bytes, config.device.copyBytes);
  return copyEngineFree - now;
}

/// What follows has not been written yet.
static const NotBefore *notYet(const Context &context) {
  const Pushbuffer &commands = context.pushbuffer();
  return commands.empty() ? nullptr : std::get_if<NotBefore>(&commands.front());
}

bool FrontEnd::step(Contexts contexts, const Context *only, u64 now) {
  bool some = false;
  for (const auto &context : contexts)
    if (context->takenUntil && isDue(*context, now)) {
      context->takenUntil.reset();
      takeEffect(*context, now);
      some = true;
    }
  for (const auto &context : contexts)
    while (context->reading.isActive && context->reading.freeAt <= now)
      if (readOn(*context, now)) {
        context->takenUntil = now + config.device.launchCycles;
        some = true;
      }
  for (const auto &context : contexts)
    while (const NotBefore *wait = notYet(*context)) {
      if (wait->cycle > now)
        break;
      context->commands.take();
      some = true;
    }
  Context *next = nullptr;
  size_t first = last ? last->number + 1 : 0;
  for (size_t i = 0; i < contexts.size(); ++i) {
    Context *candidate = contexts[(first + i) % contexts.size()].get();
    if ((!only || candidate == only) && canTake(*candidate) &&
        (!next || candidate->priority() > next->priority()))
      next = candidate;
  }
  if (!next)
    return some;
  switchCount += last && next != last;
  last = next;
  ++next->count.commands;
  next->takenUntil = now + cyclesOf(*next, now);
  if (const auto *launch = std::get_if<Launch>(&next->commands.front())) {
    next->records.emplace_back(launch->spec.kernel, now);
    if (launch->channel) {
      next->takenUntil = never;
      beginReading(*next, *launch->channel, now);
    }
  }
  return true;
}

u64 FrontEnd::nextCycle(Contexts contexts, const Context *only, u64 now) const {
  u64 next = never;
  for (const auto &context : contexts) {
    if (context->takenUntil)
      next = std::min(next, isDue(*context, now) ? now + 1 : std::max(*context->takenUntil, now + 1));
    if (context->reading.isActive && !onlyPolls(*context))
      next = std::min(next, std::max(context->reading.freeAt, now + 1));
    if (const NotBefore *wait = notYet(*context))
      next = std::min(next, std::max(wait->cycle, now + 1));
    if ((!only || context.get() == only) && canTake(*context))
      next = now + 1;
  }
  return next;
}

/// Its time has come, or something that it waits for may have.
bool FrontEnd::isDue(Context &context, u64 now) const {
  if (context.constants.waitsSince)
    return context.view.constantUnit().retirements() != *context.constants.waitsSince;
  return *context.takenUntil <= now;
}

void FrontEnd::takeEffect(Context &context, u64 now) {
  if (GridRun *youngest = context.youngest(); youngest && !youngest->hasBegun())
    return begin(context, now);
  if (const auto *update = std::get_if<ConstantUpdate>(&context.commands.front()))
    if (context.constantUnit() && !takeConstants(context, *update, now))
      return;
  std::shared_ptr<const Command> command = context.commands.take();
  if (Error error = std::visit([&](auto &its) { return apply(context, its, now); }, *command))
    context.failure = toString(std::move(error));
}

/// For SMs of its context to change (S2).
void FrontEnd::awaitConstants(Context &context, u64 now) {
  context.constants.waitsSince = context.constantUnit()->retirements();
  context.constants.cycle = now;
  context.takenUntil = never;
}

void FrontEnd::endWait(Context &context, u64 now) {
  if (context.constants.waitsSince)
    context.count.constantWaits += now - context.constants.cycle;
  context.constants.waitsSince.reset();
}

/// The update's words go to the caches one by one. False: one of them waits.
bool FrontEnd::takeConstants(Context &context, const ConstantUpdate &update, u64 now) {
  ConstantUnit &unit = *context.constantUnit();
  ConstantProgress &done = context.constants;
  endWait(context, now);
  unit.setCycle(now);
  llvm::ArrayRef<uint8_t> before = context.view.constants().bank(update.bank);
  for (u64 words = wordsOf(update); done.words < words; ++done.words) {
    u64 first = update.offset / 4 * 4 + done.words * 4;
    uint8_t bytes[4] = {};
    for (u64 i = 0; i < 4; ++i)
      if (u64 at = first + i; at >= update.offset && at < update.offset + update.bytes.size())
        bytes[i] = update.bytes[at - update.offset];
      else if (at < before.size()) // the rest of a word that it changes in part
        bytes[i] = before[at];
    u32 value;
    std::memcpy(&value, bytes, 4);
    if (unit.write(update.bank, u32(first), value) == ConstantUnit::Wait::None)
      continue;
    awaitConstants(context, now);
    return false;
  }
  done.words = 0;
  return true;
}

//===--- What the commands do ---------------------------------------------===//

Error FrontEnd::apply(Context &context, const ConstantUpdate &update, u64) {
  return context.view.constants().write(update.bank, update.offset, update.bytes);
}

/// A copy's mistake tells that a copy made it.
static Error copied(Error error) {
  return error ? createStringError("a copy cannot be made: " + toString(std::move(error))) : Error::success();
}

Error FrontEnd::apply(Context &context, const CopyToDevice &copy, u64) {
  return copied(context.memory().write(copy.to, copy.bytes));
}

Error FrontEnd::apply(Context &context, const CopyToHost &copy, u64) {
  return copied(context.memory().read(copy.from, copy.to));
}

Error FrontEnd::apply(Context &context, const CopyOnDevice &copy, u64) {
  const AddressSpace::Allocation *from = context.memory().find(copy.from, copy.bytes);
  if (!from) // before `bytes` are taken from the host, however many they claim to be
    return copied(createStringError(formatv("the {0} bytes at {1:x} are not inside one allocation: {2}",
                                            copy.bytes, copy.from, context.memory().describe(copy.from))));
  std::vector<uint8_t> data(copy.bytes);
  if (Error error = context.memory().read(copy.from, data))
    return copied(std::move(error));
  return copied(context.memory().write(copy.to, data));
}

Error FrontEnd::apply(Context &, const SemaphoreRelease &release, u64) {
  semaphores.release(release.semaphore, release.value);
  return Error::success();
}

Error FrontEnd::apply(Context &, const SemaphoreAcquire &, u64) { return Error::success(); }

Error FrontEnd::apply(Context &, const NotBefore &, u64) { return Error::success(); }

/// CTAs of a grid that go by a mapping are remembered one by one.
static Error checkMapping(const TileMapping &mapping, u64 ctas) {
  if (!mapping || ctas <= WorkDistributor::mostMapped)
    return Error::success();
  return createStringError(formatv("a grid of {0} CTAs under a 2-D tile mapping; a mapping is for {1} at most",
                                   ctas, WorkDistributor::mostMapped));
}

Error FrontEnd::apply(Context &context, const SyncToken &token, u64) {
  if (GridRun *youngest = context.youngest()) { // it does not drain
    if (Error error = checkMapping(token.mapping, youngest->launch().grid.count()))
      return error;
    youngest->remap(token.mapping);
  }
  context.mapping = token.mapping;
  return Error::success();
}

Error FrontEnd::apply(Context &context, const Share &share, u64) { return onShare(context, share); }

Error FrontEnd::apply(Context &context, const Launch &launch, u64 now) {
  // The launch has the constants of its place in the stream: the grid takes its own copy of them (S2).
  GridInFlight grid{nullptr, launch.ended, context.records.size() - 1};
  Expected<std::unique_ptr<GridRun>> run =
      launch.channel ? launchOfMessage(context, launch, grid.code)
                     : GridRun::create(context.view, *launch.program, launch.spec, watchers);
  if (!run)
    return run.takeError();
  if (Error error = checkMapping(context.mapping, (*run)->launch().grid.count()))
    return error;
  grid.run = std::move(*run);
  if (launch.channel)
    grid.message = {*launch.channel, context.reading.taken[*launch.channel]};
  context.flights.push_back(std::move(grid));
  if (launch.started)
    launch.started(*context.youngest());
  if (onLaunch)
    onLaunch(*context.youngest());
  begin(context, now);
  return Error::success();
}

/// The constants of its own go to the caches first. They may wait, where launches overlap: for an SM that is
/// done with older ones.
void FrontEnd::begin(Context &context, u64 now) {
  endWait(context, now);
  bool latencies = config.timing.model == MachineConfig::Timing::Cycles;
  auto isTaken = [&](unsigned place) {
    return llvm::any_of(context.grids().drop_back(), [&](auto &one) { return one.run->place() == place; });
  };
  unsigned place = 0;
  while (isTaken(place))
    ++place;
  if (!context.youngest()->share(GridClock(latencies ? GridClock::Latencies : GridClock::Turns, now),
                                 context.mapping, context.locks, place, now))
    awaitConstants(context, now);
}
