#include "dbg/Focus.h"
#include "asm/support/Assert.h"
#include "asm/support/Numbers.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "runtime/ContextReport.h"
#include "runtime/TrapText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

//===--- Contexts and launches --------------------------------------------===//

u32 Focus::contextToBeginWith() const {
  for (u32 context = 0; context < work->contextCount(); ++context)
    if (!work->launches(context).empty())
      return context;
  LENO_ASSERT(false, "a session of contexts that launch nothing");
  return 0;
}

u32 Focus::contextLike(u32 old, ArrayRef<std::string> oldNames) const {
  FrontEnd::Contexts all = machine().contexts();
  auto launches = [&](u32 context) { return context < all.size() && !work->launches(context).empty(); };
  for (const auto &context : all)
    if (!context->name().empty() && context->name() == oldNames[old] && launches(context->id()))
      return context->id();
  return launches(old) ? old : contextToBeginWith();
}

std::string Focus::contextName(u32 context) const { return runtime::nameOf(*machine().contexts()[context]); }

std::string Focus::contextIfSeveral(u32 context, StringRef before, StringRef after) const {
  return work->isAlone() ? "" : (before + "context " + contextName(context) + after).str();
}

/// Of several launches of a context that overlap the one in focus, while it is in flight.
GridRun *Focus::gridOf(u32 context) const {
  GridRun *run = context == where.context ? machine().grid(context, where.launch) : nullptr;
  return run ? run : machine().grid(context);
}

GridRun &Focus::grid() const {
  GridRun *run = gridIfAny();
  LENO_ASSERT(run, "the grid of a context that runs none");
  return *run;
}

const runtime::Prepared::Launch *Focus::launchIn(u32 context) const {
  if (const GridRun *run = gridOf(context))
    return &work->launchOf(*run);
  const runtime::Prepared::Launch *launch = work->current(context);
  return launch || work->launches(context).empty() ? launch : &work->launches(context).front();
}

LaunchInFocus Focus::launchOf(u32 number) const {
  const runtime::Prepared::Launch *launch = launchIn(number);
  if (!launch) // one that launches nothing is never in focus
    return launchOf(where.context);
  return {*launch->executable, *launch->kernel,    work->device(number),
          gridOf(number),      launch->globalBase, &sourceOf(*launch->executable)};
}

LaunchInFocus Focus::launchOf(GridRun &grid) const {
  const runtime::Prepared::Launch &launch = work->launchOf(grid);
  return {*launch.executable, *launch.kernel,     grid.device(),
          &grid,              launch.globalBase, &sourceOf(*launch.executable)};
}

const source::Program &Focus::sourceOf(const Executable &program) const {
  std::unique_ptr<source::Program> &known = sources[&program];
  if (!known)
    known = std::make_unique<source::Program>(program);
  return *known;
}

void Focus::setProgram(runtime::Prepared &newer, bool staysThere) {
  if (!staysThere) {
    for (auto &[program, source] : sources)
      oldSources.push_back(std::move(source));
    sources.clear();
  }
  work = &newer;
}

std::vector<CallFrame> Focus::callFrames() const {
  Warp *here = warp();
  return dbg::callFrames(*here, &sourceOf(launchOf(here->grid()).executable));
}

const std::optional<Trap> &Focus::trap() const {
  static const std::optional<Trap> none;
  return gridIfAny() ? grid().trap() : none;
}

std::string Focus::describe(const Trap &trap) const { return runtime::describeTrap(executable(), trap); }

//===--- Warps ------------------------------------------------------------===//

bool Focus::isOnChip(const Cta &cta) const { return machine().isOnChip(*cta.warps()[0]); }

Cta *Focus::findCta(u32 context, Dim3 index, u32 launch) const {
  GridRun *run = machine().grid(context, launch);
  Cta *cta = run ? run->findCta(index) : nullptr;
  return cta && isOnChip(*cta) ? cta : nullptr;
}

Warp *Focus::warp() const {
  GridRun *run = gridIfAny();
  Cta *cta = run ? findCta(where.context, where.cta, run->gridId()) : nullptr;
  return cta && where.warp < cta->warps().size() ? cta->warps()[where.warp] : nullptr;
}

