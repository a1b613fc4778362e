// A warp of plain arrays behind the expression parser, and errors as text.
#pragma once

#include "dbg/Expression.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringMap.h"
#include <gtest/gtest.h>

namespace leno::dbg {

/// R(n) of lane l is 100 * n + l. Sixteen bytes of each memory hold 0, 1, 2, ...
class FakeContext : public LaneContext {
public:
  FakeContext() {
    for (unsigned reg = 0; reg < 8; ++reg)
      for (unsigned lane = 0; lane < laneCount; ++lane)
        registers[reg][lane] = 100 * reg + lane;
    for (unsigned i = 0; i < 16; ++i)
      memory[0][i] = memory[1][i] = memory[2][i] = memory[3][i] = uint8_t(i);
  }

  unsigned focused = 3;
  LaneMask active = 0x0000ffff;
  u32 registers[8][laneCount];
  LaneMask predicates[8] = {0x0000000f, 0x00000008, 0, 0, 0, 0, 0, allLanes};
  LaneMask flags[4] = {0, 1, 2, 8};
  uint8_t memory[4][16];
  llvm::StringMap<Value> names;

  unsigned lane() const override { return focused; }
  llvm::Expected<LaneMask> activeMask() const override { return active; }
  llvm::Expected<u32> readRegister(unsigned reg, unsigned lane) const override {
    if (reg == 255)
      return 0;
    if (reg >= 8)
      return llvm::createStringError("no such register");
    return registers[reg][lane];
  }
  llvm::Expected<LaneMask> readPredicate(unsigned predicate) const override { return predicates[predicate]; }
  llvm::Expected<LaneMask> readFlag(Flag flag) const override { return flags[unsigned(flag)]; }
  llvm::Expected<std::optional<Value>> variable(llvm::StringRef name, unsigned lane) const override {
    if (name == "pc")
      return Value{ValueType::Address, 0x18};
    if (name == "cta.x")
      return Value::u32Of(7);
    return std::nullopt;
  }
  llvm::Expected<std::optional<Value>> special(llvm::StringRef name, unsigned lane) const override {
    if (name == "SR_TID.X")
      return Value::u32Of(lane + 64);
    return std::nullopt;
  }
  llvm::Expected<std::optional<Value>> named(llvm::StringRef name) const override {
    auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
  }
  llvm::Error read(MemorySpace space, unsigned, u64 address, unsigned,
                   llvm::MutableArrayRef<uint8_t> bytes) const override {
    if (address > 16 || bytes.size() > 16 - address)
      return llvm::createStringError("outside of memory");
    std::copy_n(memory[unsigned(space)] + address, bytes.size(), bytes.begin());
    return llvm::Error::success();
  }
  llvm::Error writeRegister(unsigned reg, unsigned lane, u32 value) override {
    registers[reg][lane] = value;
    return llvm::Error::success();
  }
  llvm::Error writePredicate(unsigned predicate, LaneMask mask) override {
    predicates[predicate] = mask;
    return llvm::Error::success();
  }
  llvm::Error writeFlag(Flag flag, LaneMask mask) override {
    flags[unsigned(flag)] = mask;
    return llvm::Error::success();
  }
  llvm::StringMap<NamedRegisters> registerNames;
  llvm::StringMap<Value> variables;
  std::optional<NamedRegisters> registersNamed(llvm::StringRef name) const override {
    auto found = registerNames.find(name);
    return found == registerNames.end() ? std::nullopt : std::optional(found->second);
  }
  llvm::Error setVariable(llvm::StringRef name, const Value &value) override {
    variables[name] = value;
    return llvm::Error::success();
  }
  llvm::Error write(MemorySpace space, u64 address, unsigned, llvm::ArrayRef<uint8_t> bytes) override {
    if (address > 16 || bytes.size() > 16 - address)
      return llvm::createStringError("outside of memory");
    std::copy(bytes.begin(), bytes.end(), memory[unsigned(space)] + address);
    return llvm::Error::success();
  }
};

/// The message and the column of a TextError: "3: message".
inline std::string errorOf(llvm::Error error) {
  std::string result = "no error";
  llvm::handleAllErrors(
      std::move(error), [&](const TextError &e) { result = std::to_string(e.column) + ": " + e.message; },
      [&](const llvm::ErrorInfoBase &e) { result = "unplaced: " + e.message(); });
  return result;
}

} // namespace leno::dbg
