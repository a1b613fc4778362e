//===- Source.cpp - list, disassemble, where, info source and line --------===//
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "dbg/WarpText.h"
#include "dbg/source/Object.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg {

/// Where the call that is looked at stands.
static std::optional<u64> hereOf(const Interpreter &in) {
  Warp *warp = in.session.focus().warp();
  if (!warp || in.frame == 0)
    return in.session.focus().pc();
  std::vector<CallFrame> frames = in.session.focus().callFrames();
  return frames[std::min(in.frame, frames.size() - 1)].at;
}

static std::optional<SourceLine> hereLineOf(const Interpreter &in) {
  return in.frame ? lineOf(in.session.focus().callFrames(), in.frame, in.session.focus().executable())
                  : in.session.code().hereLine();
}

static Error printLines(Interpreter &in, StringRef file, unsigned first, unsigned last) {
  unsigned count = in.sources.lineCount(file);
  if (count == 0)
    return createStringError(in.sources.cannotFind(file) +
                             "; `directory` and `set substitute-path` say where it is");
  if (first > count)
    return createStringError("'" + sys::path::filename(file) + "' has " + plural(count, "line"));
  std::optional<SourceLine> here = in.session.focus().pc() ? in.session.code().hereLine() : std::nullopt;
  last = std::min(last, count);
  json::Array lines;
  for (unsigned number = first; number <= last; ++number) {
    bool isHere = here && here->file == file && here->line == number;
    StringRef source = *in.sources.line(file, number);
    lines.push_back(
        json::Object{{"line", int64_t(number)}, {"here", isHere}, {"source", facts::text(source)}});
    std::string text = formatv("{0}{1}\t{2}", isHere ? "=> " : "   ", number, source);
    in.out << (isHere ? in.bold(text) : text) << '\n';
  }
  in.note({{"kind", "lines"}, {"file", facts::text(file)}, {"lines", std::move(lines)}});
  in.listNext = SourceLine{file.str(), last + 1};
  in.listFirst = first;
  return Error::success();
}

/// The file that is at hand.
static std::string currentFile(Interpreter &in) {
  if (in.listNext)
    return in.listNext->file;
  std::optional<SourceLine> here = hereLineOf(in);
  return here ? here->file : in.session.code().names().files().front();
}

/// A line's number of the current file, FILE:LINE or a place in the code; `file` is where it is.
static Expected<unsigned> lineAt(Interpreter &in, StringRef whole, StringRef text, std::string &file) {
  unsigned number;
  if (!text.getAsInteger(10, number)) { // may be a line without instructions
    if (number == 0)
      return textError(whole, columnIn(whole, text), "expected a line's number: they begin with 1");
    return number;
  }
  Expected<Location> location = in.location(text);
  if (!location)
    return location.takeError();
  // So may one of FILE:LINE, which the location has found a later one for.
  if (auto [name, digits] = text.rsplit(':'); location->line && !digits.getAsInteger(10, number)) {
    std::optional<SourceLine> found = in.session.focus().executable().line(location->addresses.front());
    file = found ? found->file : file;
    return number;
  }
  std::optional<SourceLine> line = in.session.focus().executable().line(location->addresses.front());
  if (!line)
    return createStringError("there is no source line at " +
                             in.session.code().describe(location->addresses.front()));
  file = line->file;
  return line->line;
}

/// FIRST,LAST of which one may be missing; LAST may be +LINES.
static Error listRange(Interpreter &in, StringRef text, size_t comma, std::string file) {
  unsigned size = in.settings.listSize;
  StringRef firstText = text.take_front(comma).trim(), lastText = text.substr(comma + 1).trim();
  unsigned first = 0, last = 0, more;
  if (!firstText.empty())
    if (Error error = lineAt(in, text, firstText, file).moveInto(first))
      return error;
  if (lastText.starts_with("+") && first && !lastText.drop_front().getAsInteger(10, more))
    last = first + more;
  else if (!lastText.empty())
    if (Error error = lineAt(in, text, lastText, file).moveInto(last))
      return error;
  if (!first && !last)
    return textError(text, 0, "expected the first or the last line's number");
  if (!last)
    last = first + size - 1;
  if (!first)
    first = last >= size ? last - size + 1 : 1;
  if (last < first)
    return textError(text, comma + 1, "expected the last line's number, not below the first");
  return printLines(in, file, first, last);
}

