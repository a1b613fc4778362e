//===- Diagnostics.cpp - Messages of the assembler, as people read them ---===//
#include "asm/Diagnostics.h"

#include "asm/Assembler.h"
#include "asm/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

using namespace llvm;

namespace leno {

/// What is shown of a line at most.
constexpr size_t mostShown = 160;
/// Errors of one line that are told, and how long a line is for that to matter.
constexpr unsigned mostOfLine = 10;
constexpr size_t longLine = 10000;

static StringRef restOfLine(SMLoc loc) {
  return StringRef(loc.getPointer(), strcspn(loc.getPointer(), "\r\n"));
}

SMDiagnostic Diagnostics::with(const Diagnostic &d, SMLoc loc, const Twine &message) const {
  if (loc == d.getLoc())
    return SMDiagnostic(*d.getSourceMgr(), loc, d.getFilename(), d.getLineNo(), d.getColumnNo(), d.getKind(),
                        message.str(), d.getLineContents(), d.getRanges(), d.getFixIts());
  return sources.GetMessage(loc, d.getKind(), message);
}

/// What a character is that the language has not: most come with text copied from elsewhere.
static std::string strangerText(StringRef at) {
  const auto *bytes = reinterpret_cast<const UTF8 *>(at.data());
  UTF32 code = 0, *target = &code;
  if (at.empty() || ConvertUTF8toUTF32(&bytes, bytes + std::min<size_t>(at.size(), 4), &target, &code + 1,
                                       strictConversion) == sourceIllegal)
    return "this byte is no text: is the file assembly text in UTF-8?";
  struct Row {
    UTF32 first, last;
    const char *advice;
  };
  static constexpr Row rows[] = {{0xa0, 0xa0, "a no-break space: write a plain one"},
                                 {0xd7, 0xd7, "a multiplication sign: write *"},
                                 {0x2000, 0x200f, "a space or mark of print: write a plain space"},
                                 {0x2010, 0x2015, "a dash: write -"},
                                 {0x2212, 0x2212, "a minus sign of print: write -"},
                                 {0x2018, 0x201f, "a quotation mark of print: write \" or '"},
                                 {0x3000, 0x3000, "a wide space: write a plain one"},
                                 {0xfeff, 0xfeff, "a byte-order mark: it stands at a file's beginning only"},
                                 {0xff01, 0xff5e, "a wide character: write the plain one"}};
  std::string hex = "U+" + utohexstr(code, /*LowerCase=*/false, /*Width=*/4);
  for (const Row &row : rows)
    if (code >= row.first && code <= row.last)
      return hex + " is " + row.advice;
  if (code < 0x80)
    return "'" + at.take_front(1).str() + "' has no meaning here";
  return hex + " has no meaning outside comments and strings";
}

/// The conditional of a file that nothing ends. LLVM only knows that there is one.
SMLoc Diagnostics::unclosedIf() const {
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    const MemoryBuffer &buffer = *sources.getMemoryBuffer(id);
    if (buffer.getBufferIdentifier().starts_with("<instantiation>"))
      continue;
    SmallVector<SMLoc, 8> open;
    SmallVector<StringRef, 0> lines;
    buffer.getBuffer().split(lines, '\n');
    for (StringRef line : lines) {
      StringRef word = line.ltrim().take_until([](char c) { return !isAlnum(c) && c != '.'; });
      if (word.starts_with_insensitive(".if"))
        open.push_back(SMLoc::getFromPointer(word.data()));
      else if (word.equals_insensitive(".endif") && !open.empty())
        open.pop_back();
    }
    if (!open.empty())
      return open.back();
  }
  return {};
}

/// What stands where a number or a name is expected.
static std::string inExpression(StringRef rest) {
  char first = rest.empty() ? 0 : rest[0];
  if (!first || first == '#' || first == ';')
    return "a value is missing here";
  std::string token = ("'" + rest.take_front(1) + "' ").str();
  switch (first) {
  case '%':
    return token + "is no part of a name: registers are R0 to R254, special ones SR_TID.X and others";
  case '&':
    return token + "has no place before a name: a label and a shared variable are their addresses";
  case '*':
    return token + "has no place before a name: LDG R1, [R2.64] reads memory, c[0][NAME] is a parameter";
  case '{':
    return token +
           "begins no operand: several registers are an aligned pair (.64) or quad (.128), by their first";
  default:
    return token + "begins no operand: expected a register, a number or a label";
  }
}

