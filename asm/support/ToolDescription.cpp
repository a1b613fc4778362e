//===- ToolDescription.cpp - What a tool tells of itself ------------------===//
#include "asm/support/FloatEnvironment.h"
#include "asm/support/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace llvm;

namespace leno {

// Of an object that every build looks after (.cmake/Version.cmake), and tools alone link.
extern const char *const commitOfBuild;

static std::string version() {
  std::string commit = commitOfBuild;
  return commit.empty() ? LENO_VERSION : LENO_VERSION " (" + commit + ")";
}

static void describe(json::OStream &os, const CLI::Option &option) {
  os.attributeArray("names", [&] {
    for (const std::string &name : option.get_snames())
      os.value("-" + name);
    for (const std::string &name : option.get_lnames())
      os.value("--" + name);
  });
  if (!option.nonpositional())
    os.attribute("positional", option.get_name());
  // A flag expects none, and the value of --dap [PORT] may be left out.
  bool value = option.get_expected_max() > 0;
  os.attribute("value", value ? option.get_type_name() : "");
  os.attribute("optional", value && option.get_expected_min() == 0);
  os.attribute("many", value && option.get_expected_max() == CLI::detail::expected_max_vector_size);
  os.attribute("required", option.get_required());
  for (auto [key, others] : {std::pair("needs", option.get_needs()), std::pair("excludes", option.get_excludes())}) {
    std::vector<std::string> names; // the set is in the order of addresses
    for (const CLI::Option *other : others)
      names.push_back(other->get_name());
    llvm::sort(names);
    os.attribute(key, json::Array(names));
  }
  os.attribute("text", option.get_description());
}

static void describe(json::OStream &os, const CLI::App &app) {
  os.attribute("name", app.get_name());
  os.attribute("description", app.get_description());
  os.attributeArray("groups", [&] {
    for (const std::string &group : app.get_groups()) {
      if (group.empty()) // what the help does not show
        continue;
      os.object([&] {
        os.attribute("name", group);
        os.attributeArray("options", [&] {
          for (const CLI::Option *option : app.get_options())
            if (option->get_group() == group)
              os.object([&] { describe(os, *option); });
        });
      });
    }
  });
  os.attributeArray("subcommands", [&] {
    for (const CLI::App *one : app.get_subcommands([](const CLI::App *one) { return !one->get_group().empty(); }))
      os.object([&] { describe(os, *one); });
  });
  os.attribute("footer", app.get_footer());
}

static std::string optionsAsJson(const CLI::App &app) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream os(stream, 1);
  os.object([&] {
    os.attribute("version", version());
    os.attribute("usage", StringRef(static_cast<const CLI::Formatter &>(*app.get_formatter()).make_usage(&app, app.get_name())).trim());
    describe(os, app);
  });
  return text;
}

void describeTool(CLI::App &app, const std::string &name, const std::string &examples) {
  app.name(name);
  app.set_version_flag("--version", name + " " + version(), "Print the version and exit");
  // It ends the parse as --version does, before anything that is required is missed.
  app.add_flag_callback("--describe-options", [&app] { throw CLI::CallForVersion(optionsAsJson(app), 0); })
      ->group("");
  app.footer("Examples:\n" + examples);
  app.get_formatter()->column_width(32);
  // A closed pipe shows as a write error, which finishOutput() knows, not as a signal.
  std::signal(SIGPIPE, SIG_IGN);
  // The process is the tool's own: numbers are read and printed as everywhere, whatever was loaded into it.
  FloatControl::setDefault(isa::Round::RN);
}

} // namespace leno