static Error list(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  unsigned size = in.settings.listSize;
  if (!in.session.focus().executable().hasLines())
    return createStringError(
        "the program has no line information: assemble it with -g, or use `disassemble`");
  if (text == ".") { // around where the warp stands, again
    in.listNext.reset();
    text = "";
  }
  if (text == "-") { // those before the first that was shown
    std::optional<SourceLine> here = hereLineOf(in);
    if (!in.listNext && here) {
      in.listNext = here;
      in.listFirst = here->line > size / 2 ? here->line - size / 2 : 1;
    }
    if (!in.listNext)
      return createStringError("the focused warp is at no source line: use `disassemble`");
    if (in.listFirst <= 1)
      return createStringError("line 1 was shown: nothing is before it");
    unsigned last = in.listFirst - 1, first = last >= size ? last - size + 1 : 1;
    return printLines(in, in.listNext->file, first, last);
  }
  if (text.empty() || text == "+" || (invocation.repeated && text != "-")) {
    if (in.listNext)
      return printLines(in, in.listNext->file, in.listNext->line, in.listNext->line + size - 1);
    std::optional<SourceLine> here = hereLineOf(in);
    if (!here)
      return createStringError("the focused warp is at no source line: use `disassemble`");
    unsigned first = here->line > size / 2 ? here->line - size / 2 : 1;
    return printLines(in, here->file, first, first + size - 1);
  }
  std::string file = currentFile(in);
  // FIRST,LAST or a location to be in the middle.
  if (size_t comma = text.find(','); comma != StringRef::npos)
    return listRange(in, text, comma, file);
  Expected<unsigned> number = lineAt(in, text, text, file);
  if (!number)
    return number.takeError();
  unsigned first = *number > size / 2 ? *number - size / 2 : 1;
  return printLines(in, file, first, first + size - 1);
}

/// /s: each source line before its instructions, /r: the words that encode them.
static void printWithSource(Interpreter &in, u64 address, std::optional<u64> pc, StringRef letters,
                            std::optional<SourceLine> &shown) {
  std::optional<SourceLine> line = in.session.focus().executable().line(address);
  if (letters.find_first_of("sm") != StringRef::npos && line &&
      (!shown || shown->line != line->line || shown->file != line->file)) {
    if (!shown || shown->file != line->file)
      in.out << sys::path::filename(line->file) << ":\n";
    if (std::optional<StringRef> text = in.sources.line(line->file, line->line))
      in.out << in.dim((Twine(line->line) + "\t" + *text).str()) << '\n';
    shown = line;
  }
  if (letters.contains('r'))
    in.out << formatv("{0:x-16}  ", in.session.focus().executable().code()[address / 8]);
  in.printInstruction(address, pc);
}

static Error disassemble(Interpreter &in, const Invocation &invocation) {
  std::optional<u64> pc = hereOf(in);
  u64 first, last, end = in.session.code().names().codeBytes();
  StringRef text = invocation.arguments, letters = invocation.format;
  if (letters.find_first_not_of("srmb") != StringRef::npos)
    return textError(letters, 0, "expected s (with source lines) or r (with the words that encode them)");
  if (text.empty()) {
    u64 middle = pc.value_or(in.session.focus().kernel().entry);
    first = middle >= 5 * 8 ? middle - 5 * 8 : 0;
    last = std::min(end, middle + 11 * 8);
  } else if (size_t comma = text.find(','); comma != StringRef::npos) {
    Expected<Location> from = in.location(text.take_front(comma));
    if (!from)
      return from.takeError();
    // An end is an address, or +BYTES from the start.
    StringRef endText = text.substr(comma + 1).trim();
    u64 bytes;
    first = from->addresses.front();
    if (endText.starts_with("+") && !endText.drop_front().getAsInteger(0, bytes))
      last = std::min(end, first + std::min(bytes, end));
    else {
      Expected<Location> to = in.location(text.substr(comma + 1));
      if (!to)
        return to.takeError();
      last = to->addresses.front();
    }
    if (last <= first)
      return textError(text, comma + 1, "the end must be after the start");
  } else {
    Expected<Location> from = in.location(text);
    if (!from)
      return from.takeError();
    first = from->addresses.front();
    // A kernel is shown whole; another label up to the next one.
    last = end;
    bool isKernel = false;
    for (const KernelInfo &kernel : in.session.focus().executable().kernels())
      if (kernel.name == text) {
        last = in.session.code().endOf(kernel);
        isKernel = true;
      }
    if (!isKernel)
      for (const Symbol &symbol : in.session.focus().executable().symbols())
        if (symbol.address > first)
          last = std::min(last, symbol.address);
  }
  json::Array instructions;
  std::optional<SourceLine> shown;
  for (u64 address = first; address < last && in.session.code().isInstruction(address); address += 8) {
    printWithSource(in, address, pc, letters, shown);
    instructions.push_back(facts::place(in, address));
  }
  in.note({{"kind", "instructions"}, {"instructions", std::move(instructions)}});
  return Error::success();
}

