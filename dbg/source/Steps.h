//===- Steps.h - What a step by lines passes over -------------------------===//
#pragma once

#include "dbg/Focus.h"
#include "llvm/ADT/STLExtras.h"

namespace leno::dbg {

/// Code of a compiler that is no line of the function in which a step begins: what has no line at all, what a
/// function does before its first, and, where a step goes over calls, functions that were taken in.
class OwnCode {
public:
  OwnCode(const Focus &focus, u64 from, bool overCalls) : program(focus.executable()), source(focus.source()) {
    std::vector<const source::Scope *> functions = source.functionsAt(from);
    if (overCalls && !functions.empty())
      function = functions.front();
  }
  bool passes(u64 pc) const {
    if (source.isEmpty())
      return false;
    if (!program.line(pc))
      return true;
    std::vector<const source::Scope *> functions = source.functionsAt(pc);
    if (!functions.empty() && pc < functions.back()->bodyBegins)
      return true;
    return function && !functions.empty() && functions.front() != function &&
           llvm::is_contained(functions, function);
  }

private:
  const Executable &program;
  const source::Program &source;
  const source::Scope *function = nullptr;
};

/// A breakpoint at a function of a compiler's is where its arguments have been stored.
inline void goBehindPrologue(const Focus &focus, llvm::StringRef text, const Executable &program,
                             std::vector<u64> &addresses) {
  const source::Scope *function = focus.sourceOf(program).functionNamed(text.trim());
  if (function && addresses.size() == 1 && addresses[0] == function->ranges.front().first)
    addresses[0] = function->bodyBegins;
}

} // namespace leno::dbg
