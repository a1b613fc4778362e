//===- ProfiledRun.h - The profiles of what leno-run runs -----------------===//
// The room's door: one Profile for each launch, and the report of all of them.
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/Prepared.h"
#include "runtime/profile/Report.h"
#include <map>

namespace leno::profile {

class ProfiledRun {
public:
  /// `prepared` must live longer. Without `memory`: no sectors, banks and caches.
  ProfiledRun(const runtime::Prepared &prepared, bool memory);
  /// The observer of a launch, which stays where it is.
  Profile &of(u32 context, size_t launch);
  /// Those that have begun; what they point to lives as long as this.
  std::vector<ProfiledLaunch> launches() const;
  /// Writes the report of all launches that have begun, as far as they have come.
  llvm::Error write(llvm::StringRef folder) const;

private:
  const runtime::Prepared &prepared;
  ProfileSettings settings;
  std::map<std::pair<u32, size_t>, Profile> profiles; ///< by context and launch
};

} // namespace leno::profile
