// The same work in plain C++, compiled with -O3 -march=native: the host's own limit, and the reference.
#include "test/bench/SpeedKernels.h"

#include <algorithm>
#include <cmath>

namespace leno::bench::native {

static float *floats(Words &words) { return reinterpret_cast<float *>(words.data()); }

void saxpy(uint32_t size, std::vector<Words> &buffers) {
  const float *x = floats(buffers[0]);
  float *y = floats(buffers[1]);
  for (uint32_t i = 0; i < size; ++i)
    y[i] = __builtin_fmaf(2.5f, x[i], y[i]);
}

void mandelbrot(uint32_t size, std::vector<Words> &buffers) {
  for (uint32_t row = 0; row < size; ++row)
    for (uint32_t column = 0; column < size; ++column) {
      float cx = float(column) * 0x1.8p-8f + -2.25f, cy = float(row) * 0x1.8p-8f + -1.5f, x = 0, y = 0;
      uint32_t turns = 0;
      for (; turns < 256; ++turns) {
        float xx = x * x, yy = y * y, xy = x * y;
        if (xx + yy > 4.0f)
          break;
        x = xx - yy + cx;
        y = xy + xy + cy;
      }
      buffers[0][size_t(row) * size + column] = turns;
    }
}

void matmul(uint32_t size, std::vector<Words> &buffers) {
  const float *a = floats(buffers[0]), *b = floats(buffers[1]);
  float *c = floats(buffers[2]);
  for (size_t row = 0; row < size; ++row)
    for (size_t k = 0; k < size; ++k)
      for (size_t column = 0; column < size; ++column)
        c[row * size + column] =
            __builtin_fmaf(a[row * size + k], b[k * size + column], c[row * size + column]);
}

// The numbers are whole and small: every order of adding gives the same sum.
void reduction(uint32_t size, std::vector<Words> &buffers) {
  const float *in = floats(buffers[0]);
  float sums[64] = {}, sum = 0;
  for (size_t i = 0; i < size; i += 64)
    for (size_t k = 0; k < 64; ++k)
      sums[k] += in[i + k];
  for (float part : sums)
    sum += part;
  floats(buffers[2])[0] = sum;
}

void histogram(uint32_t, std::vector<Words> &buffers) {
  for (uint32_t word : buffers[0])
    ++buffers[1][word & 255];
}

void collatz(uint32_t size, std::vector<Words> &buffers) {
  for (uint32_t i = 0; i < size; ++i) {
    uint32_t steps = 0;
    for (uint64_t n = uint64_t(i) + 1; n != 1; ++steps)
      n = n & 1 ? 3 * n + 1 : n >> 1;
    buffers[0][i] = steps;
  }
}

void nbody(uint32_t size, std::vector<Words> &buffers) {
  std::vector<float> parts[7];
  for (unsigned k = 0; k < 4; ++k)
    for (uint32_t i = 0; i < size; ++i)
      parts[k].push_back(floats(buffers[0])[4 * i + k]);
  for (unsigned k = 4; k < 7; ++k)
    parts[k].resize(size);
  const float *x = parts[0].data(), *y = parts[1].data(), *z = parts[2].data(), *mass = parts[3].data();
  float *ax = parts[4].data(), *ay = parts[5].data(), *az = parts[6].data();
  for (uint32_t j = 0; j < size; ++j)
    for (uint32_t i = 0; i < size; ++i) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      float square = __builtin_fmaf(dz, dz, __builtin_fmaf(dy, dy, __builtin_fmaf(dx, dx, 0.001f)));
      float near = 1.0f / __builtin_elementwise_sqrt(square);
      float pull = near * near * near * mass[j];
      ax[i] = __builtin_fmaf(dx, pull, ax[i]);
      ay[i] = __builtin_fmaf(dy, pull, ay[i]);
      az[i] = __builtin_fmaf(dz, pull, az[i]);
    }
  for (unsigned k = 0; k < 3; ++k)
    for (uint32_t i = 0; i < size; ++i)
      floats(buffers[1])[4 * i + k] = parts[4 + k][i];
}

void bitonic(uint32_t size, std::vector<Words> &buffers) {
  uint32_t *words = buffers[0].data();
  for (uint32_t part = 2; part <= size; part *= 2)
    for (uint32_t stride = part / 2; stride > 0; stride /= 2)
      for (uint32_t first = 0; first < size; first += 2 * stride)
        for (uint32_t i = first; i < first + stride; ++i) {
          uint32_t low = std::min(words[i], words[i + stride]), high = std::max(words[i], words[i + stride]);
          bool up = (first & part) == 0;
          words[i] = up ? low : high;
          words[i + stride] = up ? high : low;
        }
}

void scale(uint32_t size, std::vector<Words> &buffers) {
  for (uint32_t i = 0; i < size; ++i) {
    uint32_t x = i;
    for (int round = 0; round < 4; ++round) {
      x = x * 0x9e3779b1 + i;
      x ^= x >> 15;
    }
    buffers[0][i & 255] += x;
  }
}

} // namespace leno::bench::native
