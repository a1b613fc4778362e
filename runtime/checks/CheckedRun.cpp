#include "runtime/checks/CheckedRun.h"
#include "asm/support/AtomicFile.h"
#include "runtime/LateObserver.h"

using namespace leno;
using namespace leno::checks;
using llvm::Error;
using runtime::Prepared;

llvm::Expected<std::unique_ptr<CheckedRun>> CheckedRun::create(const CheckOptions &options, RunFiles &files) {
  std::unique_ptr<CheckedRun> run(new CheckedRun(options));
  for (const std::string &file : options.suppressions) {
    files.reads(file);
    if (Error error = run->suppressions.read(file))
      return std::move(error);
  }
  for (const std::string &file : {options.json, options.sarif, options.newSuppressions})
    if (!file.empty()) {
      if (file != "-")
        if (Error error = checkOutputPath(file))
          return std::move(error);
      files.writes(file);
    }
  return run;
}

static const Prepared::Launch &launchOf(const Prepared &prepared, u32 context, u64 launch) {
  return prepared.launches(context)[prepared.isAlone() ? 0 : launch - 1];
}

void CheckedRun::watch(Prepared &run) {
  prepared = &run;
  for (const CheckRow *row : options.checks) {
    Check &check = *checks.emplace_back(row->make());
    check.setMemory(options.memory);
    check.onFinding(onFinding);
    if (options.unwritten)
      run.forZeroed([&](u32 context, const runtime::DataBuffer &buffer, u64 bytes) {
        check.host({HostEvent::Allocates, buffer.address, bytes, context, buffer.name});
      });
    check.programOf = [this](const GridRun &grid) -> RunningProgram {
      const Prepared::Launch &launch = launchOf(*prepared, grid.device().contextId(), grid.gridId());
      return {launch.executable, launch.kernel, launch.globalBase};
    };
    if (ParallelRun *grid = run.parallelRun()) {
      grid->addObserver(check);
      continue;
    }
    if (run.isAlone() && run.run().grid()->hasBegun())
      runtime::tellBeginning(check, *run.run().grid());
    run.run().addObserver(check);
  }
}

void CheckedRun::unwatch() {
  for (const auto &check : checks)
    prepared->run().removeObserver(*check);
  checks.clear();
}

//===--- Names ------------------------------------------------------------===//

NamedFinding CheckedRun::named(Finding finding) const {
  u32 context = finding.context;
  auto programOf = [&](u64 number) -> RunningProgram {
    const Prepared::Launch &launch = launchOf(*prepared, context, number);
    return {launch.executable, launch.kernel, launch.globalBase};
  };
  NamedFinding found = checks::named(std::move(finding), programOf, prepared->device(context).memory());
  if (!prepared->isAlone())
    found.context = prepared->run().contexts()[context]->name();
  found.isSuppressed = suppressions.holds(found.suppressible());
  return found;
}

std::vector<NamedFinding> CheckedRun::found() const {
  std::vector<NamedFinding> list;
  for (const auto &check : checks)
    for (const Finding &finding : check->found())
      list.push_back(named(finding));
  return list;
}

llvm::ArrayRef<NamedFinding> CheckedRun::gather() {
  size_t before = all.size();
  for (const auto &check : checks)
    for (Finding &finding : check->take())
      all.push_back(named(std::move(finding)));
  return llvm::ArrayRef(all).drop_front(before);
}

bool CheckedRun::isClean() const {
  return llvm::all_of(all, [](const NamedFinding &named) { return named.isSuppressed; });
}

//===--- Telling ----------------------------------------------------------===//

void CheckedRun::print(llvm::raw_ostream &os, bool colours) const {
  u64 told = 0, left = 0, suppressed = 0;
  for (const NamedFinding &named : all)
    if (named.isSuppressed)
      ++suppressed;
    else if (options.most && told == options.most)
      ++left;
    else {
      ++told;
      printFinding(os, named, colours);
    }
  for (const auto &check : checks)
    if (std::string limits = check->limits(); !limits.empty())
      os << "note: " << limits << "; --check-memory BYTES allows more\n";
  auto number = [](u64 count, llvm::StringRef what) {
    return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
  };
  os << (told + left ? number(told + left, "finding") : "nothing found");
  if (left)
    os << ", " << left << " of them not shown (--check-limit)";
  if (suppressed)
    os << ", " << suppressed << " suppressed";
  os << '\n';
}

void CheckedRun::write(llvm::json::OStream &json) const {
  json.attributeArray("findings", [&] {
    for (const NamedFinding &named : all)
      if (!named.isSuppressed)
        json.object([&] { writeFinding(json, named); });
  });
  json.attribute("suppressed", llvm::count_if(all, [](auto &named) { return named.isSuppressed; }));
  json.attributeArray("notFollowed", [&] {
    for (const auto &check : checks)
      if (std::string limits = check->limits(); !limits.empty())
        json.value(limits);
  });
}

Error CheckedRun::writeFiles() const {
  OutputSet set;
  auto add = [&](const std::string &file, std::function<void(llvm::raw_ostream &)> write) -> Error {
    if (file.empty())
      return Error::success();
    auto writer = [write](llvm::raw_ostream &os) {
      write(os);
      return Error::success();
    };
    if (file != "-")
      return set.add(file, writer);
    set.addStandardOutput(writer);
    return Error::success();
  };
  Error error = add(options.json, [this](llvm::raw_ostream &os) {
    llvm::json::OStream json(os, 2);
    json.object([&] { write(json); });
    os << '\n';
  });
  if (!error)
    error = add(options.sarif, [this](llvm::raw_ostream &os) { writeSarif(os, all); });
  if (!error)
    error = add(options.newSuppressions, [this](llvm::raw_ostream &os) {
      std::vector<Suppressible> fresh;
      for (const NamedFinding &named : all)
        if (!named.isSuppressed)
          fresh.push_back(named.suppressible());
      Suppressions::write(os, fresh);
    });
  return error ? std::move(error) : set.commit();
}
