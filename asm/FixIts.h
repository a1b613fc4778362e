//===- FixIts.h - Corrections that a message is certain of ----------------===//
#pragma once

#include "llvm/Support/SourceMgr.h"

#include <map>

namespace leno {

/// The parser's messages pass through LLVM's parser, which knows nothing of corrections: they wait here for
/// the message at the same place.
class FixIts {
public:
  /// The message at the beginning of `wrong` corrects it to `text`.
  void replace(llvm::StringRef wrong, llvm::StringRef text) {
    llvm::SMLoc begin = llvm::SMLoc::getFromPointer(wrong.begin());
    waiting.insert_or_assign(
        wrong.begin(), llvm::SMFixIt(llvm::SMRange(begin, llvm::SMLoc::getFromPointer(wrong.end())), text));
  }
  void attach(llvm::SMDiagnostic &diagnostic) {
    if (!diagnostic.getLoc().isValid())
      return;
    if (auto it = waiting.find(diagnostic.getLoc().getPointer()); it != waiting.end())
      diagnostic.addFixIt(it->second);
  }

private:
  std::map<const char *, llvm::SMFixIt> waiting;
};

} // namespace leno
