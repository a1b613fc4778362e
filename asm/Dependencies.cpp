//===- Dependencies.cpp - Rules for make: what an output is made from -----===//
#include "asm/Dependencies.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno {

void DependencyOptions::addTo(CLI::App &app) {
  const char *group = "DEPENDENCIES (also with one '-', as gcc has them)";
  app.add_flag("--MD,--MMD", beside, "Write a rule for make of the files read, beside the output (.d)")
      ->group(group);
  app.add_flag("--M,--MM", only, "Write the rule to standard output, and nothing else")->group(group);
  app.add_option("--MF", file, "Where the rule goes")->type_name("FILE")->group(group);
  app.add_option("--MT", targets, "The rule's target, as it is (default: the output)")
      ->type_name("TARGET")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--MQ", quotedTargets, "The rule's target, quoted for make")
      ->type_name("TARGET")
      ->allow_extra_args(false)
      ->group(group);
  app.add_flag("--MP", phony, "Also a rule without commands for each included file")->group(group);
}

std::vector<char *> DependencyOptions::translate(int argc, char **argv) {
  bool valueNext = false;
  for (int i = 0; i < argc; ++i) {
    StringRef word = argv[i];
    bool isValue = std::exchange(valueNext, false);
    if (i == 0 || isValue || !word.starts_with("-M")) {
      words.push_back(word.str());
      continue;
    }
    StringRef name = word.take_front(3);
    bool takesValue = name == "-MF" || name == "-MT" || name == "-MQ";
    valueNext = takesValue && word.size() == 3;
    words.push_back("-" +
                    (takesValue && !valueNext ? name.str() + "=" + word.drop_front(3).str() : word.str()));
  }
  std::vector<char *> translated;
  for (std::string &word : words)
    translated.push_back(word.data());
  return translated;
}

std::string DependencyOptions::destination(StringRef output, StringRef input) const {
  if (!file.empty())
    return file;
  if (only)
    return "-";
  SmallString<128> name(output == "-" ? input : output);
  sys::path::replace_extension(name, ".d");
  return name.str().str();
}

static std::string forMake(StringRef name) {
  std::string text;
  for (char c : name) {
    if (c == ' ' || c == '\t' || c == '#')
      text += '\\';
    else if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

std::string DependencyOptions::rule(StringRef output, ArrayRef<std::string> inputs) const {
  std::vector<std::string> all = targets;
  for (const std::string &target : quotedTargets)
    all.push_back(forMake(target));
  if (all.empty())
    all.push_back(forMake(output));
  std::vector<std::string> files;
  for (const std::string &name : inputs)
    if (name != "-" && !is_contained(files, forMake(name)))
      files.push_back(forMake(name));
  std::string text = join(all, " ") + ":";
  for (const std::string &name : files)
    text += (&name == &files.front() ? " " : " \\\n  ") + name;
  text += "\n";
  if (phony)
    for (const std::string &name : drop_begin(files))
      text += name + ":\n";
  return text;
}

} // namespace leno
