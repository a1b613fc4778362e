//===- Symbols.cpp - info symbol, address, functions, parameters, whatis --===//
#include "dbg/Examine.h"
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "dbg/source/Frame.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace leno::dbg {

//===--- Names and addresses ----------------------------------------------===//

static Error infoSymbol(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return textError("info symbol", 11, "expected an address, as in `info symbol 0x18`");
  Interpreter::Examine at;
  if (Error error = readAddress(in, invocation.arguments, at))
    return error;
  std::string text;
  if (at.space == MemorySpace::Shared)
    for (const SharedVariable &variable : in.session.focus().kernel().shared)
      if (at.next - variable.offset < variable.bytes)
        text = formatv("{0}+{1}, in shared memory", variable.name, at.next - variable.offset);
  if (at.space == MemorySpace::Global)
    if (const AddressSpace::Allocation *found = in.session.focus().device().memory().find(at.next))
      text = formatv("{0}+{1}, in global memory", found->name, at.next - found->window.base);
  if (text.empty() && at.space == MemorySpace::Global && at.next < in.session.code().names().codeBytes())
    text = in.describePlace(at.next / 8 * 8) + ", in the code";
  in.note({{"kind", "symbol"}, {"address", facts::hex(at.next)}, {"name", facts::text(text)}});
  if (text.empty())
    text = "nothing that has a name: " + in.session.focus().device().memory().describe(at.next);
  in.out << hexAddress(at.next) << " is " << text << '\n';
  return Error::success();
}

static Error infoAddress(Interpreter &in, const Invocation &invocation) {
  StringRef name = invocation.arguments;
  Expected<Value> value = in.evaluate(name.empty() ? " " : name);
  if (!value)
    return value.takeError();
  std::string text;
  for (const KernelParam &param : in.session.focus().kernel().params)
    if (param.name == name)
      text = formatv("a parameter, at c[0][{0:x}]{1}", param.offset,
                     param.type == ParamType::Ptr ? ", and points to " + hexAddress(value->integer()) : "");
  for (const SharedVariable &variable : in.session.focus().kernel().shared)
    if (variable.name == name && text.empty())
      text = formatv("a shared variable, at shared:{0:x}", variable.offset);
  if (auto named = in.session.focus().context().registersNamed(name); named && text.empty())
    text = formatv("{0}{1}{2}", named->isPredicate ? "the predicate P" : "the register R", named->first,
                   named->count > 1 ? " to " + std::to_string(named->first + named->count - 1) : "");
  if (text.empty() && value->type == ValueType::Address)
    text = "a place in the code, at " + hexAddress(value->bits);
  if (text.empty() && in.session.code().names().symbol(name))
    text = "a place in the code, at " + hexAddress(*in.session.code().names().symbol(name));
  if (text.empty())
    text = value->isFloat() || value->type == ValueType::Word ? "a value, which has no address"
                                                              : "at " + hexAddress(value->integer());
  in.note({{"kind", "symbol"}, {"address", facts::hex(value->integer())}, {"name", facts::text(name)}});
  in.out << name << " is " << text << '\n';
  return Error::success();
}

/// Kernels, functions and labels whose names a regular expression finds.
static Error infoFunctions(Interpreter &in, const Invocation &invocation) {
  Regex wanted(invocation.arguments.empty() ? "." : invocation.arguments);
  std::string message;
  if (!wanted.isValid(message))
    return textError(invocation.arguments, 0, "this is no regular expression: " + message);
  Table table({"Address", "Kind", "Name", "Line"});
  for (const Symbol &symbol : in.session.focus().executable().symbols()) {
    if (!wanted.match(symbol.name))
      continue;
    bool isKernel = any_of(in.session.focus().executable().kernels(),
                           [&](const KernelInfo &kernel) { return kernel.name == symbol.name; });
    std::string line = in.describeLine(symbol.address);
    table.row({hexAddress(symbol.address),
               isKernel            ? "kernel"
               : symbol.isFunction ? "function"
                                   : "label",
               symbol.name, line.empty() ? "-" : line});
  }
  table.printOr(in.out, "No kernel, function or label has such a name.");
  return Error::success();
}

static Error infoMemory(Interpreter &in, const Invocation &) {
  Table table({"Start", "End", "Bytes", "Name"});
  for (const auto &[base, allocation] : in.session.focus().device().memory().allocations())
    table.row({hexAddress(base), hexAddress(allocation.end()), std::to_string(allocation.window.size),
               allocation.name + (allocation.isOnDemand ? " (on demand)" : "")});
  table.printOr(in.out, "No global memory is allocated.");
  return Error::success();
}