/// How many frames, and whether they are the innermost: 3, or -3 for the outermost.
static Expected<std::pair<size_t, bool>> framesWanted(StringRef text) {
  StringRef digits = text;
  bool outermost = digits.consume_front("-");
  size_t count = ~size_t(0);
  if (!text.empty() && (digits.getAsInteger(10, count) || count == 0))
    return textError(text, 0,
                     "expected how many calls to show, as in `where 3`; `where -3` shows the outermost");
  return std::pair(count, !outermost);
}

/// "deep (n=3, p=0x10000) at k.c:9", or "triple+0x18 at triple.s:6"
static std::string describeFrame(Interpreter &in, ArrayRef<CallFrame> frames, size_t number) {
  const CallFrame &frame = frames[number];
  if (!frame.function)
    return in.describePlace(frame.at);
  Focus &focus = in.session.focus();
  WarpContext context = focus.contextOf(focus.warp(), focus.position().lane, number);
  std::string text = frame.function->name + " (", separator;
  for (const source::Variable *argument : context.sourceVariables(/*arguments=*/true)) {
    source::Object object = context.sourceObject(*argument, context.lane());
    // What is large is for `info args`.
    bool isLarge = object.type->isRecord() || object.type->isList();
    text += separator + argument->name + "=" + (isLarge ? "..." : in.format(object, context, 0));
    separator = ", ";
  }
  text += ")";
  if (std::optional<SourceLine> line = lineOf(frames, number, focus.executable()))
    text += (" at " + sys::path::filename(line->file) + ":" + Twine(line->line)).str();
  return text;
}

/// Of the frames `first` to `end`, how often in a row those of the first `period` come.
static size_t repeatsOf(ArrayRef<CallFrame> calls, size_t first, size_t end, size_t period) {
  auto alike = [](const CallFrame &a, const CallFrame &b) { return a.at == b.at && a.lanes == b.lanes; };
  size_t i = first + period;
  while (i < end && alike(calls[i], calls[i - period]))
    ++i;
  return (i - first) / period;
}

static void printFrame(Interpreter &in, ArrayRef<CallFrame> frames, size_t number) {
  const CallFrame &frame = frames[number];
  bool isInlined = frame.function && frame.function->kind == source::Scope::Inlined;
  in.out << formatv("#{0}  {1}, {2}{3}{4}\n", number, describeFrame(in, frames, number), describeLanes(frame.lanes),
                    frame.level ? " called" : "", isInlined ? ", inlined" : "");
}

/// What recursion has many of is shown once.
static void printFrames(Interpreter &in, ArrayRef<CallFrame> calls, size_t first, size_t end) {
  static constexpr size_t longestPeriod = 8, fewest = 4;
  for (size_t i = first; i < end;) {
    size_t period = 1, times = 1;
    for (size_t p = 1; p <= longestPeriod && times == 1 && i > 0; ++p)
      if (size_t found = repeatsOf(calls, i, end, p); found >= fewest) {
        period = p;
        times = found;
      }
    for (size_t k = i; k < i + period; ++k)
      printFrame(in, calls, k);
    if (times > 1)
      in.out << formatv("    {0} again, {1} times, up to #{2}\n",
                        period == 1 ? std::string("this") : "these " + std::to_string(period), times - 1,
                        i + period * times - 1);
    i += period * times;
  }
  if (first > 0 || end < calls.size())
    in.out << formatv("    {0} of {1}\n", end - first, plural(calls.size(), "frame"));
}

