#include "dbg/WarpContext.h"
#include "asm/AsmTables.h"
#include "dbg/Timeline.h"
#include "dbg/source/Frame.h"
#include "emu/engine/Services.h"
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include "runtime/Prepared.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

Error WarpContext::needWarp() const {
  if (warp)
    return Error::success();
  if (!timeline)
    return createStringError("no warp is in focus: `run` or `start` the kernel first");
  if (!launch.grid)
    return createStringError("no kernel runs here now: `info contexts` shows what each context does, "
                             "`reverse-stepi` goes back");
  if (launch.grid->isOver() && !launch.grid->trap())
    return createStringError(
        "the kernel has finished, and its warps are gone: `reverse-stepi` goes back to its "
        "last instruction");
  return createStringError("no warp is in focus: `cta` and `warp` choose one");
}

Expected<LaneMask> WarpContext::activeMask() const {
  if (Error error = needWarp())
    return std::move(error);
  return warp->active;
}

Expected<u32> WarpContext::readRegister(unsigned reg, unsigned lane) const {
  if (Error error = needWarp())
    return std::move(error);
  if (reg == OpBuilder::zeroRegister)
    return 0;
  if (reg >= warp->registers())
    return createStringError(
        formatv("the kernel has {0} registers, R0 to R{1}", warp->registers(), warp->registers() - 1));
  return warp->readRegister(reg, lane);
}

Error WarpContext::writeRegister(unsigned reg, unsigned lane, u32 value) {
  if (Expected<u32> exists = readRegister(reg, lane); !exists)
    return exists.takeError();
  return perform({.kind = Change::Register, .lane = lane, .number = reg, .value = value});
}

Expected<LaneMask> WarpContext::readPredicate(unsigned predicate) const {
  if (Error error = needWarp())
    return std::move(error);
  return warp->predicates[predicate];
}

Error WarpContext::writePredicate(unsigned predicate, LaneMask mask) {
  if (Error error = needWarp())
    return error;
  return perform({.kind = Change::Predicate, .number = predicate, .value = mask});
}

Expected<LaneMask> WarpContext::readFlag(Flag flag) const {
  if (Error error = needWarp())
    return std::move(error);
  return flagOf(*warp, flag);
}

Error WarpContext::writeFlag(Flag flag, LaneMask mask) {
  if (Error error = needWarp())
    return error;
  return perform({.kind = Change::FlagBits, .number = unsigned(flag), .value = mask});
}

ArrayRef<StringLiteral> computedVariables() {
  static constexpr StringLiteral names[] = {"pc",    "mask",  "lane",  "warp",         "cta", "cta.x",
                                            "cta.y", "cta.z", "depth", "instructions", "tick"};
  return names;
}

/// $1 is the first value, $ the newest, $$ the one before it, $$2 the one before that.
static Expected<Value> valueOfHistory(ArrayRef<Value> history, StringRef name) {
  if (history.empty())
    return createStringError("no value has been printed yet");
  u64 number = history.size(), back = 1;
  if (name.consume_front("$"))
    number -= name.empty() || !name.getAsInteger(10, back) ? back : number;
  else if (!name.empty() && name.getAsInteger(10, number))
    number = 0;
  if (number == 0 || number > history.size())
    return createStringError(formatv("the values printed so far are $1 to ${0}", history.size()));
  return history[number - 1];
}

static bool isOfHistory(StringRef name) { return name.empty() || isDigit(name[0]) || name[0] == '$'; }

Error WarpContext::setVariable(StringRef name, const Value &value) {
  if (name == "pc") {
    if (value.isFloat())
      return createStringError("a place in the code is an integer or a label");
    return setPc(value.integer());
  }
  if (is_contained(computedVariables(), name))
    return createStringError("$" + name + " is what the machine says: it cannot be set");
  if (isOfHistory(name))
    return createStringError("the values that were printed stay as they are");
  user.variables[name.str()] = value;
  return Error::success();
}

Expected<std::optional<Value>> WarpContext::variable(StringRef name, unsigned lane) const {
  if (isOfHistory(name)) {
    Expected<Value> value = valueOfHistory(user.history, name);
    return value ? Expected<std::optional<Value>>(*value) : value.takeError();
  }
  using enum ValueType;
  if (!is_contained(computedVariables(), name)) {
    auto found = user.variables.find(name);
    return found == user.variables.end() ? std::nullopt : std::optional(found->second);
  }
  if (name == "tick" && timeline)
    return Value{U64, timeline->tick()};
  if (Error error = needWarp())
    return std::move(error);
  Dim3 cta = warp->cta().index(), grid = warp->grid().launch().grid;
  return StringSwitch<std::optional<Value>>(name)
      .Case("pc", Value{Address, warp->pcBytes()})
      .Case("mask", Value{Mask, warp->active})
      .Case("lane", Value::u32Of(lane))
      .Case("warp", Value::u32Of(warp->index()))
      .Case("cta", Value{U64, cta.x + u64(grid.x) * (cta.y + u64(grid.y) * cta.z)})
      .Case("cta.x", Value::u32Of(cta.x))
      .Case("cta.y", Value::u32Of(cta.y))
      .Case("cta.z", Value::u32Of(cta.z))
      .Case("depth", Value::u32Of(u32(warp->divergence().depth())))
      .Default(Value{U64, warp->instructions});
}

