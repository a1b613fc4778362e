#include "runtime/checks/MemoryCheck.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace leno;
using namespace leno::checks;
using llvm::formatv;

/// Bytes of memory in which a launch's pointers are looked for, at most.
static constexpr u64 mostSearched = u64(1) << 24;
static constexpr size_t mostReleased = 1000;
static constexpr unsigned stackPointer = 1;

static const char *nameOf(MemoryAccess::Kind kind) {
  return kind == MemoryAccess::Kind::Load ? "load" : kind == MemoryAccess::Kind::Store ? "store" : "atomic";
}

static std::string bytesText(u64 bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

MemoryCheck::GridKey MemoryCheck::keyOf(const GridRun &grid) {
  return {grid.device().contextId(), grid.gridId()};
}

MemoryCheck::Grid *MemoryCheck::gridOf(const GridRun &grid) {
  if (last == &grid)
    return lastGrid;
  auto found = grids.find(keyOf(grid));
  last = &grid;
  return lastGrid = found == grids.end() ? nullptr : &found->second;
}

Finding MemoryCheck::findingAt(const GridRun &grid, const char *kind, std::string text, Action action) const {
  Finding finding;
  finding.check = "memory";
  finding.kind = kind;
  finding.text = std::move(text);
  finding.context = grid.device().contextId();
  finding.launch = grid.gridId();
  finding.first = std::move(action);
  return finding;
}

//===--- Launches ---------------------------------------------------------===//

/// The value of a parameter.
static u64 valueOf(const LaunchSpec &spec, u32 offset, unsigned bytes) {
  u64 value = 0;
  u64 at = offset - parameterBase;
  if (at + bytes <= spec.parameters.size())
    std::memcpy(&value, spec.parameters.data() + at, bytes);
  return value;
}

void MemoryCheck::gridStart(const GridRun &run) {
  last = nullptr;
  Grid &grid = grids[keyOf(run)];
  grid = {};
  if (programOf)
    grid.running = programOf(run);
  if (!grid.running.kernel)
    return;
  for (const KernelParam &param : grid.running.kernel->params) {
    u64 value = valueOf(run.launch(), param.offset, paramTypeSize(param.type));
    if (const AddressSpace::Allocation *buffer = run.device().memory().find(value))
      grid.given.push_back({buffer->window.base, buffer->end()});
    if (param.element && value % info(*param.element).partSize() != 0)
      findings.add(
          findingAt(run, "misaligned-pointer",
                    formatv("the parameter '{0}' is {1:x}, and {2} wants a multiple of {3}", param.name,
                            value, param.typeText(), bytesText(info(*param.element).partSize())),
                    {}));
  }
  auto provenance =
      std::make_shared<const Provenance>(*grid.running.executable, *grid.running.kernel, run.program());
  if (provenance->knowsAny())
    grid.provenance = std::move(provenance);
}

void MemoryCheck::gridEnd(const GridRun &run) {
  last = nullptr;
  grids.erase(keyOf(run));
}

//===--- Traps and the host ----------------------------------------------===//

void MemoryCheck::trap(const GridRun &run, const Trap &trap) {
  const char *kind = trap.kind == TrapKind::AddressOutOfRange        ? "out-of-bounds"
                     : trap.kind == TrapKind::MisalignedAddress      ? "misaligned"
                     : trap.kind == TrapKind::InvalidConstantAddress ? "constant-out-of-bounds"
                                                                     : nullptr;
  if (!kind)
    return;
  Action action;
  action.what = "access";
  action.pc = trap.pc;
  action.cta = trap.cta;
  action.warp = trap.warp;
  action.lanes = trap.lanes;
  action.calls = trap.calls;
  std::vector<std::string> notes;
  if (trap.hasAddress && trap.kind == TrapKind::AddressOutOfRange) {
    u32 context = run.device().contextId();
    for (const Released &gone : llvm::reverse(released[context])) {
      if (trap.address - gone.begin >= gone.end - gone.begin)
        continue;
      kind = "use-after-release";
      notes.push_back(formatv("{0} into '{1}' ({2} at {3:x}), which has been released",
                              bytesText(trap.address - gone.begin), gone.name,
                              bytesText(gone.end - gone.begin), gone.begin));
      break;
    }
  }
  if (findings.counts(kind, trap.pc, 0))
    return;
  Finding finding = findingAt(run, kind, trap.detail, std::move(action));
  finding.notes = std::move(notes);
  findings.add(std::move(finding));
}

void MemoryCheck::host(const HostEvent &event) {
  if (event.kind != HostEvent::Releases)
    return;
  std::vector<Released> &list = released[event.context];
  if (list.size() == mostReleased)
    list.erase(list.begin());
  list.push_back({event.address, event.address + event.bytes, std::string(event.name)});
}

//===--- Accesses ---------------------------------------------------------===//

void MemoryCheck::memory(const Warp &warp, const Op &op, const MemoryAccess &access) {
  Grid *grid = gridOf(warp.grid());
  if (!grid || !access.lanes)
    return;
  if (access.space == MemorySpace::Global)
    return global(warp, op, access, *grid);
  if (!grid->provenance)
    return;
  const Provenance::Access &meant = grid->provenance->of(warp.addressOf(op) / 8);
  if (access.space == MemorySpace::Shared && meant.variable != Provenance::nothing)
    shared(warp, op, access, *grid, unsigned(meant.variable));
  else if (access.space == MemorySpace::Local && meant.frameBytes != Provenance::nothing)
    local(warp, op, access, meant);
}

template <class F> static LaneMask lanesWhere(const MemoryAccess &access, F &&holds) {
  LaneMask found = 0;
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    unsigned lane = unsigned(std::countr_zero(left));
    if (holds(lane, access.addresses[lane]))
      found |= LaneMask(1) << lane;
  }
  return found;
}

