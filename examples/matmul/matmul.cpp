// The product of two matrices by tiles in shared memory.
#include "../Examples.h"

int examples::matmul(const Arguments &arguments) {
  constexpr std::uint32_t tile = 16;
  std::uint32_t rows = number(arguments[0], 65535, "ROWS"), inner = number(arguments[1], 65535, "INNER"),
                columns = number(arguments[2], 65535, "COLUMNS");
  auto left = readFile<float>(arguments[3]), right = readFile<float>(arguments[4]);
  if (left.size() != std::size_t(rows) * inner || right.size() != std::size_t(inner) * columns)
    fail("the files do not hold ROWS x INNER and INNER x COLUMNS elements");

  leno::Device device = leno::Device::create().orExit();
  leno::Buffer a = device.upload(left, "left").orExit(), b = device.upload(right, "right").orExit();
  leno::Buffer c = device.allocate<float>(std::uint64_t(rows) * columns, "product").orExit();
  run(device, kernelOf("matmul/matmul.s", "matmul"),
      {.grid = {ctasFor(columns, tile), ctasFor(rows, tile)}, .block = {tile, tile}}, rows, inner, columns, a,
      b, c);
  writeFile(arguments[5], c.download<float>().orExit());
  std::printf("matmul: %u x %u x %u, %llu warp instructions\n", rows, inner, columns,
              static_cast<unsigned long long>(instructions()));
  return 0;
}
