//===- Data.cpp - print, x, display, set ----------------------------------===//
#include "dbg/BreakpointCommands.h"
#include "dbg/Examine.h"
#include "dbg/Facts.h"
#include "dbg/Interpreter.h"
#include "dbg/StackNote.h"
#include "dbg/Text.h"
#include "dbg/source/Object.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

static void tellLanesLeftOut(Interpreter &in, const Expression &expression, LaneMask lanes) {
  const Warp *warp = in.session.focus().warp();
  if (LaneMask others = warp ? warp->lanesLaunched() & ~lanes : 0; others && expression.isOfActiveLanes())
    in.out << formatv("not active: {0}; [0:31] instead of [*] shows all\n", describeLanes(others));
}

/// What has no number: structures, arrays, values of lanes, what is not there.
static Error printObjects(Interpreter &in, const Expression &expression, ArrayRef<source::Object> objects,
                          char letter) {
  WarpContext context = in.session.focus().context();
  Expected<std::string> text = in.show(expression, letter);
  if (!text)
    return text.takeError();
  in.out << expression.text().trim() << " = " << *text << '\n';
  json::Object found{{"kind", "object"}, {"expression", facts::text(expression.text().trim())}};
  LaneMask lanes = 0;
  json::Array elements;
  for (const source::Object &object : objects) {
    lanes |= LaneMask(1) << object.lane;
    elements.push_back(facts::object(in, object, context, letter));
  }
  if (expression.isRange())
    found["elements"] = std::move(elements);
  else
    for (auto &[key, value] : facts::object(in, objects.front(), context, letter))
      found[key] = std::move(value);
  if (expression.isOfLanes()) {
    found["lanes"] = facts::mask(lanes);
    tellLanesLeftOut(in, expression, lanes);
  }
  in.note(std::move(found));
  return Error::success();
}

static Error print(Interpreter &in, const Invocation &invocation) {
  if (invocation.format == "s")
    return printString(in, invocation.arguments);
  Expected<char> letter = formatLetter(invocation, ", and of print s string");
  if (!letter)
    return letter.takeError();
  Expected<Expression> expression = Expression::parse(invocation.arguments);
  if (!expression)
    return expression.takeError();
  WarpContext context = in.session.focus().context();
  Expected<std::optional<std::vector<source::Object>>> objects = expression->objects(context);
  if (!objects)
    return objects.takeError();
  if (*objects && (expression->isRange() || !(*objects)->front().type->isScalar() || (*objects)->front().isAbsent()))
    return printObjects(in, *expression, **objects, *letter);
  Expected<std::vector<Value>> values = expression->evaluateAll(context);
  if (!values)
    return values.takeError();
  if (expression->isRange()) {
    in.out << invocation.arguments << " = " << in.formatRange(*expression, *values, *letter) << '\n';
    json::Object found{{"kind", "range"},
                       {"expression", facts::text(invocation.arguments)},
                       {"elements", facts::values(in, *values, *letter)}};
    Expected<LaneMask> lanes = expression->lanesOfRange(in.session.focus().context());
    if (!lanes)
      return lanes.takeError();
    if (*lanes)
      found["lanes"] = facts::mask(*lanes);
    in.note(std::move(found));
    tellLanesLeftOut(in, *expression, *lanes);
  } else {
    size_t number = in.session.focus().userValues().remember(values->front());
    in.out << '$' << number << " = " << in.format(values->front(), *letter) << '\n';
  }
  return Error::success();
}

static void tellDisplays(Interpreter &in) {
  in.note({{"kind", "displays"}, {"displays", facts::displays(in)}});
  in.printDisplays();
}