void MemoryCheck::shared(const Warp &warp, const Op &op, const MemoryAccess &access, Grid &grid,
                         unsigned number) {
  const SharedVariable &variable = grid.running.kernel->shared[number];
  LaneMask wrong = lanesWhere(access, [&](unsigned, u64 address) {
    return address - variable.offset >= variable.bytes ||
           access.bytes > variable.bytes - (address - variable.offset);
  });
  u64 pc = warp.addressOf(op);
  if (!wrong || findings.counts("past-shared-variable", pc, 0))
    return;
  unsigned lane = unsigned(std::countr_zero(wrong));
  u64 address = access.addresses[lane], end = variable.offset + u64(variable.bytes);
  std::string where = address < variable.offset
                          ? formatv("{0} before its beginning", bytesText(variable.offset - address)).str()
                      : address < end ? "across its end"
                      : address > end ? formatv("{0} past its end", bytesText(address - end)).str()
                                      : "just past its end";
  Finding finding = findingAt(
      warp.grid(), "past-shared-variable",
      formatv("lane {0} accesses {1} at {2:x} of shared memory by the name of '{3}' ({4} at {5:x}), {6}",
              lane, bytesText(access.bytes), address, variable.name, bytesText(variable.bytes),
              variable.offset, where),
      actionOf(warp, op, nameOf(access.kind), wrong));
  finding.space = MemorySpace::Shared;
  finding.address = address;
  finding.bytes = access.bytes;
  findings.add(std::move(finding));
}

void MemoryCheck::local(const Warp &warp, const Op &op, const MemoryAccess &access,
                        const Provenance::Access &meant) {
  if (access.kind == MemoryAccess::Kind::Load && !meant.isIndexed)
    return;
  auto endOf = [&](unsigned lane) {
    return u64(warp.readRegister(stackPointer, lane)) + u64(meant.frameBytes);
  };
  LaneMask wrong = lanesWhere(
      access, [&](unsigned lane, u64 address) { return u32(address) + u64(access.bytes) > endOf(lane); });
  u64 pc = warp.addressOf(op);
  if (!wrong || findings.counts("past-frame", pc, 0))
    return;
  unsigned lane = unsigned(std::countr_zero(wrong));
  u64 address = u32(access.addresses[lane]), end = endOf(lane);
  Finding finding =
      findingAt(warp.grid(), "past-frame",
                formatv("lane {0} accesses {1} at {2:x} of local memory, {3} its frame, which ends at {4:x}",
                        lane, bytesText(access.bytes), address,
                        address < end    ? "across the end of"
                        : address == end ? "just past"
                                         : formatv("{0} past", bytesText(address - end)).str(),
                        end),
                actionOf(warp, op, nameOf(access.kind), wrong));
  finding.space = MemorySpace::Local;
  finding.address = address;
  finding.bytes = access.bytes;
  finding.notes.push_back(
      formatv("its function has {0} of local memory from R1 on", bytesText(meant.frameBytes)));
  findings.add(std::move(finding));
}

//===--- Buffers that a launch was not given --------------------------------===//

