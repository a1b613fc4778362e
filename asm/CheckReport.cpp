//===- CheckReport.cpp - The static checker's findings as warnings --------===//
#include "asm/CheckReport.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno {

using check::Finding;

bool WarningOptions::apply(StringRef option) {
  if (option == "error") {
    errors.set();
    return true;
  }
  bool isError = option.consume_front("error="), off = !isError && option.consume_front("no-");
  if (option == "all") {
    off ? on.reset() : on.set();
    return true;
  }
  std::optional<check::Check> found = check::findCheck(option);
  if (!found)
    return false;
  on.set(size_t(*found), !off);
  if (isError)
    errors.set(size_t(*found));
  return true;
}

/// Where a statement's text names a register; the statement itself when it does not, as by another name.
static SMLoc operandPlace(SMLoc statement, const check::Code &code, const Finding &finding) {
  if (finding.cell < 0 || finding.cell == int(check::flagsCell))
    return statement;
  auto cell = unsigned(finding.cell);
  bool isRegister = cell < check::firstPredicate;
  std::string name = (isRegister ? "r" + Twine(cell) : "p" + Twine(cell - check::firstPredicate)).str();
  bool guards = false, written = false;
  for (const check::Effect &effect : code.effectsOf(code.instructions[finding.at])) {
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
    bool isError = options.errors[size_t(finding.check)];
    SMLoc statement = code.instructions[finding.at].loc;
    SMLoc place = operandPlace(statement, code, finding);
    std::string option = (isError ? " [-Werror=" : " [-W") + check::checkInfo(finding.check).name.str() + "]";
    tell(sources.GetMessage(place, isError ? SourceMgr::DK_Error : SourceMgr::DK_Warning,
                            finding.message + option));
    for (SMLoc call = statement; (call = calls.callOf(call, sources)).isValid();)
      tell(sources.GetMessage(call, SourceMgr::DK_Note, "while in macro instantiation"));
    SMLoc noted = finding.noteAt == check::none ? place : code.instructions[finding.noteAt].loc;
    tell(sources.GetMessage(noted, SourceMgr::DK_Note, finding.note));
  }
}

} // namespace leno
