//===- ProfileOptions.h - What leno-run shall profile ----------------------===//
#pragma once
#include "runtime/profile/Timeline.h"
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leno::profile {

struct ProfileOptions {
  std::string folder;            ///< of the report; empty: none
  bool memory = true;            ///< sectors, banks and caches, too
  std::vector<std::string> diff; ///< two folders, instead of a run
  std::string timeline;          ///< empty: none
  TimelineOptions part;          ///< of it
};

/// Adds the options to a tool with FILE, --contexts, --trace and --stats.
void addProfileOptions(CLI::App &app, ProfileOptions &options);

} // namespace leno::profile
