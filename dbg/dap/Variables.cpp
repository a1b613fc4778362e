#include "dbg/dap/Variables.h"
#include "asm/AsmTables.h"
#include "dbg/Text.h"
#include "dbg/WarpText.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg::dap {

static constexpr StringLiteral flagNames[] = {"OF", "CF", "SF", "ZF"};
/// What an entry of the divergence stack tells.
static constexpr StringLiteral entryFields[] = {"type", "pc", "mask", "waiting"};

static std::string hexMask(LaneMask mask) { return "0x" + utohexstr(mask, true, 8); }

//===--- References -------------------------------------------------------===//

int64_t Variables::reference(const Container &container) {
  containers.push_back(container);
  return int64_t(containers.size());
}

Expected<Container> Variables::find(int64_t reference) const {
  if (reference < 1 || u64(reference) > containers.size())
    return createStringError("there is no variablesReference " + Twine(reference) + " at this stop");
  return containers[size_t(reference - 1)];
}

Warp *Variables::warpOf(const Container &container) const {
  Cta *cta = session.focus().findCta(container.context, container.cta, container.launch);
  return cta && container.warp < cta->warps().size() ? cta->warps()[container.warp] : nullptr;
}

std::vector<std::pair<std::string, Container>> Variables::scopes(Warp &warp, size_t frame) const {
  Container base{Container::Lane,
                 warp.cta().index(),
                 warp.index(),
                 session.focus().position().lane,
                 warp.grid().device().contextId(),
                 warp.grid().gridId(),
                 frame};
  auto with = [&](Container::Kind kind) {
    Container one = base;
    one.kind = kind;
    return one;
  };
  std::vector<std::pair<std::string, Container>> all;
  if (session.focus().contextOf(&warp, base.number, frame).sourceScope())
    all = {{"Locals", with(Container::Locals)}, {"Arguments", with(Container::Arguments)}};
  std::vector<std::pair<std::string, Container>> machine = {{"Lane " + std::to_string(base.number), base},
          {"Parameters", with(Container::Parameters)},
          {"Registers", with(Container::Registers)},
          {"Predicates and flags", with(Container::Predicates)},
          {"Special registers", with(Container::Special)},
          {"Shared memory", with(Container::Shared)},
          {"Constants", with(Container::Banks)},
          {"Divergence stack", with(Container::Stack)},
          {"Lanes", with(Container::Lanes)}};
  all.insert(all.end(), machine.begin(), machine.end());
  return all;
}

std::vector<unsigned> Variables::banksWithData() const {
  std::vector<unsigned> banks;
  for (unsigned bank = 0; bank < ConstantBanks::count; ++bank)
    if (!session.focus().grid().constants().bank(bank).empty())
      banks.push_back(bank);
  return banks;
}

//===--- Counts -----------------------------------------------------------===//

size_t Variables::namedCount(const Container &container) const {
  Warp *warp = warpOf(container);
  if (!warp)
    return 0;
  const KernelInfo &kernel = session.focus().kernel();
  switch (container.kind) {
  case Container::Lane:
    return warp->registers() + truePredicate + std::size(flagNames);
  case Container::Parameters:
    return kernel.params.size();
  case Container::Registers:
    return warp->registers();
  case Container::Predicates:
    return truePredicate + std::size(flagNames);
  case Container::Special:
    return computedVariables().size() + allSpecialRegisters().size();
  case Container::Shared:
    return kernel.shared.size();
  case Container::Banks:
    return banksWithData().size();
  case Container::Stack:
    return warp->divergence().depth();
  case Container::StackEntry:
    return std::size(entryFields);
  case Container::Locals:
  case Container::Arguments:
    return session.focus()
        .contextOf(warp, session.focus().position().lane, container.frame)
        .sourceVariables(container.kind == Container::Arguments)
        .size();
  case Container::Parts: {
    std::optional<source::Object> object = objectOf(container, *warp);
    const source::Type *type = object ? &object->type->plain() : nullptr;
    if (type && type->kind == source::Type::Pointer)
      return type->target->isRecord() ? type->target->plain().members.size() : 1;
    return type ? type->members.size() : 0;
  }
  default:
    return 0;
  }
}

