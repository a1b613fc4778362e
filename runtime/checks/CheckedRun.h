//===- CheckedRun.h - The checks of what leno-run and leno-dbg run ---------===//
// The room's door: attaches the checks that are asked for, names what they find,
// and tells it.
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/Prepared.h"
#include "runtime/checks/CheckOptions.h"
#include "runtime/checks/CheckReport.h"

namespace leno::checks {

class CheckedRun {
public:
  /// Reads the suppressions, and notes all files of the options in `files`.
  static llvm::Expected<std::unique_ptr<CheckedRun>> create(const CheckOptions &options, RunFiles &files);
  CheckedRun(const CheckedRun &) = delete;
  CheckedRun &operator=(const CheckedRun &) = delete;

  explicit CheckedRun(CheckOptions options) : options(std::move(options)) {}
  /// Before its first instruction; `prepared` must live longer. Its grids run on one host thread. A launch
  /// alone may have started.
  void watch(runtime::Prepared &prepared);
  /// No more of it is seen.
  void unwatch();
  /// Told of each finding that no equal one came before, while an instruction executes; for before watch().
  std::function<void(const Finding &)> onFinding;
  /// What was found and not gathered, named, at the moment at which the machine is.
  std::vector<NamedFinding> found() const;
  /// Takes what was found since the last call, and names it.
  llvm::ArrayRef<NamedFinding> gather();
  /// Nothing was found but what is suppressed.
  bool isClean() const;
  llvm::ArrayRef<NamedFinding> findings() const { return all; }

  /// What was found in words, as many as the options allow, what could not be followed, and the sum.
  void print(llvm::raw_ostream &os, bool colours) const;
  /// Attributes "findings", "suppressed" and "notFollowed" of an object.
  void write(llvm::json::OStream &json) const;
  /// The files of the options, all or none; "-" is standard output.
  llvm::Error writeFiles() const;

private:
  NamedFinding named(Finding finding) const;

  CheckOptions options;
  Suppressions suppressions;
  runtime::Prepared *prepared = nullptr;
  std::vector<std::unique_ptr<Check>> checks;
  std::vector<NamedFinding> all;
};

} // namespace leno::checks
