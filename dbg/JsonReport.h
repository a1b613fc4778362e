//===- JsonReport.h - Stops and answers as lines of JSON ------------------===//
// What `leno-dbg --json` prints: an object a line, their keys in alphabetical order. dbg/Json.md tells
// programs what is in them.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Interpreter.h"
#include "dbg/Text.h"
#include "llvm/Support/JSON.h"

namespace leno::dbg {

/// Told to those who look at a session beside others: one of them has done more than look.
inline constexpr llvm::StringLiteral changedLine = "{\"type\":\"changed\"}";

/// Listens to an interpreter whose output is `text`.
class JsonReport {
public:
  JsonReport(Interpreter &interpreter, AnswerStream &text, llvm::raw_ostream &out);
  /// The first line: what is debugged.
  void hello();
  void helloContexts();
  /// The last one.
  void bye(int exitStatus);
  /// A mistake that leaves nothing to debug.
  static void failure(llvm::raw_ostream &out, llvm::StringRef message);

private:
  void stop(const StopEvent &event);
  void answer(llvm::StringRef command, bool succeeded);
  void error(const llvm::ErrorInfoBase &info);
  void write(llvm::json::Object line);

  Interpreter &interpreter;
  AnswerStream &said;
  llvm::raw_ostream &out;
  llvm::json::Array errors; ///< of the command under way
  size_t valuesTold = 0;
};

} // namespace leno::dbg
