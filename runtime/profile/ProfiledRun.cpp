#include "runtime/profile/ProfiledRun.h"

namespace leno::profile {

/// With several contexts or the cycle model there is one order, which says what SM a CTA goes to; else host
/// threads may take them as they come.
ProfiledRun::ProfiledRun(const runtime::Prepared &prepared, bool memory) : prepared(prepared) {
  settings.memory = memory;
  settings.cycles = prepared.config().timing.model == MachineConfig::Timing::Cycles;
  settings.bySm = settings.cycles || !prepared.isAlone();
}

Profile &ProfiledRun::of(u32 context, size_t launch) {
  return profiles.try_emplace({context, launch}, settings).first->second;
}

std::vector<ProfiledLaunch> ProfiledRun::launches() const {
  std::vector<ProfiledLaunch> launches;
  for (const auto &[place, profile] : profiles) {
    auto [context, number] = place;
    const runtime::Prepared::Launch &launch = prepared.launches(context)[number];
    launches.push_back({prepared.isAlone() ? "" : prepared.run().contexts()[context]->name(), number,
                        launch.kernel->name, launch.file, launch.executable, launch.spec.grid,
                        launch.spec.block, &profile});
  }
  return launches;
}

llvm::Error ProfiledRun::write(llvm::StringRef folder) const { return writeReport(folder, launches()); }

} // namespace leno::profile