/// LLVM's messages that say too little, or speak of its own options.
SMDiagnostic Diagnostics::inOurWords(const Diagnostic &d) {
  StringRef message = d.getMessage();
  SMLoc loc = d.getLoc();
  if (message == "unmatched .ifs or .elses") {
    SMLoc begin = unclosedIf();
    return begin.isValid() ? with(d, begin, restOfLine(begin).take_until(isSpace) + " without its .endif")
                           : with(d, loc, "the file ends inside an .if: an .endif is missing");
  }
  if (!loc.isValid())
    return d;
  if (message == "unknown directive")
    return with(d, loc, message + LenoAsmParser::directiveHint(loc.getPointer()));
  if (message.starts_with("macros cannot be nested more than")) {
    StringRef levels = message.drop_front(strlen("macros cannot be nested more than ")).split(' ').first;
    if (parser)
      parser->giveUp();
    return with(d, loc,
                "macros are called " + levels +
                    " deep here: one that calls itself needs an end, such as .if around the call");
  }
  if (message == "invalid character in input" || message == "unexpected token at start of statement") {
    StringRef rest = restOfLine(loc);
    if (rest.starts_with("%"))
      return with(d, loc,
                  "'%' is no part of a name: registers are R0 to R254, and a statement begins with an "
                  "instruction");
    if (rest.starts_with("!@"))
      return with(d, loc, "'!' stands behind the '@' of a guard: @!P0");
    if (rest.starts_with("!"))
      return with(d, loc, "a guard begins with '@': @!P0 and then the instruction");
    if (message.starts_with("invalid") || (!rest.empty() && !isASCII(rest[0])))
      return with(d, loc, strangerText(rest));
    return with(d, loc, "expected an instruction, a directive or a label here");
  }
  if (message == "expected absolute expression")
    return with(d, loc, "the value must be known here: a number, or a symbol that .set gives one before");
  if (message == "unexpected symbol modifier following '@'" || message.starts_with("invalid variant"))
    return with(d, loc,
                "'@' has no meaning in an operand; a guard stands before the instruction: @P0 IADD ...");
  if (message == "unknown token in expression" || message == "invalid token in expression")
    return with(d, loc, inExpression(restOfLine(loc)));
  struct Row {
    StringLiteral theirs, ours;
  };
  static constexpr Row rows[] = {
      {"unexpected token", "this does not belong here: expected ',' or the end of the statement"},
      {"expected newline", "this does not belong here: expected the end of the statement"},
      {"out of range literal value", "the value does not fit in the bytes that this directive puts"},
      {"expected string", "expected a text in quotes"},
      {"expected string in '.include' directive", "expected the file's name in quotes"},
      {"expected string in '.incbin' directive", "expected the file's name in quotes"},
      {"expected identifier in '.macro' directive", "expected the macro's name"},
      {"expected comma", "expected ',' here"},
      {"Encountered a .else that doesn't follow  an .if or an .elseif", ".else without an .if"},
      {"Encountered a .elseif that doesn't follow an .if or  an .elseif", ".elseif without an .if"},
      {"Encountered a .elseif that doesn't follow an .if or an .elseif", ".elseif without an .if"},
      {"Encountered a .endif that doesn't follow an .if or .else", ".endif without an .if"},
      {"unexpected '.endm' in file, no current macro definition", ".endm without a .macro"},
      {"unmatched '.endr' directive", ".endr without a .rept, .irp or .irpc"}};
  for (const Row &row : rows)
    if (message == row.theirs)
      return with(d, loc, row.ours);
  if (message.starts_with("Could not find inc") && parser && !parser->files->unreadable.empty())
    return with(d, loc, "cannot read " + std::exchange(parser->files->unreadable, ""));
  if (message.starts_with("Could not find inc"))
    return with(d, loc,
                "cannot find " + message.substr(message.find('\'')) +
                    ": it is looked for in this folder, beside the file and in those of -I");
  return d;
}

