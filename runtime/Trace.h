// An observer that writes one line for each warp instruction.
#pragma once

#include "asm/Executable.h"
#include "emu/observe/Observer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>
#include <vector>

namespace leno::runtime {

class Prepared;

/// Lines such as
///     0,0,0 0 0x0048 ffffffff saxpy+0x48 @P0 EXIT;
/// with the CTA, the warp, the PC, the lanes that execute (active, guard true), the label and the
/// instruction. Columns are separated by one space, and only the last holds spaces. An instruction that traps
/// has no line: it did nothing. What an instruction did to the warp's stack follows it, with a mask of its
/// own and the text behind `> `:
///     0,0,0 0 0x0020 000000ff saxpy+0x20 > push DIV 1 at saxpy+0x28 (saxpy.s:9): chip
///     0,0,0 0 0x0048 ffffffff saxpy+0x48 > spill 0-3 to 0x10000000000
/// These are push and pop (the entry's kind, number, where its lanes go on, where it is or was), diverge,
/// reconverge, spill, restore (entries and where in memory) and wait (cycles). So do constants that were not
/// in the SM's L1 (constants.model=caches): `> constant c[0][0x20] = 0x5 from L2`, or memory. What the
/// protocol of these caches does is in lines of their own, which begin with `cycle` (ContextReport.h).
class Trace : public Observer {
public:
  /// Both must live longer.
  Trace(const Executable &executable, llvm::raw_ostream &os);
  Interests interests() const override { return Instructions | Results | Constants | Divergence | Stack; }
  void instruction(const Warp &warp, const Op &op, LaneMask executing) override;
  void constantEvent(const ConstantEvent &event) override;
  void constantAccess(const Warp &warp, const Op &op, const ConstantAccess &access) override;
  void divergence(const Warp &warp, const Op &op, LaneMask taken, LaneMask notTaken) override;
  void reconvergence(const Warp &warp, const Op &op, const Token &token, LaneMask lanes) override;
  void push(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) override;
  void pop(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) override;
  void stackTransfer(const Warp &warp, const Op &op, const StackTransfer &transfer) override;
  void stackWait(const Warp &warp, const Op &op, u64 cycles) override;
  void instructionDone(const Warp &warp, const Op &op, LaneMask executing) override;

private:
  friend class ContextTrace;
  void begin(const Warp &warp, uint64_t pc, LaneMask lanes);
  void event(const Warp &warp, const Op &op, LaneMask lanes, const std::string &text);
  std::string entryText(const Token &token, const StackAccess &access) const;

  const Executable &executable;
  llvm::raw_ostream &os;
  std::vector<std::string> places, texts; ///< of each word
  std::string pending;                    ///< the lines of the instruction that executes now
};

/// With several contexts: what happens to them, to versions of their constants, and to the stacks of their
/// warps, each line beginning with its cycle and its context:
///     cycle 412 context a: 0,0,0 0 0x0020 000000ff saxpy+0x20 > push DIV 1 at saxpy+0x28 (saxpy.s:9): chip
class ContextTrace : public Observer {
public:
  /// Both must live longer.
  ContextTrace(Prepared &prepared, llvm::raw_ostream &os) : prepared(prepared), os(os) {}
  Interests interests() const override { return Contexts | Constants | Stack; }
  void deviceEvent(const DeviceEvent &event) override;
  void constantEvent(const ConstantEvent &event) override;
  void push(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) override;
  void pop(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) override;
  void stackTransfer(const Warp &warp, const Op &op, const StackTransfer &transfer) override;
  void stackWait(const Warp &warp, const Op &op, u64 cycles) override;

private:
  void line(const Warp &warp, llvm::function_ref<void(Trace &)> event);

  Prepared &prepared;
  llvm::raw_ostream &os;
  std::map<const Executable *, Trace> programs;
};

} // namespace leno::runtime