static Error display(Interpreter &in, const Invocation &invocation) {
  bool isCode = invocation.format == "i";
  if (!isCode && invocation.format.contains('i'))
    return textError(
        invocation.format, 0,
        "a display is of one instruction, `display/i $pc`; `define hook-stop` lets each stop run a "
        "line such as `x/3i $pc`");
  Expected<char> letter =
      isCode ? 'i'
             : formatLetter(invocation, ", and of display i instruction; `display/x [ADDRESS]@4` is memory");
  if (!letter)
    return letter.takeError();
  if (invocation.arguments.empty()) {
    tellDisplays(in);
    return Error::success();
  }
  Expected<Expression> expression = Expression::parse(invocation.arguments);
  if (!expression)
    return expression.takeError();
  in.displays.push_back({++in.lastDisplay, *letter, std::move(*expression)});
  if (in.session.focus().warp())
    tellDisplays(in);
  return Error::success();
}

static Expected<std::vector<unsigned>> chosenDisplays(Interpreter &in, StringRef text) {
  std::vector<unsigned> known;
  for (const Interpreter::Display &display : in.displays)
    known.push_back(display.id);
  return chosenNumbers(text, known, "display");
}

static Error undisplay(Interpreter &in, const Invocation &invocation) {
  Expected<std::vector<unsigned>> ids = chosenDisplays(in, invocation.arguments);
  if (!ids)
    return ids.takeError();
  std::erase_if(in.displays, [&](const Interpreter::Display &d) { return is_contained(*ids, d.id); });
  return Error::success();
}

template <bool on> static Error enableDisplay(Interpreter &in, const Invocation &invocation) {
  Expected<std::vector<unsigned>> ids = chosenDisplays(in, invocation.arguments);
  if (!ids)
    return ids.takeError();
  for (Interpreter::Display &display : in.displays)
    if (is_contained(*ids, display.id))
      display.enabled = on;
  return Error::success();
}

static Error set(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  // gdb's `set var x = 3`, as far as nothing is called var.
  for (StringRef word : {"variable ", "var "})
    if (StringRef rest = text; rest.consume_front(word) && !rest.ltrim().starts_with("=")) {
      text = rest;
      break;
    }
  Expected<Assignment> assignment = Assignment::parse(text);
  if (!assignment)
    return assignment.takeError();
  std::optional<u64> from = in.session.focus().pc();
  WarpContext context = in.session.focus().context();
  std::string warning = assignment->warning(context);
  if (Error error = assignment->perform(context))
    return error;
  if (!warning.empty()) {
    in.out << "note: " << warning << '\n';
    in.note({{"kind", "note"}, {"text", facts::text(warning)}});
  }
  std::optional<u64> to = in.session.focus().pc();
  if (from == to)
    return Error::success();
  in.out << in.describeWarp(*in.session.focus().warp()) << '\n' << stackNote(in, *from, *to);
  in.printCurrentLine();
  return Error::success();
}

static Error infoDisplay(Interpreter &in, const Invocation &) {
  Table table({"Num", "Format", "Expression"});
  for (const Interpreter::Display &display : in.displays)
    table.row({std::to_string(display.id), display.format ? std::string(1, display.format) : "-",
               display.expression.text().str() + (display.enabled ? "" : " (disabled)")});
  table.printOr(in.out, "No displays.");
  return Error::success();
}

static Error infoVariables(Interpreter &in, const Invocation &) {
  Table table({"Variable", "Value"});
  for (const auto &[name, value] : in.session.focus().userValues().variables)
    table.row({"$" + name, in.format(value, 0)});
  table.printOr(in.out, "No variables: `set $name = EXPRESSION` makes one.");
  return Error::success();
}

