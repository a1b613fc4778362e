//===- Effects.cpp - What an instruction reads, writes and does -----------===//
#include "asm/Effects.h"

#include "asm/LenoMCTargetDesc.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"

using namespace llvm;

namespace leno {
namespace {

using isa::FactRow, isa::Flow, isa::Lock;

enum class Role : uint8_t { Guard, ReadRegister, WriteRegister, ReadPredicate, WritePredicate, Constant };

struct RoleInfo {
  Role role;
  uint8_t index;      ///< of the register in the MCInst; of a constant, its byte offset
  uint8_t words;      ///< how many registers, unless
  int8_t told;        ///< the operand at this index tells: by
  const char *digits; ///< a digit for each of its values
};

/// State beside the operands, as bits of the predicate register (Move.td).
struct StateInfo {
  int8_t index; ///< -1: always; else the operand that reads and writes it unless it has
  int8_t implicit;
  uint16_t reads, writes;
  bool isMasked; ///< only what a mask picks:
  int8_t maskAt; ///< an immediate; -1: not known
};

struct EncodingFacts {
  FactRow row;
  bool pure, distinct, sync, relative;
  int8_t syncIndex, uniformIndex, targetIndex, joinIndex, highIndex, specialIndex, thresholdIndex;
  ArrayRef<RoleInfo> roles;
  ArrayRef<StateInfo> states;
};

#define GET_LENO_ENCODING_FACTS
#include "isa/LenoFacts.inc"

bool isSet(const MCInst &inst, int index) {
  return index >= 0 && inst.getOperand(unsigned(index)).getImm() != 0;
}

/// Whether an immediate that lane numbers are compared with lies between two warps: TID.X < 64 is the same in
/// a whole warp.
bool partsWarps(const MCInst &inst, int index) {
  if (index < 0 || !inst.getOperand(unsigned(index)).isImm())
    return index >= 0;
  int64_t value = inst.getOperand(unsigned(index)).getImm();
  return value >= 31 && (value % 32 == 0 || value % 32 == 31);
}

unsigned wordsOf(const MCInst &inst, const RoleInfo &role) {
  if (role.told < 0)
    return role.words;
  auto value = size_t(inst.getOperand(unsigned(role.told)).getImm());
  return value < std::char_traits<char>::length(role.digits) ? unsigned(role.digits[value] - '0') : 1;
}

/// Collects the effects of one instruction.
class Collector {
public:
  Collector(const MCInst &inst, const MCRegisterInfo &registers, Effects &effects)
      : inst(inst), registers(registers), effects(effects) {}

  void role(const RoleInfo &role);
  void state(const StateInfo &row);

private:
  void add(unsigned cell, unsigned count, bool writes, bool guards = false) {
    effects.cells.push_back({uint16_t(cell), uint8_t(count), 0, writes, guards, false, false});
  }
  void addRegisters(const RoleInfo &role, unsigned number);
  void addState(unsigned bits, bool writes, bool isMasked, bool mayStay);

