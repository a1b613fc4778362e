// A file's 32-bit words in ascending order, by bitonic sort.
#include "../Examples.h"

#include <bit>

int examples::sort(const Arguments &arguments) {
  constexpr std::uint32_t threads = 256, tile = 2 * threads;
  auto words = readFile<std::uint32_t>(arguments[0]);
  std::size_t given = words.size();
  if (given > 1u << 28)
    fail(arguments[0] + ": more than 2^28 words");
  words.resize(std::max<std::size_t>(std::bit_ceil(given), tile),
               UINT32_MAX); // what is added stays at the end
  auto count = std::uint32_t(words.size());

  leno::Device device = leno::Device::create().orExit();
  leno::Buffer buffer = device.upload(words, "words").orExit();
  leno::Kernel sortTiles = kernelOf("sort/sort.s", "sortTiles"), far = kernelOf("sort/sort.s", "exchangeFar");
  leno::LaunchConfig config{.grid = {count / tile}, .block = {threads}};
  run(device, sortTiles, config, 2u, tile, buffer);
  for (std::uint32_t length = 2 * tile; length <= count && length; length *= 2) {
    for (std::uint32_t distance = length / 2; distance >= tile; distance /= 2)
      run(device, far, config, length, distance, buffer);
    run(device, sortTiles, config, length, length, buffer);
  }
  words = buffer.download<std::uint32_t>().orExit();
  words.resize(given);
  writeFile(arguments[1], words);
  std::printf("sort: %zu words, %llu warp instructions\n", given,
              static_cast<unsigned long long>(instructions()));
  return 0;
}
