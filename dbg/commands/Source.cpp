//===- Source.cpp - list, disassemble, where, info source and line --------===//
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "dbg/WarpText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg {

static constexpr unsigned linesOfList = 10;

static Error printLines(Interpreter &in, StringRef file, unsigned first, unsigned last) {
  unsigned count = in.sources.lineCount(file);
  if (count == 0)
    return createStringError(in.sources.cannotFind(file) +
                             "; `directory` and `set substitute-path` say where it is");
  if (first > count)
    return createStringError("'" + sys::path::filename(file) + "' has " + plural(count, "line"));
  std::optional<SourceLine> here = in.session.here() ? in.session.hereLine() : std::nullopt;
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
  return Error::success();
}

static Error list(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  if (!in.session.executable().hasLines())
    return createStringError(
        "the program has no line information: assemble it with -g, or use `disassemble`");
  if (text.empty() || invocation.repeated) {
    if (in.listNext)
      return printLines(in, in.listNext->file, in.listNext->line, in.listNext->line + linesOfList - 1);
    if (!invocation.repeated || text.empty()) {
      std::optional<SourceLine> here = in.session.hereLine();
      if (!here)
        return createStringError("the focused warp is at no source line: use `disassemble`");
      unsigned first = here->line > linesOfList / 2 ? here->line - linesOfList / 2 : 1;
      return printLines(in, here->file, first, first + linesOfList - 1);
    }
  }
  // FIRST,LAST or a location to be in the middle.
  if (size_t comma = text.find(','); comma != StringRef::npos) {
    unsigned first, last;
    if (text.take_front(comma).trim().getAsInteger(10, first) || first == 0)
      return textError(text, 0, "expected the first line's number");
    if (text.substr(comma + 1).trim().getAsInteger(10, last) || last < first)
      return textError(text, comma + 1, "expected the last line's number, not below the first");
    std::optional<SourceLine> here = in.session.hereLine();
    return printLines(in, here ? here->file : in.session.files().front(), first, last);
  }
  unsigned number;
  std::string file;
  if (!text.getAsInteger(10, number) && number > 0) { // a plain number may be a line without instructions
    std::optional<SourceLine> here = in.session.hereLine();
    file = here ? here->file : in.session.files().front();
  } else {
    Expected<Location> location = in.location(text);
    if (!location)
      return location.takeError();
    std::optional<SourceLine> line = in.session.executable().line(location->addresses.front());
    if (!line)
      return createStringError("there is no source line at " +
                               in.session.describe(location->addresses.front()));
    number = line->line;
    file = line->file;
  }
  unsigned first = number > linesOfList / 2 ? number - linesOfList / 2 : 1;
  return printLines(in, file, first, first + linesOfList - 1);
}

static Error disassemble(Interpreter &in, const Invocation &invocation) {
  std::optional<u64> pc = in.session.here();
  u64 first, last, end = in.session.codeBytes();
  StringRef text = invocation.arguments;
  if (text.empty()) {
    u64 middle = pc.value_or(in.session.kernel().entry);
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
    for (const KernelInfo &kernel : in.session.executable().kernels())
      if (kernel.name == text) {
        last = in.session.endOf(kernel);
        isKernel = true;
      }
    if (!isKernel)
      for (const Symbol &symbol : in.session.executable().symbols())
        if (symbol.address > first)
          last = std::min(last, symbol.address);
  }
  json::Array instructions;
  for (u64 address = first; address < last && in.session.isInstruction(address); address += 8) {
    in.printInstruction(address, pc);
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
    return textError(text, 0, "expected how many calls to show, as in `where 3`; `where -3` shows the outermost");
  return std::pair(count, !outermost);
}

/// Of the frames `first` to `end`, how often in a row those of the first `period` come.
static size_t repeatsOf(ArrayRef<CallFrame> calls, size_t first, size_t end, size_t period) {
  auto alike = [](const CallFrame &a, const CallFrame &b) { return a.at == b.at && a.lanes == b.lanes; };
  size_t i = first + period;
  while (i < end && alike(calls[i], calls[i - period]))
    ++i;
  return (i - first) / period;
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
      in.out << formatv("#{0}  {1}, {2}{3}\n", k, in.describePlace(calls[k].at), describeLanes(calls[k].lanes),
                        k ? " called" : "");
    if (times > 1)
      in.out << formatv("    {0} again, {1} times, up to #{2}\n",
                        period == 1 ? std::string("this") : "these " + std::to_string(period), times - 1,
                        i + period * times - 1);
    i += period * times;
  }
  if (first > 0 || end < calls.size())
    in.out << formatv("    {0} of {1}\n", end - first, plural(calls.size(), "frame"));
}

