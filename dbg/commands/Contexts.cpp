//===- Contexts.cpp - context, info contexts, info sms of contexts --------===//
#include "dbg/Change.h"
#include "dbg/Interpreter.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

/// "1" or "urgent".
static Expected<u32> contextNamed(Interpreter &in, StringRef text) {
  FrontEnd::Contexts all = in.session.prepared().run().contexts();
  for (const auto &context : all)
    if (text == context->name())
      return context->id();
  u32 number;
  if (!text.getAsInteger(10, number) && number < all.size())
    return number;
  std::string names =
      join(map_range(all, [&](const auto &context) { return in.session.focus().contextName(context->id()); }),
           ", ");
  return textError(text, 0, "there is no context '" + text + "'; there are " + names);
}

/// Of those of a context that overlap.
static Error focusOnLaunch(Interpreter &in, u32 context, u32 number) {
  ArrayRef<GridInFlight> flights = in.session.prepared().run().contexts()[context]->grids();
  for (const GridInFlight &grid : flights)
    if (grid.record == number) {
      in.session.focus().setLaunch(*grid.run);
      return in.session.focus().setContext(context);
    }
  std::string known =
      join(map_range(flights, [](const GridInFlight &grid) { return std::to_string(grid.record); }), ", ");
  return createStringError(formatv("launch {0} of context '{1}' does not run now; {2}", number,
                                   in.session.focus().contextName(context),
                                   known.empty() ? "none of it does" : "those that do are " + known));
}

static Error context(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  if (in.session.isAlone()) {
    if (!text.empty() && text != "0")
      return textError(text, 0, "a launch under the debugger is alone: its context is number 0");
    in.note({{"kind", "context"}, {"context", 0}});
    in.out << "[context 0]\n";
    return Error::success();
  }
  if (!text.empty()) {
    auto [name, launch] = text.rsplit(' ');
    u32 index;
    bool hasLaunch = !launch.empty() && !launch.getAsInteger(10, index);
    Expected<u32> number = contextNamed(in, hasLaunch ? name.rtrim() : text);
    if (!number)
      return number.takeError();
    if (Error error = hasLaunch ? focusOnLaunch(in, *number, index) : in.session.focus().setContext(*number))
      return error;
    in.listNext.reset();
  }
  u32 focus = in.session.focus().position().context;
  in.note(
      {{"kind", "context"}, {"context", int64_t(focus)}, {"name", in.session.focus().contextName(focus)}});
  std::string which;
  if (in.session.prepared().run().contexts()[focus]->grids().size() > 1)
    which = formatv("launch {0}, ", in.session.focus().grid().gridId() - 1);
  in.out << formatv("[context {0}, {1}{2}", in.session.focus().contextName(focus), which,
                    in.session.focus().gridIfAny() ? "kernel " + in.session.focus().kernel().name
                                                   : "no kernel runs");
  Warp *warp = in.session.focus().warp();
  if (warp)
    in.out << formatv(", cta {0} warp {1}, {2}", describeIndex(warp->cta().index()), warp->index(),
                      in.describePlace(warp->pcBytes()));
  else if (in.session.focus().gridIfAny())
    in.out << ", no cta on an SM";
  in.out << "]\n";
  if (!text.empty() && warp)
    in.printCurrentLine();
  return Error::success();
}

//===--- What a context shall have ------------------------------------------===//

/// "urgent 3", or "3" of the context in focus.
static Error setShare(Interpreter &in, StringRef text, Change::Kind kind) {
  const char *what = kind == Change::Priority ? "priority" : "sms";
  auto [name, number] = text.trim().rsplit(' ');
  if (number.empty())
    std::swap(name, number);
  Expected<u32> context =
      name.empty() ? in.session.focus().position().context : contextNamed(in, name.rtrim());
  if (!context)
    return context.takeError();
  int priority = 0;
  unsigned sms = 0;
  bool isPriority = kind == Change::Priority;
  if (isPriority ? number.getAsInteger(0, priority) : number.getAsInteger(0, sms) || sms > 1024)
    return textError(text, text.size() - number.size(),
                     Twine("expected ") + (isPriority ? "an integer" : "a number of SMs, to 1024") +
                         ", as in set " + what + " " + in.session.focus().contextName(*context) + " 2");
  Change change{};
  change.kind = kind;
  change.context = *context;
  change.value = isPriority ? u32(priority) : sms;
  const Machine &machine = in.session.prepared().run();
  if (Error error = machine.checkShare(*machine.contexts()[*context], change.share()))
    return error;
  in.session.timeline().perform(std::move(change));
  in.note({{"kind", what}, {"context", int64_t(*context)}, {"value", isPriority ? int64_t(priority) : int64_t(sms)}});
  in.out << formatv("[context {0}, {1} {2}]\n", in.session.focus().contextName(*context), what, number);
  return Error::success();
}

static Error setPriority(Interpreter &in, const Invocation &invocation) {
  return setShare(in, invocation.arguments, Change::Priority);
}

static Error setSms(Interpreter &in, const Invocation &invocation) {
  return setShare(in, invocation.arguments, Change::Sms);
}

//===--- Tables -----------------------------------------------------------===//

static std::string stateOf(Interpreter &in, const Context &context) {
  if (!context.alive())
    return "ended";
  if (in.session.trappedContext() == &context)
    return "trapped";
  if (context.grid())
    return context.grid()->residentCtas().empty() ? "starting" : context.sms() ? "running" : "off the SMs";
  return context.pushbuffer().empty() ? "idle" : "waiting";
}

