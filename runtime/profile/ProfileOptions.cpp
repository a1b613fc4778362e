#include "runtime/profile/ProfileOptions.h"

#include <CLI/CLI.hpp>

namespace leno::profile {

void addProfileOptions(CLI::App &app, ProfileOptions &options) {
  CLI::Option *profile =
      app.add_option("--profile", options.folder,
                     "counts by line and instruction, as report.html and for other tools, in a folder of "
                     "that name")
          ->type_name("DIR")
          ->group("Profile");
  app.add_flag_callback(
         "--profile-without-memory", [&options] { options.memory = false; },
         "faster: no sectors, lines, bank conflicts and caches")
      ->needs(profile)
      ->group("Profile");
  CLI::Option *timeline = app.add_option("--timeline", options.timeline,
                                         "what each SM did when, for ui.perfetto.dev and chrome://tracing "
                                         "(Chrome's JSON); '-': standard output")
                              ->type_name("FILE")
                              ->group("Profile");
  app.add_option_function<std::string>(
         "--timeline-window",
         [&options](const std::string &text) {
           auto [from, to] = llvm::StringRef(text).split(':');
           auto read = [&](llvm::StringRef part, u64 &value) {
             return part.empty() || !part.getAsInteger(0, value);
           };
           profile::TimelineOptions &window = options.part;
           if (!llvm::StringRef(text).contains(':') || !read(from, window.from) || !read(to, window.to) ||
               window.from >= window.to)
             throw CLI::ValidationError("--timeline-window",
                                        "'" + text +
                                            "' is not FROM:TO with FROM below TO; one may be left out");
         },
         "only this part of it: cycles, or where the machine has none warp instructions of an SM")
      ->type_name("FROM:TO")
      ->needs(timeline)
      ->group("Profile");
  app.add_option("--timeline-bytes", options.part.mostBytes, "the size at which it is cut [200000000]")
      ->check(CLI::Range(u64(1), u64(1) << 40))
      ->type_name("N")
      ->needs(timeline)
      ->group("Profile");
  app.add_option("--profile-diff", options.diff,
                 "runs nothing: what differs between two profiles, line by line; with --json as JSON")
      ->expected(2)
      ->type_name("DIR DIR")
      ->excludes("FILE", "--contexts", "--profile", "--timeline", "--trace", "--stats")
      ->group("Profile");
}

} // namespace leno::profile
