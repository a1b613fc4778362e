// In how many ways n queens can stand on a board with none attacking another, by recursion.
#include "../Examples.h"

int examples::queens(const Arguments &arguments) {
  std::uint32_t n = number(arguments[0], 16, "N");
  if (n < 2)
    fail("N is at least 2: the kernel puts queens into two rows before it recurses");
  leno::Device device = leno::Device::create().orExit();
  leno::Buffer count = device.allocate<std::uint32_t>(1, "count").orExit();
  leno::LaunchConfig config{.grid = {n}, .block = {n}, .statistics = true};
  leno::LaunchResult result =
      leno::launch(device, kernelOf("queens/queens.s", "queens"), config, n, (1u << n) - 1, count).orExit();
  if (result.trap)
    fail(result.trap->text);
  std::printf("queens: %u queens can stand in %u ways; the divergence stack was up to %llu entries deep\n", n,
              count.download<std::uint32_t>().orExit()[0],
              static_cast<unsigned long long>(result.statistics->maxStackDepth));
  return 0;
}
