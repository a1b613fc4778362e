//===- SpeedKernels.h - What `leno-bench speed` runs ----------------------===//
// Eight kernels of usual kinds, and loops that stress one thing each. A kernel
// is a name, buffers and launches; Leno's text, OpenCL's (kernels/speed) and
// plain C++ take the same buffers and scalars, and C++ says what must come out.
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace leno::bench {

using Words = std::vector<uint32_t>;

struct SpeedLaunch {
  uint32_t gridX, gridY, blockX, blockY;
  std::vector<unsigned> buffers; ///< the first arguments,
  Words scalars;                 ///< and those after them, 32 bits each; floats by their bits
};

struct SpeedWork {
  std::vector<Words> buffers; ///< as they are before the first launch
  std::vector<SpeedLaunch> launches;
  unsigned result;     ///< the buffer that is checked
  float tolerance = 0; ///< 0: words are equal; else floats differ by that part of the greatest at most
};

struct SpeedKernel {
  std::string name; ///< of the kernel in its text, too
  std::string what; ///< for people
  uint32_t size, quickSize;
  SpeedWork (*work)(uint32_t size);
  /// Plain C++, compiled for this very host.
  void (*native)(uint32_t size, std::vector<Words> &buffers);
  std::string source; ///< Leno's
};

const std::vector<SpeedKernel> &speedKernels();
/// One warp, one launch, `size` turns of a loop.
const std::vector<SpeedKernel> &speedLoops();
/// One kernel for any number of threads, `size`, that needs no memory of its own for them.
const SpeedKernel &scaleKernel();

/// What the buffer `work.result` must hold.
Words expectedResult(const SpeedKernel &kernel, uint32_t size, const SpeedWork &work);
/// Empty when `got` is as expected, else what differs first.
std::string difference(const SpeedWork &work, const Words &expected, const Words &got);

namespace native { // SpeedNative.cpp
void saxpy(uint32_t size, std::vector<Words> &buffers);
void mandelbrot(uint32_t size, std::vector<Words> &buffers);
void matmul(uint32_t size, std::vector<Words> &buffers);
void reduction(uint32_t size, std::vector<Words> &buffers);
void histogram(uint32_t size, std::vector<Words> &buffers);
void collatz(uint32_t size, std::vector<Words> &buffers);
void nbody(uint32_t size, std::vector<Words> &buffers);
void bitonic(uint32_t size, std::vector<Words> &buffers);
void scale(uint32_t size, std::vector<Words> &buffers);
} // namespace native

} // namespace leno::bench