size_t Variables::indexedCount(const Container &container) const {
  Warp *warp = warpOf(container);
  if (!warp)
    return 0;
  switch (container.kind) {
  case Container::RegisterLanes:
  case Container::PredicateLanes:
  case Container::Lanes:
    return laneCount;
  case Container::Parts: {
    std::optional<source::Object> object = objectOf(container, *warp);
    return object && object->type->isList() ? object->type->plain().count : 0;
  }
  case Container::Shared:
    return warp->cta().shared().size() / 4;
  case Container::Bank:
    return session.focus().grid().constants().bank(container.number).size() / 4;
  default:
    return 0;
  }
}

//===--- Rows -------------------------------------------------------------===//

bool Variables::isPointer(StringRef name) const {
  return any_of(session.focus().kernel().params, [&](const KernelParam &param) {
    return param.type == ParamType::Ptr && param.name == name.trim();
  });
}

std::string Variables::registerName(unsigned number) const {
  std::string name = "R" + std::to_string(number), called;
  for (const RegisterName &known : session.focus().kernel().names) {
    if (known.isPredicate || number < known.first || number >= known.first + known.count)
      continue;
    std::string index =
        known.isRange ? "[" + std::to_string(known.firstIndex + number - known.first) + "]" : "";
    called += (called.empty() ? "" : ", ") + known.name + index;
  }
  return called.empty() ? name : name + " (" + called + ")";
}

Variable Variables::evaluated(const Container &container, Warp &warp, StringRef name, StringRef text,
                              bool hexadecimal) const {
  unsigned lane = container.kind == Container::Lane ? container.number : session.focus().position().lane;
  Variable row{name.str()};
  row.expression = text.str();
  Expected<Expression> expression = Expression::parse(text);
  Expected<Value> value =
      expression ? expression->evaluate(session.focus().contextOf(&warp, lane)) : expression.takeError();
  if (!value) {
    row.value = "<" + toString(value.takeError()) + ">";
    return row;
  }
  row.value =
      formatValue(*value, hexadecimal ? 'x' : '\0', [&](u64 at) { return session.code().describe(at); });
  row.type = nameOf(value->type).str();
  return row;
}

Variable Variables::laneRow(const Container &container, Warp &warp, size_t index, bool hexadecimal) const {
  std::string lane = "[" + std::to_string(container.number) + "]";
  std::string name, expression;
  if (index < warp.registers()) {
    name = registerName(unsigned(index));
    expression = "R" + std::to_string(index) + lane;
  } else if (index -= warp.registers(); index < truePredicate) {
    name = "P" + std::to_string(index);
    expression = name + lane;
  } else {
    name = flagNames[index - truePredicate].str();
    expression = name + lane;
  }
  Variable row = evaluated(container, warp, name, expression, hexadecimal);
  row.canBeSet = true;
  return row;
}

/// "1, 2, 3, ..." of the active lanes.
static std::string firstLanes(const Warp &warp, unsigned number, bool hexadecimal) {
  constexpr unsigned most = 6;
  std::string all;
  unsigned shown = 0;
  for (LaneMask left = warp.active; left; left &= left - 1) {
    u32 bits = warp.readRegister(number, unsigned(__builtin_ctz(left)));
    if (shown++ == most)
      return all + ", ...";
    all +=
        (shown > 1 ? ", " : "") + (hexadecimal ? "0x" + utohexstr(bits, true, 8) : std::to_string(s32(bits)));
  }
  return all.empty() ? "no active lane" : all;
}

/// A register, predicate or flag with its lanes beneath.
Variable Variables::vectorRow(const Container &container, Warp &warp, size_t index, bool hexadecimal) const {
  Container lanes = container;
  lanes.number = unsigned(index);
  if (container.kind == Container::Registers) {
    lanes.kind = Container::RegisterLanes;
    return {.name = registerName(unsigned(index)),
            .value = firstLanes(warp, unsigned(index), hexadecimal),
            .type = "b32[32]",
            .children = lanes};
  }
  lanes.kind = Container::PredicateLanes;
  bool isFlag = index >= truePredicate;
  LaneMask masks[] = {warp.codes.overflow, warp.codes.carry, warp.codes.sign, warp.codes.zero};
  LaneMask mask = isFlag ? masks[index - truePredicate] : warp.predicates[index];
  std::string name = isFlag ? flagNames[index - truePredicate].str() : "P" + std::to_string(index);
  return {.name = name,
          .value = hexMask(mask) + (mask ? "  " + describeLanes(mask) : ""),
          .type = "mask",
          .expression = isFlag ? "" : name + ".mask",
          .canBeSet = !isFlag,
          .children = lanes};
}

