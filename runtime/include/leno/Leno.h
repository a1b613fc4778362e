// Leno's host API: load a program, give it data, run it, read the data back. C++20, standard types only.
//
//     #include "leno/Leno.h"
//     #include <cstdio>
//
//     int main() {
//       leno::Device device = leno::Device::create({"sm.count=2"}).orExit();
//       leno::Module module = leno::Module::load("saxpy.s").orExit();
//       leno::Kernel saxpy = module.kernel("saxpy").orExit();
//
//       std::vector<float> ones(1000, 1.0f);
//       leno::Buffer x = device.upload(ones, "x").orExit();
//       leno::Buffer y = device.upload(ones, "y").orExit();
//
//       auto result = leno::launch(device, saxpy, {.grid = {4}, .block = {256}}, 1000u, 2.5f, x, y).orExit();
//       if (result.trap)
//         return std::fprintf(stderr, "%s\n", result.trap->text.c_str()), 1;
//       std::printf("y[0] = %g\n", y.download<float>().orExit()[0]); // 3.5
//     }
//
// leno::launch is synchronous: it returns when the grid has ended. A Stream runs launches, copies and updates
// of constants while the host goes on (Stream.h); host threads can exchange messages with a kernel that runs
// (Messages.h); several contexts can share one machine, cycle by cycle (Device.h, Context.h). Programs in C
// include leno-c/leno.h.
//
// What the calling thread's floating-point environment is (rounding, flush-to-zero, denormals-are-zero,
// traps; -Ofast sets some) changes no bit of a result. It is the same after each call, exception flags
// included, and functions that the library calls (Device::onEvent, Stream::call) find the one of the thread
// that called it, or made the stream.
#pragma once

#include "leno/Buffer.h"   // IWYU pragma: export
#include "leno/Context.h"  // IWYU pragma: export
#include "leno/Device.h"   // IWYU pragma: export
#include "leno/Launch.h"   // IWYU pragma: export
#include "leno/Messages.h" // IWYU pragma: export
#include "leno/Module.h"   // IWYU pragma: export
#include "leno/Result.h"   // IWYU pragma: export
#include "leno/Stream.h"   // IWYU pragma: export
