// A driver's policy, in the host API [S4]: contexts come with work of different lengths, and the host watches
// how much of it each has left. Who has least gets SMs first. Against the machine's own rule, which moves SMs
// to who has been blocked most, the users wait less on average, as whoever has little to do is soon done. The
// one who has most to do pays for that.
#include "../Examples.h"

#include <utility>

namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t threads = 256, ctasOfLaunch = 32;

struct User {
  std::string name;
  std::uint32_t launches;
  leno::Context context;
  leno::Buffer result;
  std::vector<leno::PendingLaunch> pending;
  int priority = 0;

  /// Launches that have not ended.
  std::uint32_t left() const {
    return std::uint32_t(std::count_if(pending.begin(), pending.end(),
                                       [](const leno::PendingLaunch &one) { return !one.cycles().ended; }));
  }
};

/// The mean of the users' times, from the start to the end of their last launch, and the greatest, in cycles.
struct Times {
  std::uint64_t mean = 0, most = 0;
};

/// What collatz gives for the numbers of one launch.
Words reference() {
  Words steps(threads * ctasOfLaunch);
  for (std::uint32_t i = 0; i < steps.size(); ++i)
    for (std::uint64_t n = i + 1; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
      ++steps[i];
  return steps;
}

/// Each time that some cycles have passed: who has least left comes first.
void shortestFirst(std::vector<User> &users) {
  std::vector<User *> order;
  for (User &user : users)
    if (user.left() > 0)
      order.push_back(&user);
  std::stable_sort(order.begin(), order.end(), [](User *a, User *b) { return a->left() < b->left(); });
  for (std::size_t i = 0; i < order.size(); ++i)
    if (int priority = int(order.size() - i); std::exchange(order[i]->priority, priority) != priority)
      order[i]->context.setPriority(priority).orExit(); // a change moves SMs
}

/// Fails when a result is not the reference's.
Times serve(const Words &loads, const Words &steps, bool byHost) {
  constexpr std::uint64_t period = 5000;
  leno::Device device =
      leno::Device::create({"sm.count=16", "sm.ctas=2", "timing.model=cycles", "contexts.allocation=dynamic"})
          .orExit();
  leno::Kernel kernel = examples::kernelOf("contexts/contexts.s", "collatz");
  std::vector<User> users(loads.size());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    User &user = users[i];
    user.name = "user " + std::to_string(i + 1);
    user.context = device.createContext({.name = user.name}).orExit();
    user.result = user.context.allocate<std::uint32_t>(steps.size(), "steps").orExit();
    for (std::uint32_t launch = 0; launch < loads[i]; ++launch)
      user.pending.push_back(user.context
                                 .launch(kernel, {.grid = {ctasOfLaunch}, .block = {threads}},
                                         std::uint32_t(steps.size()), user.result)
                                 .orExit());
  }
  do
    if (byHost)
      shortestFirst(users);
  while (device.run(period).orExit() == leno::RunStop::Cycle);
  Times times;
  for (User &user : users) {
    user.context.status().orExit();
    if (user.result.download<std::uint32_t>().orExit() != steps)
      examples::fail(user.name + "'s result differs from the reference");
    std::uint64_t end = *user.pending.back().cycles().ended;
    times.mean += end / users.size();
    times.most = std::max(times.most, end);
  }
  return times;
}

} // namespace

int examples::policy(const Arguments &arguments) {
  Words loads;
  for (const std::string &load : arguments)
    loads.push_back(number(load, 1000, "LAUNCHES"));
  const Words steps = reference();
  std::printf("policy: %zu users on 16 SMs, times in cycles\n", loads.size());
  for (bool byHost : {false, true}) {
    Times times = serve(loads, steps, byHost);
    std::printf("  %-32s mean %9llu, most %9llu\n",
                byHost ? "by the host, least left first" : "by blocked cycles, built in",
                static_cast<unsigned long long>(times.mean), static_cast<unsigned long long>(times.most));
  }
  std::printf("policy: all results are the reference's\n");
  return 0;
}