Expected<std::optional<Value>> WarpContext::special(StringRef name, unsigned lane) const {
  const SpecialRegisterInfo *info = findSpecialRegister(name);
  if (!info)
    return std::nullopt;
  if (Error error = needWarp())
    return std::move(error);
  // Asked of the machine itself, as S2R does; the clock is given, so that asking is no turn of the warp.
  bool wasFresh = std::exchange(warp->clockIsFresh, true);
  u64 clock = std::exchange(warp->clock, warp->multiprocessor().clock());
  Op read;
  read.extra = u8(info->value);
  service::SpecialValues values{};
  service::specialRegister(*warp, read, values);
  warp->clockIsFresh = wasFresh;
  warp->clock = clock;
  return Value::u32Of(values.isRamp ? values.first + lane * values.step : values.each[lane]);
}

static ValueType typeOf(ParamType type) {
  using enum ParamType;
  switch (type) {
  case U8:
    return ValueType::U8;
  case I8:
    return ValueType::S8;
  case U16:
    return ValueType::U16;
  case I16:
    return ValueType::S16;
  case U32:
    return ValueType::U32;
  case I32:
    return ValueType::S32;
  case I64:
    return ValueType::S64;
  case F32:
    return ValueType::F32;
  case F64:
    return ValueType::F64;
  case U64:
  case Ptr:
    break;
  }
  return ValueType::U64;
}

Expected<std::optional<Value>> WarpContext::named(StringRef name) const {
  const KernelInfo &kernel = launch.kernel;
  for (const KernelParam &param : kernel.params)
    if (param.name == name) {
      uint8_t bytes[8] = {};
      if (Error error = read(MemorySpace::Constant, 0, param.offset, focusedLane,
                             MutableArrayRef(bytes, paramTypeSize(param.type))))
        return std::move(error);
      return reinterpret(support::endian::read64le(bytes), typeOf(param.type));
    }
  for (const SharedVariable &variable : kernel.shared)
    if (variable.name == name)
      return Value::u32Of(variable.offset);
  for (const Symbol &symbol : launch.executable.globalSymbols())
    if (symbol.name == name && launch.globalBase)
      return Value{ValueType::U64, *launch.globalBase + symbol.address};
  if (const Symbol *symbol = launch.executable.symbol(name))
    return Value{ValueType::Address, symbol->address};
  return std::nullopt;
}

//===--- The source -------------------------------------------------------===//

bool WarpContext::hasSource() const { return launch.source && !launch.source->isEmpty(); }

const source::Type *WarpContext::sourceType(StringRef name) const {
  return launch.source ? launch.source->type(name) : nullptr;
}

bool WarpContext::sourceKnows(StringRef name) const { return launch.source && launch.source->knows(name); }

const source::Scope *WarpContext::sourceScope() const {
  return warp && launch.source
             ? source::scopeOf(callFrames(*warp, launch.source), launch.frame, *launch.source)
             : nullptr;
}

std::vector<const source::Variable *> WarpContext::sourceVariables(bool arguments) const {
  std::vector<const source::Variable *> all;
  for (const source::Scope *scope = sourceScope(); scope;
       scope = scope->kind == source::Scope::Block ? scope->outer : nullptr)
    for (const source::Variable &variable : scope->variables)
      if (variable.isParameter == arguments)
        all.push_back(&variable);
  return all;
}

Expected<std::optional<source::Object>> WarpContext::sourceVariable(StringRef name, unsigned lane) const {
  if (!hasSource())
    return std::nullopt;
  if (const source::Variable *variable = launch.source->variable(name, sourceScope()))
    return sourceObject(*variable, lane);
  if (std::optional<Value> value = launch.source->enumerator(name))
    return source::objectOf(*value, *value->of, lane);
  return std::nullopt;
}

source::Object WarpContext::sourceObject(const source::Variable &variable, unsigned lane) const {
  source::LaneFrame frame;
  if (warp && variable.scope) {
    std::vector<CallFrame> frames = callFrames(*warp, launch.source);
    size_t level = frames[std::min(launch.frame, frames.size() - 1)].level;
    if (Error error = source::laneFrame(*warp, *this, launch.executable, launch.source, lane, level).moveInto(frame))
      return {.type = variable.type, .lane = lane, .absent = "<" + toString(std::move(error)) + ">"};
  }
  return source::place(variable, frame, lane, {launch.executable, launch.kernel, launch.globalBase, *this});
}

std::optional<u64> WarpContext::constantNamed(unsigned bank, StringRef name) const {
  if (bank == 0)
    for (const KernelParam &param : launch.kernel.params)
      if (param.name == name)
        return param.offset;
  for (const Symbol &symbol : launch.executable.constantSymbols(bank))
    if (symbol.name == name)
      return symbol.address;
  return std::nullopt;
}

