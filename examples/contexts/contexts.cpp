// Two contexts share a machine [S4]: one has a kernel that takes long, the other short requests that come at
// moments of their own and cannot wait. How soon a request starts depends on how SMs are shared; the results
// do not.
#include "../Examples.h"

#include <random>

namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t threads = 256;

//===--- The references ---------------------------------------------------------===//

Words collatz(std::uint32_t count) {
  Words steps(count);
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint64_t n = i + 1; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
      ++steps[i];
  return steps;
}

std::uint32_t squares(const Words &words) {
  std::uint32_t sum = 0;
  for (std::uint32_t word : words)
    sum += word * word;
  return sum;
}

//===--- The two programs -------------------------------------------------------===//

struct Outcome {
  std::vector<std::uint64_t> latencies; ///< cycles from a request to its first CTA, in ascending order
  std::uint64_t longCycles = 0;         ///< of the long kernel, from its first CTA to its end
};

/// Fails when a result is not the reference's.
Outcome share(const std::vector<std::string> &settings, std::uint32_t numbers, const Words &steps,
              std::uint32_t requests) {
  leno::Device device = leno::Device::create(settings).orExit();
  leno::Context busy = device.createContext({.name = "busy"}).orExit();
  leno::Context urgent = device.createContext({.name = "urgent", .priority = 1}).orExit();

  leno::Buffer result = busy.allocate<std::uint32_t>(numbers, "steps").orExit();
  leno::PendingLaunch whole =
      busy.launch(examples::kernelOf("contexts/contexts.s", "collatz"),
                  {.grid = {examples::ctasFor(numbers, threads)}, .block = {threads}}, numbers, result)
          .orExit();

  leno::Kernel kernel = examples::kernelOf("contexts/contexts.s", "squares");
  leno::Buffer words = urgent.allocate<std::uint32_t>(threads, "words").orExit();
  leno::Buffer answer = urgent.allocate<std::uint32_t>(1, "answer").orExit();
  std::mt19937 random(7);
  Outcome outcome;
  for (std::uint32_t i = 0; i < requests; ++i) {
    if (device.run(2000 + random() % 6000).orExit() != leno::RunStop::Cycle)
      examples::fail("the long kernel ended before request " + std::to_string(i) + "; give it more numbers");
    Words data(threads);
    std::generate(data.begin(), data.end(), [&] { return std::uint32_t(random()); });
    Words found(1);
    urgent.upload(words, data).orExit(); // in the stream: before the launch
    urgent.upload(answer, found).orExit();
    std::uint64_t asked = device.cycle();
    leno::PendingLaunch launch =
        urgent.launch(kernel, {.grid = {1}, .block = {threads}}, words, answer).orExit();
    urgent.download(answer, found).orExit();
    urgent.synchronize().orExit();
    if (found[0] != squares(data))
      examples::fail("the answer to request " + std::to_string(i) + " differs from the reference");
    outcome.latencies.push_back(*launch.cycles().started - asked);
  }
  device.runUntilIdle().orExit();
  busy.status().orExit();
  if (result.download<std::uint32_t>().orExit() != steps)
    examples::fail("the long kernel's result differs from the reference");
  outcome.longCycles = *whole.cycles().ended - *whole.cycles().started;
  std::sort(outcome.latencies.begin(), outcome.latencies.end());
  return outcome;
}

} // namespace

int examples::contexts(const Arguments &arguments) {
  std::uint32_t numbers = number(arguments[0], 100000, "NUMBERS"); // 32 bits hold all steps up to there
  std::uint32_t requests = number(arguments[1], 1000, "REQUESTS");
  Words steps = collatz(numbers);

  struct Policy {
    const char *name;
    std::vector<std::string> settings;
  };
  const Policy policies[] = {
      {"one at a time", {"contexts.allocation=one"}},
      {"together, SMs drain", {"contexts.allocation=dynamic", "contexts.switch=drain"}},
      {"together, SMs save", {"contexts.allocation=dynamic", "contexts.switch=save"}},
  };
  std::printf("contexts: %u requests beside the steps of %u numbers, latencies in cycles\n", requests,
              numbers);
  for (const Policy &policy : policies) {
    std::vector<std::string> settings = {"sm.count=4", "timing.model=cycles"};
    settings.insert(settings.end(), policy.settings.begin(), policy.settings.end());
    Outcome outcome = share(settings, numbers, steps, requests);
    const std::vector<std::uint64_t> &sorted = outcome.latencies;
    std::printf("  %-20s least %8llu, median %8llu, most %8llu; the long kernel %9llu cycles\n", policy.name,
                static_cast<unsigned long long>(sorted.front()),
                static_cast<unsigned long long>(sorted[sorted.size() / 2]),
                static_cast<unsigned long long>(sorted.back()),
                static_cast<unsigned long long>(outcome.longCycles));
  }
  std::printf("contexts: all answers and steps are the reference's\n");
  return 0;
}
