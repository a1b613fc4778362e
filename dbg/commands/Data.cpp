//===- Data.cpp - print, x, display, set ----------------------------------===//
#include "dbg/Focus.h"
#include "dbg/Interpreter.h"
#include "dbg/StackNote.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

static Expected<char> formatLetter(const Invocation &invocation) {
  StringRef text = invocation.format;
  if (text.empty())
    return '\0';
  if (text.size() == 1 && isValueFormat(text[0]))
    return text[0];
  return textError(text, 0,
                   "a format is one letter: x hexadecimal, d signed, u unsigned, f float, t or b binary, "
                   "o octal, c character, a address, and of print s string");
}

static Error printString(Interpreter &in, StringRef text);

static Error print(Interpreter &in, const Invocation &invocation) {
  if (invocation.format == "s")
    return printString(in, invocation.arguments);
  Expected<char> letter = formatLetter(invocation);
  if (!letter)
    return letter.takeError();
  Expected<Expression> expression = Expression::parse(invocation.arguments);
  if (!expression)
    return expression.takeError();
  Expected<std::vector<Value>> values = expression->evaluateAll(in.session.context());
  if (!values)
    return values.takeError();
  if (expression->isRange())
    in.out << invocation.arguments << " = " << in.formatList(*values, *letter) << '\n';
  else {
    size_t number = in.session.remember(values->front());
    in.out << '$' << number << " = " << in.format(values->front(), *letter) << '\n';
  }
  return Error::success();
}

static Error display(Interpreter &in, const Invocation &invocation) {
  Expected<char> letter = formatLetter(invocation);
  if (!letter)
    return letter.takeError();
  if (invocation.arguments.empty()) {
    in.printDisplays();
    return Error::success();
  }
  Expected<Expression> expression = Expression::parse(invocation.arguments);
  if (!expression)
    return expression.takeError();
  in.displays.push_back({++in.lastDisplay, *letter, std::move(*expression)});
  if (in.session.focusedWarp())
    in.printDisplays();
  return Error::success();
}

static Error undisplay(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty()) {
    in.displays.clear();
    return Error::success();
  }
  unsigned id;
  if (invocation.arguments.getAsInteger(10, id) ||
      !std::erase_if(in.displays, [&](const Interpreter::Display &d) { return d.id == id; }))
    return textError(invocation.arguments, 0, "there is no display '" + invocation.arguments + "'");
  return Error::success();
}

static Error set(Interpreter &in, const Invocation &invocation) {
  Expected<Assignment> assignment = Assignment::parse(invocation.arguments);
  if (!assignment)
    return assignment.takeError();
  std::optional<u64> from = in.session.here();
  WarpContext context = in.session.context();
  if (Error error = assignment->perform(context))
    return error;
  std::optional<u64> to = in.session.here();
  if (from == to)
    return Error::success();
  in.out << in.describeWarp(*in.session.focusedWarp()) << '\n' << stackNote(in, *from, *to);
  in.printCurrentLine();
  return Error::success();
}

static Error infoDisplay(Interpreter &in, const Invocation &) {
  Table table({"Num", "Format", "Expression"});
  for (const Interpreter::Display &display : in.displays)
    table.row({std::to_string(display.id), display.format ? std::string(1, display.format) : "-",
               display.expression.text().str()});
  if (table.empty())
    in.out << "No displays.\n";
  else
    table.print(in.out);
  return Error::success();
}

static Error infoVariables(Interpreter &in, const Invocation &) {
  Table table({"Variable", "Value"});
  for (const auto &[name, value] : in.session.userValues().variables)
    table.row({"$" + name, in.format(value, 0)});
  if (table.empty())
    in.out << "No variables: `set $name = EXPRESSION` makes one.\n";
  else
    table.print(in.out);
  return Error::success();
}

//===--- x ----------------------------------------------------------------===//

static constexpr u64 mostUnits = 1 << 16;

static unsigned bytesOf(char unit) { return unit == 'b' ? 1 : unit == 'h' ? 2 : unit == 'g' ? 8 : 4; }

/// "8xw": a count, a format and a unit, each of which may be missing.
static Error readFormat(StringRef text, Interpreter::Examine &examine) {
  StringRef rest = text;
  if (!rest.empty() && isDigit(rest[0])) {
    if (rest.consumeInteger(10, examine.count) || examine.count == 0 || examine.count > mostUnits)
      return textError(text, 0, "the count of units is from 1 to " + Twine(mostUnits));
  } else
    examine.count = 1;
  for (char c : rest) {
    if (StringRef("bhwg").contains(c))
      examine.unit = c;
    else if (isValueFormat(c) || c == 's' || c == 'i')
      examine.format = c;
    else
      return textError(text, size_t(rest.find(c) + (text.size() - rest.size())),
                       "expected a count, a format (x d u f t o c a s i) and a unit (b h w g)");
  }
  return Error::success();
}

