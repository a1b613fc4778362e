//===- hosts.cpp - A kernel as hosts of every kind launch it --------------===//
// Three host threads, each in a floating-point environment that it has changed
// for itself, load and launch the kernel, through the C++ API and then the C
// API. All must read back the same bytes, and find their environment as it was;
// the bytes are written then.
//
// usage: conformance-hosts PROGRAM CTAS THREADS ARGUMENT...
// ARGUMENT, in the kernel's order: in:FILE, inout:FILE:OUTPUT, out:BYTES:OUTPUT, u32:NUMBER, u64:NUMBER
//===----------------------------------------------------------------------===//
#include "leno-c/leno.h"
#include "leno/Leno.h"
#include "test/unit/HostFloats.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {

using Bytes = std::vector<char>;

struct Argument {
  std::string kind, output; ///< in, inout, out, u32 or u64
  Bytes bytes;              ///< before the launch
  std::uint64_t number = 0;
  bool isBuffer() const { return kind[0] != 'u'; }
};

[[noreturn]] void fail(const std::string &why) {
  std::fprintf(stderr, "conformance-hosts: error: %s\n", why.c_str());
  std::exit(1);
}

Bytes contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    fail("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Argument argumentOf(const std::string &text) {
  size_t first = text.find(':'), second = text.find(':', first + 1);
  std::string value = text.substr(first + 1, second - first - 1);
  Argument argument{text.substr(0, first), second == text.npos ? "" : text.substr(second + 1), {}};
  if (argument.kind == "in" || argument.kind == "inout")
    argument.bytes = contentsOf(value);
  else if (argument.kind == "out")
    argument.bytes.resize(std::stoul(value));
  else
    argument.number = std::stoull(value);
  return argument;
}

struct Run {
  std::string program;
  unsigned ctas, threads;
  std::vector<Argument> arguments;
};

/// What the buffers hold after the launch.
using Results = std::vector<Bytes>;

Results byCpp(const Run &run) {
  leno::Device device = leno::Device::create().orExit();
  leno::Module module = leno::Module::load(run.program).orExit();
  std::vector<leno::Buffer> buffers;
  buffers.reserve(run.arguments.size());
  std::vector<leno::Argument> arguments;
  for (const Argument &given : run.arguments)
    if (given.isBuffer()) {
      buffers.push_back(device.upload(std::span<const char>(given.bytes)).orExit());
      arguments.push_back(buffers.back());
    } else if (given.kind == "u32")
      arguments.push_back(std::uint32_t(given.number));
    else
      arguments.push_back(given.number);
  auto result = leno::launchWith(device, module.kernel().orExit(),
                                 {.grid = {run.ctas}, .block = {run.threads}}, arguments)
                    .orExit();
  if (result.trap)
    fail(result.trap->text);
  Results results;
  for (const leno::Buffer &buffer : buffers)
    results.push_back(buffer.download<char>().orExit());
  return results;
}

void check(leno_status status) {
  if (status != LENO_OK)
    fail(leno_last_error());
}

Results byC(const Run &run) {
  leno_device *device = nullptr;
  leno_module *module = nullptr;
  leno_kernel *kernel = nullptr;
  check(leno_device_create(nullptr, 0, &device));
  check(leno_module_load(run.program.c_str(), &module));
  check(leno_module_kernel(module, nullptr, &kernel));
  std::vector<leno_buffer *> buffers;
  std::vector<leno_argument> arguments;
  for (const Argument &given : run.arguments)
    if (given.isBuffer()) {
      buffers.push_back(nullptr);
      check(leno_buffer_create(device, given.bytes.size(), nullptr, &buffers.back()));
      check(leno_buffer_write(buffers.back(), 0, given.bytes.data(), given.bytes.size()));
      arguments.push_back(leno_ptr(buffers.back()));
    } else if (given.kind == "u32")
      arguments.push_back(leno_u32(std::uint32_t(given.number)));
    else
      arguments.push_back(leno_u64(given.number));
  leno_launch_config config = leno_launch_defaults();
  config.grid[0] = run.ctas, config.block[0] = run.threads;
  check(leno_launch(device, kernel, &config, arguments.data(), arguments.size(), nullptr));
  Results results;
  for (leno_buffer *buffer : buffers) {
    results.emplace_back(leno_buffer_size(buffer));
    check(leno_buffer_read(buffer, 0, results.back().data(), results.back().size()));
    leno_buffer_destroy(buffer);
  }
  leno_kernel_destroy(kernel), leno_module_destroy(module), leno_device_destroy(device);
  return results;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4)
    return std::fprintf(stderr, "usage: conformance-hosts PROGRAM CTAS THREADS ARGUMENT...\n"), 2;
  Run run{argv[1], unsigned(std::atoi(argv[2])), unsigned(std::atoi(argv[3])), {}};
  for (int i = 4; i < argc; ++i)
    run.arguments.push_back(argumentOf(argv[i]));

  constexpr int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  Results results[std::size(roundings)][2];
  std::vector<std::thread> threads;
  for (size_t i = 0; i < std::size(roundings); ++i)
    threads.emplace_back([&, i] {
      setHostFloats(roundings[i]);
      host_floats mine = hostFloats();
      results[i][0] = byCpp(run);
      results[i][1] = byC(run);
      if (!hostFloatsAre(mine))
        fail("a host does not find its own floating-point environment");
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const auto &ofHost : results)
    for (const Results &result : ofHost)
      if (result != results[0][0])
        fail("the bytes depend on the host");

  auto result = results[0][0].begin();
  for (const Argument &argument : run.arguments)
    if (argument.isBuffer()) {
      if (!argument.output.empty() && !std::ofstream(argument.output, std::ios::binary)
                                           .write(result->data(), std::streamsize(result->size())))
        fail("cannot write " + argument.output);
      ++result;
    }
}