std::optional<NamedRegisters> WarpContext::registersNamed(StringRef name) const {
  for (const RegisterName &known : launch.kernel.names)
    if (known.name == name)
      return NamedRegisters{known.isPredicate, known.isRange, known.first, known.firstIndex, known.count};
  return std::nullopt;
}

//===--- Memory and changes -----------------------------------------------===//

Expected<MutableArrayRef<unsigned char>> WarpContext::sharedBytes(u64 address, size_t bytes) const {
  if (Error error = needWarp())
    return std::move(error);
  MutableArrayRef<unsigned char> all = warp->cta().shared();
  if (address > all.size() || bytes > all.size() - address)
    return createStringError(formatv("{0} at {1:x} are not in shared memory; the CTA has {2} bytes of it",
                                     bytes == 1 ? "a byte" : std::to_string(bytes) + " bytes", address,
                                     all.size()));
  return all.slice(address, bytes);
}

Error WarpContext::needLocal(u64 address, size_t bytes) const {
  if (Error error = needWarp())
    return error;
  u64 size = warp->local.size;
  if (address <= size && bytes <= size - address)
    return Error::success();
  return createStringError(formatv("{0} at {1:x} are not in local memory; a lane has {2} bytes of it",
                                   bytes == 1 ? "a byte" : std::to_string(bytes) + " bytes", address, size));
}

Error WarpContext::read(MemorySpace space, unsigned bank, u64 address, unsigned lane,
                        MutableArrayRef<uint8_t> bytes) const {
  if (space == MemorySpace::Global)
    return launch.device.memory().peek(address, bytes);
  if (space == MemorySpace::Local) {
    if (Error error = needLocal(address, bytes.size()))
      return error;
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = *warp->localByte(lane, address + i);
    return Error::success();
  }
  ArrayRef<uint8_t> from;
  if (space == MemorySpace::Shared) {
    Expected<MutableArrayRef<unsigned char>> found = sharedBytes(address, bytes.size());
    if (!found)
      return found.takeError();
    from = *found;
  } else {
    if (!launch.grid)
      return createStringError("no kernel runs here now: its constants are made when it is launched");
    from = launch.grid->constants().bank(bank);
    if (address > from.size() || bytes.size() > from.size() - address)
      return createStringError(formatv("c[{0}] holds {1} bytes", bank, from.size()));
    from = from.slice(address, bytes.size());
  }
  std::copy(from.begin(), from.end(), bytes.begin());
  return Error::success();
}

Error WarpContext::write(MemorySpace space, u64 address, unsigned lane, ArrayRef<uint8_t> bytes) {
  if (space == MemorySpace::Global) {
    std::vector<uint8_t> old(bytes.size());
    if (Error error = launch.device.memory().peek(address, old))
      return error;
  } else if (space == MemorySpace::Local) {
    if (Error error = needLocal(address, bytes.size()))
      return error;
  } else if (auto to = sharedBytes(address, bytes.size()); !to)
    return to.takeError();
  return perform(
      {.kind = Change::Memory, .lane = lane, .space = space, .address = address, .bytes = bytes.vec()});
}

/// Where the function begins that an address is in, as far as the file tells: code between two functions is
/// one by itself.
static u64 functionOf(const Executable &program, u64 address) {
  u64 start = 0;
  for (const Symbol &symbol : program.symbols())
    if (symbol.isFunction && symbol.address <= address)
      start = std::max(start, symbol.address);
  for (const KernelInfo &kernel : program.kernels())
    if (kernel.bytes && kernel.entry + kernel.bytes <= address)
      start = std::max(start, kernel.entry + kernel.bytes);
  return start;
}

Error WarpContext::setPc(u64 address) {
  if (Error error = needWarp())
    return error;
  const Executable &program = launch.executable;
  if (launch.grid && launch.grid->trap())
    return createStringError(
        "the kernel has trapped: go back to before the trap first, `reverse-stepi` does");
  if (warp->exited())
    return createStringError("the warp has exited");
  if (warp->status == WarpStatus::AtBarrier)
    return createStringError("the warp waits at a barrier: it stays there until the barrier lets it go");
  if (address % 8 || address / 8 >= program.code().size())
    return createStringError(formatv("no instruction is at {0:x}", address));
  if (u64 function = functionOf(program, address); function != functionOf(program, warp->pcBytes()))
    return createStringError(
        formatv("{0} is in another function than {1}: the stack has no entry to return from there",
                program.describe(address), program.describe(warp->pcBytes())));
  return perform({.kind = Change::Pc, .address = address});
}

Error WarpContext::perform(Change change) {
  if (!timeline)
    return createStringError("the kernel is not running: `run` or `start` it first");
  if (warp) {
    change.cta = warp->cta().index();
    change.warp = warp->index();
    change.launch = warp->grid().gridId();
  }
  change.context = launch.device.contextId();
  timeline->perform(std::move(change));
  return Error::success();
}

} // namespace leno::dbg
