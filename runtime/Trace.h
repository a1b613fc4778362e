// An observer that writes one line for each warp instruction.
#pragma once

#include "asm/Executable.h"
#include "emu/Observer.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace leno::runtime {

/// Lines such as
///     0,0,0 0 0x0048 ffffffff saxpy+0x48 @P0 EXIT;
/// with the CTA, the warp, the PC, the lanes that execute (active, guard true), the label and the
/// instruction. Columns are separated by one space, and only the last holds spaces. An instruction that traps
/// has no line: it did nothing.
class Trace : public Observer {
public:
  /// Both must live longer.
  Trace(const Executable &executable, llvm::raw_ostream &os);
  void instruction(const Warp &warp, const Op &op, LaneMask executing) override;
  void instructionDone(const Warp &warp, const Op &op, LaneMask executing) override;

private:
  llvm::raw_ostream &os;
  std::vector<std::string> places, texts; ///< of each word
  std::string pending;                    ///< the line of the instruction that executes now
};

} // namespace leno::runtime
