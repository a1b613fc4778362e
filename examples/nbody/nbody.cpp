// Bodies that attract each other, moved for some time steps.
#include "../Examples.h"

int examples::nbody(const Arguments &arguments) {
  constexpr std::uint32_t threads = 128;
  auto data = readFile<float>(arguments[0]); // x, y, z, mass of each, then vx, vy, vz, 0 of each
  std::uint32_t steps = number(arguments[1], 1'000'000, "STEPS");
  float dt = std::strtof(arguments[2].c_str(), nullptr), softening = 1e-4f;
  if (data.empty() || data.size() % 8)
    fail(arguments[0] + ": it does not hold eight numbers for each body");
  auto count = std::uint32_t(data.size() / 8);
  std::span<const float> all(data);

  leno::Device device = leno::Device::create().orExit();
  leno::Buffer bodies = device.upload(all.first(count * 4), "bodies").orExit();
  leno::Buffer velocities = device.upload(all.last(count * 4), "velocities").orExit();
  leno::Buffer moved = device.allocate<float>(count * 4, "moved").orExit();
  leno::Kernel step = kernelOf("nbody/nbody.s", "step");
  for (std::uint32_t i = 0; i < steps; ++i) {
    run(device, step, {.grid = {ctasFor(count, threads)}, .block = {threads}}, count, dt, softening, bodies,
        velocities, moved);
    std::swap(bodies, moved);
  }
  bodies.download(std::span<float>(data).first(count * 4)).orExit();
  velocities.download(std::span<float>(data).last(count * 4)).orExit();
  writeFile(arguments[3], data);
  std::printf("nbody: %u bodies, %u steps, %llu warp instructions\n", count, steps,
              static_cast<unsigned long long>(instructions()));
  return 0;
}
