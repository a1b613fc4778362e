#include "emu/launch/ParallelRun.h"
#include "asm/support/Assert.h"
#include "asm/support/FloatEnvironment.h"
#include "emu/program/OpFacts.h"
#include <cstdlib>
#include <ctime>
#include <thread>

using namespace leno;
using namespace llvm;

/// Where nothing tells that CTAs talk with each other: they would wait in vain for one that has not started.
static constexpr u64 patience = 500'000;
/// CTAs before a faulty one may wait for it: they have so long to end.
static constexpr u64 mostAfterFault = 20'000'000;

//===--- How many threads -------------------------------------------------===//

std::string ParallelRun::whyOneThread(const MachineConfig &config, const Program &program, bool &isCertain) {
  isCertain = true;
  if (config.timing.model == MachineConfig::Timing::Cycles)
    return "timing.model=cycles counts the cycles of all SMs together";
  if (const char *setting = MemoryChain::setting(config))
    return std::string(setting) + " has one order of all accesses";
  if (config.constants.model == MachineConfig::Constants::Caches)
    return "constants.model=caches has one order of all reads";
  isCertain = false;
  for (const Op &op : program.ops())
    if (const char *what = factsOf(op).order)
      return std::string("the program ") + what;
  return "";
}

/// LENO_THREADS, so that any launch can be tried on so many; 0: it tells none.
static Expected<unsigned> threadsOfEnvironment() {
  const char *text = std::getenv("LENO_THREADS");
  unsigned wanted = 0;
  if (text && *text && (StringRef(text).getAsInteger(10, wanted) || wanted > 1024))
    return createStringError("LENO_THREADS in the environment is '" + Twine(text) +
                             "': it is a number of host threads, 1..1024, or 0 for the usual one");
  return wanted;
}

Expected<std::unique_ptr<ParallelRun>> ParallelRun::create(Device &device, const Program &program,
                                                           const LaunchSpec &spec, unsigned threads) {
  bool isCertain;
  std::string why = whyOneThread(device.config(), program, isCertain);
  if (threads > 1 && isCertain)
    return createStringError("a launch on " + Twine(threads) + " host threads: " + why +
                             "; leave the number of threads out");
  Expected<unsigned> wanted = threadsOfEnvironment();
  if (!wanted)
    return wanted.takeError();
  bool isOurChoice = threads == 0;
  if (isOurChoice && *wanted) {
    isOurChoice = false;
    threads = why.empty() ? *wanted : 1;
  } else if (isOurChoice)
    threads =
        why.empty() ? unsigned(std::min<u64>(std::thread::hardware_concurrency(), spec.grid.count())) : 1;
  threads = unsigned(std::clamp<u64>(threads, 1, device.config().sm.count));

  std::unique_ptr<ParallelRun> all(new ParallelRun(spec));
  if (device.config().timing.model == MachineConfig::Timing::Cycles)
    all->slice = clockedSlice;
  LaunchSpec ofPart = spec;
  ofPart.maxInstructions = std::numeric_limits<u64>::max();
  all->parts.resize(threads);
  all->warmsUp = isOurChoice && threads > 1;
  SharedGrid *shared = threads > 1 ? &all->shared : nullptr;
  if (shared) {
    shared->gridId = device.nextGridId();
    shared->patience = why.empty() ? patience : 0;
  }
  for (unsigned i = 0; i < threads; ++i) {
    if (Error error =
            Machine::create(device, program, ofPart, {i, threads, shared}).moveInto(all->parts[i].machine))
      return std::move(error);
    all->parts[i].machine->setRunsAhead(true);
  }
  return std::move(all);
}

//===--- Running ----------------------------------------------------------===//

/// Instructions that a part may execute now; 0 when the others have taken all that the watchdog leaves.
u64 ParallelRun::reserve(u64 most) {
  u64 now = left.load(std::memory_order_relaxed), want;
  do {
    u64 share = parts.size() == 1 ? now : std::max<u64>(now / (2 * parts.size()), 1);
    want = std::min({now, most, share});
  } while (want && !left.compare_exchange_weak(now, now - want, std::memory_order_relaxed));
  return want;
}

void ParallelRun::noteFault(const Trap &trap, u64 cta) {
  std::lock_guard lock(faultMutex);
  if (cta < firstFaulty) {
    fault = trap;
    firstFaulty = cta;
  }
}

/// Runs a part a little. False: it is over, or nothing is left for it.
bool ParallelRun::step(Part &part, u64 most) {
  GridRun &run = part.grid();
  if (u64 first = firstFaulty; first < part.endsFrom || part.afterFault > mostAfterFault) {
    part.endsFrom = part.afterFault > mostAfterFault ? 0 : first;
    run.endCtasFrom(part.endsFrom);
  }
  u64 before = run.instructions(), reserved = reserve(most);
  if (!reserved)
    return false;
  Stop stop = part.machine->run(reserved);
  if (stop.reason == StopReason::Waiting)
    std::this_thread::yield();
  u64 done = run.instructions() - before;
  left.fetch_add(reserved - done, std::memory_order_relaxed);
  part.afterFault += part.endsFrom != none ? done : 0;
  if (stop.reason == StopReason::Trapped && !run.isOver())
    noteFault(*run.trap(), run.linear(run.trap()->cta));
  return !run.isOver();
}