static json::Object factsOf(Interpreter &in, ArrayRef<CallFrame> frames, size_t number) {
  const CallFrame &frame = frames[number];
  json::Object found{{"at", facts::place(in, frame.at)}, {"lanes", facts::mask(frame.lanes)}};
  if (!frame.function)
    return found;
  found["function"] = facts::text(frame.function->name);
  found["inlined"] = frame.function->kind == source::Scope::Inlined;
  if (std::optional<SourceLine> line = lineOf(frames, number, in.session.focus().executable())) {
    found["file"] = facts::text(line->file);
    found["line"] = int64_t(line->line);
  }
  return found;
}

static Error where(Interpreter &in, const Invocation &invocation) {
  const Warp &warp = *in.session.focus().warp();
  Expected<std::pair<size_t, bool>> wanted = framesWanted(invocation.arguments);
  if (!wanted)
    return wanted.takeError();
  std::vector<CallFrame> calls = in.session.focus().callFrames();
  if (warp.exited())
    in.out << "the warp has exited; this is where it did\n";
  auto [count, innermost] = *wanted;
  count = std::min(count, calls.size());
  printFrames(in, calls, innermost ? 0 : calls.size() - count, innermost ? count : calls.size());
  json::Array frames;
  for (size_t i = 0; i < calls.size(); ++i)
    frames.push_back(factsOf(in, calls, i));
  in.note({{"kind", "calls"}, {"frames", std::move(frames)}});
  return Error::success();
}

/// Looks at a call: `list`, `disassemble` and the source's variables are there. Registers are the warp's,
/// whichever it is.
static Error look(Interpreter &in, size_t number) {
  std::vector<CallFrame> all = in.session.focus().callFrames();
  number = std::min(number, all.size() - 1);
  const CallFrame &frame = all[number];
  in.frame = number;
  in.listNext.reset();
  printFrame(in, all, number);
  std::optional<SourceLine> line = lineOf(all, number, in.session.focus().executable());
  if (std::optional<StringRef> text = line ? in.sources.line(line->file, line->line) : std::nullopt)
    in.out << line->line << '\t' << *text << '\n';
  else if (in.session.code().isInstruction(frame.at))
    in.printInstruction(frame.at, in.session.focus().pc());
  json::Object found = factsOf(in, all, number);
  found["kind"] = "frame";
  found["number"] = int64_t(number);
  in.note(std::move(found));
  return Error::success();
}

static Error frame(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return look(in, in.frame);
  size_t last = in.session.focus().callFrames().size() - 1;
  unsigned number;
  if (invocation.arguments.getAsInteger(10, number) || number > last)
    return textError(invocation.arguments, 0,
                     last ? "a frame is a number from 0 to " + Twine(last) + ", as `where` has them"
                          : Twine("the warp is in no call: there is frame 0 alone"));
  return look(in, number);
}

template <bool outwards> static Error moveFrame(Interpreter &in, const Invocation &invocation) {
  Expected<u64> count = countOf(invocation);
  if (!count)
    return count.takeError();
  size_t last = in.session.focus().callFrames().size() - 1;
  size_t now = std::min(size_t(in.frame), last);
  if (outwards ? now == last : now == 0)
    return createStringError(outwards ? "this is the outermost call: nothing has called it"
                                      : "this is the innermost call, where the warp stands");
  return look(in, outwards ? now + std::min<u64>(*count, last - now) : now - std::min<u64>(*count, now));
}

static Error infoSource(Interpreter &in, const Invocation &) {
  std::vector<std::string> files = in.session.code().names().files();
  if (files.empty())
    in.out << "The program has no line information.\n";
  std::optional<SourceLine> here = in.session.code().hereLine();
  json::Array found;
  for (const std::string &file : files) {
    unsigned count = in.sources.lineCount(file);
    bool isHere = here && here->file == file;
    found.push_back(json::Object{{"file", facts::text(file)}, {"here", isHere}, {"lines", int64_t(count)}});
    in.out << formatv("{0} {1}, {2}\n", isHere ? "*" : " ", file,
                      count ? plural(count, "line") : std::string("not readable"));
  }
  in.note({{"kind", "sources"}, {"sources", std::move(found)}});
  return Error::success();
}

