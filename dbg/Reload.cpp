// A newer program in place of the old one.
#include "dbg/Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg {

namespace {
/// How a place is found again when the code around it has changed.
struct LastingName {
  std::string text; ///< for parseLocation
  std::string shown;
};
} // namespace

/// By its line when the user named one, else by its label.
static LastingName lastingName(const Executable &program, const Location &location) {
  if (location.addresses.empty())
    return {location.text, location.text}; // it was lost before, and may come back
  u64 address = location.addresses.front();
  std::optional<SourceLine> line = location.line ? program.line(address) : std::nullopt;
  if (!line)
    return {program.describe(address), program.describe(address)};
  std::string number = ":" + std::to_string(line->line);
  return {line->file + number, (sys::path::filename(line->file) + number).str()};
}

/// The context that was number `old`, by its name; else by its number; else any that launches something.
u32 Session::contextLike(u32 old, ArrayRef<std::string> oldNames) const {
  FrontEnd::Contexts all = work->run().contexts();
  auto launches = [&](u32 context) { return context < all.size() && !work->launches(context).empty(); };
  for (const auto &context : all)
    if (!isAlone() && context->name() == oldNames[old] && launches(context->id()))
      return context->id();
  return launches(old) ? old : contextToBeginWith();
}

std::vector<std::string> Session::reload(std::unique_ptr<runtime::Prepared> newer) {
  std::vector<LastingName> names;
  for (const Breakpoint &point : points.all())
    names.push_back(lastingName(point.program ? *point.program : executable(), point.location));
  std::vector<std::string> contexts;
  for (const auto &context : work->run().contexts())
    contexts.push_back(context->name());

  // All that refers to the old grid goes before it.
  if (monitor)
    watch(false);
  monitor.reset();
  history.reset();
  machine = nullptr;
  jumps.clear();
  marks.clear();
  last.reset();
  before.reset();
  current = SessionState::NotStarted;
  work = std::move(newer);
  const u32 focused = contextLike(where.context, contexts);

  std::vector<std::string> notes;
  for (size_t i = 0; i < names.size(); ++i) {
    Breakpoint &point = points.all()[i];
    if (point.kind == Breakpoint::Watch) {
      // Buffers may lie elsewhere now; what only a running warp can tell stays as it is.
      point.place.context = contextLike(point.place.context, contexts);
      where = {.context = point.place.context};
      Expected<Place> place = Expression::placeOf(point.text, context());
      if (!place) {
        consumeError(place.takeError());
        continue;
      }
      place->cta = point.place.cta;
      place->warp = point.place.warp;
      place->context = point.place.context;
      point.place = *place;
    } else if (point.kind == Breakpoint::Code) {
      point.context = contextLike(point.context, contexts);
      where = {.context = point.context};
      Expected<PlaceInCode> found = findCode(names[i].text);
      point.program = found ? found->program : &executable();
      if (found) {
        std::string text = std::move(point.location.text);
        point.location = std::move(found->location);
        point.location.text = std::move(text);
        continue;
      }
      consumeError(found.takeError());
      point.location.addresses.clear();
      point.location.text = names[i].text;
      notes.push_back("Breakpoint " + std::to_string(point.id) + " has no place now: " + names[i].shown);
    }
  }
  where = {.context = focused};
  armBreakpoints();
  return notes;
}

} // namespace leno::dbg
