//===- Sessions.cpp - save, reload ----------------------------------------===//
#include "dbg/Facts.h"
#include "dbg/Replacing.h"
#include "dbg/SessionFile.h"
#include "dbg/Text.h"
#include "dbg/web/Page.h"
#include "dbg/web/Recording.h"
#include "asm/support/Tool.h"

using namespace llvm;

namespace leno::dbg {

static Error save(Interpreter &in, const Invocation &invocation) {
  StringRef path = invocation.arguments;
  bool isForced = consumeForce(path);
  if (path.empty())
    return textError("save", 4, "expected the file to save the session in");
  if (path == "-")
    return textError(path, 0, "a session is saved in a file, not on standard output");
  if (Error error = mayReplace(in, "save", path, isForced, isSessionFile(path), "no saved session"))
    return error;
  if (Error error = saveSession(in, path))
    return error;
  u64 ticks = in.session.state() == SessionState::NotStarted ? 0 : in.session.timeline().now();
  in.note({{"kind", "saved"}, {"file", facts::text(path)}, {"ticks", int64_t(ticks)}});
  in.out << "Saved the session, " << plural(ticks, "tick") << " after its start, in " << path << '\n';
  return Error::success();
}

/// Whether a file is a page that `export` wrote.
static bool isExportedPage(StringRef path) {
  auto start = MemoryBuffer::getFileSlice(path, web::firstLineOfPage.size(), 0);
  return start && (*start)->getBuffer() == web::firstLineOfPage;
}

static Error exportPage(Interpreter &in, const Invocation &invocation) {
  StringRef arguments = invocation.arguments;
  bool isForced = consumeForce(arguments);
  auto [path, number] = arguments.rsplit(' ');
  number = number.trim();
  u64 moments = web::usualMoments;
  if (number.empty() || number.getAsInteger(10, moments)) // the name alone
    path = arguments;
  path = path.trim();
  if (path.empty())
    return textError("export", 6, "expected the file to write the page to");
  if (path == "-")
    return textError(path, 0, "a page is written to a file, not to standard output");
  if (moments == 0 || moments > web::mostMoments)
    return textError(arguments, columnIn(arguments, number),
                     "a page has from 1 to " + Twine(web::mostMoments) + " moments");
  if (Error error = mayReplace(in, "export", path, isForced, isExportedPage(path), "no exported page"))
    return error;
  Expected<web::Recording> recording = web::record(in, moments);
  if (!recording)
    return recording.takeError();
  std::string page;
  raw_string_ostream os(page);
  web::writePage(os, recording->json);
  if (Error error = writeWhole({{path.str(), page}}))
    return error;
  in.note({{"kind", "exported"},
           {"file", facts::text(path)},
           {"first", int64_t(recording->first)},
           {"last", int64_t(recording->last)}});
  in.out << "Exported ticks " << recording->first << " to " << recording->last << " to " << path << '\n';
  return Error::success();
}

static Error reload(Interpreter &in, const Invocation &) {
  const runtime::Prepared &old = in.session.prepared();
  if (in.session.program())
    return createStringError("the program's kernels come with its launches: `run` starts it anew");
  if (!old.writesFiles())
    return createStringError("a saved session holds its program: there is no file to read again");
  if (old.programName() == "-")
    return createStringError("the program came from standard input: there is no file to read again");
  std::string diagnostics;
  raw_string_ostream stream(diagnostics);
  auto launch = runtime::Prepared::create(old.options(), stream, old.otherFiles());
  in.out << diagnostics;
  if (!launch)
    return launch.takeError();
  std::vector<std::string> notes = in.session.reload(std::move(*launch));
  in.sources.forget();
  in.noteProgramTime();
  in.listNext.reset();
  in.note({{"kind", "reloaded"},
           {"program", facts::text(in.session.prepared().programName())},
           {"notes", facts::list(notes, [](const std::string &note) { return facts::text(note); })}});
  in.out << "Reloaded " << in.session.prepared().programName() << "; `run` or `start` runs it.\n";
  for (const std::string &note : notes)
    in.out << note << '\n';
  return Error::success();
}

ArrayRef<Command> sessionCommands() {
  static constexpr Command commands[] = {
      {"save", "", Command::General, Command::SavesSession | Command::Outside, "[-f] FILE",
       "save the session in one file",
       "The file holds the program, its inputs, the machine's settings, the launch, all that was executed "
       "and "
       "changed,\n"
       "breakpoints and displays. `leno-dbg FILE` opens it, on any machine: the launch is executed again up "
       "to "
       "this stop,\n"
       "and going back from there works too.\n"
       "A file that is there and no saved session is replaced only after a question, or with -f; one that "
       "this "
       "run reads\n"
       "or writes never is.\n"
       "\n"
       "(leno) save hang.session",
       save},
      {"export", "", Command::General, Command::NeedsLaunch | Command::Outside, "[-f] FILE.html [MOMENTS]",
       "write a page that plays the last moments, for browsers",
       "The warp view (dbg/web/WarpView.md) of so many moments up to this one, 200 unless MOMENTS says "
       "otherwise:\n"
       "source, lanes, stack, warps, caches, and a time axis. The page needs neither a debugger nor a network. "
       "Shown is\n"
       "the warp that executes next; columns are those of the last `info table`. The session stays where it "
       "is.\n"
       "A file that is there and no exported page is replaced only after a question, or with -f.\n"
       "\n"
       "(leno) export hang.html 500",
       exportPage},
      {"reload", "", Command::General, Command::NoArguments, "", "read the program's file again",
       "Breakpoints stay: those of lines at their lines, others at their labels, with conditions and counts. "
       "One that has\n"
       "no place in the new program says so, and comes back when a later one has it. The launch is as before "
       "its start.\n"
       "\n"
       "(leno) reload",
       reload},
  };
  return commands;
}

} // namespace leno::dbg
