// The profiles of a machine's launches, by the folder that they are written to.
#pragma once

#include "runtime/host/ModuleState.h"
#include "runtime/profile/Profile.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace leno::host {

/// One that is counted, or was.
struct LaunchProfile {
  profile::Profile profile;
  std::string context; ///< its name
  std::shared_ptr<const ModuleState> module;
  size_t kernel;
  Dim3 grid, block;
  size_t number = 0; ///< of those of its context that are in the folder
  bool hasEnded = false;
};

/// Any host thread may call these.
class LaunchProfiles {
public:
  /// Fails when the folder cannot be one.
  llvm::Expected<std::shared_ptr<LaunchProfile>> begin(const std::string &folder, LaunchProfile launch);
  void end(LaunchProfile &launch);
  /// Those that have ended, as `leno-run --profile` writes them. Unless contexts share the machine, their
  /// launches are nobody's.
  llvm::Error write(bool isShared);

private:
  std::mutex mutex;
  std::map<std::string, std::vector<std::shared_ptr<LaunchProfile>>> folders;
};

} // namespace leno::host