//===--- The kernel's own names -------------------------------------------===//

static Error infoParameters(Interpreter &in, const Invocation &) {
  json::Array params;
  for (const KernelParam &param : in.session.focus().kernel().params) {
    Expected<std::optional<Value>> value = in.session.focus().context().named(param.name);
    if (!value)
      return value.takeError();
    char format = param.type == ParamType::Ptr ? 'x' : '\0';
    in.out << param.name << " = " << in.format(**value, format) << '\n';
    json::Object one = facts::value(in, **value, format);
    one["name"] = facts::text(param.name);
    params.push_back(std::move(one));
  }
  if (params.empty())
    in.out << "The kernel has no parameters.\n";
  in.note({{"kind", "parameters"}, {"parameters", std::move(params)}});
  return Error::success();
}

/// Variables of the source where the call that is looked at stands, of its function or of its arguments.
static Error tellVariables(Interpreter &in, bool arguments) {
  WarpContext context = in.session.focus().context();
  json::Array found;
  for (const source::Variable *variable : context.sourceVariables(arguments)) {
    source::Object object = context.sourceObject(*variable, context.lane());
    in.out << variable->name << " = " << in.format(object, context, 0) << '\n';
    json::Object one = facts::object(in, object, context);
    one["name"] = facts::text(variable->name);
    found.push_back(std::move(one));
  }
  if (found.empty())
    in.out << (arguments ? "No arguments.\n" : "No locals.\n");
  in.note({{"kind", arguments ? "arguments" : "locals"}, {"variables", std::move(found)}});
  return Error::success();
}

static Error infoArguments(Interpreter &in, const Invocation &invocation) {
  return in.session.focus().context().sourceScope() ? tellVariables(in, true) : infoParameters(in, invocation);
}

/// What the kernel calls by a name, in the focused lane.
static Error infoLocals(Interpreter &in, const Invocation &) {
  if (in.session.focus().context().sourceScope())
    return tellVariables(in, false);
  const KernelInfo &kernel = in.session.focus().kernel();
  WarpContext context = in.session.focus().context();
  Table table({"Name", "Is", "Value"});
  for (const RegisterName &name : kernel.names)
    for (unsigned i = 0; i < name.count; ++i) {
      unsigned number = name.first + i;
      std::string shown = name.name + (name.isRange ? "[" + std::to_string(name.firstIndex + i) + "]" : "");
      std::string cell = (name.isPredicate ? "P" : "R") + std::to_string(number), text;
      if (name.isPredicate) {
        Expected<LaneMask> mask = context.readPredicate(number);
        if (!mask)
          return mask.takeError();
        text = *mask >> context.lane() & 1 ? "true" : "false";
      } else if (Expected<u32> bits = context.readRegister(number, context.lane()))
        text = in.format({ValueType::Word, *bits}, 0);
      else {
        consumeError(bits.takeError());
        text = "-";
      }
      table.row({shown, cell, text});
    }
  table.printOr(in.out, "The kernel names no registers (.reg, .pred); `info registers` shows all.");
  return Error::success();
}

/// "struct point *": a type of the program's by its name.
static const source::Type *typeNamed(const LaneContext &context, StringRef text) {
  text = text.trim();
  unsigned stars = 0;
  for (; text.consume_back("*"); ++stars)
    text = text.rtrim();
  const source::Type *type = context.sourceType(text);
  for (; type && stars; --stars)
    type = source::pointerTo(*type);
  return type;
}

template <bool whole> static Error whatis(Interpreter &in, const Invocation &invocation) {
  WarpContext context = in.session.focus().context();
  auto tell = [&](const source::Type &type, size_t count) {
    std::string text = whole ? source::describe(type) : source::spell(type);
    in.note({{"kind", "type"}, {"type", facts::text(text)}, {"count", int64_t(count)}});
    in.out << "type = " << (count > 1 ? plural(count, "element") + " of " : "") << text << '\n';
    return Error::success();
  };
  if (const source::Type *type = typeNamed(context, invocation.arguments))
    // The name of typedef is what is asked for.
    return tell(!whole && type->kind == source::Type::Alias ? *type->target : *type, 1);
  static constexpr std::pair<ValueType, StringLiteral> explained[] = {
      {ValueType::Word, "b32, a register or word without a type: 32 bits, signed where it is compared"},
      {ValueType::Mask, "mask, a bit for each lane"},
      {ValueType::Address, "address, a place in the code"},
  };
  Expected<Expression> expression = Expression::parse(invocation.arguments);
  if (!expression)
    return expression.takeError();
  Expected<std::optional<std::vector<source::Object>>> objects = expression->objects(context);
  if (!objects)
    return objects.takeError();
  if (*objects && !(*objects)->empty())
    return tell(*(*objects)->front().type, (*objects)->size());
  Expected<std::vector<Value>> values = expression->evaluateAll(context);
  if (!values)
    return values.takeError();
  if (values->front().of)
    return tell(*values->front().of, values->size());
  ValueType type = values->front().type;
  std::string text = nameOf(type).str();
  for (auto [known, words] : explained)
    if (known == type)
      text = words.str();
  if (expression->isRange())
    text = plural(values->size(), "element") + " of " + text;
  in.note({{"kind", "type"}, {"type", nameOf(type)}, {"count", int64_t(values->size())}});
  in.out << "type = " << text << '\n';
  return Error::success();
}

