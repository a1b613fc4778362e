//===- Focus.cpp - cta, warp, lane, thread, kernel ------------------------===//
#include "dbg/Focus.h"
#include "dbg/BreakpointCommands.h"
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

Error tellFocus(Interpreter &in) {
  const LanePosition &focus = in.session.focus().position();
  Warp *warp = in.session.focus().warp();
  if (!warp)
    return createStringError("no warp is in focus: `cta` and `warp` choose one");
  in.note({{"kind", "focus"},
           {"cta", facts::index(focus.cta)},
           {"warp", int64_t(focus.warp)},
           {"lane", int64_t(focus.lane)},
           {"thread", facts::index(warp->thread(focus.lane))},
           {"sm", int64_t(warp->multiprocessor().index())},
           {"at", facts::place(in, warp->pcBytes())}});
  in.out << in.session.focus().contextIfSeveral(focus.context, "[", "]\n");
  in.out << formatv("[cta {0} warp {1} lane {2}, thread {3}, {4}{5}]\n", describeIndex(focus.cta), focus.warp,
                    focus.lane, describeIndex(warp->thread(focus.lane)), warp->exited() ? "exited at " : "",
                    in.describePlace(warp->pcBytes()));
  return Error::success();
}

static Error moved(Interpreter &in, Error error) {
  if (error)
    return error;
  if (Error failed = tellFocus(in))
    return failed;
  in.listNext.reset();
  in.frame = 0;
  in.printCurrentLine();
  return Error::success();
}

static Error cta(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return tellFocus(in);
  Expected<Dim3> index = parseIndex(invocation.arguments);
  if (!index)
    return index.takeError();
  return moved(in, in.session.focus().set(*index, 0, in.session.focus().position().lane));
}

static Error warp(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return tellFocus(in);
  Expected<unsigned> number =
      parseNumber(invocation.arguments, in.session.focus().grid().warpsPerCta() - 1, "a warp of a cta");
  if (!number)
    return number.takeError();
  return moved(in, in.session.focus().set(in.session.focus().position().cta, *number,
                                          in.session.focus().position().lane));
}

static Error lane(Interpreter &in, const Invocation &invocation) {
  if (!invocation.arguments.empty()) {
    Expected<unsigned> number = parseNumber(invocation.arguments, laneCount - 1, "a lane");
    if (!number)
      return number.takeError();
    in.session.focus().setLane(*number);
  }
  return tellFocus(in);
}

static Error thread(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return tellFocus(in);
  Expected<Dim3> index = parseIndex(invocation.arguments);
  if (!index)
    return index.takeError();
  Dim3 block = in.session.focus().grid().launch().block;
  if (index->x >= block.x || index->y >= block.y || index->z >= block.z)
    return textError(invocation.arguments, 0,
                     formatv("there is no thread {0}: a cta has {1} x {2} x {3}", describeIndex(*index),
                             block.x, block.y, block.z)
                         .str());
  u64 linear = index->x + u64(block.x) * (index->y + u64(block.y) * index->z);
  return moved(in, in.session.focus().set(in.session.focus().position().cta, unsigned(linear / laneCount),
                                          linear % laneCount));
}

static Error multiprocessor(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty()) {
    Warp *warp = in.session.focus().warp();
    if (!warp)
      return createStringError("no warp is in focus: `cta` and `warp` choose one");
    in.out << formatv("[SM {0}]\n", warp->multiprocessor().index());
    return tellFocus(in);
  }
  unsigned last = unsigned(in.session.focus().device().config().sm.count) - 1;
  Expected<unsigned> number = parseNumber(invocation.arguments, last, "an SM");
  if (!number)
    return number.takeError();
  for (Cta *cta : in.session.focus().grid().residentCtas())
    if (cta->multiprocessor().index() == *number && in.session.focus().isOnChip(*cta))
      return moved(in, in.session.focus().set(cta->index(), 0, in.session.focus().position().lane));
  return createStringError(formatv("SM {0} has no cta now; `info sms` shows those that have", *number));
}

static unsigned linearIn(Dim3 block, Dim3 thread) {
  return unsigned(thread.x + u64(block.x) * (thread.y + u64(block.y) * thread.z));
}

/// What stands on SM `number` first.
static Cta *firstOn(Interpreter &in, unsigned number) {
  for (Cta *cta : in.session.focus().grid().residentCtas())
    if (cta->multiprocessor().index() == number && in.session.focus().isOnChip(*cta))
      return cta;
  return nullptr;
}

