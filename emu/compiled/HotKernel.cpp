#include "emu/compiled/HotKernel.h"
#include "emu/compiled/CompilerLibrary.h"
#include "emu/compiled/CompilerProcess.h"
#include "llvm/Support/xxhash.h"
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <thread>
#include <unistd.h>

using namespace leno;
using namespace leno::compiled;
using namespace llvm;

namespace {

/// One thread that looks for code, and has it made by a process, one after the other. When the program ends,
/// so does it.
class Background {
public:
  static Background &get() {
    static Background *only = new Background;
    return *only;
  }
  std::string imageOf(const Region &region, const CodeCache::Key &key) {
    return process.imageOf(region, key, compilerProgram());
  }
  void add(std::function<void()> job) {
    std::lock_guard lock(mutex);
    if (ends)
      return;
    jobs.push_back(std::move(job));
    if (!thread.joinable()) {
      owner = getpid();
      thread = std::thread([this] { work(); });
      std::atexit([] { get().end(); });
    }
    changed.notify_one();
  }
  void end() {
    {
      if (owner != getpid()) // who was forked has no such thread
        return;
      std::lock_guard lock(mutex);
      if (ends || !thread.joinable())
        return;
      ends = true;
      jobs.clear();
    }
    changed.notify_one();
    process.end();
    thread.join();
  }

private:
  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return ends || !jobs.empty(); });
      if (ends)
        return;
      std::function<void()> job = std::move(jobs.front());
      jobs.pop_front();
      const bool isLast = jobs.empty();
      lock.unlock();
      job();
      if (isLast)
        process.close();
      lock.lock();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  std::thread thread;
  pid_t owner = 0; ///< the process that it is of
  CompilerProcess process;
  bool ends = false;
};

} // namespace

/// A code that was asked for.
struct HotKernel::Making {
  Making(RegionPlan plan, const char *width, RegionPlan::Guess guess)
      : plan(std::move(plan)), width(width), guess(std::move(guess)) {}
  RegionPlan plan;
  const char *width;
  const RegionPlan::Guess guess;
  enum { UnderWay, NotOnDisk, Done } state = UnderWay; ///< under the kernel's lock
  std::shared_ptr<const CompiledKernel> kernel;        ///< when it is done; null: it cannot be made
};

std::shared_ptr<HotKernel> HotKernel::of(const Program &program, u64 entry) {
  struct Key {
    u64 hash, size, entry;
    const char *width;
    auto operator<=>(const Key &) const = default;
  };
  struct Known {
    std::mutex mutex;
    std::map<Key, std::shared_ptr<HotKernel>> kernels;
  };
  static Known *known = new Known;              // threads may ask while the process ends
  constexpr size_t most = 4096, looksAt = 1024; // words: the rest is compared when code is taken
  u64 words[looksAt];
  size_t count = 0;
  for (size_t i = entry / 8; i < program.size() && count < looksAt; ++i)
    words[count++] = program.word(i);
  Key key{xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(words), count * 8)), program.size(), entry,
          program.engine().name};
  std::lock_guard lock(known->mutex);
  if (known->kernels.size() >= most && !known->kernels.count(key))
    known->kernels.clear(); // all may grow hot again
  std::shared_ptr<HotKernel> &kernel = known->kernels[key];
  if (!kernel)
    kernel = std::make_shared<HotKernel>();
  return kernel;
}

void HotKernel::work(const std::shared_ptr<Making> &making, bool makes) {
  Background::get().add([making, makes, us = shared_from_this()] {
    auto makeImage = [&](const Region &region, const CodeCache::Key &key) {
      return makes ? Background::get().imageOf(region, key) : "";
    };
    auto made = CompiledKernel::get(making->plan, making->width, makeImage);
    const bool isMade = bool(made);
    std::lock_guard lock(us->mutex);
    if (isMade)
      making->kernel = std::move(*made);
    else
      consumeError(made.takeError()); // it is interpreted then
    making->state = isMade || makes ? Making::Done : Making::NotOnDisk;
    if (making->state == Making::Done) {
      ++us->codes;
      us->speeds.clear();
    }
  });
}

std::optional<KernelSource::Made> HotKernel::get(const Program &program, u64 entry, Warps warps,
                                                 const RegionPlan::Guess &guess) {
  std::lock_guard lock(mutex);
  for (const auto &making : makings)
    if (making->plan.warps == warps && making->guess == guess) {
      if (making->state == Making::NotOnDisk && isHot()) {
        making->state = Making::UnderWay;
        work(making, true);
      }
      if (making->state != Making::Done)
        return std::nullopt;
      return making->kernel && making->kernel->isOf(program) ? making->kernel : nullptr;
    }
  RegionPlan plan(program, entry, warps, guess);
  if (plan.isEmpty())
    return Made(nullptr);
  makings.push_back(std::make_shared<Making>(std::move(plan), program.engine().name, guess));
  work(makings.back(), isHot());
  return std::nullopt;
}

HotKernel::Choice HotKernel::choice(Observer::Interests watched) {
  std::lock_guard lock(mutex);
  const Speeds &both = speeds[watched];
  const bool isCompiled = both.isKnown ? both.compiled.timeOfEach() < both.interpreted.timeOfEach()
                                       : both.compiled.instructions <= both.interpreted.instructions;
  return {isCompiled, !both.isKnown, codes};
}

void HotKernel::executed(Observer::Interests watched, bool isCompiled, u64 instructions) {
  constexpr u64 knownFor = 50'000'000; // both are measured again in a hundredth of that
  if (!isCompiled)
    heat.fetch_add(instructions, std::memory_order_relaxed);
  if (!isWarm())
    return;
  std::lock_guard lock(mutex);
  Speeds &both = speeds[watched];
  both.since += both.isKnown ? instructions : 0;
  if (both.since >= knownFor)
    both = {};
}

void HotKernel::measured(Observer::Interests watched, const Choice &choice, const Speed &speed) {
  std::lock_guard lock(mutex);
  Speeds &both = speeds[watched];
  if (choice.codes != codes || both.isKnown) // other host threads may have found out
    return;
  if (choice.isCompiled && !std::exchange(both.hasBegun, true))
    return;
  Speed &its = choice.isCompiled ? both.compiled : both.interpreted;
  its.instructions += speed.instructions;
  its.time += speed.time;
  its.turns += speed.turns;
  auto have = [&](u64 turns, u64 instructions) {
    return std::min(both.interpreted.turns, both.compiled.turns) >= turns &&
           std::min(both.interpreted.instructions, both.compiled.instructions) >= instructions;
  };
  const double gain = both.interpreted.timeOfEach() / both.compiled.timeOfEach();
  both.isKnown = have(512, 128'000) || (have(128, 32'000) && (gain > 1.5 || gain < 0.3));
}
