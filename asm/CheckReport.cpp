//===- CheckReport.cpp - The static checker's findings as warnings --------===//
#include "asm/CheckReport.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno {

using check::Finding;

bool WarningOptions::apply(StringRef option) {
  bool off = option.consume_front("no-");
  if (option == "error") {
    allErrors = !off;
    if (off)
      errors.reset();
    return true;
  }
  bool ofErrors = option.consume_front("error=");
  std::bitset<check::checkCount> named;
  if (std::optional<check::Check> found = check::findCheck(option))
    named.set(size_t(*found));
  else if (option == "all")
    named.set();
  else
    return false;
  if (!ofErrors || !off)
    on = off ? on & ~named : on | named;
  if (ofErrors) {
    errors = off ? errors & ~named : errors | named;
    noErrors = off ? noErrors | named : noErrors & ~named;
  }
  return true;
}

std::string warningName(check::Check check, bool isError) {
  return (isError ? " [-Werror=" : " [-W") + check::checkInfo(check).name.str() + "]";
}

/// Where a statement's text names a register; the statement itself when it does not, as by another name.
static SMLoc operandPlace(SMLoc statement, const check::Code &code, const Finding &finding) {
  if (finding.cell < 0 || finding.cell == int(flagsCell))
    return statement;
  auto cell = unsigned(finding.cell);
  bool isRegister = cell < firstPredicate;
  std::string name = (isRegister ? "r" + Twine(cell) : "p" + Twine(cell - firstPredicate)).str();
  bool guards = false, written = false;
  for (const Effect &effect : code.effectsOf(code.instructions[finding.at])) {
    guards |= effect.cell == cell && effect.guards;
    written |= effect.cell == cell && effect.writes;
  }
  // A destination is written first; the guard before it.
  int skip = written && !guards ? 1 : 0;
  auto isWord = [](char c) { return isAlnum(c) || c == '_' || c == '.' || c == '$'; };
  const char *begin = statement.getPointer();
  const char *found = nullptr;
  for (const char *at = begin; *at && *at != '\n' && *at != ';' && *at != '#'; ++at) {
    if (!isWord(*at) || (at > begin && isWord(at[-1])))
      continue;
    const char *end = at;
    while (isAlnum(*end) || *end == '_' || *end == '$')
      ++end;
    if (StringRef(at, size_t(end - at)).equals_insensitive(name)) {
      found = at;
      if (skip-- == 0)
        break;
    }
  }
  return found ? SMLoc::getFromPointer(found) : statement;
}

void reportFindings(const CodeRecorder &recorder, const MacroCalls &calls, const SourceMgr &sources,
                    const WarningOptions &options, function_ref<void(const SMDiagnostic &)> tell) {
  const check::Code &code = recorder.recorded();
  for (const Finding &finding : recorder.findings()) {
    if (!options.on[size_t(finding.check)])
      continue;
    bool isError = options.isError(finding.check);
    SMLoc statement = code.instructions[finding.at].loc;
    SMLoc place = operandPlace(statement, code, finding);
    tell(sources.GetMessage(place, isError ? SourceMgr::DK_Error : SourceMgr::DK_Warning,
                            finding.message + warningName(finding.check, isError)));
    for (SMLoc call = statement; (call = calls.callOf(call, sources)).isValid();)
      tell(sources.GetMessage(call, SourceMgr::DK_Note, "while in macro instantiation"));
    SMLoc noted = finding.noteAt == check::none ? place : code.instructions[finding.noteAt].loc;
    tell(sources.GetMessage(noted, SourceMgr::DK_Note, finding.note));
  }
}

} // namespace leno
