// variables, setVariable, evaluate, completions.
#include "dbg/Text.h"
#include "dbg/dap/Server.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg::dap {

/// `format: {hex: true}`.
static bool wantsHexadecimal(const Arguments &arguments) {
  const json::Value *format = arguments.find("format");
  const json::Object *object = format ? format->getAsObject() : nullptr;
  return object && object->getBoolean("hex").value_or(false);
}

Server::Reply Server::variables(const Arguments &arguments) {
  Expected<int64_t> reference = arguments.integer("variablesReference");
  if (!reference)
    return reference.takeError();
  Expected<int64_t> start = arguments.integerOr("start", 0), count = arguments.integerOr("count", 0);
  Expected<std::string> filter = arguments.stringOr("filter", "");
  if (!start || !count || !filter)
    return joinErrors(joinErrors(start.takeError(), count.takeError()), filter.takeError());
  if (*start < 0 || *count < 0)
    return createStringError("'start' and 'count' are not negative");
  Expected<Container> container = tree->find(*reference);
  if (!container)
    return container.takeError();
  size_t named = tree->namedCount(*container), indexed = tree->indexedCount(*container);
  size_t begin = *filter == "indexed" ? named : 0, end = *filter == "named" ? named : named + indexed;
  begin += std::min(size_t(*start), end - begin);
  size_t most = *count ? std::min(size_t(*count), end - begin) : end - begin;
  Expected<std::vector<Variable>> found =
      tree->children(*container, begin, most, wantsHexadecimal(arguments));
  if (!found)
    return found.takeError();
  json::Array all;
  for (const Variable &one : *found) {
    json::Object row{{"name", jsonText(one.name)},
                     {"value", jsonText(one.value)},
                     {"variablesReference", one.children ? tree->reference(*one.children) : 0}};
    if (!one.type.empty())
      row["type"] = one.type;
    if (!one.expression.empty())
      row["evaluateName"] = jsonText(one.expression);
    if (!one.memory.empty())
      row["memoryReference"] = one.memory;
    if (one.children) {
      row["namedVariables"] = int64_t(tree->namedCount(*one.children));
      row["indexedVariables"] = int64_t(tree->indexedCount(*one.children));
    }
    if (!one.canBeSet)
      row["presentationHint"] = json::Object{{"attributes", json::Array{"readOnly"}}};
    all.push_back(std::move(row));
  }
  return json::Object{{"variables", std::move(all)}};
}

static Expected<Value> evaluateIn(StringRef text, const LaneContext &context) {
  Expected<Expression> expression = Expression::parse(text);
  return expression ? expression->evaluate(context) : expression.takeError();
}

json::Object Server::describeValue(const Value &value, const Arguments &arguments, bool isPointer) {
  json::Object body{{"type", value.of    ? jsonText(source::spell(*value.of))
                             : isPointer ? std::string(paramTypeName(ParamType::Ptr))
                                         : nameOf(value.type).str()},
                    {"variablesReference", 0}};
  body["value"] = jsonText(interpreter->format(value, isPointer || wantsHexadecimal(arguments) ? 'x' : 0));
  if (value.type == ValueType::Address)
    body["memoryReference"] = addressText(value.bits);
  else if (!value.isFloat() && value.type != ValueType::Mask &&
           session->focus().device().memory().find(value.integer()))
    body["memoryReference"] = MemoryReference{.address = value.integer()}.text();
  return body;
}

Server::Reply Server::setVariable(const Arguments &arguments) {
  Expected<int64_t> reference = arguments.integer("variablesReference");
  if (!reference)
    return reference.takeError();
  Expected<std::string> name = arguments.string("name"), value = arguments.string("value");
  if (!name || !value)
    return joinErrors(name.takeError(), value.takeError());
  Expected<Container> container = tree->find(*reference);
  if (!container)
    return container.takeError();
  Expected<Variable> variable = tree->child(*container, *name);
  if (!variable)
    return variable.takeError();
  if (!variable->canBeSet)
    return createStringError("'" + *name + "' cannot be changed");
  unsigned lane = container->kind == Container::Lane ? container->number : session->focus().position().lane;
  WarpContext context = session->focus().contextOf(tree->warpOf(*container), lane, container->frame);
  Expected<Assignment> assignment = Assignment::parse(variable->expression + " = " + *value);
  if (!assignment)
    return assignment.takeError();
  if (Error error = assignment->perform(context))
    return std::move(error);
  if (container->kind >= Container::Locals) {
    Expected<Variable> changed = tree->child(*container, *name);
    if (!changed)
      return changed.takeError();
    return json::Object{
        {"value", jsonText(changed->value)}, {"type", jsonText(changed->type)}, {"variablesReference", 0}};
  }
  Expected<Value> now = evaluateIn(variable->expression, context);
  if (!now)
    return now.takeError();
  return describeValue(*now, arguments);
}

Server::Reply Server::setExpression(const Arguments &arguments) {
  Expected<std::string> expression = arguments.string("expression"), value = arguments.string("value");
  if (!expression || !value)
    return joinErrors(expression.takeError(), value.takeError());
  Expected<Warp *> warp = warpOfFrame(arguments);
  if (!warp)
    return warp.takeError();
  WarpContext context =
      session->focus().contextOf(*warp, session->focus().position().lane, numberOfFrame(arguments));
  Expected<Assignment> assignment = Assignment::parse(*expression + " = " + *value);
  if (!assignment)
    return assignment.takeError();
  if (Error error = assignment->perform(context))
    return std::move(error);
  Expected<Value> now = evaluateIn(*expression, context);
  if (!now)
    return now.takeError();
  return describeValue(*now, arguments);
}

