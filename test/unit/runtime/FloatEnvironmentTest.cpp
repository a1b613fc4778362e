// What the host has set its floating point to is its own business: no bit of a result depends on it, and it
// stays as it is.
#include "../HostFloats.h"
#include "FloatKernel.h"
#include "leno/Leno.h"

#include "gtest/gtest.h"
#include <thread>

extern "C" const char *floatsAreTheMachines(int rounding, int traps);

namespace {

constexpr int Roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
using Words = std::vector<std::uint32_t>;

/// A host's environment while it lives; gtest itself gets the default again.
class Host {
public:
  explicit Host(int rounding, bool traps) {
    (traps ? setTrappingHostFloats : setHostFloats)(rounding);
    set = hostFloats();
  }
  ~Host() { fesetenv(FE_DFL_ENV); }
  bool isAsItWas() const { return hostFloatsAre(set); }
  host_floats set;
};

class HostFloats : public testing::TestWithParam<std::tuple<int, bool>> {
protected:
  HostFloats() : rounding(std::get<0>(GetParam())), traps(std::get<1>(GetParam())) {}
  int rounding;
  bool traps;
};

const leno::LaunchConfig Config{.grid = {FloatCtas}};

void launchOn(leno::Device &device, const leno::Kernel &kernel, unsigned threads, Words &words) {
  leno::Buffer out = device.allocate<std::uint32_t>(FloatWords * FloatCtas, "out").orExit();
  leno::LaunchConfig config = Config;
  config.threads = threads;
  leno::launch(device, kernel, config, out).orExit();
  words = out.download<std::uint32_t>().orExit();
}

unsigned allAreRight() { return FloatWords * FloatCtas; }

} // namespace

TEST_P(HostFloats, LaunchesAreTheSameOnAnyNumberOfThreads) {
  for (unsigned threads : {0u, 1u, 2u, 4u}) {
    Words words;
    bool same;
    {
      Host host(rounding, traps);
      leno::Device device = leno::Device::create().orExit();
      leno::Module module = leno::Module::assemble(floatKernel).orExit();
      launchOn(device, module.kernel().orExit(), threads, words);
      same = host.isAsItWas();
    }
    EXPECT_EQ(firstWrongFloat(words.data()), allAreRight()) << threads << " threads";
    EXPECT_TRUE(same);
  }
}

TEST_P(HostFloats, LaunchesAreTheSameWithEveryModel) {
  for (const char *setting :
       {"timing.model=cycles", "l2.model=slices", "constants.model=caches", "stack.model=cache"}) {
    Words words;
    bool same;
    {
      Host host(rounding, traps);
      leno::Device device = leno::Device::create({setting}).orExit();
      leno::Module module = leno::Module::assemble(floatKernel).orExit();
      leno::LaunchConfig config = Config;
      config.statistics = true;
      leno::Buffer out = device.allocate<std::uint32_t>(FloatWords * FloatCtas, "out").orExit();
      leno::launch(device, module.kernel().orExit(), config, out).orExit();
      words = out.download<std::uint32_t>().orExit();
      same = host.isAsItWas();
    }
    EXPECT_EQ(firstWrongFloat(words.data()), allAreRight()) << setting;
    EXPECT_TRUE(same) << setting;
  }
}

TEST_P(HostFloats, AStreamsCommandsComputeAsTheMachineAndItsCallsFindTheHosts) {
  Words words(FloatWords * FloatCtas);
  bool same, inCall = false;
  {
    Host host(rounding, traps);
    leno::Device device = leno::Device::create().orExit();
    leno::Module module = leno::Module::assemble(floatKernel).orExit();
    leno::Buffer out = device.allocate<std::uint32_t>(words.size(), "out").orExit();
    leno::Stream stream = leno::Stream::create(device).orExit();
    stream.launch(module.kernel().orExit(), Config, out).orExit();
    stream.call([&] { inCall = host.isAsItWas(); }).orExit();
    stream.download(out, words).orExit();
    stream.synchronize().orExit();
    same = host.isAsItWas();
  }
  EXPECT_EQ(firstWrongFloat(words.data()), allAreRight());
  EXPECT_TRUE(same);
  EXPECT_TRUE(inCall);
}

TEST_P(HostFloats, ContextsComputeAsTheMachineAndEventsFindTheHosts) {
  Words words(FloatWords * FloatCtas);
  bool same;
  unsigned events = 0, unlike = 0;
  {
    Host host(rounding, traps);
    leno::Device device = leno::Device::create({{"timing.model=cycles"}}).orExit();
    device
        .onEvent([&](const leno::ContextEvent &) {
          ++events;
          unlike += !host.isAsItWas();
        })
        .orExit();
    leno::Context context = device.createContext({.name = "a"}).orExit();
    leno::Module module = leno::Module::assemble(floatKernel).orExit();
    leno::Buffer out = context.allocate<std::uint32_t>(words.size(), "out").orExit();
    context.launch(module.kernel().orExit(), Config, out).orExit();
    context.download(out, words).orExit();
    device.runUntilIdle().orExit();
    same = host.isAsItWas();
  }
  EXPECT_EQ(firstWrongFloat(words.data()), allAreRight());
  EXPECT_TRUE(same);
  EXPECT_GT(events, 0u);
  EXPECT_EQ(unlike, 0u);
}

TEST_P(HostFloats, TheCApiIsTheSame) { EXPECT_STREQ(floatsAreTheMachines(rounding, traps), ""); }

INSTANTIATE_TEST_SUITE_P(Hosts, HostFloats, testing::Combine(testing::ValuesIn(Roundings), testing::Bool()));

// Each host thread has an environment of its own, and all use one device.
TEST(HostThreads, EachKeepsItsOwnEnvironment) {
  leno::Device device = leno::Device::create().orExit();
  leno::Kernel kernel = leno::Module::assemble(floatKernel).orExit().kernel().orExit();
  std::vector<std::thread> threads;
  std::vector<unsigned> wrong(8);
  for (unsigned i = 0; i < wrong.size(); ++i)
    threads.emplace_back([&, i] {
      Host host(Roundings[i % 4], i >= 4);
      for (unsigned turn = 0; turn < 20; ++turn) {
        Words words;
        launchOn(device, kernel, 1 + turn % 2, words);
        wrong[i] += firstWrongFloat(words.data()) != allAreRight() || !host.isAsItWas();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<unsigned>(8));
}
