#include "runtime/host/LaunchProfiles.h"

#include "runtime/profile/Report.h"
#include "llvm/ADT/STLExtras.h"

namespace leno::host {

llvm::Expected<std::shared_ptr<LaunchProfile>> LaunchProfiles::begin(const std::string &folder,
                                                                     LaunchProfile launch) {
  std::lock_guard lock(mutex);
  auto [found, isNew] = folders.try_emplace(folder);
  if (isNew) {
    RunFiles files;
    if (llvm::Error error = profile::noteReport(folder, files, "the profile")) {
      folders.erase(found);
      return std::move(error);
    }
  }
  auto &all = found->second;
  launch.number = size_t(llvm::count_if(all, [&](auto &one) { return one->context == launch.context; }));
  return all.emplace_back(std::make_shared<LaunchProfile>(std::move(launch)));
}

void LaunchProfiles::end(LaunchProfile &launch) {
  std::lock_guard lock(mutex);
  launch.hasEnded = true;
}

/// A module has no name: its first source file's, if it has one.
static std::string programOf(const ModuleState &module) {
  std::vector<std::string> files = module.executable.files();
  return files.empty() ? "" : files.front();
}

llvm::Error LaunchProfiles::write(bool isShared) {
  std::lock_guard lock(mutex);
  llvm::Error errors = llvm::Error::success();
  for (auto &[folder, all] : folders) {
    std::vector<profile::ProfiledLaunch> launches;
    for (const std::shared_ptr<LaunchProfile> &one : all)
      if (one->hasEnded)
        launches.push_back({isShared ? one->context : "", one->number,
                            one->module->executable.kernels()[one->kernel].name, programOf(*one->module),
                            &one->module->executable, one->grid, one->block, &one->profile});
    llvm::stable_sort(launches, [](const auto &a, const auto &b) { return a.context < b.context; });
    if (!launches.empty())
      errors = joinErrors(std::move(errors), profile::writeReport(folder, launches));
  }
  return errors;
}

} // namespace leno::host
