// The launches of a host program, one after the other.
#include "asm/LoadProgram.h"
#include "dbg/Interrupt.h"
#include "dbg/Session.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace leno::dbg {

/// Memory of earlier launches that is kept; what they share counts once.
static constexpr u64 bytesKept = u64(1) << 30;
static constexpr size_t launchesKept = 1000;

Expected<std::unique_ptr<Session>> sessionOfProgram(std::vector<std::string> command, bool printsAside) {
  auto program = Application::create(std::move(command), printsAside);
  if (!program)
    return program.takeError();
  // There is something to look at before the first launch.
  auto empty = cantFail(linkProgramText(".kernel none\nEXIT;\n.endkernel\n", "none", {}, nulls()));
  auto image = std::make_shared<runtime::LaunchImage>();
  image->file = image->kernel = "none";
  image->program = std::make_shared<const std::string>(empty.data(), empty.size());
  if (Error error = (*program)->readProgram(*image))
    return std::move(error);
  auto nothing = runtime::Prepared::create(image);
  if (!nothing)
    return nothing.takeError();
  return std::make_unique<Session>(std::move(*nothing), std::move(*program));
}

Session::HostLaunch *Session::hostLaunch(size_t number) {
  auto found = find_if(launches, [&](const HostLaunch &launch) { return launch.number == number; });
  return found == launches.end() ? nullptr : &*found;
}

Error Session::startProgram() {
  clearInterrupt();
  if (Error error = theProgram->start())
    return error;
  launches.clear();
  shown = 0;
  current = SessionState::NotStarted; // a launch of the one before is not its own
  return Error::success();
}

/// From the end of a launch, or before the first one: until something stops, or the program has ended.
StopEvent Session::runLaunches(bool stopsAtStart) {
  clearInterrupt();
  endLaunch();
  for (;;) {
    switch (theProgram->wait()) {
    case Application::Event::Ended:
      return stopped({.kind = StopEvent::ProgramEnded, .details = {"the program " + theProgram->howEnded()}});
    case Application::Event::Interrupted: // it goes on until its next launch
      clearInterrupt();
      last = StopEvent{StopEvent::Interrupted};
      return *last;
    case Application::Event::Launch:
      break;
    }
    if (Error error = takeLaunch()) {
      // Its machine does not take it: the program is told so when it runs it.
      consumeError(std::move(error));
      theProgram->answer({});
      continue;
    }
    StopEvent event = stopped({StopEvent::Start});
    if (Warp *warp = theFocus.warp(); warp && stopsAtStart)
      warp->stepOver = true; // the user sees where it stands
    if (stopsAtStart)
      return event;
    event = runFromStart();
    if (event.kind != StopEvent::Finished)
      return event;
    endLaunch();
  }
}

Error Session::takeLaunch() {
  std::shared_ptr<const runtime::LaunchImage> image = theProgram->launch();
  auto made = runtime::Prepared::create(image);
  if (!made)
    return made.takeError();
  reload(std::move(*made));
  size_t number = launches.empty() ? 1 : launches.back().number + 1;
  launches.push_back({number, image, image->kernel, image->spec.grid, image->spec.block, 0, "", nullptr});
  shown = number;
  forgetOldLaunches();
  return restart();
}

/// It has come to its end, or to a trap: the program gets what came of it, and goes on.
void Session::endLaunch() {
  if (!theProgram->launch())
    return;
  HostLaunch &launch = launches.back();
  runtime::LaunchAnswer answer;
  answer.hasRun = current == SessionState::Finished && !launch.image->isObserved;
  answer.instructions = launch.instructions = theFocus.grid().instructions();
  if (answer.hasRun)
    answer.addChanges(*launch.image, theFocus.device());
  launch.end = theFocus.trap() ? trapName(theFocus.trap()->kind) : "finished";
  launch.moment = std::make_unique<Moment>(moment());
  theProgram->answer(answer);
}

void Session::forgetOldLaunches() {
  while (launches.size() > launchesKept)
    launches.pop_front();
  for (HostLaunch &launch : launches)
    if (theProgram->bytesKept() > bytesKept && launch.number != launches.back().number)
      launch.image.reset();
}

Error Session::showLaunch(size_t number) {
  HostLaunch *to = hostLaunch(number);
  if (!to)
    return createStringError("there is no launch " + Twine(number) +
                             ": `info launches` shows those that there are");
  if (!to->image)
    return createStringError("launch " + Twine(number) + " is too long ago: its memory has been given up");
  if (number == shown)
    return Error::success();
  auto made = runtime::Prepared::create(to->image);
  if (!made)
    return made.takeError();
  if (HostLaunch *from = hostLaunch(shown))
    from->moment = std::make_unique<Moment>(moment());
  const Moment there = *to->moment;
  reload(std::move(*made));
  shown = number;
  UserValues values = theFocus.userValues();
  Breakpoints kept = std::exchange(theStops.breakpoints(), {});
  clearInterrupt();
  Error error = repeat(there, [] { return !interruptRequested(); });
  theStops.breakpoints() = std::move(kept);
  theStops.arm();
  theFocus.userValues() = std::move(values);
  return error;
}

} // namespace leno::dbg
