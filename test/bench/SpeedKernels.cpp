#include "test/bench/SpeedKernels.h"
#include "test/bench/KernelSources.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace leno::bench {
namespace {

/// `count` numbers below `limit`, as floats or as they are.
Words random(size_t count, uint32_t limit, bool asFloats, float scale = 1) {
  std::mt19937 generator(uint32_t(count) + limit);
  Words words(count);
  for (uint32_t &word : words) {
    uint32_t number = generator() % limit;
    word = asFloats ? std::bit_cast<uint32_t>(float(number) * scale) : number;
  }
  return words;
}

SpeedWork saxpy(uint32_t size) {
  return {{random(size, 1000, true, 0.125f), random(size, 777, true)},
          {{(size + 255) / 256, 1, 256, 1, {0, 1}, {size, std::bit_cast<uint32_t>(2.5f)}}},
          1};
}

SpeedWork mandelbrot(uint32_t size) {
  return {{Words(size_t(size) * size)}, {{size / 32, size / 8, 32, 8, {0}, {size, 256}}}, 0};
}

SpeedWork matmul(uint32_t size) {
  size_t count = size_t(size) * size;
  return {{random(count, 1000, true, 0.01f), random(count, 999, true, 0.01f), Words(count)},
          {{size / 32, size / 32, 32, 8, {0, 1, 2}, {size}}},
          2};
}

/// Sums of 512, of 512 of them, and so on; the last is brought to a buffer of its own.
SpeedWork reduction(uint32_t size) {
  SpeedWork work{{random(size, 16, true), Words(size / 256), Words(1)}, {}, 2};
  unsigned source = 0;
  for (uint32_t count = size, from = 0, to = 0; count > 1; source = 1) {
    uint32_t sums = (count + 511) / 512;
    bool isLast = sums == 1;
    work.launches.push_back({sums, 1, 256, 1, {source, isLast ? 2u : 1u}, {count, from, isLast ? 0 : to}});
    from = to;
    to += sums;
    count = sums;
  }
  return work;
}

SpeedWork histogram(uint32_t size) {
  return {{random(size, 1u << 31, false), Words(256)}, {{size / 1024, 1, 256, 1, {0, 1}, {}}}, 1};
}

SpeedWork collatz(uint32_t size) { return {{Words(size)}, {{size / 256, 1, 256, 1, {0}, {}}}, 0}; }

SpeedWork nbody(uint32_t size) {
  return {{random(size_t(size) * 4, 10000, true, 0.001f), Words(size_t(size) * 4)},
          {{size / 64, 1, 64, 1, {0, 1}, {size}}},
          1,
          1e-4f};
}

SpeedWork bitonic(uint32_t size) {
  SpeedWork work{{random(size, 1u << 31, false)}, {}, 0};
  for (uint32_t part = 2; part <= size; part *= 2)
    for (uint32_t stride = part / 2; stride > 0; stride /= 2)
      work.launches.push_back({size / 512, 1, 256, 1, {0}, {stride, part}});
  return work;
}

SpeedWork scale(uint32_t size) {
  return {{Words(256)}, {{(size + 255) / 256, 1, std::min(size, 256u), 1, {0}, {}}}, 0};
}

std::vector<SpeedKernel> withSources(std::vector<SpeedKernel> kernels) {
  for (SpeedKernel &kernel : kernels)
    kernel.source = kernelSource("speed/" + kernel.name + ".s");
  return kernels;
}

} // namespace

const std::vector<SpeedKernel> &speedKernels() {
  static const std::vector<SpeedKernel> kernels = withSources({
      {"saxpy", "y = a x + y over 2^20 floats", 1 << 20, 1 << 12, saxpy, native::saxpy, ""},
      {"mandelbrot", "512 x 512 points, 256 turns at most", 512, 64, mandelbrot, native::mandelbrot, ""},
      {"matmul", "256 x 256 floats, tiles in shared memory", 256, 32, matmul, native::matmul, ""},
      {"reduction", "the sum of 2^20 floats, trees in shared memory", 1 << 20, 1 << 12, reduction,
       native::reduction, ""},
      {"histogram", "256 bins of 2^20 words, atomics in shared memory", 1 << 20, 1 << 12, histogram,
       native::histogram, ""},
      {"collatz", "steps of 3 n + 1 for n to 2^18, in 64 bits", 1 << 18, 1 << 9, collatz, native::collatz,
       ""},
      {"nbody", "1,024 bodies, all pairs", 1024, 256, nbody, native::nbody, ""},
      {"bitonic", "2^16 words sorted in 136 passes", 1 << 16, 1 << 9, bitonic, native::bitonic, ""},
  });
  return kernels;
}

const SpeedKernel &scaleKernel() {
  static const SpeedKernel kernel = withSources({{"scale", "some arithmetic and an atomic a thread", 1 << 20,
                                                  1 << 12, scale, native::scale, ""}})
                                        .front();
  return kernel;
}

Words expectedResult(const SpeedKernel &kernel, uint32_t size, const SpeedWork &work) {
  std::vector<Words> buffers = work.buffers;
  kernel.native(size, buffers);
  return buffers[work.result];
}

std::string difference(const SpeedWork &work, const Words &expected, const Words &got) {
  float greatest = 0;
  if (work.tolerance > 0)
    for (uint32_t word : expected)
      greatest = std::max(greatest, std::fabs(std::bit_cast<float>(word)));
  for (size_t i = 0; i < expected.size(); ++i) {
    if (got[i] == expected[i])
      continue;
    float apart = std::fabs(std::bit_cast<float>(got[i]) - std::bit_cast<float>(expected[i]));
    if (!(work.tolerance > 0 && apart <= work.tolerance * greatest))
      return "word " + std::to_string(i) + " is " + std::to_string(got[i]) + " instead of " +
             std::to_string(expected[i]);
  }
  return "";
}

} // namespace leno::bench
