// What the tabulator offers. A command's row says what its arguments are ("LOCATION [if CONDITION]"); the
// words there decide.
#include "asm/AsmTables.h"
#include "dbg/Interpreter.h"
#include "dbg/source/Frame.h"
#include "dbg/Replacing.h"
#include "dbg/SessionFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg {

namespace {
/// Collects lines: what stands before the word, and a candidate for it.
class Candidates {
public:
  Candidates(StringRef line, StringRef word) : before(line.drop_back(word.size())), word(word) {}
  void offer(StringRef candidate) {
    std::string whole = (before + candidate).str();
    if (candidate.starts_with(word) && !is_contained(lines, whole))
      lines.push_back(std::move(whole));
  }
  std::vector<std::string> lines;

private:
  StringRef before, word;
};
} // namespace

/// The end of the line that can be a name.
static StringRef lastName(StringRef typed) {
  size_t start = typed.size();
  while (start > 0 && (isAlnum(typed[start - 1]) || StringRef("_.$").contains(typed[start - 1])))
    --start;
  return typed.substr(start);
}

static void offerLocations(const Session &session, Candidates &to) {
  for (const std::string &name : session.code().names().symbols())
    to.offer(name);
  for (const Symbol &data : session.focus().executable().globalSymbols())
    to.offer(data.name);
  for (const std::string &file : session.code().names().files())
    to.offer((sys::path::filename(file) + ":").str());
}

static void offerNames(const Session &session, Candidates &to) {
  const KernelInfo &kernel = session.focus().kernel();
  // What is a name here; of the file's variables all.
  if (Warp *warp = session.focus().warp(); warp && !session.focus().source().isEmpty()) {
    std::vector<CallFrame> frames = session.focus().callFrames();
    for (const source::Scope *scope = source::scopeOf(frames, session.focus().frame, session.focus().source()); scope;
         scope = scope->kind == source::Scope::Block ? scope->outer : nullptr)
      for (const source::Variable &variable : scope->variables)
        to.offer(variable.name);
  }
  for (const source::Variable &variable : session.focus().source().fileVariables())
    to.offer(variable.name);
  for (const RegisterName &name : kernel.names)
    to.offer(name.name);
  for (const KernelParam &param : kernel.params)
    to.offer(param.name);
  for (const SharedVariable &variable : kernel.shared)
    to.offer(variable.name);
  for (const std::string &name : session.code().names().symbols())
    to.offer(name);
  for (unsigned reg = 0; reg < kernel.registers; ++reg)
    to.offer("R" + std::to_string(reg));
  for (unsigned predicate = 0; predicate < truePredicate; ++predicate)
    to.offer("P" + std::to_string(predicate));
  for (const SpecialRegisterInfo &special : allSpecialRegisters())
    to.offer(special.text);
  for (StringRef name : {"OF", "CF", "SF", "ZF", "shared", "local", "any(", "all(", "count(", "mask("})
    to.offer(name);
  for (StringRef name : computedVariables())
    to.offer(("$" + name).str());
  for (const auto &[name, value] : session.focus().userValues().variables)
    to.offer("$" + name);
}

/// Files of the folder that the word names so far; folders with a slash. Of files, those that are `wanted`.
static void offerFiles(StringRef word, Candidates &to, function_ref<bool(StringRef)> wanted) {
  StringRef folder = sys::path::parent_path(word);
  constexpr unsigned most = 1000;
  unsigned seen = 0;
  std::error_code failed;
  std::vector<std::string> names;
  for (sys::fs::directory_iterator entry(folder.empty() ? "." : folder, failed), end;
       entry != end && !failed && ++seen < most; entry.increment(failed)) {
    StringRef name = sys::path::filename(entry->path());
    std::string path =
        folder.empty() ? name.str() : (folder + (folder.ends_with("/") ? "" : "/") + name).str();
    if (name.starts_with(".") && !sys::path::filename(word).starts_with("."))
      continue;
    bool isFolder = sys::fs::is_directory(entry->path());
    if (isFolder || wanted(path))
      names.push_back(isFolder ? path + "/" : path);
  }
  llvm::sort(names);
  for (const std::string &name : names)
    to.offer(name);
}

std::vector<std::string> Interpreter::completions(StringRef line) const {
  StringRef rest;
  Expected<const Command *> found = findCommand(line, rest);
  bool wordDone = found && (rest.starts_with(" ") || rest.starts_with("/"));
  if (!found)
    consumeError(found.takeError());
  if (!wordDone)
    return completeCommand(line.ltrim());
  if (rest.starts_with("/")) // a format
    rest = rest.substr(std::min(rest.find(' '), rest.size()));
  StringRef typed = rest.ltrim(), kinds = (*found)->arguments;
  auto takes = [&](StringRef kind) { return kinds.contains(kind); };
  if (((*found)->flags & Command::CompletesCommand) || takes("COMMAND")) {
    Candidates commands(line, typed);
    for (const std::string &name : completeCommand(typed))
      commands.offer(name);
    return commands.lines;
  }
  if (takes("FILE") && !takes("LOCATION")) {
    consumeForce(typed);
    Candidates files(line, typed);
    bool onlySessions = (*found)->flags & Command::SavesSession;
    offerFiles(typed, files, [&](StringRef path) { return !onlySessions || isSessionFile(path); });
    return files.lines;
  }
  bool inCondition = takes("CONDITION") && (typed.starts_with("if ") || typed.contains(" if "));
  Candidates places(line, typed);
  if ((((*found)->flags & Command::CompletesLocation) || takes("LOCATION")) && !inCondition)
    offerLocations(session, places);
  if (takes("EVENT") && !inCondition)
    for (StringRef event : caughtEvents(!session.isAlone()))
      places.offer(event);
  if (!places.lines.empty())
    return places.lines;
  Candidates names(line, lastName(typed));
  if (inCondition || takes("EXPRESSION") || takes("PLACE") || takes("ADDRESS"))
    offerNames(session, names);
  // Words that are typed as they stand there: "on | off".
  SmallVector<StringRef, 8> words;
  SplitString(kinds, words, " []|,");
  for (StringRef word : words)
    if (all_of(word, [](char c) { return c >= 'a' && c <= 'z'; }))
      names.offer(word);
  return names.lines;
}

} // namespace leno::dbg
