//===- Code.cpp - A program as the static checker sees it -----------------===//
#include "asm/checker/Code.h"

#include "asm/Decoder.h"

#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"

using namespace llvm;

namespace leno::check {
namespace {

enum class Role : uint8_t { Guard, ReadRegister, WriteRegister, ReadPredicate, WritePredicate };

struct RoleInfo {
  Role role;
  uint8_t index;      ///< of the register in the MCInst
  uint8_t words;      ///< how many registers, unless
  int8_t told;        ///< the operand at this index tells: by
  const char *digits; ///< a digit for each of its values
};

/// State that a modifier reads and writes unless it has its implicit value: 1 CC, 2 all predicates.
struct StateInfo {
  uint8_t index;
  int8_t implicit;
  uint8_t reads, writes;
};

struct EffectInfo {
  Flow flow;
  bool pure, distinct, sync, relative;
  int8_t syncIndex, uniformIndex, targetIndex, joinIndex, highIndex, specialIndex, thresholdIndex;
  uint8_t reads, writes;
  ArrayRef<RoleInfo> roles;
  ArrayRef<StateInfo> states;
};

#define GET_LENO_EFFECTS
#include "isa/LenoEffects.inc"
#undef GET_LENO_EFFECTS

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

} // namespace

Instruction &Code::append(const MCInst &inst, const MCRegisterInfo &registers) {
  const EffectInfo *info = effectInfo(inst.getOpcode());
  if (!info)
    return appendOpaque();
  Instruction result;
  result.firstEffect = uint32_t(effects.size());
  result.flow = info->flow;
  bool wrote = false;
  auto add = [&](unsigned cell, unsigned count, bool writes, bool guards = false) {
    effects.push_back({uint16_t(cell), uint8_t(count), writes, guards});
    wrote |= writes;
  };
  auto state = [&](unsigned states, bool writes) {
    if (states & 1)
      add(flagsCell, 1, writes);
    if (states & 2)
      add(firstPredicate, 7, writes);
  };
  for (const RoleInfo &role : info->roles) {
    unsigned number = registers.getEncodingValue(inst.getOperand(role.index).getReg());
    switch (role.role) {
    case Role::Guard:
      result.guard = uint8_t(number | (isSet(inst, role.index + 1) ? 8 : 0));
      result.conditional = result.guard != 7;
      result.never = result.guard == 15;
      if (number < 7)
        add(firstPredicate + number, 1, false, true);
      break;
    case Role::ReadRegister:
    case Role::WriteRegister:
      if (number < 255)
        add(number, std::min(wordsOf(inst, role), 255 - number), role.role == Role::WriteRegister);
      break;
    case Role::ReadPredicate:
    case Role::WritePredicate:
      if (number < 7)
        add(firstPredicate + number, 1, role.role == Role::WritePredicate);
      break;
    }
  }
  for (const StateInfo &row : info->states)
    if (inst.getOperand(row.index).getImm() != row.implicit) {
      // A branch that also tests CC does not take every lane whose guard is true.
      result.conditional |= row.reads && info->targetIndex >= 0;
      state(row.reads, false);
      state(row.writes, true);
    }
  state(info->reads, false);
  state(info->writes, true);
  result.sync = info->sync || isSet(inst, info->syncIndex);
  result.uniform = isSet(inst, info->uniformIndex);
  result.setSync = info->joinIndex >= 0;
  result.relative = info->relative;
  result.distinct =
      info->distinct && !isSet(inst, info->highIndex) && !partsWarps(inst, info->thresholdIndex);
  result.byLane = info->specialIndex >= 0 &&
                  differsByLane(unsigned(inst.getOperand(unsigned(info->specialIndex)).getImm()));
  result.useless = info->pure && !wrote && !result.sync;
  result.effectCount = uint8_t(effects.size() - result.firstEffect);
  hasIndirect |= result.flow == Flow::Indirect;
  instructions.push_back(result);
  return instructions.back();
}

Instruction &Code::appendOpaque() {
  Instruction result;
  result.firstEffect = uint32_t(effects.size());
  instructions.push_back(result);
  return instructions.back();
}

int targetOperand(const MCInst &inst) {
  const EffectInfo *info = effectInfo(inst.getOpcode());
  return info ? info->targetIndex : -1;
}
int joinOperand(const MCInst &inst) {
  const EffectInfo *info = effectInfo(inst.getOpcode());
  return info ? info->joinIndex : -1;
}

Code decodeImage(ArrayRef<uint64_t> words, ArrayRef<ImageKernel> kernels) {
  Code code;
  Decoder decoder;
  std::unique_ptr<MCRegisterInfo> registers = createRegisterInfo();
  MCInst inst;
  auto place = [&](int64_t bytes) {
    return bytes >= 0 && bytes % wordBytes == 0 && uint64_t(bytes) <= words.size() * wordBytes
               ? uint32_t(bytes / wordBytes)
               : none;
  };
  for (size_t i = 0; i < words.size(); ++i) {
    if (!decoder.decode(words[i], inst)) {
      code.appendOpaque();
      continue;
    }
    Instruction &added = code.append(inst, *registers);
    int64_t base = added.relative ? int64_t((i + 1) * wordBytes) : 0;
    if (int index = targetOperand(inst); index >= 0 && inst.getOperand(unsigned(index)).isImm())
      added.target = place(base + inst.getOperand(unsigned(index)).getImm());
    if (int index = joinOperand(inst); index >= 0 && inst.getOperand(unsigned(index)).isImm())
      added.join = place(int64_t((i + 1) * wordBytes) + inst.getOperand(unsigned(index)).getImm());
  }
  if (!code.instructions.empty())
    code.instructions.front().startsSection = true;
  auto within = [&](uint64_t address) {
    return uint32_t(std::min<uint64_t>(words.size(), address / wordBytes));
  };
  for (const ImageKernel &kernel : kernels) {
    uint32_t begin = within(kernel.entry);
    code.kernels.push_back({kernel.name, begin, std::max(begin, within(kernel.entry + kernel.bytes))});
  }
  return code;
}

} // namespace leno::check