std::optional<u64> Focus::pc() const {
  Warp *found = warp();
  return found ? std::optional(found->pcBytes()) : std::nullopt;
}

void Focus::chooseLane(LaneMask lanes) {
  if (lanes && !(lanes >> where.lane & 1))
    where.lane = unsigned(__builtin_ctz(lanes));
}

void Focus::moveTo(const Warp &warp) {
  moveTo(WarpPosition::of(warp));
  chooseLane(warp.active);
}

void Focus::moveToContext(u32 number) {
  if (where.context != number)
    where = {{.context = number}};
  if (warp() || !gridIfAny())
    return;
  for (Cta *cta : grid().residentCtas())
    if (isOnChip(*cta))
      return moveTo(*cta->warps()[0]);
}

Error Focus::setContext(u32 number) {
  if (work->launches(number).empty())
    return createStringError("context '" + contextName(number) +
                             "' launches no kernel: there is nothing of it to look at");
  moveToContext(number);
  return Error::success();
}

void Focus::setLaunch(const GridRun &grid) {
  if (&grid != gridIfAny())
    where = {{.context = grid.device().contextId()}};
  where.launch = grid.gridId();
}

Error Focus::set(Dim3 index, unsigned warp, unsigned lane) {
  Dim3 size = grid().launch().grid;
  if (index.x >= size.x || index.y >= size.y || index.z >= size.z)
    return createStringError(formatv("there is no cta {0}: the grid is {1} x {2} x {3}", describeIndex(index),
                                     size.x, size.y, size.z));
  Cta *cta = grid().findCta(index);
  if (!cta)
    return createStringError(
        "cta " + describeIndex(index) +
        " does not run now: it has finished or has not started; `info ctas` shows those that do");
  if (warp >= cta->warps().size())
    return createStringError(
        formatv("there is no warp {0}: a cta has {1}", warp, plural(cta->warps().size(), "warp")));
  if (!isOnChip(*cta))
    return createStringError("the state of cta " + describeIndex(index) +
                             " is in context storage: it can be looked at once an SM has restored it");
  where = {{index, warp, where.context, where.launch}, lane};
  return Error::success();
}

Place Focus::own(Place place) const {
  static_cast<WarpPosition &>(place) = where;
  place.launch = gridIfAny() ? grid().gridId() : 0;
  return place;
}

//===--- Its past ---------------------------------------------------------===//

void Focus::keepPast() {
  before.reset();
  if (Warp *now = warp())
    before.emplace(*now);
}

const WarpPast *Focus::past() const {
  Warp *now = warp();
  return now && before && before->isOf(*now) ? &*before : nullptr;
}

//===--- As it is written -------------------------------------------------===//

Expected<Dim3> parseIndex(StringRef text) {
  StringRef inner = text.trim();
  if (inner.starts_with("(") && inner.ends_with(")") && inner.size() > 1)
    inner = inner.drop_front().drop_back();
  SmallVector<StringRef, 4> parts;
  inner.split(parts, ',');
  if (parts.size() > 3)
    return textError(text, columnIn(text, parts[3]), "an index has at most three coordinates: X,Y,Z");
  u32 values[3] = {};
  for (size_t i = 0; i < parts.size(); ++i) {
    StringRef part = parts[i].trim();
    ScannedInteger scanned = scanInteger(part);
    if (scanned.status != ScannedInteger::Ok || scanned.negative || scanned.magnitude > 0xffffffff)
      return textError(text, columnIn(text, parts[i]), "expected an index such as 3, 3,1 or 3,1,0");
    values[i] = u32(scanned.magnitude);
  }
  return Dim3{values[0], values[1], values[2]};
}

Expected<unsigned> parseNumber(StringRef text, unsigned most, StringRef what) {
  StringRef part = text.trim();
  ScannedInteger scanned = scanInteger(part);
  if (scanned.status != ScannedInteger::Ok || scanned.negative || scanned.magnitude > most)
    return textError(text, part.empty() ? text.size() : columnIn(text, part),
                     what + " is a number from 0 to " + Twine(most));
  return unsigned(scanned.magnitude);
}

} // namespace leno::dbg
