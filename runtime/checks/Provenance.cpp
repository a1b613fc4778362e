#include "runtime/checks/Provenance.h"
#include "asm/checker/Flows.h"
#include "emu/program/OpFacts.h"
#include "emu/warp/WarpState.h"
#include <cstring>

using namespace leno;
using namespace leno::checks;

static constexpr unsigned stackPointer = 1; // isa/CallingConvention.md

namespace {
/// What a register holds, of addresses.
struct Value {
  enum Kind : u8 { Plain, Shared, Frame, Unknown } kind = Plain;
  u32 variable = 0;
  bool operator==(const Value &) const = default;
};
constexpr Value plain{}, unknown{Value::Unknown}, inFrame{Value::Frame};

struct State {
  std::array<Value, 256> registers{};
  s64 frameBytes = -1; ///< R1 is so far below where it was at the beginning; negative: not known
  bool isReached = false;

  /// Whether it changed.
  bool join(const State &other) {
    if (!isReached) {
      *this = other;
      return true;
    }
    bool changed = false;
    for (unsigned r = 0; r < registers.size(); ++r)
      if (registers[r] != other.registers[r] && registers[r] != unknown)
        registers[r] = unknown, changed = true;
    if (frameBytes != other.frameBytes && frameBytes >= 0)
      frameBytes = -1, changed = true;
    return changed;
  }
};

template <class Mods> Mods modsOf(const Op &op) {
  Mods mods;
  static_assert(sizeof(Mods) <= sizeof op.mods);
  std::memcpy(&mods, op.mods, sizeof(Mods));
  return mods;
}
} // namespace

class Provenance::Walk {
public:
  Walk(const check::Code &code, const Program &program, std::map<u32, u32> uses)
      : code(code), program(program), uses(std::move(uses)), seen(program.ops().size()) {}

  void walk(const check::FlowPart &part, const check::Blocks &blocks, std::vector<Access> &accesses);

private:
  Value source(const State &state, s32 offset) const {
    return offset >= 0 ? state.registers[size_t(offset) / rowBytes] : plain;
  }
  std::optional<s64> number(s32 offset) const {
    std::optional<size_t> row = program.poolRowAt(offset);
    if (!row || program.pool()[*row].isConstant)
      return std::nullopt;
    return s32(program.pool()[*row].value);
  }
  Value named(u32 at) const {
    auto use = uses.find(at);
    return use == uses.end()                   ? plain
           : use->second == SharedUse::several ? unknown
                                               : Value{Value::Shared, use->second};
  }
  static Value sum(Value a, Value b) { return a == plain ? b : b == plain ? a : unknown; }
  Value result(u32 at, const State &state) const;
  void execute(u32 at, State &state) const;
  Access access(u32 at, const State &state) const;

  const check::Code &code;
  const Program &program;
  std::map<u32, u32> uses; ///< SharedUse::variable by instruction
  std::vector<bool> seen;  ///< by instruction: another walk has been there
};

/// Of those instructions that can move or add addresses.
Value Provenance::Walk::result(u32 at, const State &state) const {
  const Op &op = program.ops()[at];
  auto added = [&](s32 offset, bool negated) {
    Value value = source(state, offset);
    if (offset < 0 && program.poolRowAt(offset))
      value = named(at);
    return negated && value != plain ? unknown : value;
  };
  auto factor = [&](s32 offset) { return added(offset, false) == plain ? plain : unknown; };
  switch (op.semantic) {
  case Semantic::MOV:
  case Semantic::MOV32I:
    return added(op.b, false);
  case Semantic::IADD: {
    auto mods = modsOf<isa::IADDMods>(op);
    return sum(added(op.a, mods.negA), added(op.b, mods.negB));
  }
  case Semantic::IADD3: {
    auto mods = modsOf<isa::IADD3Mods>(op);
    return sum(sum(added(op.a, mods.negA), added(op.b, mods.negB)), added(op.c, mods.negC));
  }
  case Semantic::IMAD:
    return sum(sum(factor(op.a), factor(op.b)), added(op.c, false));
  case Semantic::ISCADD: {
    auto mods = modsOf<isa::ISCADDMods>(op);
    return sum(mods.shift ? factor(op.a) : added(op.a, mods.negA), added(op.b, mods.negB));
  }
  case Semantic::LEA:
    return sum(modsOf<isa::LEAMods>(op).shift ? factor(op.a) : added(op.a, false), added(op.b, false));
  case Semantic::S2R:
    return plain;
  default:
    // What is computed from numbers is one; memory may hold addresses.
    if (factsOf(op).memory || named(at) != plain)
      return unknown;
    for (const Effect &effect : code.effectsOf(code.instructions[at]))
      for (unsigned k = 0; !effect.writes && k < effect.count && effect.cell + k < firstPredicate; ++k)
        if (state.registers[effect.cell + k] != plain)
          return unknown;
    return plain;
  }
}

