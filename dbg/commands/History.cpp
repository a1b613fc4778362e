//===- History.cpp - reverse-step, reverse-continue, info history ---------===//
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

static Error tellIf(Interpreter &in, Expected<StopEvent> event) {
  return event ? in.tell(*event) : event.takeError();
}

template <bool overCalls> static Error reverseInstruction(Interpreter &in, const Invocation &invocation) {
  Expected<u64> count = countOf(invocation);
  return count ? tellIf(in, in.session.reverseInstructions(*count, overCalls)) : count.takeError();
}

template <bool overCalls> static Error reverseLine(Interpreter &in, const Invocation &invocation) {
  Expected<u64> count = countOf(invocation);
  return count ? tellIf(in, in.session.reverseLines(*count, overCalls)) : count.takeError();
}

static Error reverseFinish(Interpreter &in, const Invocation &) {
  return tellIf(in, in.session.reverseFinish());
}

static Error reverseUntil(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return tellIf(in, in.session.reverseLines(1, /*overCalls=*/true));
  Expected<Location> location = in.location(invocation.arguments);
  return location ? tellIf(in, in.session.reverseUntil(location->addresses)) : location.takeError();
}

static Error reverseContinue(Interpreter &in, const Invocation &) {
  return tellIf(in, in.session.reverseContinue());
}

/// The type of what a place holds.
static ValueType typeOf(const Place &place) {
  bool bit = place.kind == Place::Predicate || place.kind == Place::FlagBit;
  return bit ? ValueType::Bool : place.type;
}

/// "3" of one lane; "lane 2: 3, lane 5: 4" of those of several that are told.
static std::string valuesOf(Interpreter &in, const Place &place, const Place::Bits &bits,
                            const Place::Bits &other) {
  if (!bits)
    return "gone";
  auto text = [&](u64 value) { return in.format(reinterpret(value, typeOf(place)), 0); };
  if (bits->size() == 1)
    return text((*bits)[0]);
  std::string all;
  size_t i = 0;
  for (LaneMask left = place.lanes; left; left &= left - 1, ++i)
    if (!other || (*bits)[i] != (*other)[i])
      all +=
          formatv("{0}lane {1}: {2}", all.empty() ? "" : ", ", __builtin_ctz(left), text((*bits)[i])).str();
  return all;
}

/// Of each of the place's lanes; memory has one value, and is nobody's.
static json::Array factsOf(Interpreter &in, const Place &place, const Place::Bits &bits) {
  json::Array all;
  LaneMask left = place.lanes;
  for (u64 one : bits ? *bits : std::vector<u64>()) {
    json::Object value = facts::value(in, reinterpret(one, typeOf(place)));
    if (left && bits->size() == size_t(__builtin_popcount(place.lanes)) && place.kind != Place::Memory)
      value["lane"] = int64_t(__builtin_ctz(left));
    left &= left - 1;
    all.push_back(std::move(value));
  }
  return all;
}

static json::Object factsOf(Interpreter &in, const Place &place, const Writer &writer) {
  json::Object found{{"tick", int64_t(writer.tick)}, {"byUser", writer.byUser}};
  if (writer.byUser)
    return found;
  found["cta"] = facts::index(writer.by.cta);
  found["warp"] = int64_t(writer.by.warp);
  found["lanes"] = facts::mask(writer.lanes);
  found["at"] = facts::place(in, writer.pc);
  if (writer.before)
    found["before"] = factsOf(in, place, writer.before);
  if (writer.after)
    found["after"] = factsOf(in, place, writer.after);
  return found;
}

static Error whoWrote(Interpreter &in, const Invocation &invocation) {
  StringRef name = invocation.arguments;
  Expected<Place> place = Expression::placeOf(name, in.session.focus().context());
  if (!place)
    return place.takeError();
  Expected<std::optional<Writer>> found = in.session.whoWrote(*place);
  if (!found)
    return found.takeError();
  json::Object told{{"kind", "writer"}, {"place", facts::text(name)}};
  if (*found)
    told["writer"] = factsOf(in, *place, **found);
  in.note(std::move(told));
  if (!*found) {
    in.out << "Nothing has written " << name << " since the launch began.\n";
    return Error::success();
  }
  const Writer &writer = **found;
  if (writer.byUser) {
    in.out << formatv("tick {0}: {1} was changed by `set`\n", writer.tick, name);
    return Error::success();
  }
  in.out << formatv("tick {0}: {1} was written by cta {2} warp {3}, {4}, {5}\n", writer.tick, name,
                    describeIndex(writer.by.cta), writer.by.warp, describeLanes(writer.lanes),
                    in.describePlace(writer.pc));
  in.printInstruction(writer.pc, std::nullopt);
  if (writer.before == writer.after)
    in.out << "   it was " << valuesOf(in, *place, writer.before, std::nullopt) << " before, too\n";
  else
    in.out << "   from " << valuesOf(in, *place, writer.before, writer.after) << " to "
           << valuesOf(in, *place, writer.after, writer.before) << '\n';
  return Error::success();
}