static Error infoLine(Interpreter &in, const Invocation &invocation) {
  Expected<Location> location = in.location(invocation.arguments);
  if (!location)
    return location.takeError();
  std::vector<u64> addresses = location->addresses;
  if (std::optional<SourceLine> line =
          location->line ? in.session.focus().executable().line(addresses.front()) : std::nullopt) {
    addresses.clear(); // all of the line's
    for (u64 address = 0; address < in.session.code().names().codeBytes(); address += 8)
      if (std::optional<SourceLine> other = in.session.focus().executable().line(address);
          other && other->line == line->line && other->file == line->file)
        addresses.push_back(address);
  }
  in.note({{"kind", "places"},
           {"places", facts::list(addresses, [&](u64 address) { return facts::place(in, address); })}});
  auto name = [&](u64 address) {
    return formatv("{0} <{1}>", hexAddress(address), in.session.code().describe(address)).str();
  };
  for (size_t i = 0, next; i < addresses.size(); i = next) {
    for (next = i + 1; next < addresses.size() && addresses[next] == addresses[next - 1] + 8;)
      ++next;
    std::string line = in.describeLine(addresses[i]);
    in.out << name(addresses[i]) << (next - i > 1 ? " to " + name(addresses[next - 1]) + " are " : " is ")
           << (line.empty() ? "at no source line" : "at " + line) << '\n';
  }
  return Error::success();
}

ArrayRef<Command> sourceCommands() {
  static constexpr Command commands[] = {
      {"list", "l", Command::Code, Command::Repeats | Command::CompletesLocation,
       "[LOCATION | FIRST,LAST | - | .]", "show source lines",
       "Ten lines around the focused warp, around LOCATION, or from FIRST to LAST (one of them may be "
       "missing, "
       "LAST may be\n"
       "+LINES); again, the ten after those, `list -` the ten before, and `list .` those around the focused "
       "warp.\n"
       "`set listsize` makes it another number. The "
       "line of the focused warp is marked.\n"
       "\n"
       "(leno) list 1,4",
       list},
      {"disassemble", "disas", Command::Code, Command::CompletesLocation | Command::TakesFormat,
       "[LOCATION | START,END | START,+BYTES]", "show instructions",
       "Around the focused warp; or a whole kernel; or from a label to the next one; or from START up to "
       "END. The\n"
       "instruction of the focused warp is marked. The format s puts source lines between, r the words that "
       "encode them.\n"
       "\n"
       "(leno) disassemble",
       disassemble},
      {"where", "backtrace bt", Command::Code, Command::NeedsWarp, "[COUNT | -COUNT]",
       "show the calls that the focused warp is in",
       "The place of the warp, then for each CALL entry of its divergence stack, the innermost first, where "
       "it returns\n"
       "to and the lanes that made the call. COUNT are the innermost ones, -COUNT the outermost.\n"
       "\n"
       "(leno) where",
       where},
      {"frame", "f", Command::Code, Command::NeedsWarp, "[NUMBER]", "look at a call that the warp is in",
       "Its number is that of `where`; without one, the call that is looked at. `list` and `disassemble` are "
       "there then;\n"
       "registers are the warp's in all of them. The next stop looks at the innermost again.\n"
       "\n"
       "(leno) frame 0",
       frame},
      {"up", "", Command::Code, Command::NeedsWarp, "[COUNT]", "look at the caller", "(leno) up",
       moveFrame<true>},
      {"down", "dow", Command::Code, Command::NeedsWarp, "[COUNT]", "look at the function that was called",
       "(leno) down", moveFrame<false>},
      {"info source", "", Command::Code, Command::NoArguments, "", "list the source files",
       "(leno) info source", infoSource},
      {"info line", "", Command::Code, Command::CompletesLocation, "[LOCATION]",
       "tell the addresses of a line", "(leno) info line 5", infoLine},
  };
  return commands;
}

} // namespace leno::dbg
