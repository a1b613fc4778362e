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
static LastingName lastingName(const Session &session, const Location &location) {
  if (location.addresses.empty())
    return {location.text, location.text}; // it was lost before, and may come back
  u64 address = location.addresses.front();
  std::optional<SourceLine> line = location.line ? session.executable().line(address) : std::nullopt;
  if (!line)
    return {session.describe(address), session.describe(address)};
  std::string number = ":" + std::to_string(line->line);
  return {line->file + number, (sys::path::filename(line->file) + number).str()};
}

std::vector<std::string> Session::reload(std::unique_ptr<runtime::PreparedLaunch> launch) {
  std::vector<LastingName> names;
  for (const Breakpoint &point : points.all())
    names.push_back(lastingName(*this, point.location));

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
  where = Focus();
  current = SessionState::NotStarted;
  prepared = std::move(launch);

  std::vector<std::string> notes;
  for (size_t i = 0; i < names.size(); ++i) {
    Breakpoint &point = points.all()[i];
    if (point.kind == Breakpoint::Watch) {
      // Buffers may lie elsewhere now; what only a running warp can tell stays as it is.
      Expected<Place> place = Expression::placeOf(point.text, context());
      if (!place) {
        consumeError(place.takeError());
        continue;
      }
      place->cta = point.place.cta;
      place->warp = point.place.warp;
      point.place = *place;
    } else if (point.kind == Breakpoint::Code) {
      Expected<Location> found = parseLocation(names[i].text, *this, context());
      if (found) {
        std::string text = std::move(point.location.text);
        point.location = std::move(*found);
        point.location.text = std::move(text);
        continue;
      }
      consumeError(found.takeError());
      point.location.addresses.clear();
      point.location.text = names[i].text;
      notes.push_back("Breakpoint " + std::to_string(point.id) + " has no place now: " + names[i].shown);
    }
  }
  armBreakpoints();
  return notes;
}

} // namespace leno::dbg
