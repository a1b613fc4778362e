// How often each byte value occurs in a file, counted in three ways that must agree.
#include "../Examples.h"

int examples::histogram(const Arguments &arguments) {
  auto bytes = readFile<std::uint8_t>(arguments[0]);
  if (bytes.empty() || bytes.size() > UINT32_MAX)
    fail(arguments[0] + ": 1 byte to 4 GiB can be counted");
  leno::Device device = leno::Device::create().orExit();
  leno::Buffer data = device.upload(bytes, "data").orExit();
  struct Way {
    const char *kernel;
    std::uint32_t ctas;
  };
  std::vector<std::uint32_t> first;
  for (Way way : {Way{"histogram", 256}, Way{"withAtomics", 8}, Way{"withLocks", 8}}) {
    leno::Buffer counts = device.allocate<std::uint32_t>(256, "counts").orExit();
    std::uint64_t before = instructions();
    run(device, kernelOf("histogram/histogram.s", way.kernel), {.grid = {way.ctas}, .block = {256}},
        std::uint32_t(bytes.size()), data, counts);
    auto found = counts.download<std::uint32_t>().orExit();
    std::printf("histogram: %zu bytes, %s: %llu warp instructions\n", bytes.size(), way.kernel,
                static_cast<unsigned long long>(instructions() - before));
    if (first.empty())
      first = found;
    else if (found != first)
      fail(std::string(way.kernel) + " counts other numbers than histogram");
  }
  writeFile(arguments[1], first);
  return 0;
}
