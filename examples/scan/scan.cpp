// Where each line of a text begins: the sums of the lengths of all lines before it. And the reduction of the
// lengths.
#include "../Examples.h"

namespace {

constexpr std::uint32_t threads = 256;

/// Replaces `values` by the sums up to each: CTA by CTA, then the sums of CTAs in the same way.
void scanInPlace(leno::Device &device, const leno::Kernel &scanBlocks, const leno::Kernel &addSums,
                 leno::Buffer &values, std::uint32_t count) {
  std::uint32_t ctas = examples::ctasFor(count, threads);
  leno::Buffer sums = device.allocate<std::uint32_t>(ctas, "sums").orExit();
  leno::LaunchConfig config{.grid = {ctas}, .block = {threads}};
  examples::run(device, scanBlocks, config, count, values, sums);
  if (ctas == 1)
    return;
  scanInPlace(device, scanBlocks, addSums, sums, ctas);
  examples::run(device, addSums, config, count, values, sums);
}

} // namespace

int examples::scan(const Arguments &arguments) {
  std::vector<char> text = readFile<char>(arguments[0]);
  std::vector<std::uint32_t> lengths;
  for (auto begin = text.begin(); begin != text.end();) {
    auto end = std::find(begin, text.end(), '\n');
    end += end != text.end(); // a line has its line end
    lengths.push_back(std::uint32_t(end - begin));
    begin = end;
  }
  if (lengths.empty())
    fail(arguments[0] + ": no lines in it");
  auto lines = std::uint32_t(lengths.size());

  leno::Device device = leno::Device::create().orExit();
  leno::Buffer values = device.upload(lengths, "lengths").orExit();
  leno::Buffer result = device.upload(std::vector<std::uint32_t>{0, UINT32_MAX, 0}, "result").orExit();
  run(device, kernelOf("scan/scan.s", "reduce"),
      {.grid = {std::min(ctasFor(lines, threads), 8u)}, .block = {threads}}, lines, values, result);
  scanInPlace(device, kernelOf("scan/scan.s", "scanBlocks"), kernelOf("scan/scan.s", "addSums"), values,
              lines);
  writeFile(arguments[1], values.download<std::uint32_t>().orExit());
  auto found = result.download<std::uint32_t>().orExit();
  std::printf("scan: %u lines, %u bytes, the shortest %u, the longest %u\n", lines, found[0], found[1],
              found[2]);
  return 0;
}