/// Coordinates in words, as cuda-gdb has them: a word without a number asks.
static Error focusOn(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  SmallVector<StringRef, 16> words;
  SplitString(text, words);
  LanePosition to = in.session.focus().position();
  bool moves = false, isThread = false;
  Dim3 thread{0, 0, 0};
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    bool known =
        is_contained({"kernel", "grid", "device", "sm", "cta", "block", "warp", "lane", "thread"}, word);
    if (!known)
      return textError(text, columnIn(text, word), "expected cta, thread, warp, lane or sm, and its number");
    if (i + 1 == words.size() || isAlpha(words[i + 1][0]))
      continue;
    StringRef value = words[++i];
    moves = true;
    // One device, one launch: whatever number it has.
    if (word == "kernel" || word == "grid" || word == "device")
      continue;
    Expected<Dim3> index = parseIndex(value);
    if (!index)
      return index.takeError();
    if (word == "cta" || word == "block") {
      to.cta = *index;
      to.warp = 0;
      isThread = false;
    } else if (word == "thread") {
      thread = *index;
      isThread = true;
    } else if (word == "warp")
      to.warp = index->x;
    else if (word == "lane" && index->x < laneCount)
      to.lane = index->x;
    else if (word == "lane")
      return textError(text, columnIn(text, value), "a lane is a number from 0 to 31");
    else if (Cta *cta = firstOn(in, index->x)) {
      to.cta = cta->index();
      to.warp = 0;
    } else
      return textError(text, columnIn(text, value),
                       "this SM has no cta now; `info sms` shows those that have");
  }
  if (!moves)
    return tellFocus(in);
  if (isThread) {
    Dim3 block = in.session.focus().grid().launch().block;
    if (thread.x >= block.x || thread.y >= block.y || thread.z >= block.z)
      return textError(text, 0,
                       formatv("there is no thread {0}: a cta has {1} x {2} x {3}", describeIndex(thread),
                               block.x, block.y, block.z)
                           .str());
    unsigned linear = linearIn(block, thread);
    to.warp = linear / laneCount;
    to.lane = linear % laneCount;
  }
  return moved(in, in.session.focus().set(to.cta, to.warp, to.lane));
}

/// One command for each of several warps. What it prints stands under the warp's place.
static Error applyToWarps(Interpreter &in, const Invocation &invocation) {
  StringRef rest = invocation.arguments;
  std::vector<LanePosition> chosen;
  const LanePosition before = in.session.focus().position();
  auto takeWord = [&] {
    auto [word, after] = rest.split(' ');
    rest = after.ltrim();
    return word;
  };
  std::vector<unsigned> known, wanted;
  for (unsigned i = 0; i < in.session.focus().grid().warpsPerCta(); ++i)
    known.push_back(i);
  bool all = false;
  while (!rest.empty() && (isDigit(rest[0]) || rest.starts_with("all ") || rest == "all")) {
    StringRef word = takeWord();
    all |= word == "all";
    if (word == "all")
      continue;
    Expected<std::vector<unsigned>> numbers = chosenNumbers(word, known, "warp");
    if (!numbers)
      return numbers.takeError();
    wanted.insert(wanted.end(), numbers->begin(), numbers->end());
  }
  bool quiet = false, silent = false;
  while (rest.starts_with("-")) {
    StringRef flag = takeWord();
    quiet |= flag == "-q";
    silent |= flag == "-s";
  }
  if ((!all && wanted.empty()) || rest.empty())
    return textError(invocation.arguments, invocation.arguments.size(),
                     "expected `all` or warps of the CTA, and a command, as in `thread apply all print R0`");
  for (Cta *cta : in.session.focus().grid().residentCtas())
    for (const Warp *warp : cta->warps())
      if (in.session.focus().isOnChip(*cta) && !warp->exited() &&
          (all || (cta->index() == before.cta && is_contained(wanted, warp->index()))))
        chosen.push_back({WarpPosition::of(*warp), before.lane});
  auto forEach = [&]() -> Error {
    for (const LanePosition &one : chosen) {
      if (Error gone = in.session.focus().set(one.cta, one.warp, one.lane)) {
        consumeError(std::move(gone)); // the command before has ended it
        continue;
      }
      in.frame = 0;
      if (!quiet)
        in.out << "[" << in.describeWarp(*in.session.focus().warp()) << "]\n";
      if (Error failed = in.executeCommand(rest)) {
        if (!silent)
          return failed;
        consumeError(std::move(failed));
      }
      if (in.quitting() || in.collecting)
        break;
    }
    return Error::success();
  };
  Error error = forEach();
  if (Error gone = in.session.focus().set(before.cta, before.warp, before.lane))
    consumeError(std::move(gone));
  if (!in.collecting)
    return error;
  in.collecting.reset();
  consumeError(std::move(error));
  return textError(invocation.arguments, columnIn(invocation.arguments, rest),
                   "a command of one line is expected: `define` makes one of several");
}