/// Where x starts: `shared:0x10`, `local:0x10` (of the focused lane), `const:0x40`, `c2:8`, `global:ADDRESS`,
/// or an address in global memory.
static Error readAddress(Interpreter &in, StringRef text, Interpreter::Examine &examine) {
  StringRef rest = text;
  examine.bank = 0;
  size_t colon = text.find(':');
  StringRef prefix = colon == StringRef::npos ? StringRef() : text.take_front(colon).trim();
  examine.space = MemorySpace::Global;
  if (colon != StringRef::npos) {
    rest = text.substr(colon + 1);
    if (prefix == "shared")
      examine.space = MemorySpace::Shared;
    else if (prefix == "local")
      examine.space = MemorySpace::Local;
    else if (prefix == "const" || prefix == "c")
      examine.space = MemorySpace::Constant;
    else if (prefix.starts_with("c") && !prefix.drop_front().getAsInteger(10, examine.bank) &&
             examine.bank < 16)
      examine.space = MemorySpace::Constant;
    else if (prefix != "global")
      return textError(
          text, 0, "expected global:, shared:, local:, const: (bank 0) or c0: to c15: before the address");
  }
  Expected<Value> address = in.evaluate(rest);
  if (!address)
    return address.takeError();
  if (address->isFloat())
    return textError(text, columnIn(text, rest), "an address is an integer, not a float");
  examine.next = address->integer();
  if (examine.space == MemorySpace::Global)
    std::tie(examine.space, examine.next) = mapGeneric(examine.next);
  return Error::success();
}

static std::string nameOfAddress(Interpreter &in, const Interpreter::Examine &examine, u64 address) {
  if (examine.space == MemorySpace::Shared || examine.space == MemorySpace::Local)
    return formatv("{0}:{1}", nameOf(examine.space), hexAddress(address));
  if (examine.space == MemorySpace::Constant)
    return formatv("c[{0}][{1}]", examine.bank, hexAddress(address));
  std::string text = hexAddress(address, 5);
  if (const AddressSpace::Allocation *found = in.session.launch().device().memory().find(address))
    text += formatv(" <{0}+{1}>", found->name, address - found->window.base);
  return text;
}

static Error examineInstructions(Interpreter &in, Interpreter::Examine &examine) {
  for (u64 i = 0; i < examine.count; ++i, examine.next += 8) {
    if (!in.session.isInstruction(examine.next))
      return createStringError(formatv("there is no instruction at {0:x}", examine.next));
    in.printInstruction(examine.next, in.session.here());
  }
  return Error::success();
}

/// The characters up to a zero byte, in quotes; `examine.next` is behind them afterwards.
static Expected<std::string> stringAt(const WarpContext &context, Interpreter::Examine &examine) {
  static constexpr u64 mostCharacters = 200;
  std::string text;
  u64 address = examine.next;
  uint8_t c = 0;
  bool ended = false;
  while (text.size() < mostCharacters && !ended) {
    if (Error error = context.read(examine.space, examine.bank, examine.next, context.lane(), c)) {
      if (examine.next == address)
        return std::move(error);
      consumeError(std::move(error)); // the memory ends, and the text with it
      ended = true;
      break;
    }
    ++examine.next;
    ended = c == 0;
    if (!ended)
      text += char(c);
  }
  std::string quoted;
  raw_string_ostream os(quoted);
  os << '"';
  printEscapedString(text, os);
  os << (ended ? "\"" : "\"...");
  return quoted;
}

static Error examineString(Interpreter &in, const WarpContext &context, Interpreter::Examine &examine) {
  for (u64 i = 0; i < examine.count; ++i) {
    std::string name = nameOfAddress(in, examine, examine.next);
    Expected<std::string> text = stringAt(context, examine);
    if (!text)
      return text.takeError();
    in.out << name << ":  " << *text << '\n';
  }
  return Error::success();
}

/// Of memory, the characters that begin there.
static Error printString(Interpreter &in, StringRef text) {
  Expected<Expression> expression = Expression::parse(text);
  if (!expression)
    return expression.takeError();
  Expected<Place> place = expression->place(in.session.context());
  if (!place)
    return place.takeError();
  if (place->kind != Place::Memory)
    return textError(text, 0, "a string stands in memory: print/s [ADDRESS]");
  Interpreter::Examine examine;
  examine.space = place->space;
  examine.next = place->address;
  Expected<std::string> characters = stringAt(in.session.context(), examine);
  if (!characters)
    return characters.takeError();
  in.out << text << " = " << *characters << '\n';
  return Error::success();
}