void MemoryCheck::global(const Warp &warp, const Op &op, const MemoryAccess &access, Grid &grid) {
  // The highest bit of a difference tells that it is below zero.
  auto holds = [&](const Range &range) {
    u64 below = 0;
    if (access.lanes == ~LaneMask(0))
      for (unsigned lane = 0; lane < laneCount; ++lane)
        below |= (access.addresses[lane] - range.begin) | (range.end - 1 - access.addresses[lane]);
    else
      for (LaneMask left = access.lanes; left; left &= left - 1) {
        u64 address = access.addresses[std::countr_zero(left)];
        below |= (address - range.begin) | (range.end - 1 - address);
      }
    return !(below >> 63);
  };
  u64 first = access.addresses[std::countr_zero(access.lanes)];
  for (const Range &range : grid.given)
    if (first - range.begin < range.end - range.begin) {
      if (holds(range))
        return;
      break;
    }
  const AddressSpace &space = warp.grid().device().memory();
  LaneMask wrong = lanesWhere(access, [&](unsigned, u64 address) {
    auto has = [&](const Range &range) { return address - range.begin < range.end - range.begin; };
    if (llvm::any_of(grid.given, has))
      return false;
    const AddressSpace::Allocation *buffer = space.find(address);
    if (!buffer)
      return false; // a trap
    bool isForeign = llvm::any_of(grid.foreign, has);
    if (!isForeign) {
      isForeign = !isGiven(warp.grid(), grid, *buffer);
      (isForeign ? grid.foreign : grid.given).push_back({buffer->window.base, buffer->end()});
    }
    return isForeign;
  });
  if (!wrong)
    return;
  u64 pc = warp.addressOf(op);
  if (findings.counts("foreign-buffer", pc, 0))
    return;
  unsigned lane = unsigned(std::countr_zero(wrong));
  u64 address = access.addresses[lane];
  Finding finding = findingAt(
      warp.grid(), "foreign-buffer",
      formatv(
          "lane {0} accesses {1} at {2:x} of global memory, in a buffer that nothing this launch was given "
          "points to",
          lane, bytesText(access.bytes), address),
      actionOf(warp, op, nameOf(access.kind), wrong));
  finding.space = MemorySpace::Global;
  finding.address = address;
  finding.bytes = access.bytes;
  const Range *near = nullptr;
  auto distance = [&](const Range &range) {
    return address < range.begin ? range.begin - address : address - range.end;
  };
  for (const Range &range : grid.given)
    if (!near || distance(range) < distance(*near))
      near = &range;
  if (near)
    if (const AddressSpace::Allocation *given = space.find(near->begin))
      finding.notes.push_back(formatv("{0} {1} '{2}' ({3} at {4:x}), which it was given",
                                      bytesText(distance(*near)),
                                      address < near->begin ? "before" : "past the end of", given->name,
                                      bytesText(given->window.size), given->window.base));
  findings.add(std::move(finding));
}

/// Whether parameters, constants, or words of the memory that they lead to point into a buffer, or just past
/// it. In doubt they do.
bool MemoryCheck::isGiven(const GridRun &run, Grid &grid, const AddressSpace::Allocation &wanted) {
  if (!grid.running.kernel)
    return true;
  const AddressSpace &space = run.device().memory();
  std::vector<const AddressSpace::Allocation *> reached;
  std::set<u64> bases;
  bool isFound = false;
  const u64 lowest = space.allocations().begin()->first;
  const u64 highest = std::prev(space.allocations().end())->second.end();
  auto reach = [&](u64 word) {
    if (word < lowest || word > highest)
      return;
    const AddressSpace::Allocation *buffer = space.find(word);
    if (!buffer)
      buffer = space.find(word - 1); // just past its end
    if (!buffer || !bases.insert(buffer->window.base).second)
      return;
    isFound |= buffer == &wanted;
    reached.push_back(buffer);
  };
  auto search = [&](llvm::ArrayRef<uint8_t> bytes) {
    for (size_t at = 0; at + 4 <= bytes.size() && !isFound; at += 4) {
      u32 half = 0;
      std::memcpy(&half, bytes.data() + at, 4);
      reach(half);
      u64 word = 0;
      if (at + 8 <= bytes.size())
        std::memcpy(&word, bytes.data() + at, 8);
      reach(word);
    }
  };
  if (grid.running.globalBase)
    reach(grid.running.globalBase);
  search(run.launch().parameters);
  const auto &words = run.launch().hostWords; // printf's buffer
  search({reinterpret_cast<const uint8_t *>(words.data()), sizeof(words)});
  for (unsigned bank = 1; bank < ConstantBanks::count; ++bank)
    search(run.constants().bank(bank));
  u64 searched = 0;
  for (size_t k = 0; k < reached.size() && !isFound; ++k) {
    searched += reached[k]->window.size;
    if (searched > mostSearched) {
      ++unseen;
      return true;
    }
    search({reached[k]->window.host, size_t(reached[k]->window.size)});
  }
  return isFound;
}

std::string MemoryCheck::limits() const {
  if (!unseen)
    return "";
  return formatv("buffers taken as given because a launch has more than 16 MiB in which pointers to them may "
                 "stand: {0}",
                 unseen);
}
