// What the programs of the examples share. Each is one function in its folder; main.cpp calls it by its name.
#pragma once

#include "leno/Leno.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace examples {

/// What follows the program's name on the command line. The functions give the exit status.
using Arguments = std::vector<std::string>;
int matmul(const Arguments &arguments);
int scan(const Arguments &arguments);
int sort(const Arguments &arguments);
int histogram(const Arguments &arguments);
int nbody(const Arguments &arguments);
int bfs(const Arguments &arguments);
int sha256(const Arguments &arguments);
int queens(const Arguments &arguments);
int contexts(const Arguments &arguments);
int policy(const Arguments &arguments);

/// "error: MESSAGE", and the process ends with status 1.
[[noreturn]] inline void fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::exit(1);
}

/// A kernel of a source in this folder, such as kernelOf("scan/scan.s", "reduce").
inline leno::Kernel kernelOf(const std::string &file, const std::string &name) {
  return leno::Module::load(LENO_EXAMPLES "/" + file).orExit().kernel(name).orExit();
}

/// Warp instructions that all launches have run.
inline std::uint64_t &instructions() {
  static std::uint64_t count = 0;
  return count;
}

/// Runs a grid to its end; a trap ends the process.
template <typename... Values>
void run(leno::Device &device, const leno::Kernel &kernel, const leno::LaunchConfig &config,
         const Values &...values) {
  leno::LaunchResult result = leno::launch(device, kernel, config, values...).orExit();
  if (result.trap)
    fail(result.trap->text);
  instructions() += result.warpInstructions;
}

/// A file's elements; bytes behind the last whole one are left out.
template <typename T> std::vector<T> readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    fail(path + ": cannot be opened");
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::copy_n(bytes.data(), elements.size() * sizeof(T), reinterpret_cast<char *>(elements.data()));
  return elements;
}

template <typename T> void writeFile(const std::string &path, const std::vector<T> &elements) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char *>(elements.data()), std::streamsize(elements.size() * sizeof(T)));
  if (!out.flush())
    fail(path + ": cannot be written");
}

/// A positive number, at most `most`.
inline std::uint32_t number(const std::string &text, std::uint32_t most, const char *what) {
  char *end = nullptr;
  unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end || value < 1 || value > most)
    fail(std::string(what) + " is a number from 1 to " + std::to_string(most) + ", not '" + text + "'");
  return std::uint32_t(value);
}

/// CTAs of `size` threads for `count` of them.
inline std::uint32_t ctasFor(std::size_t count, std::uint32_t size) {
  return std::uint32_t((count + size - 1) / size);
}

} // namespace examples
