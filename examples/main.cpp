// leno-examples NAME ARGUMENTS: the host sides of the examples, on Leno's host API.
#include "Examples.h"

#include <string_view>

using namespace examples;

namespace {
struct Example {
  std::string_view name;
  const char *usage, *does;
  int (*run)(const Arguments &);
  std::size_t least, most; ///< arguments
};

constexpr Example all[] = {
    {"matmul", "ROWS INNER COLUMNS LEFT RIGHT PRODUCT", "multiplies matrices of f32 in raw files", matmul, 6,
     6},
    {"scan", "TEXT OFFSETS", "where each line of a text begins: scan and reduction of the lines' lengths",
     scan, 2, 2},
    {"sort", "FILE SORTED", "sorts a file's 32-bit words", sort, 2, 2},
    {"histogram", "FILE COUNTS", "counts a file's bytes in three ways", histogram, 2, 2},
    {"nbody", "BODIES STEPS DT MOVED", "moves bodies (f32 x y z mass, then velocities) in a raw file", nbody,
     4, 4},
    {"bfs", "STATUS PACKAGE DISTANCES", "how far a Debian package is from those it depends on", bfs, 3, 3},
    {"sha256", "FILE...", "the SHA-256 of files, as sha256sum prints them", sha256, 1, SIZE_MAX},
    {"queens", "N", "in how many ways N queens can stand", queens, 1, 1},
    {"contexts", "NUMBERS REQUESTS", "how soon urgent requests start beside a long kernel", contexts, 2, 2},
    {"policy", "LAUNCHES...", "how long users wait with a policy of the host's, and without", policy, 1, 16},
};
} // namespace

int main(int argc, char **argv) {
  Arguments arguments(argv + 1, argv + argc);
  std::string name = arguments.empty() ? "" : arguments.front();
  for (const Example &example : all)
    if (name == example.name) {
      arguments.erase(arguments.begin());
      if (arguments.size() >= example.least && arguments.size() <= example.most)
        return example.run(arguments);
      std::fprintf(stderr, "usage: leno-examples %s %s\n", name.c_str(), example.usage);
      return 2;
    }
  bool help = name == "--help" || name == "-h";
  std::FILE *out = help ? stdout : stderr;
  std::fprintf(out, "usage: leno-examples NAME ARGUMENTS\n");
  for (const Example &example : all)
    std::fprintf(out, "  %-10s%-42s%s\n", example.name.data(), example.usage, example.does);
  return help ? 0 : 2;
}