/// A line of many thousand statements, all wrong: a file that is no assembly text.
bool Diagnostics::isOneOfTooMany(const Diagnostic &d) {
  if (d.getLineContents().size() < longLine || !d.getLoc().isValid())
    return false;
  if (++errorsOfLine[d.getLoc().getPointer() - d.getColumnNo()] < mostOfLine)
    return false;
  if (parser)
    parser->giveUp();
  return true;
}

void Diagnostics::tell(SMDiagnostic diagnostic) {
  bool isError = diagnostic.getKind() == SourceMgr::DK_Error;
  if (diagnostic.getKind() == SourceMgr::DK_Note) {
    if (skipsNotes)
      return;
    if (diagnostic.getMessage() == "while in macro instantiation") { // LLVM says it after each note again
      if (!is_contained(callers, diagnostic.getLoc()))
        callers.push_back(diagnostic.getLoc());
    } else {
      held.push_back(diagnostic);
    }
    return;
  }
  // Of what has just been told.
  if (diagnostic.getMessage() == "missing expression" && !held.empty() &&
      held.front().getLoc() == diagnostic.getLoc())
    return;
  flush();
  skipsNotes = parser && parser->hasGivenUp() && errorCount; // what follows from no more being read
  if (skipsNotes)
    return;
  diagnostic = inOurWords(diagnostic);
  skipsNotes = isError && diagnostic.getLoc().isValid() &&
               !told.emplace(diagnostic.getLoc().getPointer(), diagnostic.getMessage().str()).second;
  if (skipsNotes)
    return;
  errorCount += isError;
  if (isError && isOneOfTooMany(diagnostic))
    diagnostic = with(diagnostic, diagnostic.getLoc(),
                      diagnostic.getMessage() + " (the last of this line's errors that is told; it is " +
                          Twine(diagnostic.getLineContents().size()) + " characters long)");
  if (parser && isError)
    parser->fixIts.attach(diagnostic);
  held.push_back(diagnostic);
  // LLVM does not say where.
  if (StringRef name = diagnostic.getMessage();
      parser && name.consume_front("symbol '") && name.consume_back("' is already defined"))
    if (SMLoc first = parser->firstPlace(name); first.isValid() && first != diagnostic.getLoc())
      held.push_back(sources.GetMessage(first, SourceMgr::DK_Note, "the first time is here"));
}

void Diagnostics::flush() {
  std::vector<Diagnostic> group = std::move(held);
  SmallVector<SMLoc, 4> calls = std::move(callers);
  held.clear();
  callers.clear();
  if (group.empty())
    return;
  const Diagnostic &first = group.front();
  if (first.getKind() == SourceMgr::DK_Error && options.maxErrors && ++printedErrors > options.maxErrors) {
    if (printedErrors == options.maxErrors + 1)
      os << "too many errors; --max-errors 0 tells all\n";
    return;
  }
  if (parser)
    parser->macroCalls().record(first.getLoc(), calls, sources, parser->getContext());
  SmallVector<SMLoc, 8> shown;
  for (const Diagnostic &d : group) {
    MacroCalls::Place place{d.getLoc(), false};
    if (parser && d.getLoc().isValid())
      place = parser->macroCalls().placeInFile(d.getLoc(), sources);
    if (&d == &first && place.loc.isValid()) {
      bool isError = d.getKind() == SourceMgr::DK_Error;
      // What .rept repeats is wrong each time.
      const char *call = calls.empty() ? nullptr : calls.front().getPointer();
      if (!printed.emplace(place.loc.getPointer(), call, d.getMessage().str()).second) {
        errorCount -= isError;
        printedErrors -= isError && options.maxErrors;
        return;
      }
      if (isError)
        tellIncludes(place.loc);
    }
    if (place.loc == d.getLoc()) {
      print(d);
    } else {
      print(sources.GetMessage(place.loc, d.getKind(), d.getMessage()));
      // The text itself, as the macro made it; a message of .error is all there is to say.
      if (place.differs && !d.getLineContents().ltrim().starts_with(".error")) {
        SMDiagnostic at = sources.GetMessage(place.loc, SourceMgr::DK_Note, "");
        print(SMDiagnostic(sources, d.getLoc(), at.getFilename(), at.getLineNo(), d.getColumnNo(),
                           SourceMgr::DK_Note, "the line as it is expanded", d.getLineContents(),
                           d.getRanges(), d.getFixIts()));
      }
    }
    if (&d != &first)
      continue;
    shown.push_back(place.loc);
    for (SMLoc call : calls) {
      SMLoc where = parser ? parser->macroCalls().placeInFile(call, sources).loc : call;
      if (is_contained(shown, where))
        continue;
      shown.push_back(where);
      print(sources.GetMessage(where, SourceMgr::DK_Note, "while in macro instantiation"));
    }
  }
}