static Error search(Interpreter &in, const Invocation &invocation) {
  StringRef pattern = invocation.arguments;
  bool back = pattern.consume_front("-back ");
  Regex wanted(pattern);
  std::string message;
  if (pattern.empty() || !wanted.isValid(message))
    return textError(invocation.arguments, 0, "expected a regular expression " + message);
  std::optional<SourceLine> from = in.listNext ? in.listNext : in.session.code().hereLine();
  if (!from)
    return createStringError("the program has no line information: assemble it with -g");
  unsigned count = in.sources.lineCount(from->file);
  // `list` leaves off behind what it showed.
  unsigned first = in.listNext || from->line == 0 ? from->line : from->line + 1;
  for (unsigned number = back ? from->line - std::min(from->line, in.listNext ? 2u : 1u) : first;
       number >= 1 && number <= count; back ? --number : ++number)
    if (std::optional<StringRef> text = in.sources.line(from->file, number); text && wanted.match(*text)) {
      in.out << number << '\t' << *text << '\n';
      in.note(
          {{"kind", "lines"},
           {"file", facts::text(from->file)},
           {"lines", json::Array{json::Object{{"line", int64_t(number)}, {"source", facts::text(*text)}}}}});
      in.listNext = SourceLine{from->file, number + 1};
      return Error::success();
    }
  return textError(pattern, 0,
                   Twine("no line ") + (back ? "before " : "from ") + Twine(back ? from->line : first) +
                       " has this");
}

ArrayRef<Command> symbolCommands() {
  static constexpr Command commands[] = {
      {"whatis", "", Command::Looking, 0, "EXPRESSION | TYPE", "tell the type of a value",
       "(leno) whatis R0 + 1", whatis<false>},
      {"ptype", "", Command::Looking, 0, "EXPRESSION | TYPE", "tell the type of a value, and what it is made of",
       "Of a structure of the source its members, and what a typedef stands for.\n"
       "\n"
       "(leno) ptype R0",
       whatis<true>},
      {"info parameters", "", Command::Looking, Command::NoArguments, "", "show the kernel's parameters",
       "(leno) info parameters", infoParameters},
      {"info args", "", Command::Looking, Command::NoArguments, "", "show the arguments of the function",
       "Those of the call that is looked at, in the focused lane, where the program tells of its source; else the\n"
       "kernel's parameters.\n"
       "\n"
       "(leno) info args",
       infoArguments},
      {"info locals", "", Command::Looking, Command::NeedsWarp | Command::NoArguments, "",
       "show local variables, in the focused lane",
       "Those of the source in the call that is looked at, of the innermost block first; <optimized out> is what the\n"
       "compiler keeps nowhere. In assembly the registers and predicates that .reg and .pred name.\n"
       "\n"
       "(leno) info locals",
       infoLocals},
      {"info memory", "", Command::Looking, Command::NoArguments, "",
       "list what is allocated in global memory", "(leno) info memory", infoMemory},
      {"info symbol", "", Command::Code, 0, "[SPACE:]ADDRESS", "tell what stands at an address",
       "A buffer, a shared variable, or a place in the code.\n"
       "\n"
       "(leno) info symbol $pc",
       infoSymbol},
      {"info address", "", Command::Code, Command::CompletesLocation, "NAME", "tell where a name stands",
       "(leno) info address twice", infoAddress},
      {"info functions", "", Command::Code, 0, "[REGEX]", "list kernels, functions and labels",
       "All, or those whose names have REGEX in them.\n"
       "\n"
       "(leno) info functions tw",
       infoFunctions},
      {"search", "forward-search fo", Command::Code, 0, "[-back] REGEX", "look for a text in the source",
       "From the line after the last one shown; `-back` goes up from there.\n"
       "\n"
       "(leno) search RET",
       search},
  };
  return commands;
}

} // namespace leno::dbg
