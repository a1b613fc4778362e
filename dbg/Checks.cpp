#include "dbg/Checks.h"

namespace leno::dbg {

using checks::CheckedRun, checks::CheckRow;

void Checks::watch(const CheckRow &row) {
  checks::CheckOptions options;
  options.checks = {&row};
  auto &run = all[&row] = std::make_unique<CheckedRun>(std::move(options));
  run->onFinding = onFinding;
  run->watch(focus.prepared());
}

void Checks::add(const CheckRow &row) {
  if (isOn(row))
    return;
  all[&row] = nullptr;
  if (onFinding)
    watch(row);
}

void Checks::remove(const CheckRow &row) {
  auto found = all.find(&row);
  if (found == all.end())
    return;
  if (found->second)
    found->second->unwatch();
  all.erase(found);
}

void Checks::attach(std::function<void(const checks::Finding &)> tell) {
  onFinding = std::move(tell);
  for (const auto &one : all)
    watch(*one.first);
}

void Checks::detach() {
  for (auto &[row, run] : all)
    if (run) {
      run->unwatch();
      run.reset();
    }
  onFinding = nullptr;
}

std::vector<checks::NamedFinding> Checks::found() const {
  std::vector<checks::NamedFinding> list;
  for (const auto &[row, run] : all)
    if (run)
      llvm::append_range(list, run->found());
  return list;
}

} // namespace leno::dbg