SMDiagnostic Diagnostics::where(const Diagnostic &d) {
  unsigned id = d.getLoc().isValid() ? sources.FindBufferContainingLoc(d.getLoc()) : 0;
  if (!id)
    return d;
  auto [found, isNew] = marks.try_emplace(id);
  if (isNew) {
    StringRef text = sources.getMemoryBuffer(id)->getBuffer();
    bool statement = false;
    for (unsigned line = 1; !text.empty(); ++line) {
      auto [begin, rest] = text.split('\n');
      text = rest;
      unsigned number;
      begin = begin.ltrim();
      if (begin == "#APP" || begin == "#NO_APP") { // an asm statement in a compiler's text begins, and ends
        statement = begin == "#APP";
        found->second.push_back({line, 0, false, ""});
      }
      if (!begin.consume_front("# ") || begin.consumeInteger(10, number) || !begin.consume_front(" \""))
        continue;
      if (size_t end = begin.find('"'); end != StringRef::npos)
        found->second.push_back({line, number, statement, begin.take_front(end).str()});
    }
  }
  const std::vector<Mark> &all = found->second;
  auto next = partition_point(all, [&](const Mark &mark) { return int(mark.after) < d.getLineNo(); });
  if (next == all.begin() || !std::prev(next)->line)
    return d;
  const Mark &mark = *std::prev(next);
  return SMDiagnostic(*d.getSourceMgr(), d.getLoc(), mark.file,
                      int(mark.line) + (mark.statement ? 0 : d.getLineNo() - int(mark.after) - 1),
                      d.getColumnNo(), d.getKind(), d.getMessage(), d.getLineContents(), d.getRanges(),
                      d.getFixIts());
}

/// A line that no screen holds is shown around the place.
void Diagnostics::print(const Diagnostic &told) {
  Diagnostic d = where(told);
  StringRef line = d.getLineContents();
  if (line.size() <= mostShown || d.getColumnNo() < 0)
    return d.print(nullptr, os, options.colours);
  size_t column = std::min(size_t(d.getColumnNo()), line.size());
  size_t begin = column < mostShown / 2 ? 0 : column - mostShown / 2;
  while (begin < column && (line[begin] & 0xc0) == 0x80) // not within a character
    ++begin;
  os << d.getFilename() << ':' << d.getLineNo() << ':' << d.getColumnNo() + 1 << ": ";
  SMDiagnostic(*d.getSourceMgr(), d.getLoc(), d.getFilename(), d.getLineNo(), int(column - begin),
               d.getKind(), d.getMessage(), line.substr(begin, mostShown), {})
      .print(nullptr, os, options.colours, /*ShowKindLabel=*/true, /*ShowLocation=*/false);
}

/// The chain of files that a place is in; the middle of a long one is left out.
void Diagnostics::tellIncludes(SMLoc loc) {
  constexpr size_t mostTold = 8;
  SmallVector<SMLoc, 4> chain;
  while (unsigned id = sources.FindBufferContainingLoc(loc)) {
    if (loc = sources.getParentIncludeLoc(id); !loc.isValid())
      break;
    chain.push_back(loc);
  }
  std::reverse(chain.begin(), chain.end());
  for (size_t i = 0; i < chain.size(); ++i) {
    if (chain.size() > mostTold && i == mostTold / 2) {
      size_t left = chain.size() - mostTold;
      os << "... " << left << " more ...\n";
      i += left;
    }
    unsigned id = sources.FindBufferContainingLoc(chain[i]);
    if (id)
      os << "included from " << sources.getMemoryBuffer(id)->getBufferIdentifier() << ':'
         << sources.FindLineNumber(chain[i], id) << ":\n";
  }
}

} // namespace leno