/// Processor time of this thread.
static double threadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

void ParallelRun::work(Part &part, const Pause &pause) {
  FloatScope floats; // on each thread
  double start = threadSeconds();
  while (!part.grid().isOver() && step(part, slice) && !pause.isNow())
    ;
  part.seconds += threadSeconds() - start;
}

void ParallelRun::runOnThreads(const Pause &pause) {
  std::vector<std::thread> others;
  for (Part &part : drop_begin(parts))
    if (!part.grid().isOver())
      others.emplace_back([&] { work(part, pause); });
  work(parts[0], pause);
  for (std::thread &thread : others)
    thread.join();
}

/// Parts that have nothing and get nothing learn that they are over.
void ParallelRun::endIdle() {
  for (Part &part : parts)
    if (!part.machine->settle() && !part.grid().isOver())
      part.machine->run(1);
}

/// The watchdog's count has run out, on all threads.
void ParallelRun::timeout() {
  endIdle(); // the last instruction may have been a grid's last
  if (isOver())
    return;
  ended = true;
  if (firstFaulty != none) // that is told, and what came before it has had its time
    return;
  GridRun *lowest = nullptr;
  Warp *warp = nullptr;
  for (Part &part : parts)
    if (Warp *found = part.grid().lowestReady())
      if (!warp || part.grid().linear(found->cta().index()) < lowest->linear(warp->cta().index())) {
        lowest = &part.grid();
        warp = found;
      }
  LENO_ASSERT(warp, "the grid is not over, and no warp can run");
  lowest->timeout(*warp, spec.maxInstructions);
  fault = lowest->trap();
  lowest->end();
}

bool ParallelRun::isOver() const {
  return ended || all_of(parts, [](const Part &part) { return part.grid().isOver(); });
}

StopReason ParallelRun::run(Nanoseconds duration, const std::atomic<bool> *stop) {
  FloatScope floats;
  Clock::time_point now = Clock::now(), end = duration < Clock::time_point::max() - now
                                                  ? now + duration
                                                  : Clock::time_point::max();
  if (!started) {
    if (!parts[0].machine->start()) { // its constants wait for another launch on the device
      std::this_thread::yield();
      return StopReason::Budget;
    }
    started = true;
    if (warmsUp) {
      step(parts[0], slice);
      endIdle();
    }
  }
  Pause pause{end, stop};
  do {
    runOnThreads(pause);
    if (!isOver() && left == 0)
      timeout();
  } while (!isOver() && !pause.isNow());
  merge();
  if (!isOver())
    return StopReason::Budget;
  if (firstFaulty == none)
    for (const Part &part : parts) // what ended its CTA only
      if (const std::optional<Trap> &trap = part.grid().trap())
        if (!fault ||
            (endsCtaOnly(fault->kind) && part.grid().linear(trap->cta) < part.grid().linear(fault->cta)))
          fault = trap;
  ended = true;
  return fault ? StopReason::Trapped : StopReason::Finished;
}

//===--- What has happened ------------------------------------------------===//

u64 ParallelRun::instructions() const {
  u64 sum = 0;
  for (const Part &part : parts)
    sum += part.grid().instructions();
  return sum;
}

u64 ParallelRun::ctasStarted() const { return parts[0].grid().ctasStarted(); }

u64 ParallelRun::ctasAbandoned() const {
  u64 sum = 0;
  for (const Part &part : parts)
    sum += part.grid().ctasAbandoned();
  return sum;
}

double ParallelRun::busiestSeconds() const {
  double most = 0;
  for (const Part &part : parts)
    most = std::max(most, part.seconds);
  return most;
}

const Warp *ParallelRun::someWarp() const {
  const Warp *lowest = nullptr;
  for (const Part &part : parts)
    if (const Warp *warp = part.grid().lowestReady())
      if (!lowest || part.grid().linear(warp->cta().index()) < part.grid().linear(lowest->cta().index()))
        lowest = warp;
  return lowest;
}

void ParallelRun::addObserver(Observer &observer) {
  if (parts.size() == 1)
    return parts[0].machine->addObserver(observer);
  observers.push_back(&observer);
  for (Part &part : parts) {
    part.clones.push_back(observer.clone());
    LENO_ASSERT(part.clones.back(), "this observer sees one order of events: ask for one thread");
    part.machine->addObserver(*part.clones.back());
  }
}

void ParallelRun::merge() {
  for (size_t i = 0; i < observers.size(); ++i)
    for (const Part &part : parts)
      observers[i]->merge(*part.clones[i]);
}
