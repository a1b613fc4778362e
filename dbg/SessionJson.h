//===- SessionJson.h - A saved session as a JSON document -----------------===//
#pragma once

#include "dbg/SessionFile.h"
#include "llvm/Support/JSON.h"

namespace leno::dbg {

llvm::json::Object sessionToJson(const SavedSession &saved);
/// Checks every field; errors name the one that is missing or of another kind.
llvm::Expected<SavedSession> sessionFromJson(const llvm::json::Value &document);

} // namespace leno::dbg
