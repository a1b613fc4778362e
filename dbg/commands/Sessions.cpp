//===- Sessions.cpp - save, reload ----------------------------------------===//
#include "dbg/Facts.h"
#include "dbg/Replacing.h"
#include "dbg/SessionFile.h"
#include "dbg/Text.h"

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

static Error reload(Interpreter &in, const Invocation &) {
  const runtime::Prepared &old = in.session.prepared();
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