static Error history(Interpreter &in, const Invocation &) {
  Timeline::Size size = in.session.timeline().size();
  in.note({{"kind", "history"},
           {"ticks", int64_t(size.ticks)},
           {"parts", int64_t(size.stretches)},
           {"checkpoints", int64_t(size.checkpoints)},
           {"checkpointBytes", int64_t(size.checkpointBytes)}});
  in.out << formatv("{0} since the start, in {1}\n{2} of {3} KiB\n", plural(size.ticks, "tick"),
                    plural(size.stretches, "part"), plural(size.checkpoints, "checkpoint"),
                    (size.checkpointBytes + 1023) / 1024);
  return Error::success();
}

//===--- Ticks and bookmarks ----------------------------------------------===//

static json::Object factsOf(const Session::Bookmark &mark) {
  json::Object found{{"number", int64_t(mark.id)},
                     {"tick", int64_t(mark.tick)},
                     {"cta", facts::index(mark.where.cta)},
                     {"warp", int64_t(mark.where.warp)},
                     {"place", facts::text(mark.place)}};
  if (!mark.name.empty())
    found["name"] = facts::text(mark.name);
  return found;
}

static void note(Interpreter &in, ArrayRef<Session::Bookmark> marks) {
  in.note({{"kind", "bookmarks"},
           {"bookmarks", facts::list(marks, [](const Session::Bookmark &mark) { return factsOf(mark); })}});
}

static Error noBookmark(StringRef text, const Twine &instead = "") {
  return textError(text, 0, "there is no bookmark '" + text + "'; `info bookmarks` lists them" + instead);
}

static Error addBookmark(Interpreter &in, const Invocation &invocation) {
  StringRef name = invocation.arguments;
  if (!name.empty() && (isDigit(name[0]) || name.contains(' ') || name == "tick" || name == "start"))
    return textError(name, 0, "a bookmark's name is one word, and begins with no digit");
  Warp *warp = in.session.focus().warp();
  bool isOver = in.session.isAlone() || in.session.state() == SessionState::Finished;
  const Session::Bookmark &mark = in.session.addBookmark(
      name, warp     ? in.describeWarp(*warp)
            : isOver ? "the end of the launch"
                     : "context " + in.session.focus().contextName(in.session.focus().position().context) +
                           " runs no kernel");
  note(in, mark);
  in.out << formatv("Bookmark {0}{1}: tick {2}, {3}\n", mark.id, name.empty() ? "" : " " + name, mark.tick,
                    mark.place);
  return Error::success();
}

static Error removeBookmarks(Interpreter &in, const Invocation &invocation) {
  std::vector<Session::Bookmark> &marks = in.session.bookmarks();
  if (invocation.arguments.empty()) {
    marks.clear();
    return Error::success();
  }
  Session::Bookmark *mark = in.session.bookmark(invocation.arguments);
  if (!mark)
    return noBookmark(invocation.arguments);
  marks.erase(marks.begin() + (mark - marks.data()));
  return Error::success();
}

static Error listBookmarks(Interpreter &in, const Invocation &) {
  note(in, in.session.bookmarks());
  Table table({"Num", "Name", "Tick", "Where"});
  for (const Session::Bookmark &mark : in.session.bookmarks())
    table.row({std::to_string(mark.id), mark.name.empty() ? "-" : mark.name, std::to_string(mark.tick),
               mark.place});
  table.printOr(in.out, "No bookmarks: `bookmark` makes one of this moment.");
  return Error::success();
}

static Error goTo(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  if (text.empty())
    return textError("goto", 4, "expected `tick NUMBER`, `start` or a bookmark");
  if (text == "start")
    return tellIf(in, in.session.goToTick(0));
  auto [word, rest] = text.split(' ');
  if (word != "tick") {
    if (word == "bookmark")
      text = rest.trim();
    Session::Bookmark *mark = in.session.bookmark(text);
    if (mark)
      return tellIf(in, in.session.goTo(*mark));
    // Others count ticks, from the start or from here.
    StringRef number = text.ltrim("+-");
    if (number.empty() || !all_of(number, isDigit))
      return noBookmark(text);
    return noBookmark(text,
                      ", `goto tick " + Twine(number == text ? "" : "$tick") + text + "` goes to a moment");
  }
  Expected<Expression> expression = Expression::parse(rest);
  if (!expression)
    return expression.takeError();
  Expected<Value> tick = expression->evaluate(in.session.focus().context());
  if (!tick)
    return tick.takeError();
  if (tick->isFloat() || (tick->isSigned() && s64(tick->integer()) < 0))
    return textError(text, columnIn(text, rest), "a tick is a number from 0 on");
  return tellIf(in, in.session.goToTick(tick->integer()));
}