static Error where(Interpreter &in, const Invocation &invocation) {
  const Warp &warp = *in.session.focusedWarp();
  Expected<std::pair<size_t, bool>> wanted = framesWanted(invocation.arguments);
  if (!wanted)
    return wanted.takeError();
  std::vector<CallFrame> calls = callFrames(warp);
  if (warp.exited())
    in.out << "the warp has exited; this is where it did\n";
  auto [count, innermost] = *wanted;
  count = std::min(count, calls.size());
  printFrames(in, calls, innermost ? 0 : calls.size() - count, innermost ? count : calls.size());
  json::Array frames;
  for (const CallFrame &frame : calls)
    frames.push_back(json::Object{{"at", facts::place(in, frame.at)}, {"lanes", facts::mask(frame.lanes)}});
  in.note({{"kind", "calls"}, {"frames", std::move(frames)}});
  return Error::success();
}

static Error infoSource(Interpreter &in, const Invocation &) {
  std::vector<std::string> files = in.session.files();
  if (files.empty())
    in.out << "The program has no line information.\n";
  std::optional<SourceLine> here = in.session.hereLine();
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
          location->line ? in.session.executable().line(addresses.front()) : std::nullopt) {
    addresses.clear(); // all of the line's
    for (u64 address = 0; address < in.session.codeBytes(); address += 8)
      if (std::optional<SourceLine> other = in.session.executable().line(address);
          other && other->line == line->line && other->file == line->file)
        addresses.push_back(address);
  }
  in.note({{"kind", "places"},
           {"places", facts::list(addresses, [&](u64 address) { return facts::place(in, address); })}});
  auto name = [&](u64 address) {
    return formatv("{0} <{1}>", hexAddress(address), in.session.describe(address)).str();
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
      {"list", "l", Command::Code, Command::Repeats | Command::CompletesLocation, "[LOCATION | FIRST,LAST]",
       "show source lines",
       "Ten lines around the focused warp, around LOCATION, or from FIRST to LAST; again, the ten after "
       "those. The line\n"
       "of the focused warp is marked.\n"
       "\n"
       "(leno) list 1,4",
       list},
      {"disassemble", "disas", Command::Code, Command::CompletesLocation,
       "[LOCATION | START,END | START,+BYTES]", "show instructions",
       "Around the focused warp; or a whole kernel; or from a label to the next one; or from START up to "
       "END. The\n"
       "instruction of the focused warp is marked.\n"
       "\n"
       "(leno) disassemble",
       disassemble},
      {"where", "backtrace bt", Command::Code, Command::NeedsWarp, "[COUNT | -COUNT]",
       "show the calls that the focused warp is in",
       "The place of the warp, then for each CALL entry of its divergence stack, the innermost first, where "
       "it returns\n"
       "to and the lanes that made the call.\n"
       "\n"
       "(leno) where",
       where},
      {"info source", "", Command::Code, Command::NoArguments, "", "list the source files",
       "(leno) info source", infoSource},
      {"info line", "", Command::Code, Command::CompletesLocation, "[LOCATION]",
       "tell the addresses of a line", "(leno) info line 5", infoLine},
  };
  return commands;
}

} // namespace leno::dbg
