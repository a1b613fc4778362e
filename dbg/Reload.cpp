// A newer program in place of the old one.
#include "dbg/Session.h"
#include "dbg/source/Steps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
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

/// A label, or a line with its file: any program may have it.
static bool isForAnyProgram(StringRef text) {
  return !text.empty() && (text.contains(':') || !StringRef("*$+-0123456789").contains(text[0]));
}

/// By its line when the user named one, else by its label. Launches of a host program are of many programs.
static LastingName lastingName(const Executable &program, const Location &location, bool areMany) {
  if (areMany && isForAnyProgram(location.text))
    return {location.text, location.text};
  if (location.addresses.empty())
    return {location.text, location.text}; // it was lost before, and may come back
  u64 address = location.addresses.front();
  std::optional<SourceLine> line = location.line ? program.line(address) : std::nullopt;
  if (!line)
    return {program.describe(address), program.describe(address)};
  std::string number = ":" + std::to_string(line->line);
  return {line->file + number, (sys::path::filename(line->file) + number).str()};
}

/// OpenCL's programs come as text, whose file the debugger does not know: the line of the program's source that is a
/// line of the user's file, when that has been given as it is, alone or behind other text.
static std::optional<std::string> lineOfSameText(const Executable &program, StringRef text) {
  auto [file, number] = text.rsplit(':');
  unsigned line;
  auto wanted = MemoryBuffer::getFile(file);
  if (number.getAsInteger(10, line) || !wanted || (*wanted)->getBuffer().empty())
    return std::nullopt;
  for (const std::string &name : program.files()) {
    SmallString<128> path(sys::path::is_absolute(name) ? "" : program.lineTable().directoryOf(name));
    sys::path::append(path, name);
    auto source = MemoryBuffer::getFile(path);
    if (!source)
      continue;
    size_t at = (*source)->getBuffer().find((*wanted)->getBuffer());
    if (at != StringRef::npos && (at == 0 || (*source)->getBuffer()[at - 1] == '\n'))
      return name + ":" + std::to_string(line + (*source)->getBuffer().take_front(at).count('\n'));
  }
  return std::nullopt;
}

static Expected<CodePlaces::Found> findPlace(const Session &session, StringRef text) {
  Expected<CodePlaces::Found> found = session.code().find(text);
  std::optional<std::string> other =
      found || !session.program() ? std::nullopt : lineOfSameText(session.focus().executable(), text);
  if (!other)
    return found;
  consumeError(found.takeError());
  return session.code().find(*other);
}

Expected<CodePlaces::Found> Session::placeOfBreakpoint(StringRef text) const {
  Expected<CodePlaces::Found> found = findPlace(*this, text);
  if (found)
    goBehindPrologue(theFocus, text, *found->program, found->location.addresses);
  else if (theProgram && isForAnyProgram(text)) {
    consumeError(found.takeError());
    found = CodePlaces::Found{{{}, text.str()}, &theFocus.executable()};
  }
  return found;
}

std::vector<std::string> Session::reload(std::unique_ptr<runtime::Prepared> newer) {
  std::vector<LastingName> names;
  for (const Breakpoint &point : theStops.breakpoints().all())
    names.push_back(lastingName(point.program ? *point.program : theFocus.executable(), point.location,
                                theProgram != nullptr));
  std::vector<std::string> contexts;
  for (const auto &context : work->run().contexts())
    contexts.push_back(context->name());

  // All that refers to the old grid goes before it.
  theStops.detach();
  theFocus.setTimeline(nullptr);
  theFocus.forgetPast();
  history.reset();
  machine = nullptr;
  jumps.clear();
  marks.clear();
  last.reset();
  current = SessionState::NotStarted;
  theFocus.setProgram(*newer, /*staysThere=*/theProgram != nullptr);
  work = std::move(newer);
  const u32 focused = theFocus.contextLike(theFocus.position().context, contexts);

  std::vector<std::string> notes;
  for (size_t i = 0; i < names.size(); ++i) {
    Breakpoint &point = theStops.breakpoints().all()[i];
    if (point.kind == Breakpoint::Watch) {
      // Buffers may lie elsewhere now; what only a running warp can tell stays as it is.
      point.place.context = theFocus.contextLike(point.place.context, contexts);
      theFocus.moveTo(LanePosition{{.context = point.place.context}});
      Expected<Place> place = Expression::placeOf(point.text, theFocus.context());
      if (!place) {
        consumeError(place.takeError());
        continue;
      }
      static_cast<WarpPosition &>(*place) = point.place;
      point.place = *place;
    } else if (point.kind == Breakpoint::Code) {
      point.context = theFocus.contextLike(point.context, contexts);
      theFocus.moveTo(LanePosition{{.context = point.context}});
      Expected<CodePlaces::Found> found = findPlace(*this, names[i].text);
      point.program = found ? found->program : &theFocus.executable();
      if (found) {
        std::string text = std::move(point.location.text);
        point.location = std::move(found->location);
        goBehindPrologue(theFocus, names[i].text, *found->program, point.location.addresses);
        point.location.text = std::move(text);
        continue;
      }
      consumeError(found.takeError());
      point.location.addresses.clear();
      point.location.text = names[i].text;
      notes.push_back("Breakpoint " + std::to_string(point.id) + " has no place now: " + names[i].shown);
    }
  }
  theFocus.moveTo(LanePosition{{.context = focused}});
  theStops.arm();
  return notes;
}

} // namespace leno::dbg
