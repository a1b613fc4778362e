#include "runtime/checks/Checks.h"
#include "emu/engine/CallPath.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "runtime/checks/InitCheck.h"
#include "runtime/checks/MemoryCheck.h"
#include "runtime/checks/RaceCheck.h"
#include "runtime/checks/SyncCheck.h"
#include "llvm/Support/Endian.h"

using namespace leno;
using namespace leno::checks;
using llvm::StringRef;

template <class T> static std::unique_ptr<Check> make() { return std::make_unique<T>(); }

static constexpr CheckRow rows[] = {
    {"memory", "accesses past what they are meant for, or after release", make<MemoryCheck>},
    {"init", "uses of what nobody has written: guards, branches, addresses, outputs", make<InitCheck>},
    {"race", "accesses without an order between them", make<RaceCheck>},
    {"sync", "barriers and locks that do not fit together", make<SyncCheck>},
};

Action checks::actionOf(const Warp &warp, const Op &op, std::string what, LaneMask lanes) {
  Action action;
  action.what = std::move(what);
  action.pc = warp.addressOf(op);
  action.cta = warp.cta().index();
  action.warp = warp.index();
  action.lanes = lanes;
  action.calls = callPath(warp);
  return action;
}

std::optional<u64> checks::valueAt(const Warp &warp, MemorySpace space, u64 address, unsigned bytes) {
  std::array<u8, 8> there{};
  llvm::MutableArrayRef<u8> part(there.data(), std::min(bytes, 8u));
  if (space == MemorySpace::Shared) {
    llvm::ArrayRef<u8> shared = warp.cta().shared();
    if (address + part.size() > shared.size())
      return std::nullopt;
    llvm::copy(shared.slice(address, part.size()), part.begin());
  } else if (llvm::errorToBool(warp.grid().device().memory().peek(address, part)))
    return std::nullopt;
  return llvm::support::endian::read64le(there.data());
}

llvm::ArrayRef<CheckRow> checks::checkRows() { return rows; }

std::string checks::checkNames() {
  std::string names;
  for (const CheckRow &row : rows)
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

llvm::Expected<std::vector<const CheckRow *>> checks::checksNamed(StringRef names) {
  std::vector<const CheckRow *> found;
  llvm::SmallVector<StringRef> asked;
  names.split(asked, ',');
  for (StringRef &name : asked) {
    name = name.trim();
    bool isKnown = name == "all" || llvm::any_of(rows, [&](const CheckRow &row) { return name == row.name; });
    if (!isKnown)
      return llvm::createStringError("there is no check '" + name + "': " + checkNames() + ", or all");
  }
  for (const CheckRow &row : rows)
    if (llvm::is_contained(asked, row.name) || llvm::is_contained(asked, "all"))
      found.push_back(&row);
  return found;
}