static std::string waitsFor(Interpreter &in, Context &context) {
  if (!context.alive())
    return StringRef(context.whyEnded()).split('\n').first.str();
  if (const GridRun *grid = context.grid()) {
    if (!context.storage().empty())
      return formatv("an SM, for {0} saved bytes", context.storage().bytes());
    return grid->hasCtasToHandOut() ? "room for ctas" : "-";
  }
  if (context.pushbuffer().empty())
    return "-";
  const runtime::Prepared &contexts = in.session.prepared();
  const leno::Command &next = context.pushbuffer().front();
  if (const auto *acquire = std::get_if<SemaphoreAcquire>(&next))
    return formatv("semaphore {0}: {1}, it is {2}", contexts.semaphoreName(acquire->semaphore),
                   acquire->value, in.session.prepared().run().semaphores().value(acquire->semaphore));
  if (const auto *later = std::get_if<NotBefore>(&next))
    return formatv("cycle {0}", later->cycle);
  return "the front end";
}

static Error contexts(Interpreter &in, const Invocation &) {
  Table table(
      {" ", "Context", "Priority", "State", "Kernel", "SMs", "Granted", "Blocked", "Commands", "Waits for"});
  if (in.session.isAlone()) {
    in.note({{"kind", "context"}, {"context", 0}});
    in.out << "A launch under the debugger is alone: its context is number 0.\n";
    return Error::success();
  }
  Machine &device = in.session.prepared().run();
  for (const auto &one : device.contexts()) {
    std::string kernels = join(map_range(one->grids(),
                                         [&](const GridInFlight &grid) {
                                           return in.session.focus().launchOf(*grid.run).kernel.name;
                                         }),
                               ", ");
    table.row({one->id() == in.session.focus().position().context ? "*" : " ",
               in.session.focus().contextName(one->id()), std::to_string(one->priority()), stateOf(in, *one),
               kernels.empty() ? "-" : kernels, std::to_string(one->sms()), std::to_string(one->smsGranted()),
               std::to_string(one->counts().blockedCycles), std::to_string(one->pushbuffer().size()),
               waitsFor(in, *one)});
  }
  table.print(in.out);
  in.out << formatv("cycle {0}\n", device.cycle());
  return Error::success();
}

Error tellSmsOfContexts(Interpreter &in, const Invocation &) {
  Machine &device = in.session.prepared().run();
  Table table({" ", "SM", "Owner", "Holder", "State", "CTAs", "Warps"});
  const Warp *focused = in.session.focus().warp();
  auto name = [&](const Context *context) {
    return context ? in.session.focus().contextName(context->id()) : "-";
  };
  for (size_t i = 0; i < device.places().size(); ++i) {
    const Machine::Slot &slot = device.places()[i];
    const StreamingMultiprocessor *part = slot.state == Machine::Slot::Saving ? nullptr : slot.part;
    std::string state = slot.drains ? "drains" : part && part->residentWarps() ? "runs" : "empty";
    if (slot.state != Machine::Slot::Ready)
      state = formatv("{0} until cycle {1}", slot.state == Machine::Slot::Saving ? "saves" : "restores",
                      slot.busyUntil);
    table.row({focused && part == &focused->cta().multiprocessor() ? "*" : " ",
               std::to_string(i / device.placesPerSm()), name(slot.owner), name(slot.holder), state,
               std::to_string(part ? part->residentCtas().size() : 0),
               std::to_string(part ? part->residentWarps() : 0)});
  }
  table.print(in.out);
  in.out << formatv("cycle {0}\n", device.cycle());
  return Error::success();
}

ArrayRef<Command> contextCommands() {
  static constexpr Command commands[] = {
      {"context", "", Command::Focusing, Command::AnyContext, "[NAME | NUMBER [LAUNCH]]",
       "focus a context, or tell which is",
       "Of several contexts on one device (leno-dbg --contexts) one is in focus: its program and kernel are "
       "what "
       "locations,\n"
       "views and expressions mean, and breakpoints are set in its launches. A stop in another context takes "
       "the focus\n"
       "there. Of launches that overlap one is in focus, the oldest until a stop or LAUNCH names another; "
       "the first of "
       "a\n"
       "context is number 0. A launch under the debugger has the machine for itself: its context is number "
       "0.\n"
       "\n"
       "(leno) context 0",
       context},
      {"info contexts", "", Command::Looking, Command::AnyContext | Command::NoArguments, "",
       "list the contexts on the device",
       "What each runs, how many SMs have its state and how many it shall have, the cycles its work was "
       "blocked because it\n"
       "waited for an SM, the commands that are left in its pushbuffer, and what it waits for.\n"
       "\n"
       "(leno) info contexts",
       contexts},
      {"set priority", "", Command::Focusing, Command::AnyContext | Command::NeedsRunnable, "[CONTEXT] NUMBER",
       "give a context another priority",
       "Contexts of higher priority get SMs first. SMs change hands from the next cycle on, whatever runs; "
       "going back in time\n"
       "undoes it. Without CONTEXT, a name or a number, it is the one in focus.\n"
       "\n"
       "(leno) set priority 3",
       setPriority},
      {"set sms", "", Command::Focusing, Command::AnyContext | Command::NeedsRunnable, "[CONTEXT] NUMBER",
       "give a context another part of a static split",
       "With contexts.allocation=static: how many SMs it shall have from the next cycle on; 0 is an equal "
       "part of what the\n"
       "others leave. Going back in time undoes it. Without CONTEXT, a name or a number, it is the one in "
       "focus.\n"
       "\n"
       "(leno) set sms 2",
       setSms},
  };
  return commands;
}

} // namespace leno::dbg
