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

static Error where(Interpreter &in, const Invocation &) {
  const Warp &warp = *in.session.focusedWarp();
  json::Array frames;
  for (const CallFrame &frame : callFrames(warp)) {
    in.out << formatv("#{0}  {1}, {2}{3}\n", frames.size(), in.describePlace(frame.at), describeLanes(frame.lanes),
                      frames.empty() ? "" : " called");
    frames.push_back(json::Object{{"at", facts::place(in, frame.at)}, {"lanes", facts::mask(frame.lanes)}});
  }
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
  in.note({{"kind", "places"}, {"places", facts::list(location->addresses, [&](u64 address) {
                                  return facts::place(in, address);
                                })}});
  for (u64 address : location->addresses) {
    std::string line = in.describeLine(address);
    in.out << formatv("{0} <{1}> is {2}\n", hexAddress(address), in.session.describe(address),
                      line.empty() ? "at no source line" : "at " + line);
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
      {"where", "backtrace bt", Command::Code, Command::NeedsWarp | Command::NoArguments, "",
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
