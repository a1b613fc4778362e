#include "Tally.h"
#include "Lanes.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace leno::test {

Tally::~Tally() {
  bool failed = testing::Test::HasFailure();
  std::printf("[  COUNTED ] %s %s: %llu tuples, %llu results, %s\n", operation.c_str(), part.c_str(),
              static_cast<unsigned long long>(tuples), static_cast<unsigned long long>(results),
              failed ? "a mismatch" : "0 mismatches");
  const char *folder = std::getenv("LENO_ORACLE_TALLY");
  if (!folder)
    return;
  std::filesystem::create_directories(folder);
  std::string name = operation + (part.empty() ? "" : " ") + part;
  std::ofstream(std::filesystem::path(folder) / (name + (sparsity == 1 ? ".tally" : ".hosts")))
      << operation << ' ' << tuples << ' ' << results << ' ' << failed << '\n';
}

const char *nameOf(isa::Round mode) {
  static constexpr const char *names[] = {"RN", "RM", "RP", "RZ"};
  return names[unsigned(mode)];
}
const char *nameOf(isa::FloatFormat format) {
  return format == isa::FloatFormat::F16 ? "f16" : format == isa::FloatFormat::F32 ? "f32" : "f64";
}
const char *nameOf(isa::IntFormat format) {
  static constexpr const char *names[] = {"s32", "u32", "s16", "u16", "s8", "u8", "s64", "u64"};
  return names[unsigned(format)];
}

} // namespace leno::test
