// Findings in the order in which they come, equal ones counted: the same kind at the same instructions.
#pragma once
#include "runtime/checks/Finding.h"
#include <functional>
#include <map>

namespace leno::checks {

class FindingList {
public:
  /// Whether there is one; it is counted then, once for each `event` where events have numbers.
  bool counts(const std::string &kind, u64 pc, u64 otherPc, u64 event = 0) {
    auto found = told.find({kind, pc, otherPc});
    if (found == told.end())
      return false;
    if (!event || std::exchange(found->second.second, event) != event)
      ++findings[found->second.first].count;
    return true;
  }
  /// It was not there.
  void add(Finding finding, u64 event = 0) {
    u64 otherPc = finding.second ? finding.second->pc : 0;
    told[{finding.kind, finding.first.pc, otherPc}] = {findings.size(), event};
    findings.push_back(std::move(finding));
    if (onNew)
      onNew(findings.back());
  }
  const std::vector<Finding> &all() const { return findings; }
  std::function<void(const Finding &)> onNew;
  std::vector<Finding> take() {
    told.clear();
    return std::exchange(findings, {});
  }

private:
  std::vector<Finding> findings;
  std::map<std::tuple<std::string, u64, u64>, std::pair<size_t, u64>> told; ///< place, last event
};

} // namespace leno::checks