Variable Variables::specialRow(Warp &warp, size_t index, bool hexadecimal) const {
  Container here{Container::Special, warp.cta().index(), warp.index()};
  if (index < computedVariables().size())
    return evaluated(here, warp, "$" + computedVariables()[index].str(),
                     "$" + computedVariables()[index].str(), hexadecimal);
  StringRef name = allSpecialRegisters()[index - computedVariables().size()].text;
  return evaluated(here, warp, name, name, hexadecimal);
}

/// Parameters, shared memory and constants.
Variable Variables::memoryRow(const Container &container, Warp &warp, size_t index, bool hexadecimal) const {
  const KernelInfo &kernel = session.focus().kernel();
  if (container.kind == Container::Parameters) {
    const KernelParam &param = kernel.params[index];
    Variable row = evaluated(container, warp, param.name, param.name, hexadecimal || isPointer(param.name));
    row.type = param.typeText();
    if (Expected<std::optional<Value>> value = session.focus().context().named(param.name); !value)
      consumeError(value.takeError());
    else if (*value && param.type == ParamType::Ptr)
      row.memory = MemoryReference{.address = (*value)->integer()}.text();
    return row;
  }
  if (container.kind == Container::Bank) {
    u64 offset = index * 4;
    std::string name = formatv("c[{0}][0x{1}]", container.number, utohexstr(offset, true, 4)).str();
    Variable row = evaluated(container, warp, name, name, hexadecimal);
    row.memory =
        MemoryReference{.space = MemorySpace::Constant, .bank = container.number, .address = offset}.text();
    return row;
  }
  MemoryReference memory{.space = MemorySpace::Shared, .cta = container.cta};
  if (index < kernel.shared.size()) {
    const SharedVariable &variable = kernel.shared[index];
    memory.address = variable.offset;
    return {.name = variable.name,
            .value = formatv("{0} at {1:x}", plural(variable.bytes, "byte"), variable.offset).str(),
            .expression = formatv("shared[{0}]", variable.offset).str(),
            .memory = memory.text()};
  }
  memory.address = (index - kernel.shared.size()) * 4;
  std::string name = formatv("shared[0x{0}]", utohexstr(memory.address, true, 4)).str();
  Variable row = evaluated(container, warp, name, name, hexadecimal);
  row.canBeSet = true;
  row.memory = memory.text();
  return row;
}

Variable Variables::stackRow(const Container &container, Warp &warp, size_t index) const {
  const DivergenceStack &stack = warp.divergence();
  auto place = [&](const Token &token) {
    std::optional<SourceLine> line = session.focus().executable().line(u64(token.pc) * 8);
    return session.code().describe(u64(token.pc) * 8) + (line ? ", line " + std::to_string(line->line) : "");
  };
  if (container.kind == Container::Stack) {
    size_t entry = stack.depth() - 1 - index; // the newest first
    Token token = stack.at(entry);
    return {
        .name = "entry " + std::to_string(entry),
        .value =
            (Twine(tokenTypeName(token.type)) + " " + place(token) + ", " + describeLanes(token.mask)).str(),
        .children = Container{Container::StackEntry, container.cta, container.warp, unsigned(entry)}};
  }
  Variable row{entryFields[index].str()};
  if (container.number >= stack.depth())
    return row;
  Token token = stack.at(container.number);
  std::string values[] = {tokenTypeName(token.type), place(token), hexMask(token.mask),
                          laneRanges(lanesWaitingFor(warp)[container.number])};
  row.value = values[index];
  return row;
}

static Variable laneState(const Warp &warp, unsigned lane) {
  LaneState state = describeLane(warp, lane);
  bool exists = warp.lanesLaunched() >> lane & 1;
  return {.name = "lane " + std::to_string(lane),
          .value = state.state + (state.reason.empty() ? "" : ": " + state.reason) +
                   (exists ? ", thread " + describeIndex(warp.thread(lane)) : "")};
}