ArrayRef<Command> dataCommands() {
  static constexpr Command commands[] = {
      {"print", "p inspect", Command::Looking, Command::TakesFormat, "EXPRESSION",
       "compute an expression and print it",
       "Registers R3 (of the focused lane), R3[7] (of lane 7); R2.u64 and f64(R2) take the pair R3:R2; "
       "predicates P0,\n"
       "P0.mask; flags OF CF SF ZF; special registers SR_TID.X; $pc $mask $lane $warp $cta $depth\n"
       "$tick; memory "
       "[ADDRESS].f32,\n"
       "shared[4], local[4], c[0][0x40]; parameters, shared variables and labels by name; C's operators; "
       "any() all() "
       "count()\n"
       "mask() over the active lanes; types as functions: s32(R3), f32(R3). A register without a type prints "
       "as signed,\n"
       "hexadecimal and (a likely) float, and is computed and compared as .s32: what prints as -5 == -5. "
       "Beside an "
       "unsigned value\n"
       "(R3.u32, 0xffffffff) and in an address it is unsigned. Numbers alone are exact: 1 << 40. A kernel's "
       "own names (.reg acc, R4) do as well: acc, acc[7], "
       "m[2][7]. "
       "Generic addresses\n"
       "of shared and local memory lead there. Ranges: R0[0:7] and R0[*] over lanes, [x].f32@8 and R4@4 over "
       "elements. Formats:\n"
       "x d u f t (or b) o c a, s (the string at [ADDRESS]). $1, $2, ... are the values printed before, $ "
       "the last, "
       "$$ the one\n"
       "before it, $$2 the one before that; $name is a variable that `set` made. Of a program in C its variables: "
       "x, a[i].y,\n"
       "p->x, *p, &x, casts; x[*lanes] over the active lanes, x[lane 3], x[lanes 0:7]. A name of the source comes "
       "first: $R0\n"
       "is the register, whatever is called R0.\n"
       "\n"
       "(leno) print/x R0 + 1",
       print},
      {"x", "", Command::Looking, Command::TakesFormat | Command::Repeats, "[SPACE:]ADDRESS", "show memory",
       "The format is a count, a format (x d u f t o c a, s strings, i instructions) and a unit (b 1, h 2, w "
       "4, g 8\n"
       "bytes); what is missing is as the last time, behind - as at first: x/-; x/-4i shows those before the "
       "address.\n"
       "The space is global: (when none is named), shared:, local: (of the focused lane), const: (bank 0) or "
       "c0: to\n"
       "c15:. Again, it goes on.\n"
       "\n"
       "(leno) x/4fw x",
       examineMemory},
      {"display", "", Command::Looking, Command::TakesFormat, "[EXPRESSION]",
       "print an expression at every stop",
       "Without an expression, prints all displays now. The format i shows the instruction at an address: "
       "`display/i $pc`.\n"
       "\n"
       "(leno) display R0",
       display},
      {"undisplay", "", Command::Looking, 0, "[NUMBER...]", "end displays, or all of them",
       "(leno) undisplay 1", undisplay},
      {"disable display", "", Command::Looking, 0, "[NUMBER...]", "switch displays off, or all of them",
       "(leno) disable display 1", enableDisplay<false>},
      {"enable display", "", Command::Looking, 0, "[NUMBER...]", "switch displays on again, or all of them",
       "(leno) enable display 1", enableDisplay<true>},
      {"info display", "", Command::Looking, Command::NoArguments, "", "list the displays",
       "(leno) info display", infoDisplay},
      {"info variables", "", Command::Looking, Command::NoArguments, "", "list the variables that set made",
       "(leno) info variables", infoVariables},
      {"set", "", Command::Looking, 0, "PLACE = EXPRESSION",
       "change a register, predicate, flag, memory, the PC or a variable",
       "PLACE is a register of the focused lane R3, of another one R3[7], of every active lane R3[*] (each "
       "computes the\n"
       "expression itself), a predicate P0 or P0.mask, a flag, or memory [ADDRESS].f32. A float goes into a "
       "register as\n"
       "f32, into R2.f64 as a pair. R3[0:7] = takes lanes 0 to 7, active or not, [x].f32@8 = eight elements. "
       "$name "
       "= makes a\n"
       "variable. $pc = LABEL lets the active lanes go on there, in the same function; the active mask, the "
       "stack "
       "and the lanes\n"
       "that wait stay as they are, and instructions between that push or pop entries are told. Stepping "
       "back undoes "
       "changes,\n"
       "but for variables.\n"
       "\n"
       "(leno) set R3[7] = 1.5",
       set},
  };
  return commands;
}

} // namespace leno::dbg
