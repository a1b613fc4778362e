// The kernels of examples/ in OpenCL C, by their names and with their parameters; beside-assembly.test counts them beside those.
#pragma OPENCL FP_CONTRACT OFF

kernel void saxpy(uint n, float a, global const float *x, global float *y) {
  uint i = get_global_id(0);
  if (i < n)
    y[i] = fma(a, x[i], y[i]);
}

kernel void mandelbrot(uint width, uint height, uint limit, float left, float top, float step, global uchar *image) {
  uint column = get_global_id(0), row = get_global_id(1), turns = 0;
  if (column >= width || row >= height)
    return;
  float cx = (float)column * step + left, cy = (float)row * step + top, x = 0, y = 0;
  for (;;) {
    float xx = x * x, yy = y * y;
    if (xx + yy > 4.0f || turns >= limit)
      break;
    float xy = x * y;
    x = xx - yy + cx;
    y = xy + xy + cy;
    ++turns;
  }
  image[row * width + column] = turns == limit ? 0 : turns * 8;
}

int nearest(int value, int most) { return min(max(value, 0), most); }

kernel void filter(uint width, uint height, uint channels, global const uchar *source, global uchar *result) {
  local uchar pixels[22 * 22];
  local uint rows[22 * 16];
  uint x = get_local_id(0), y = get_local_id(1), channel = get_group_id(2), number = y * 16 + x;
  uint left = get_group_id(0) * 16, top = get_group_id(1) * 16;
  for (uint i = number; i < 22 * 22; i += 256) {
    int row = nearest(i / 22 + top - 3, height - 1), column = nearest(i % 22 + left - 3, width - 1);
    pixels[i] = source[(row * width + column) * channels + channel];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = number; i < 22 * 16; i += 256) {
    local const uchar *p = &pixels[i / 16 * 22 + i % 16];
    rows[i] = p[0] + 6 * p[1] + 15 * p[2] + 20 * p[3] + 15 * p[4] + 6 * p[5] + p[6];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (left + x >= width || top + y >= height)
    return;
  local const uint *p = &rows[number];
  uint sum = p[0] + 6 * p[16] + 15 * p[32] + 20 * p[48] + 15 * p[64] + 6 * p[80] + p[96];
  result[((top + y) * width + left + x) * channels + channel] = (sum + 2048) >> 12;
}

kernel void histogram(uint size, global const uchar *data, global uint *counts) {
  local uint partial[256];
  uint thread = get_local_id(0), value = get_group_id(0), count = 0;
  for (uint i = thread; i < size; i += 256)
    if (data[i] == value)
      ++count;
  partial[thread] = count;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_ = 128; half_ > 0; half_ /= 2) {
    if (thread < half_)
      partial[thread] += partial[thread + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0)
    counts[value] = partial[0];
}

kernel void withAtomics(uint size, global const uchar *data, global uint *counts) {
  local uint part[256];
  uint thread = get_local_id(0);
  part[thread] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_group_id(0) * 256 + thread; i < size; i += get_num_groups(0) * 256)
    atomic_inc(&part[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[thread], part[thread]);
}

uint shuffleUp(uint value, uint lanes, uint bounds) __asm__("leno_shuffle_up");
uint shuffleBfly(uint value, uint lanes, uint bounds) __asm__("leno_shuffle_bfly");
uint laneNumber(void) __asm__("leno_laneid");

uint scanWarp(uint value, uint lane) {
  for (uint distance = 1; distance < 32; distance *= 2) {
    uint below = shuffleUp(value, distance, 0);
    if (lane >= distance)
      value += below;
  }
  return value;
}

kernel void scanBlocks(uint count, global uint *values, global uint *sums) {
  local uint warpSums[8];
  uint thread = get_local_id(0), lane = laneNumber(), group = get_group_id(0), i = group * 256 + thread, warp = thread / 32;
  uint value = scanWarp(i < count ? values[i] : 0, lane);
  if (lane == 31)
    warpSums[warp] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread < 32) {
    uint sum = scanWarp(thread < 8 ? warpSums[thread] : 0, lane);
    if (thread < 8)
      warpSums[thread] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread >= 32)
    value += warpSums[warp - 1];
  if (i < count)
    values[i] = value;
  if (thread == 255)
    sums[group] = value;
}

kernel void addSums(uint count, global uint *values, global const uint *sums) {
  uint group = get_group_id(0), i = group * 256 + get_local_id(0);
  if (group > 0 && i < count)
    atomic_add(&values[i], sums[group - 1]);
}

kernel void reduce(uint count, global const uint *values, global uint *result) {
  uint sum = 0, least = ~0u, greatest = 0;
  for (uint i = get_group_id(0) * 256 + get_local_id(0); i < count; i += get_num_groups(0) * 256) {
    uint value = values[i];
    sum += value;
    least = min(least, value);
    greatest = max(greatest, value);
  }
  for (uint distance = 16; distance > 0; distance /= 2) {
    sum += shuffleBfly(sum, distance, 31);
    least = min(least, shuffleBfly(least, distance, 31));
    greatest = max(greatest, shuffleBfly(greatest, distance, 31));
  }
  if (laneNumber() == 0) {
    atomic_add(&result[0], sum);
    atomic_min(&result[1], least);
    atomic_max(&result[2], greatest);
  }
}