void Provenance::Walk::execute(u32 at, State &state) const {
  const Op &op = program.ops()[at];
  const check::Instruction &inst = code.instructions[at];
  Value value = result(at, state);
  s64 frameBytes = -1;
  if (op.semantic == Semantic::S2R && op.extra == unsigned(isa::SpecialRegister::LOCAL_SIZE))
    frameBytes = 0; // the stack of a kernel is empty
  else if (op.semantic == Semantic::IADD && state.frameBytes >= 0 && op.a == s32(stackPointer * rowBytes))
    if (std::optional<s64> by = number(op.b))
      frameBytes = state.frameBytes - (modsOf<isa::IADDMods>(op).negB ? -*by : *by);
  if (inst.flow == isa::Flow::Call || inst.flow == isa::Flow::Opaque) {
    // It returns R1 as it found it; R16 to R31 are kept, but may have held what is gone.
    for (unsigned r = 0; r < state.registers.size(); ++r)
      if (r != stackPointer)
        state.registers[r] = unknown;
    if (inst.flow == isa::Flow::Opaque)
      state.frameBytes = -1;
    return;
  }
  for (const Effect &effect : code.effectsOf(inst))
    for (unsigned k = 0; effect.writes && k < effect.count && effect.cell + k < firstPredicate; ++k) {
      unsigned r = effect.cell + k;
      if (r == stackPointer) {
        state.frameBytes = inst.conditional ? -1 : frameBytes;
        state.registers[r] = inFrame;
      } else if (!inst.conditional || state.registers[r] != value)
        state.registers[r] = inst.conditional   ? unknown
                             : effect.count > 1 ? (value == plain ? plain : unknown)
                                                : value;
    }
}

Provenance::Access Provenance::Walk::access(u32 at, const State &state) const {
  const Op &op = program.ops()[at];
  auto memory = factsOf(op).memory;
  Access access;
  if (!memory)
    return access;
  Value base = source(state, op.a);
  if (memory->space == MemorySpace::Shared) {
    Value meant = sum(base, named(at));
    if (meant.kind == Value::Shared)
      access.variable = s32(meant.variable);
  } else if (memory->space == MemorySpace::Local && base.kind == Value::Frame && state.frameBytes >= 0) {
    access.frameBytes = s32(state.frameBytes);
    access.isIndexed = op.a != s32(stackPointer * rowBytes);
  }
  return access;
}

void Provenance::Walk::walk(const check::FlowPart &part, const check::Blocks &blocks,
                            std::vector<Access> &accesses) {
  if (!part.complete)
    return;
  std::map<u32, State> begins; // by block
  std::map<u32, std::vector<u32>> next;
  for (auto [from, to] : part.edges)
    next[from].push_back(to);
  State first;
  first.isReached = true;
  if (part.kind == check::RootKind::Function) {
    first.registers.fill(unknown);
    first.registers[stackPointer] = inFrame;
    first.frameBytes = 0;
  }
  u32 root = blocks.blockOf[part.root];
  begins[root] = first;
  std::vector<u32> queue{root};
  auto run = [&](u32 block, auto &&use) {
    State state = begins[block];
    for (u32 at = blocks.blocks[block].begin; at < blocks.blocks[block].end; ++at) {
      use(at, state);
      execute(at, state);
    }
    return state;
  };
  while (!queue.empty()) {
    u32 block = queue.back();
    queue.pop_back();
    State end = run(block, [](u32, const State &) {});
    for (u32 to : next[block])
      if (begins[to].join(end))
        queue.push_back(to);
  }
  for (u32 block : part.reached)
    if (begins[block].isReached)
      run(block, [&](u32 at, const State &state) {
        Access meant = access(at, state);
        accesses[at] = !seen[at] || accesses[at] == meant ? meant : Access();
        seen[at] = true;
      });
}

Provenance::Provenance(const Executable &executable, const KernelInfo &kernel, const Program &program)
    : accesses(program.ops().size()) {
  if (program.size() != executable.code().size())
    return;
  std::map<u32, u32> uses;
  for (const SharedUse &use : kernel.sharedUses)
    uses[u32(kernel.entry / 8) + use.instruction] = use.variable;
  check::Code code = check::decodeImage(executable.code(), {{kernel.name, kernel.entry, kernel.bytes}});
  check::Flows flows = check::flowsOf(code, {});
  Walk walk(code, program, std::move(uses));
  for (const check::FlowPart &part : flows.parts)
    walk.walk(part, flows.blocks, accesses);
  isUseful = llvm::any_of(accesses, [](const Access &access) {
    return access.variable != nothing || access.frameBytes != nothing;
  });
}
