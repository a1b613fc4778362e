//===- SourcePath.cpp - directory, substitute-path ------------------------===//
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace leno::dbg {

/// Paths with blanks stand in quotes.
static std::vector<std::string> wordsOf(StringRef text) {
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *, 4> words;
  cl::TokenizeGNUCommandLine(text, saver, words);
  return std::vector<std::string>(words.begin(), words.end());
}

static Error showDirectories(Interpreter &in, const Invocation &) {
  const std::vector<std::string> &all = in.sources.search().directories;
  in.note({{"kind", "directories"},
           {"directories", facts::list(all, [](const std::string &name) { return facts::text(name); })}});
  for (const std::string &directory : all)
    in.out << directory << '\n';
  in.out << (all.empty() ? "Sources are looked for in" : "then")
         << " the folder of assembly, then this one\n";
  return Error::success();
}

static Error directory(Interpreter &in, const Invocation &invocation) {
  SourceSearch search = in.sources.search();
  std::vector<std::string> added;
  for (const std::string &word : wordsOf(invocation.arguments))
    for (StringRef name : split(word, ':')) {
      if (name.empty())
        continue;
      if (!sys::fs::is_directory(name))
        return textError(invocation.arguments, invocation.arguments.find(name),
                         "'" + name + "' is no folder");
      SmallString<128> path(name);
      sys::fs::make_absolute(path);
      sys::path::remove_dots(path, /*remove_dot_dot=*/true);
      added.push_back(path.str().str());
    }
  if (added.empty())
    search.directories.clear();
  llvm::erase_if(search.directories, [&](const std::string &old) { return is_contained(added, old); });
  search.directories.insert(search.directories.begin(), added.begin(), added.end());
  in.sources.setSearch(std::move(search));
  return showDirectories(in, invocation);
}

static Error showSubstitutions(Interpreter &in, const Invocation &invocation) {
  std::vector<std::string> from = wordsOf(invocation.arguments);
  const auto &all = in.sources.search().substitutions;
  json::Array found;
  for (const SourceSearch::Substitution &one : all)
    if (from.empty() || one.from == from.front()) {
      found.push_back(json::Object{{"from", facts::text(one.from)}, {"to", facts::text(one.to)}});
      in.out << one.from << " -> " << one.to << '\n';
    }
  if (found.empty())
    in.out << "No path is substituted.\n";
  in.note({{"kind", "substitutions"}, {"substitutions", std::move(found)}});
  return Error::success();
}

static Error setSubstitution(Interpreter &in, const Invocation &invocation) {
  std::vector<std::string> words = wordsOf(invocation.arguments);
  if (words.size() != 2 || words[0].empty())
    return textError(invocation.arguments, invocation.arguments.size(),
                     "expected two paths: what file names begin with, and what stands for it here");
  SourceSearch search = in.sources.search();
  llvm::erase_if(search.substitutions, [&](const auto &old) { return old.from == words[0]; });
  search.substitutions.push_back({words[0], words[1]});
  in.sources.setSearch(std::move(search));
  return Error::success();
}

static Error unsetSubstitution(Interpreter &in, const Invocation &invocation) {
  std::vector<std::string> words = wordsOf(invocation.arguments);
  SourceSearch search = in.sources.search();
  size_t before = search.substitutions.size();
  llvm::erase_if(search.substitutions,
                 [&](const auto &old) { return words.empty() || old.from == words.front(); });
  if (!words.empty() && search.substitutions.size() == before)
    return createStringError("no path that begins with '" + words.front() +
                             "' is substituted; `show substitute-path` lists those that are");
  in.sources.setSearch(std::move(search));
  return Error::success();
}

ArrayRef<Command> sourcePathCommands() {
  static constexpr Command commands[] = {
      {"directory", "dir", Command::Code, 0, "[FOLDER...]", "say where source files are",
       "Sources are looked for in these folders first, by their name in the program and by its last part; "
       "then "
       "in the\n"
       "folder where the program was assembled, then in this one. Without a folder those that were given are "
       "forgotten.\n"
       "\n"
       "(leno) directory .",
       directory},
      {"show directories", "", Command::Code, Command::NoArguments, "",
       "show where source files are looked for", "(leno) show directories", showDirectories},
      {"set substitute-path", "", Command::Code, 0, "FROM TO", "say where the folder of assembly is now",
       "The path of a source file that begins with FROM, up to a slash or its end, begins with TO instead; "
       "of "
       "several the\n"
       "first that fits counts.\n"
       "\n"
       "(leno) set substitute-path /build/kernels .",
       setSubstitution},
      {"unset substitute-path", "", Command::Code, 0, "[FROM]", "forget one substitution, or all",
       "(leno) unset substitute-path", unsetSubstitution},
      {"show substitute-path", "", Command::Code, 0, "[FROM]", "show the substitutions of paths",
       "(leno) show substitute-path", showSubstitutions},
  };
  return commands;
}

} // namespace leno::dbg
