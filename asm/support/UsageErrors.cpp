//===- UsageErrors.cpp - What is wrong with a command line ----------------===//
#include "asm/support/UsageErrors.h"

#include "asm/support/NearMiss.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno {

using Words = ArrayRef<char *>;

/// What was typed, or a name that begins with it, which is as near as can be. One letter is near to the same
/// in the other case alone.
static void considerOption(NearMiss &near, StringRef typed, const std::string &name) {
  if (typed.size() > 2 || typed.equals_insensitive(name))
    near.consider(typed.size() > 3 && StringRef(name).starts_with(typed) ? typed : name, name);
}

static bool isOption(const std::string &word) { return word.size() > 1 && word[0] == '-'; }

/// Of what no option and no operand took: the mistyped option, before what was meant to be its value.
static std::string describeExtras(const CLI::App &app, Words words) {
  std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  auto option = llvm::find_if(extras, isOption);
  if (option != extras.end() && *option == "--") { // behind which there are no options
    extras.erase(option);
    option = extras.end();
  }
  if (option == extras.end())
    return "'" + extras.front() + "' is one operand too many";
  StringRef typed = StringRef(*option).split('=').first;
  if (typed == "-") // what is left of -g=3 behind its letter
    for (StringRef word : words)
      if (auto [name, value] = word.split('=');
          name.size() == 2 && word.size() > 2 && app.get_option_no_throw(name.str()))
        return name.str() + " takes no value: '" + word.str() + "'";
  std::vector<std::string> names;
  std::vector<const CLI::App *> apps{&app};
  for (const CLI::App *subcommand : app.get_subcommands())
    apps.push_back(subcommand);
  for (const CLI::App *one : apps)
    for (const CLI::Option *known : one->get_options()) {
      for (const std::string &name : known->get_lnames())
        names.push_back("--" + name);
      for (const std::string &name : known->get_snames())
        names.push_back("-" + name);
    }
  NearMiss near(typed);
  for (const std::string &name : names)
    considerOption(near, typed, name);
  return "there is no option '" + typed.str() + "'" + near.hint();
}

/// A word in the place of a subcommand.
static std::string describeSubcommand(const CLI::App &app, StringRef typed) {
  NearMiss near(typed);
  std::vector<std::string> names;
  for (const CLI::App *known :
       app.get_subcommands([](const CLI::App *one) { return !one->get_group().empty(); }))
    names.push_back(known->get_name());
  for (const std::string &name : names)
    near.consider(name, name);
  return typed.empty() ? "expected one of " + join(names, ", ")
                       : "there is no '" + typed.str() + "'" + near.hint() +
                             (near.found() ? "" : "; there are " + join(names, ", "));
}

/// The parser's library has words of its own.
static std::string inOurWords(const CLI::ParseError &error) {
  std::string message = error.what();
  StringRef text = message;
  auto [name, rest] = text.split(": ");
  std::string option = name.str();
  if (text.consume_back(" was given a disallowed flag override"))
    return (text.size() > 1 ? "--" : "-") + text.str() + " takes no value";
  if (rest.starts_with("At Most 1 required"))
    return option + " is given more than once";
  if (rest.consume_front("1 required ") && rest.consume_back(" missing"))
    return option + " needs a value: " + option + " " + rest.str();
  if (rest.consume_front("Value ") && rest.contains(" not in range ")) {
    auto [value, range] = rest.split(" not in range ");
    auto [least, most] = range.split(" to ");
    return option + ": '" + value.str() + "' is not in " + least.str() + ".." + most.str();
  }
  if (text.consume_front("Could not convert: ")) {
    auto [of, value] = text.split(" = ");
    return of.str() + ": '" + value.str() + "' is no number, or none that fits";
  }
  if (dynamic_cast<const CLI::ExcludesError *>(&error)) {
    auto [one, other] = text.split(" excludes ");
    return one.str() + " and " + other.str() + " do not go together: leave one of them out";
  }
  return message;
}

std::string describeMistake(const CLI::App &app, const CLI::ParseError &error, Words words) {
  bool needsSubcommand = app.get_require_subcommand_min() > 0 && app.get_subcommands().empty();
  std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  if (needsSubcommand && (extras.empty() || extras.front()[0] != '-'))
    return describeSubcommand(app, extras.empty() ? StringRef() : StringRef(extras.front()));
  // An option that does not exist says more than what is missing for its sake.
  if (dynamic_cast<const CLI::ExtrasError *>(&error) || any_of(extras, isOption))
    return describeExtras(app, words);
  return inOurWords(error);
}

void requireValues(const CLI::App &app) {
  for (const CLI::Option *option : app.get_options()) {
    if (option->get_expected_min() == 0)
      continue;
    for (const std::string &value : option->results()) {
      if (value.empty())
        throw CLI::ValidationError(option->get_name(), "its value is empty");
      if (isOption(value) && app.get_option_no_throw(value))
        throw CLI::ValidationError(option->get_name(), "its value is missing: '" + value +
                                                           "' is an option; ./" + value + " would be a file");
    }
  }
}

} // namespace leno