kernel void sortTiles(uint first, uint last, global uint *words) {
  local uint buffer[512];
  uint thread = get_local_id(0), begin = get_group_id(0) * 512;
  buffer[thread] = words[begin + thread];
  buffer[thread + 256] = words[begin + thread + 256];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint run = first; run <= last; run *= 2)
    for (uint distance = min(run / 2, 256u); distance > 0; distance /= 2) {
      uint low = 2 * thread - (thread & (distance - 1));
      bool downwards = (low + begin) & run;
      uint a = buffer[low], b = buffer[low + distance];
      buffer[low] = downwards ? max(a, b) : min(a, b);
      buffer[low + distance] = downwards ? min(a, b) : max(a, b);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  words[begin + thread] = buffer[thread];
  words[begin + thread + 256] = buffer[thread + 256];
}

kernel void exchangeFar(uint run, uint distance, global uint *words) {
  uint thread = get_group_id(0) * 256 + get_local_id(0), low = 2 * thread - (thread & (distance - 1));
  uint a = words[low], b = words[low + distance];
  bool downwards = low & run;
  words[low] = downwards ? max(a, b) : min(a, b);
  words[low + distance] = downwards ? min(a, b) : max(a, b);
}

kernel void step(uint count, float dt, float softening, global const float4 *bodies, global float4 *velocities,
                 global float4 *moved) {
  local float4 near[128];
  uint thread = get_local_id(0), body = get_group_id(0) * 128 + thread;
  float4 own = body < count ? bodies[body] : 0;
  float px = 0, py = 0, pz = 0;
  for (uint begin = 0; begin < count; begin += 128) {
    near[thread] = begin + thread < count ? bodies[begin + thread] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 128; ++i) {
      float4 other = near[i];
      float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      float inverse = rsqrt(fma(dz, dz, fma(dy, dy, fma(dx, dx, softening))));
      float pull = inverse * other.w * (inverse * inverse);
      px = fma(pull, dx, px);
      py = fma(pull, dy, py);
      pz = fma(pull, dz, pz);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (body >= count)
    return;
  float4 velocity = velocities[body];
  velocity.x = fma(px, dt, velocity.x);
  velocity.y = fma(py, dt, velocity.y);
  velocity.z = fma(pz, dt, velocity.z);
  velocities[body] = velocity;
  own.x = fma(velocity.x, dt, own.x);
  own.y = fma(velocity.y, dt, own.y);
  own.z = fma(velocity.z, dt, own.z);
  moved[body] = own;
}

kernel void matmul(uint rows, uint inner, uint columns, global const float *left, global const float *right,
                   global float *product) {
  local float leftTile[16][16], rightTile[16][16];
  uint x = get_local_id(0), y = get_local_id(1), row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  float sum = 0;
  for (uint k = 0; k < inner; k += 16) {
    leftTile[y][x] = row < rows && k + x < inner ? left[row * inner + k + x] : 0;
    rightTile[y][x] = k + y < inner && column < columns ? right[(k + y) * columns + column] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 16; ++i)
      sum = fma(leftTile[y][i], rightTile[i][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < rows && column < columns)
    product[row * columns + column] = sum;
}

kernel void level(uint nodes, uint depth, global const uint *first, global const uint *edges, global volatile int *distance,
                  global uint *found) {
  uint node = get_global_id(0), count = 0;
  if (node >= nodes || distance[node] != depth)
    return;
  for (uint edge = first[node], end = first[node + 1]; edge < end; ++edge)
    if (atomic_cmpxchg(&distance[edges[edge]], -1, depth + 1) == -1)
      ++count;
  if (count)
    atomic_add(found, count);
}

constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint turned(uint x, uint by) { return rotate(x, 32 - by); }

kernel void sha256(uint count, global const uint16 *messages, global const uint *first, global uint8 *digests) {
  uint message = get_global_id(0);
  if (message >= count)
    return;
  uint8 hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (uint block = first[message], end = first[message + 1]; block < end; ++block) {
    uint w[16];
    uint16 bytes = messages[block];
    uint8 s = hash;
#pragma unroll
    for (uint i = 0; i < 16; ++i)
      w[i] = as_uint(as_uchar4(bytes[i]).wzyx);
#pragma unroll
    for (uint t = 0; t < 64; ++t) {
      if (t >= 16) {
        uint a = w[(t + 1) & 15], b = w[(t + 14) & 15];
        w[t & 15] += (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + (turned(b, 17) ^ turned(b, 19) ^ b >> 10) + w[(t + 9) & 15];
      }
      uint e = s.s4, a = s.s0;
      uint one = s.s7 + w[t & 15] + K[t] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & s.s5) | (~e & s.s6));
      uint two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & s.s1) ^ (a & s.s2) ^ (s.s1 & s.s2));
      s = (uint8)(one + two, s.s012, s.s3 + one, s.s456);
    }
    hash += s;
  }
  digests[message] = hash;
}

uint solve(uint left, uint columns, uint rising, uint falling, uint all) {
  if (left == 0)
    return 1;
  uint sum = 0;
  for (uint free = all & ~(columns | rising | falling); free; free &= free - 1) {
    uint square = free & -free;
    sum += solve(left - 1, columns | square, (rising | square) << 1, (falling | square) >> 1, all);
  }
  return sum;
}

kernel void queens(uint rows, uint all, global uint *count) {
  uint one = 1u << get_group_id(0), two = 1u << get_local_id(0);
  if ((one | one << 1 | one >> 1) & two)
    return;
  atomic_add(count, solve(rows - 2, one | two, (one << 1 | two) << 1, (one >> 1 | two) >> 1, all));
}

kernel void collatz(uint count, global uint *steps) {
  uint thread = get_global_id(0), taken = 0;
  if (thread >= count)
    return;
  for (uint n = thread + 1; n != 1; ++taken)
    n = n & 1 ? 3 * n + 1 : n >> 1;
  steps[thread] = taken;
}

kernel void squares(global const uint *words, global uint *answer) {
  uint word = words[get_local_id(0)];
  atomic_add(answer, word * word);
}