  const MCInst &inst;
  const MCRegisterInfo &registers;
  Effects &effects;
};

void Collector::addRegisters(const RoleInfo &role, unsigned number) {
  if (number == 255)
    return;
  unsigned words = wordsOf(inst, role);
  add(number, std::min(words, 255 - number), role.role == Role::WriteRegister);
  effects.registers = std::max(effects.registers, number + words);
  if (!effects.misaligned && (number % words || number + words > 255))
    effects.misaligned = {role.index, words, false, number % words == 0};
}

void Collector::role(const RoleInfo &role) {
  const MCOperand &operand = inst.getOperand(role.index);
  Execution &execution = effects.execution;
  unsigned number = operand.isReg() ? registers.getEncodingValue(operand.getReg()) : 0;
  switch (role.role) {
  case Role::Guard:
    execution.guard = uint8_t(number | (isSet(inst, role.index + 1) ? 8 : 0));
    execution.conditional = execution.guard != 7;
    execution.never = execution.guard == 15;
    if (number < 7)
      add(firstPredicate + number, 1, false, true);
    break;
  case Role::ReadRegister:
  case Role::WriteRegister:
    addRegisters(role, number);
    break;
  case Role::ReadPredicate:
  case Role::WritePredicate:
    if (number < 7)
      add(firstPredicate + number, 1, role.role == Role::WritePredicate);
    break;
  case Role::Constant: {
    // A label's offset is not known yet; the machine traps when it turns out misaligned.
    unsigned words = wordsOf(inst, role);
    if (operand.isImm() && operand.getImm() % (4 * words))
      effects.misaligned = {role.index, words, true, false};
  }
  }
}

void Collector::addState(unsigned bits, bool writes, bool isMasked, bool mayStay) {
  auto push = [&](unsigned cell, unsigned count, unsigned flags) {
    effects.cells.push_back(
        {uint16_t(cell), uint8_t(count), uint8_t(flags), writes, false, isMasked, mayStay});
  };
  if (unsigned flags = bits >> 8 & 15)
    push(flagsCell, 1, flags);
  for (unsigned first = 0; first < 7; ++first) {
    unsigned count = 0;
    while (first + count < 7 && bits >> (first + count) & 1)
      ++count;
    if (count)
      push(firstPredicate + first, count, 0);
    first += count;
  }
}

void Collector::state(const StateInfo &row) {
  if (row.index >= 0) {
    if (inst.getOperand(unsigned(row.index)).getImm() == row.implicit)
      return;
    // A branch that also tests CC does not take every lane whose guard is true.
    effects.execution.conditional |= row.reads && targetOperand(inst) >= 0;
  }
  bool isKnown = row.maskAt >= 0 && inst.getOperand(unsigned(row.maskAt)).isImm();
  auto mask = isKnown ? unsigned(inst.getOperand(unsigned(row.maskAt)).getImm()) : ~0u;
  addState(row.reads & mask, false, row.isMasked, false);
  addState(row.writes & mask, true, row.isMasked, row.isMasked && !isKnown);
}

} // namespace

bool Effects::touches(unsigned cell, bool writes, uint8_t flags) const {
  return any_of(cells, [&](const Effect &effect) {
    return effect.writes == writes && !effect.mayStay && effect.has(cell) &&
           (cell != flagsCell || effect.flags & flags);
  });
}

Effects effectsOf(const MCInst &inst, const MCRegisterInfo &registers) {
  Effects effects;
  const EncodingFacts *facts = encodingFacts(inst.getOpcode());
  if (!facts)
    return effects;
  effects.facts = facts->row.with([&](int at) { return uint64_t(inst.getOperand(unsigned(at)).getImm()); });
  Collector collector(inst, registers, effects);
  for (const RoleInfo &role : facts->roles)
    collector.role(role);
  for (const StateInfo &row : facts->states)
    collector.state(row);
  Execution &execution = effects.execution;
  execution.flow = facts->row.flow;
  execution.sync = facts->sync || isSet(inst, facts->syncIndex);
  execution.uniform = isSet(inst, facts->uniformIndex);
  execution.setSync = facts->joinIndex >= 0;
  execution.relative = facts->relative;
  execution.distinct =
      facts->distinct && !isSet(inst, facts->highIndex) && !partsWarps(inst, facts->thresholdIndex);
  execution.byLane = facts->specialIndex >= 0 &&
                     differsByLane(unsigned(inst.getOperand(unsigned(facts->specialIndex)).getImm()));
  bool writes = any_of(effects.cells, [](const Effect &effect) { return effect.writes; });
  execution.useless = facts->pure && !writes && !execution.sync;
  if (execution.sync)
    effects.facts.traps |= joinTraps;
  return effects;
}

int targetOperand(const MCInst &inst) {
  const EncodingFacts *facts = encodingFacts(inst.getOpcode());
  return facts ? facts->targetIndex : -1;
}
int joinOperand(const MCInst &inst) {
  const EncodingFacts *facts = encodingFacts(inst.getOpcode());
  return facts ? facts->joinIndex : -1;
}

} // namespace leno
