#include "runtime/checks/CheckOptions.h"
#include "asm/support/Numbers.h"
#include <CLI/CLI.hpp>

void leno::checks::addCheckOptions(CLI::App &app, CheckOptions &options) {
  std::string what = "look for mistakes that a run shows, in one order of instructions (one host thread): ";
  for (const CheckRow &row : checkRows())
    what += "\n" + std::string(row.name) + ": " + row.summary;
  CLI::Option *check = app.add_option_function<std::string>(
                              "--check",
                              [&options](const std::string &names) {
                                auto found = checksNamed(names);
                                if (!found)
                                  throw CLI::ValidationError("--check", llvm::toString(found.takeError()));
                                options.checks = std::move(*found);
                              },
                              what + "\nall: all of them")
                           ->type_name("NAME[,NAME...]")
                           ->group("Checks");
  auto add = [&](const char *name, auto &value, const char *help, const char *type) {
    return app.add_option(name, value, help)->type_name(type)->needs(check)->group("Checks");
  };
  add("--check-json", options.json, "what was found, as JSON; '-': standard output", "FILE");
  add("--check-sarif", options.sarif, "the same as SARIF 2.1.0, for editors and CI", "FILE");
  add("--check-suppress", options.suppressions, "leave these findings alone; may be given again", "FILE");
  add("--check-write-suppressions", options.newSuppressions, "write a file that leaves alone what was found",
      "FILE");
  add("--check-status", options.status, "the exit status when something was found, and nothing failed [3]",
      "N")
      ->check(CLI::Range(0, 255));
  app.add_flag("--check-unwritten", options.unwritten,
               "init: what out: and zero: make has no value before somebody stores there, though it is zero")
      ->needs(check)
      ->group("Checks");
  add("--check-limit", options.most, "findings told in words at most; 0: all [100]", "N");
  app.add_option_function<std::string>(
         "--check-memory",
         [&options](const std::string &text) {
           ScannedInteger bytes = scanInteger(text, true);
           if (bytes.status != ScannedInteger::Ok || bytes.negative || bytes.magnitude == 0)
             throw CLI::ValidationError("--check-memory", "'" + text + "' is no number of bytes, as 512MiB");
           options.memory = bytes.magnitude;
         },
         "shadow memory of each check at most [1GiB]")
      ->type_name("BYTES")
      ->needs(check)
      ->group("Checks");
}
