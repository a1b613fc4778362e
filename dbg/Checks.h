//===- Checks.h - The checkers that are on ----------------------------------===//
#pragma once

#include "dbg/Focus.h"
#include "runtime/checks/CheckedRun.h"

namespace leno::dbg {

/// They see all that the session's machine executes, from its first instruction on, and know at each moment
/// of the past what they knew then.
class Checks {
public:
  explicit Checks(Focus &focus) : focus(focus) {}

  bool isOn(const checks::CheckRow &row) const { return all.count(&row); }
  /// On a machine that has executed nothing; on none, the next one.
  void add(const checks::CheckRow &row);
  void remove(const checks::CheckRow &row);
  /// To a machine that has executed nothing, and from it, before it goes.
  void attach(std::function<void(const checks::Finding &)> onFinding);
  void detach();
  /// Up to the moment at which the machine is.
  std::vector<checks::NamedFinding> found() const;

private:
  void watch(const checks::CheckRow &row);

  Focus &focus;
  std::function<void(const checks::Finding &)> onFinding; ///< unset: there is no machine
  std::map<const checks::CheckRow *, std::unique_ptr<checks::CheckedRun>> all;
};

} // namespace leno::dbg