Server::Reply Server::evaluateOnConsole(StringRef typed) {
  StringRef rest;
  Expected<const Command *> command = findCommand(typed, rest);
  std::string line = typed.str();
  // What is no command may be an expression.
  if (!command) {
    Error mistake = command.takeError();
    Expected<Expression> expression = Expression::parse(typed.trim());
    if (expression && !interpreter->collecting)
      line = ("print " + typed).str();
    if (!expression)
      consumeError(expression.takeError());
    consumeError(std::move(mistake));
  }
  // Another lane, or another value, makes what is shown old.
  auto moment = [&] {
    const LanePosition &focus = session->focus().position();
    bool started = session->state() != SessionState::NotStarted;
    return std::tuple(started ? session->timeline().now() : 0, focus.cta.x, focus.cta.y, focus.cta.z,
                      focus.warp, focus.lane, focus.context);
  };
  auto before = moment();
  bool succeeded = true;
  std::string said = execute(line, succeeded);
  if (!succeeded) {
    StringRef words = StringRef(said).rtrim();
    words.consume_front("error: ");
    return createStringError(words);
  }
  if (!afterwards && clientInvalidates && moment() != before)
    event("invalidated", json::Object{{"areas", json::Array{"all"}}});
  return json::Object{{"result", jsonText(StringRef(said).rtrim())}, {"variablesReference", 0}};
}

Server::Reply Server::evaluate(const Arguments &arguments) {
  Expected<std::string> expression = arguments.string("expression"),
                        context = arguments.stringOr("context", "watch");
  if (!expression || !context)
    return joinErrors(expression.takeError(), context.takeError());
  if (running())
    return createStringError("the kernel is running: `pause` it first");
  Expected<Warp *> warp = warpOfFrame(arguments);
  if (!warp)
    return warp.takeError();
  if (*context == "repl") {
    if (arguments.find("frameId") && *warp)
      if (Error error = focusOn(threadOf(**warp)))
        return std::move(error);
    return evaluateOnConsole(*expression);
  }
  Expected<Expression> parsed = Expression::parse(*expression);
  if (!parsed)
    return parsed.takeError();
  size_t frame = numberOfFrame(arguments);
  WarpContext seen = session->focus().contextOf(*warp, session->focus().position().lane, frame);
  Expected<std::optional<std::vector<source::Object>>> objects = parsed->objects(seen);
  if (!objects)
    return objects.takeError();
  char letter = wantsHexadecimal(arguments) ? 'x' : '\0';
  if (*objects && !(*objects)->empty()) {
    const source::Object &first = (*objects)->front();
    json::Object body{{"result", jsonText(interpreter->format(*parsed, **objects, seen, letter))},
                      {"type", jsonText(source::spell(*first.type))},
                      {"variablesReference", 0}};
    if (std::optional<Container> parts =
            parsed->isRange() ? std::nullopt : tree->partsOf(**warp, frame, first, *expression)) {
      body["variablesReference"] = tree->reference(*parts);
      body["namedVariables"] = int64_t(tree->namedCount(*parts));
      body["indexedVariables"] = int64_t(tree->indexedCount(*parts));
    }
    return std::move(body);
  }
  Expected<std::vector<Value>> values = parsed->evaluateAll(seen);
  if (!values)
    return values.takeError();
  if (parsed->isRange())
    return json::Object{{"result", jsonText(interpreter->formatRange(*parsed, *values, 0))},
                        {"variablesReference", 0}};
  json::Object body = describeValue(values->front(), arguments, tree->isPointer(*expression));
  body["result"] = std::move(body["value"]);
  body.erase("value");
  return std::move(body);
}

Server::Reply Server::completions(const Arguments &arguments) {
  Expected<std::string> typed = arguments.string("text");
  Expected<int64_t> column = arguments.integer("column"), line = arguments.integerOr("line", linesStartAt1);
  if (!typed || !column || !line)
    return joinErrors(joinErrors(typed.takeError(), column.takeError()), line.takeError());
  StringRef text = *typed;
  for (int64_t skip = ownLine(*line); skip > 1; --skip)
    text = text.split('\n').second;
  text = text.split('\n').first;
  int64_t position = *column - (columnsStartAt1 ? 1 : 0);
  text = text.take_front(size_t(std::max<int64_t>(position, 0)));
  // A completion is a whole line; the client inserts from the last word on.
  size_t start = text.find_last_of(" \t") == StringRef::npos ? 0 : text.find_last_of(" \t") + 1;
  json::Array targets;
  for (const std::string &whole : interpreter->completions(text)) {
    StringRef label = StringRef(whole).drop_front(std::min(start, whole.size()));
    targets.push_back(json::Object{{"label", jsonText(label)},
                                   {"start", int64_t(start) + (columnsStartAt1 ? 1 : 0)},
                                   {"length", int64_t(text.size() - start)}});
  }
  return json::Object{{"targets", std::move(targets)}};
}

} // namespace leno::dbg::dap