Variable Variables::at(const Container &container, Warp &warp, size_t index, bool hexadecimal) const {
  std::string lane = "[" + std::to_string(index) + "]";
  switch (container.kind) {
  case Container::Lane:
    return laneRow(container, warp, index, hexadecimal);
  case Container::Registers:
  case Container::Predicates:
    return vectorRow(container, warp, index, hexadecimal);
  case Container::RegisterLanes:
  case Container::PredicateLanes: {
    std::string name = container.kind == Container::RegisterLanes ? "R" + std::to_string(container.number)
                       : container.number < truePredicate ? "P" + std::to_string(container.number)
                                                          : flagNames[container.number - truePredicate].str();
    Variable row = evaluated(container, warp, lane, name + lane, hexadecimal);
    row.canBeSet = true;
    return row;
  }
  case Container::Special:
    return specialRow(warp, index, hexadecimal);
  case Container::Banks: {
    unsigned bank = banksWithData()[index];
    return {.name = formatv("c[{0}]", bank).str(),
            .value = plural(session.focus().grid().constants().bank(bank).size(), "byte"),
            .children = Container{Container::Bank, container.cta, container.warp, bank}};
  }
  case Container::Parameters:
  case Container::Shared:
  case Container::Bank:
    return memoryRow(container, warp, index, hexadecimal);
  case Container::Stack:
  case Container::StackEntry:
    return stackRow(container, warp, index);
  case Container::Lanes:
    return laneState(warp, unsigned(index));
  case Container::Locals:
  case Container::Arguments:
  case Container::Parts:
    return sourceRow(container, warp, index, hexadecimal);
  }
  return {};
}

Expected<std::vector<Variable>> Variables::children(const Container &container, size_t first, size_t count,
                                                    bool hexadecimal) const {
  Warp *warp = warpOf(container);
  if (!warp)
    return createStringError("the warp of these variables runs no more");
  std::vector<Variable> rows;
  for (size_t i = 0; i < count; ++i)
    rows.push_back(at(container, *warp, first + i, hexadecimal));
  return rows;
}

Expected<Variable> Variables::child(const Container &container, StringRef name) const {
  Warp *warp = warpOf(container);
  if (!warp)
    return createStringError("the warp of these variables runs no more");
  size_t count = namedCount(container) + indexedCount(container);
  for (size_t i = 0; i < count; ++i)
    if (Variable row = at(container, *warp, i, false); row.name == name)
      return row;
  return createStringError("there is no variable '" + name + "' here");
}

//===--- References to memory ---------------------------------------------===//

static std::string indexText(Dim3 index) { return formatv("{0},{1},{2}", index.x, index.y, index.z); }

std::string addressText(u64 address) {
  return s64(address) < 0 ? std::to_string(s64(address)) : "0x" + utohexstr(address, true);
}

std::string MemoryReference::text() const {
  if (isCode)
    return addressText(address);
  std::string at = "0x" + utohexstr(address, true), whose = context ? std::to_string(context) + "/" : "";
  switch (space) {
  case MemorySpace::Global:
  case MemorySpace::Generic:
    break;
  case MemorySpace::Shared:
    return whose + "shared:" + indexText(cta) + ":" + at;
  case MemorySpace::Constant:
    return whose + "const:" + std::to_string(bank) + ":" + at;
  case MemorySpace::Local:
    return formatv("{0}local:{1}:{2}:{3}:{4}", whose, indexText(cta), warp, lane, at);
  }
  return whose + "global:" + at;
}

Expected<MemoryReference> MemoryReference::parse(StringRef text) {
  MemoryReference result;
  auto wrong = [&] { return createStringError("'" + text.take_front(80) + "' is no memory reference"); };
  StringRef place = text;
  if (place.contains('/') && (place.consumeInteger(10, result.context) || !place.consume_front("/")))
    return wrong();
  SmallVector<StringRef, 5> parts;
  place.split(parts, ':');
  s64 before = 0;
  if (parts.size() == 1 && text.starts_with("-") && !text.getAsInteger(10, before))
    result.address = u64(before);
  else if (parts.back().getAsInteger(0, result.address))
    return wrong();
  StringRef space = parts.size() == 1 ? "" : parts[0];
  result.isCode = parts.size() == 1;
  if (result.isCode || (space == "global" && parts.size() == 2))
    return result;
  if (space == "const" && parts.size() == 3) {
    result.space = MemorySpace::Constant;
    if (parts[1].getAsInteger(10, result.bank) || result.bank >= ConstantBanks::count)
      return wrong();
    return result;
  }
  bool isLocal = space == "local" && parts.size() == 5;
  if (!isLocal && !(space == "shared" && parts.size() == 3))
    return wrong();
  result.space = isLocal ? MemorySpace::Local : MemorySpace::Shared;
  if (Error error = parseIndex(parts[1]).moveInto(result.cta)) {
    consumeError(std::move(error));
    return wrong();
  }
  if (isLocal && (parts[2].getAsInteger(10, result.warp) || parts[3].getAsInteger(10, result.lane) ||
                  result.lane >= laneCount))
    return wrong();
  return result;
}

} // namespace leno::dbg::dap