static Value unitValue(u64 bits, char format, char unit) {
  unsigned bytes = bytesOf(unit);
  ValueType type = bytes == 1   ? ValueType::U8
                   : bytes == 2 ? ValueType::U16
                   : bytes == 8 ? ValueType::U64
                                : ValueType::U32;
  if (format == 'f' && bytes >= 4)
    type = bytes == 8 ? ValueType::F64 : ValueType::F32;
  return reinterpret(bits, type);
}

static Error examineMemory(Interpreter &in, const Invocation &invocation) {
  Interpreter::Examine examine = in.examineNext.value_or(Interpreter::Examine());
  if (!invocation.repeated) {
    if (Error error = readFormat(invocation.format, examine))
      return error;
    if (!invocation.arguments.empty()) {
      if (Error error = readAddress(in, invocation.arguments, examine))
        return error;
    } else if (!in.examineNext)
      return textError("x", 1, "expected an address, as in x/4xw 0x10000");
  }
  WarpContext context = in.session.context();
  if (examine.format == 'i') {
    Error error = examineInstructions(in, examine);
    in.examineNext = examine;
    return error;
  }
  if (examine.format == 's') {
    Error error = examineString(in, context, examine);
    in.examineNext = examine;
    return error;
  }
  if (examine.format == 'c' && invocation.format.find_first_of("bhwg") == StringRef::npos &&
      !invocation.repeated)
    examine.unit = 'b';
  unsigned bytes = bytesOf(examine.unit),
           perLine = examine.format == 't' || examine.format == 'b' ? 2 : 16 / bytes;
  std::string line;
  for (u64 i = 0; i < examine.count; ++i, examine.next += bytes) {
    uint8_t buffer[8] = {};
    if (Error error = context.read(examine.space, examine.bank, examine.next, context.lane(),
                                   MutableArrayRef(buffer, bytes))) {
      in.out << line << (line.empty() ? "" : "\n");
      return error;
    }
    if (i % perLine == 0)
      line += (line.empty() ? "" : "\n") + nameOfAddress(in, examine, examine.next) + ":";
    line += "  " + in.format(unitValue(support::endian::read64le(buffer), examine.format, examine.unit),
                             examine.format);
  }
  in.out << line << '\n';
  in.examineNext = examine;
  return Error::success();
}

ArrayRef<Command> dataCommands() {
  static constexpr Command commands[] = {
      {"print", "p inspect", Command::Looking, Command::TakesFormat, "EXPRESSION",
       "compute an expression and print it",
       "Registers R3 (of the focused lane), R3[7] (of lane 7); R2.u64 and f64(R2) take the pair R3:R2; "
       "predicates P0,\n"
       "P0.mask; flags OF CF SF ZF; special registers SR_TID.X; $pc $mask $lane $warp $cta $depth; memory "
       "[ADDRESS].f32,\n"
       "shared[4], local[4], c[0][0x40]; parameters, shared variables and labels by name; C's operators; "
       "any() all() "
       "count()\n"
       "mask() over the active lanes; types as functions: s32(R3), f32(R3). A register without a type prints "
       "as signed,\n"
       "hexadecimal and (a likely) float. A kernel's own names (.reg acc, R4) do as well: acc, acc[7], "
       "m[2][7]. "
       "Generic addresses\n"
       "of shared and local memory lead there. Ranges: R0[0:7] and R0[*] over lanes, [x].f32@8 and R4@4 over "
       "elements. Formats:\n"
       "x d u f t (or b) o c a, s (the string at [ADDRESS]). $1, $2, ... are the values printed before, $ "
       "the last, "
       "$$ the one\n"
       "before it, $$2 the one before that; $name is a variable that `set` made.\n"
       "\n"
       "(leno) print/x R0 + 1",
       print},
      {"x", "", Command::Looking, Command::TakesFormat | Command::Repeats, "[SPACE:]ADDRESS", "show memory",
       "The format is a count, a format (x d u f t o c a, s strings, i instructions) and a unit (b 1, h 2, w "
       "4, g 8\n"
       "bytes). The space is global: (when none is named), shared:, local: (of the focused lane), const: "
       "(bank 0) "
       "or c0: to\n"
       "c15:. Again, it goes on.\n"
       "\n"
       "(leno) x/4fw x",
       examineMemory},
      {"display", "", Command::Looking, Command::TakesFormat, "[EXPRESSION]",
       "print an expression at every stop",
       "Without an expression, prints all displays now.\n"
       "\n"
       "(leno) display R0",
       display},
      {"undisplay", "", Command::Looking, 0, "[NUMBER]", "end a display, or all of them",
       "(leno) undisplay 1", undisplay},
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