ArrayRef<Command> historyCommands() {
  constexpr unsigned steps = Command::NeedsLaunch | Command::Repeats;
  static constexpr Command commands[] = {
      {"reverse-step", "rs", Command::Back, steps, "[COUNT]", "go back to where the line before began",
       "The mirror image of `step`: back over instructions of the focused warp to the start of the line that "
       "it executed\n"
       "before. What came after that moment is undone, whichever warp did it, and so are the user's changes "
       "since.\n"
       "Breakpoints on the way do not stop it. "
       "Alone it is `reverse-next`.\n"
       "\n"
       "(leno) reverse-step",
       reverseLine<false>},
      {"reverse-next", "rn", Command::Back, steps, "[COUNT]", "like reverse-step, but over calls",
       "A call that has returned counts as one line.\n"
       "\n"
       "(leno) reverse-next 2",
       reverseLine<true>},
      {"reverse-stepi", "rsi", Command::Back, steps, "[COUNT]",
       "take the last instruction of the focused warp back",
       "Goes back to where the focused warp was about to execute its last instruction. What other warps did "
       "after that is\n"
       "undone too, and a step that let them run (at a barrier, or because its warp exited) is taken back "
       "whole: as many\n"
       "steps back as forward end where they began. After a trap the first step back leads to before the "
       "trap.\n"
       "\n"
       "(leno) reverse-stepi 3",
       reverseInstruction<false>},
      {"reverse-nexti", "rni", Command::Back, steps, "[COUNT]", "like reverse-stepi, but over calls",
       "A call that has returned counts as one instruction.\n"
       "\n"
       "(leno) reverse-nexti",
       reverseInstruction<true>},
      {"reverse-finish", "rfin", Command::Back,
       Command::NeedsLaunch | Command::NeedsWarp | Command::NoArguments, "",
       "go back to the call of this function",
       "The focused warp stands before the CAL that led into the innermost call it is in.\n"
       "\n"
       "(leno) reverse-finish",
       reverseFinish},
      {"reverse-until", "", Command::Back, steps | Command::NeedsWarp | Command::CompletesLocation,
       "[LOCATION]", "go back to where the focused warp was at a location",
       "The mirror image of `until LOCATION`: to the last moment in which the focused warp was about to "
       "execute "
       "it. When it\n"
       "never was, to the warp's start. Breakpoints on the way do not stop it. "
       "Alone it is `reverse-next`.\n"
       "\n"
       "(leno) reverse-until loop",
       reverseUntil},
      {"reverse-continue", "rc", Command::Back, steps | Command::NoArguments, "",
       "go back to the last breakpoint before this moment",
       "All warps go back together, to the last moment in which `continue` would have stopped: at an enabled "
       "breakpoint\n"
       "whose condition was true then, or after a BPT. When there is none, to the start of the launch. "
       "Breakpoints count\n"
       "no hits on the way.\n"
       "\n"
       "(leno) reverse-continue",
       reverseContinue},
      {"who wrote", "", Command::Back, Command::NeedsLaunch, "PLACE",
       "tell which instruction wrote a place last",
       "PLACE is a register of a lane R5[7], of the focused lane R5, or of any lane R5[*], a pair R4.u64, a "
       "predicate P0, P0[7]\n"
       "or P0.mask, a flag, or memory [ADDRESS].u8, shared[4], local[8]. Told are the warp, its lanes that "
       "wrote, the\n"
       "instruction and the values before and after; the machine stays where it is. A write that changes "
       "nothing counts.\n"
       "\n"
       "(leno) who wrote R1",
       whoWrote},
      {"goto", "goto-bookmark", Command::Back, Command::NeedsLaunch, "tick NUMBER | start | BOOKMARK",
       "go to a tick, or to a bookmark",
       "NUMBER may be an expression: `goto tick $tick - 100`. Stops, `who wrote` and `info history` tell "
       "ticks; "
       "tick N is the\n"
       "moment after N of them, so that what `who wrote` names at tick N is about to be executed there. "
       "Back, the "
       "focus is on\n"
       "the warp that executes next; on, the launch runs until then, and what stops stops earlier.\n"
       "\n"
       "(leno) goto tick 3",
       goTo},
      {"bookmark", "", Command::Back, Command::NeedsLaunch, "[NAME]", "mark this moment, to go to it again",
       "A bookmark is a tick and the focus. It stays when the launch runs again, and is saved with the "
       "session. A "
       "name that is\n"
       "taken moves to this moment.\n"
       "\n"
       "(leno) bookmark before",
       addBookmark},
      {"delete bookmark", "", Command::Back, 0, "[NUMBER | NAME]", "delete a bookmark, or all of them",
       "(leno) delete bookmark", removeBookmarks},
      {"info bookmarks", "", Command::Back, Command::NoArguments, "", "list the bookmarks",
       "Number, name, tick and where the focused warp stood.\n"
       "\n"
       "(leno) info bookmarks",
       listBookmarks},
      {"info history", "", Command::Back, Command::NeedsLaunch | Command::NoArguments, "",
       "tell how long the past is and what it costs",
       "A tick is a warp instruction, a change by `set` or the replacement of finished CTAs. Checkpoints are "
       "snapshots of\n"
       "the machine, with the pages that changed since the one before; going back executes forward from the "
       "nearest.\n"
       "\n"
       "(leno) info history",
       history},
  };
  return commands;
}

} // namespace leno::dbg
