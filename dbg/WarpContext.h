//===- WarpContext.h - A session's warp as expressions see it -------------===//
#pragma once

#include "dbg/Change.h"
#include "dbg/LaneContext.h"
#include "emu/warp/Warp.h"
#include <map>
#include <string>
#include <vector>

namespace leno {
class Executable;
struct KernelInfo;
} // namespace leno

namespace leno::dbg {

class Timeline;
namespace source {
class Program;
struct Scope;
struct Variable;
} // namespace source

/// What users make: the values that were printed, $1, $2, ..., and variables by name.
struct UserValues {
  std::vector<Value> history;
  std::map<std::string, Value, std::less<>> variables;
  /// Numbers a value $1, $2, ... and says which it became.
  size_t remember(const Value &value) {
    history.push_back(value);
    return history.size();
  }
};

/// The variables that the machine gives: $pc, $mask, ... , without the '$'.
llvm::ArrayRef<llvm::StringLiteral> computedVariables();

/// What a warp executes and where.
struct LaunchInFocus {
  const Executable &executable;
  const KernelInfo &kernel;
  Device &device;
  GridRun *grid;                 ///< null: its context runs none now
  std::optional<u64> globalBase; ///< of the program's global data; none: unknown
  const source::Program *source = nullptr; ///< what debug information tells of it
  size_t frame = 0;                        ///< the call that is looked at
};

/// One lane of a warp, or (without a warp) the program's names and its memory alone.
class WarpContext : public LaneContext {
public:
  /// `timeline` makes the changes; null: nothing can be changed yet.
  WarpContext(const LaunchInFocus &launch, Warp *warp, unsigned lane, UserValues &user, Timeline *timeline)
      : launch(launch), warp(warp), focusedLane(lane), user(user), timeline(timeline) {}

  unsigned lane() const override { return focusedLane; }
  bool hasLane() const override { return warp; }
  llvm::Expected<LaneMask> activeMask() const override;
  llvm::Expected<u32> readRegister(unsigned reg, unsigned lane) const override;
  llvm::Expected<LaneMask> readPredicate(unsigned predicate) const override;
  llvm::Expected<LaneMask> readFlag(Flag flag) const override;
  llvm::Expected<std::optional<Value>> variable(llvm::StringRef name, unsigned lane) const override;
  llvm::Expected<std::optional<Value>> special(llvm::StringRef name, unsigned lane) const override;
  llvm::Expected<std::optional<Value>> named(llvm::StringRef name) const override;
  std::optional<u64> constantNamed(unsigned bank, llvm::StringRef name) const override;
  std::optional<NamedRegisters> registersNamed(llvm::StringRef name) const override;
  bool hasSource() const override;
  llvm::Expected<std::optional<source::Object>> sourceVariable(llvm::StringRef name,
                                                               unsigned lane) const override;
  const source::Type *sourceType(llvm::StringRef name) const override;
  bool sourceKnows(llvm::StringRef name) const override;
  /// Where the call that is looked at stands; null: the program does not tell.
  const source::Scope *sourceScope() const;
  /// The arguments of its function, or its other variables, those of the innermost block first.
  std::vector<const source::Variable *> sourceVariables(bool arguments) const;
  /// One that is known.
  source::Object sourceObject(const source::Variable &variable, unsigned lane) const;
  llvm::Error read(MemorySpace space, unsigned bank, u64 address, unsigned lane,
                   llvm::MutableArrayRef<uint8_t> bytes) const override;
  llvm::Error writeRegister(unsigned reg, unsigned lane, u32 value) override;
  llvm::Error writePredicate(unsigned predicate, LaneMask mask) override;
  llvm::Error writeFlag(Flag flag, LaneMask mask) override;
  llvm::Error write(MemorySpace space, u64 address, unsigned lane, llvm::ArrayRef<uint8_t> bytes) override;
  llvm::Error setVariable(llvm::StringRef name, const Value &value) override;
  /// The active lanes go on at `address`; the active mask, the stack and the lanes that wait stay as they
  /// are. Fails outside of the function that the warp is in, and when the warp cannot go on anyway.
  llvm::Error setPc(u64 address);

protected:
  Warp &itsWarp() const { return *warp; }
  llvm::Error needWarp() const;

private:
  llvm::Error needLocal(u64 address, size_t bytes) const;
  llvm::Expected<llvm::MutableArrayRef<unsigned char>> sharedBytes(u64 address, size_t bytes) const;

  /// Makes a change, of the warp if it is of one.
  llvm::Error perform(Change change);

  LaunchInFocus launch;
  Warp *warp;
  unsigned focusedLane;
  UserValues &user;
  Timeline *timeline;
};

} // namespace leno::dbg
