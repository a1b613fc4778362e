//===- Checks.cpp - check, info findings ----------------------------------===//
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

using checks::CheckRow, checks::NamedFinding;

static Error overview(Interpreter &in) {
  Table table({"Check", "On", "Finds"});
  json::Array rows;
  for (const CheckRow &row : checks::checkRows()) {
    bool isOn = in.session.stops().checks().isOn(row);
    table.row({row.name, isOn ? "yes" : "no", row.summary});
    rows.push_back(json::Object{{"check", row.name}, {"on", isOn}});
  }
  in.note({{"kind", "checks"}, {"checks", std::move(rows)}});
  table.print(in.out);
  return Error::success();
}

static Error check(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  if (text.empty())
    return overview(in);
  auto [names, word] = text.rsplit(' ');
  bool on = word != "off";
  if (word != "on" && word != "off")
    names = text;
  Expected<std::vector<const CheckRow *>> rows = checks::checksNamed(names.trim());
  if (!rows)
    return textError(text, 0, toString(rows.takeError()));
  for (const CheckRow *row : *rows) {
    if (Error error = in.session.setCheck(*row, on))
      return error;
    in.note({{"kind", "check"}, {"check", row->name}, {"on", on}});
    in.out << "Check " << row->name << " is " << (on ? "on" : "off") << ".\n";
  }
  if (on)
    in.out << "`catch " << (rows->size() == 1 ? (*rows)[0]->name : "finding")
           << "` stops at what is found, `info findings` lists it.\n";
  return Error::success();
}

static Error findings(Interpreter &in, const Invocation &invocation) {
  std::vector<NamedFinding> found = in.session.stops().checks().found();
  unsigned number = 0;
  StringRef text = invocation.arguments;
  if (!text.empty() && (text.getAsInteger(10, number) || number == 0 || number > found.size()))
    return textError(text, 0,
                     "expected the number of a finding" +
                         (found.empty() ? Twine(": there is none") : Twine(", 1 to ") + Twine(found.size())));
  std::string all;
  raw_string_ostream os(all);
  json::OStream json(os);
  json.array([&] {
    for (const NamedFinding &one : found)
      if (!number || &one == &found[number - 1])
        json.object([&] { writeFinding(json, one); });
  });
  in.note({{"kind", "findings"}, {"findings", cantFail(json::parse(all))}});
  bool anyOn = any_of(checks::checkRows(), [&](auto &row) { return in.session.stops().checks().isOn(row); });
  if (found.empty())
    in.out << (anyOn ? "Nothing has been found up to here.\n"
                     : "No check is on: `check race on` and the like look for mistakes.\n");
  else if (number)
    printFinding(in.out, found[number - 1], in.hasColours());
  else {
    Table table({"Num", "Check", "Times", "What", "At", "Before it"});
    for (size_t i = 0; i < found.size(); ++i) {
      const checks::Finding &one = found[i].finding;
      table.row({std::to_string(i + 1), one.check, std::to_string(one.count), one.kind,
                 one.first.what.empty() ? "-" : found[i].lineOf(one.first),
                 one.second ? found[i].lineOf(*one.second) : "-"});
    }
    table.print(in.out);
  }
  return Error::success();
}

ArrayRef<Command> checkCommands() {
  static constexpr Command commands[] = {
      {"check", "", Command::Stopping, Command::AnyContext, "[NAME[,NAME...] [on | off]]",
       "look for mistakes that the run shows: races, stray accesses, barriers and locks",
       "The checks of `leno-run --check`; without arguments they are listed. One that comes on in the middle "
       "of a launch\n"
       "looks at all that was executed before, too. It costs time while it is on, and going back takes what "
       "it knows back.\n"
       "`catch race`, `catch memory`, `catch sync` and `catch finding` stop after the instruction that shows "
       "a "
       "mistake for the\n"
       "first time; `reverse-continue` then goes to the access before it.\n"
       "\n"
       "(leno) check race on",
       check},
      {"info findings", "", Command::Looking, Command::AnyContext, "[NUMBER]",
       "what the checks have found up to here, or one of it whole",
       "Equal ones, the same mistake of the same instructions, are counted.\n"
       "\n"
       "(leno) info findings",
       findings},
  };
  return commands;
}

} // namespace leno::dbg
