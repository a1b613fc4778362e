//===- Arguments.h - The arguments of a request, read with care -----------===//
#pragma once

#include "emu/warp/Lanes.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace leno::dbg::dap {

/// Errors name the argument and what it should be.
class Arguments {
public:
  /// `object` must live longer; null: there are none.
  explicit Arguments(const llvm::json::Object *object) : object(object) {}

  const llvm::json::Value *find(llvm::StringRef name) const;
  llvm::Expected<int64_t> integer(llvm::StringRef name) const;
  llvm::Expected<std::string> string(llvm::StringRef name) const;
  llvm::Expected<const llvm::json::Array *> array(llvm::StringRef name) const;
  llvm::Expected<const llvm::json::Object *> child(llvm::StringRef name) const;
  // What may be missing; of another type it is an error.
  llvm::Expected<int64_t> integerOr(llvm::StringRef name, int64_t fallback) const;
  llvm::Expected<std::string> stringOr(llvm::StringRef name, llvm::StringRef fallback) const;
  llvm::Expected<bool> flag(llvm::StringRef name) const;

private:
  llvm::Error expected(llvm::StringRef name, llvm::StringRef what) const;
  const llvm::json::Object *object;
};

} // namespace leno::dbg::dap
