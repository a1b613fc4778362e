// What the runtime's unit tests share: error texts and a directory of their own.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace leno::test {

inline std::string textOf(llvm::Error error) { return error ? llvm::toString(std::move(error)) : "success"; }
template <typename T> std::string textOf(llvm::Expected<T> value) {
  return value ? "success" : llvm::toString(value.takeError());
}

inline std::vector<uint8_t> bytesOf(llvm::StringRef text) { return {text.bytes_begin(), text.bytes_end()}; }

#define EXPECT_HOLDS(text, part)                                                                             \
  EXPECT_TRUE(llvm::StringRef(text).contains(part)) << (text) << "\nlacks: " << (part)

class InDirectory : public testing::Test {
protected:
  InDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "leno-unit-XXXXXX").string();
    directory = mkdtemp(pattern.data());
  }
  ~InDirectory() override {
    std::error_code ec;
    std::filesystem::remove_all(directory, ec);
  }
  std::string path(const std::string &name) const { return directory + "/" + name; }
  std::string write(const std::string &name, llvm::StringRef content) const {
    std::ofstream(path(name), std::ios::binary).write(content.data(), content.size());
    return path(name);
  }
  std::string read(const std::string &name) const {
    std::ifstream in(path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  size_t fileCount() const {
    return std::distance(std::filesystem::directory_iterator(directory),
                         std::filesystem::directory_iterator());
  }
  std::string directory;
};

} // namespace leno::test
