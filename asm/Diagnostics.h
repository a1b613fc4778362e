//===- Diagnostics.h - Messages of the assembler, as people read them -----===//
// LLVM's parser says what is wrong in its own words and at its own places: the
// text that a macro has become, the end of the file. Here they become places in
// files and words of this language.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/LenoAsmParser.h"

#include "llvm/Support/SourceMgr.h"

#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace leno {

struct AssembleOptions;

/// Takes the messages of one run, and prints each with its notes when the next begins.
class Diagnostics {
public:
  Diagnostics(llvm::raw_ostream &os, const AssembleOptions &options, const llvm::SourceMgr &sources)
      : os(os), options(options), sources(sources) {}
  ~Diagnostics() { flush(); }

  void tell(llvm::SMDiagnostic diagnostic);
  /// Prints what waits for notes.
  void flush();
  unsigned errors() const { return errorCount; }
  /// Before and after its life: what knows of macros and corrections.
  LenoAsmParser *parser = nullptr;

private:
  using Diagnostic = llvm::SMDiagnostic;
  Diagnostic inOurWords(const Diagnostic &diagnostic);
  Diagnostic with(const Diagnostic &diagnostic, llvm::SMLoc loc, const llvm::Twine &message) const;
  llvm::SMLoc unclosedIf() const;
  bool isOneOfTooMany(const Diagnostic &diagnostic);
  void print(const Diagnostic &diagnostic);
  /// The same where a preprocessor's or compiler's mark (`# 12 "saxpy.c"`) says that the text comes from.
  Diagnostic where(const Diagnostic &diagnostic);
  void tellIncludes(llvm::SMLoc loc);

  llvm::raw_ostream &os;
  const AssembleOptions &options;
  const llvm::SourceMgr &sources;
  struct Mark {
    unsigned after; ///< the mark's own line
    unsigned line;  ///< of what follows; 0: no source any more
    bool statement; ///< all of what follows is one statement of C
    std::string file;
  };
  std::map<unsigned, std::vector<Mark>> marks; ///< of each buffer that was asked for
  unsigned errorCount = 0, printedErrors = 0;
  bool skipsNotes = false;                   ///< their error has been told before
  std::vector<Diagnostic> held;              ///< an error or warning, and its notes
  llvm::SmallVector<llvm::SMLoc, 4> callers; ///< of the macros that the error is in, the innermost first
  std::set<std::pair<const char *, std::string>> told; ///< LLVM lays a file out more than once
  std::set<std::tuple<const char *, const char *, std::string>> printed; ///< with the macro's call
  std::map<const char *, unsigned> errorsOfLine;                         ///< by the line's beginning
};

} // namespace leno