static Error kernel(Interpreter &in, const Invocation &invocation) {
  const KernelInfo &current = in.session.focus().kernel();
  if (!invocation.arguments.empty() && invocation.arguments != current.name)
    return textError(invocation.arguments, 0,
                     "the launch is of kernel '" + current.name +
                         "'; another one is chosen when the debugger starts, with --kernel");
  if (!in.session.focus().gridIfAny())
    return createStringError("the context runs no kernel now: `info contexts` shows what each does");
  const LaunchSpec &spec = in.session.focus().grid().launch();
  auto size = [](Dim3 d) { return formatv("{0} x {1} x {2}", d.x, d.y, d.z).str(); };
  in.note({{"kind", "kernel"},
           {"kernel", facts::text(current.name)},
           {"grid", facts::index(spec.grid)},
           {"block", facts::index(spec.block)}});
  in.out << formatv("[kernel {0}, grid {1}, block {2}]\n", current.name, size(spec.grid), size(spec.block));
  return Error::success();
}

ArrayRef<Command> focusCommands() {
  constexpr unsigned needs = Command::NeedsLaunch;
  static constexpr Command commands[] = {
      {"kernel", "", Command::Focusing, 0, "[NAME]", "tell the kernel of the launch", "(leno) kernel",
       kernel},
      {"cta", "block", Command::Focusing, needs, "[X[,Y[,Z]]]", "focus a CTA, or tell the focus",
       "The focus goes to warp 0 of that CTA. Only a CTA that runs now can be looked at.\n"
       "\n"
       "(leno) cta 1,0,0",
       cta},
      {"warp", "", Command::Focusing, needs, "[NUMBER]", "focus a warp of the CTA, or tell the focus",
       "Commands that step, print and list look at this warp. A stop moves the focus to the warp that "
       "stopped.\n"
       "\n"
       "(leno) warp 1",
       warp},
      {"lane", "", Command::Focusing, needs, "[NUMBER]", "focus a lane of the warp, or tell the focus",
       "Expressions read the registers and predicates of this lane, unless they name another one: R3[7]. At\n"
       "a stop where this lane is not active the focus moves to the lowest lane that is.\n"
       "\n"
       "(leno) lane 7",
       lane},
      {"focus", "cuda", Command::Focusing, needs, "[cta X,Y,Z] [thread X,Y,Z] [warp N] [lane N] [sm N]",
       "focus by several coordinates, or tell the focus",
       "What is not named stays; a CTA alone leads to its warp 0. `block` is another word for cta.\n"
       "\n"
       "(leno) focus cta 1,0,0 thread 35",
       focusOn},
      {"thread apply", "", Command::Focusing, needs, "all | WARP... [-q] [-s] COMMAND",
       "execute a command for each of several warps",
       "Of all warps that run, or of some of the focused CTA (0 2-3); -q leaves out whose it is, -s goes on "
       "after mistakes.\n"
       "The focus is as before, then.\n"
       "\n"
       "(leno) thread apply all print R0",
       applyToWarps},
      {"thread", "t", Command::Focusing, needs, "[X[,Y[,Z]]]",
       "focus the warp and lane of a thread, or tell the focus",
       "The index is the thread's in its CTA.\n"
       "\n"
       "(leno) thread 35,0,0",
       thread},
      {"sm", "", Command::Focusing, needs, "[NUMBER]", "focus a multiprocessor, or tell the focus",
       "The focus goes to warp 0 of the CTA that has been there longest.\n"
       "\n"
       "(leno) sm 0",
       multiprocessor},
  };
  return commands;
}

} // namespace leno::dbg
