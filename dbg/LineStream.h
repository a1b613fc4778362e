//===- LineStream.h - What is written, line by line ------------------------===//
#pragma once

#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <string>

namespace leno::dbg {

/// Gives each whole line, without its end, to who listens.
class LineStream : public llvm::raw_ostream {
public:
  explicit LineStream(std::function<void(llvm::StringRef)> told) : told(std::move(told)) { SetUnbuffered(); }

private:
  void write_impl(const char *bytes, size_t count) override {
    position += count;
    begun.append(bytes, count);
    for (size_t end; (end = begun.find('\n')) != std::string::npos; begun.erase(0, end + 1))
      told(llvm::StringRef(begun).take_front(end));
  }
  uint64_t current_pos() const override { return position; }

  std::function<void(llvm::StringRef)> told;
  std::string begun;
  uint64_t position = 0;
};

} // namespace leno::dbg
