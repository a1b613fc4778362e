// Breakpoints, and handlers of operations that only trap.
#include "emu/engine/ServiceWarp.h"
#include "emu/engine/Services.h"
#include "emu/launch/GridRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using llvm::formatv;

bool service::isFaulty(const Op &op) {
  return llvm::is_contained({illegalInstruction, misalignedRegister, misalignedConstant, badTarget,
                             misalignedTarget, badConstantSource, endOfProgram},
                            op.inner);
}

//===--- Words that cannot execute ----------------------------------------===//

const Op *service::endOfProgram(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  return warp.trap(op, TrapKind::PcOutOfRange, warp.active, "the program ends here: an EXIT is missing",
                   warp.addressOf(op));
}

const Op *service::illegalInstruction(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  u64 word = warp.grid().program().word(warp.addressOf(op) / 8);
  return warp.trap(op, TrapKind::IllegalInstruction, warp.active,
                   formatv("{0:x16} is not an instruction", word));
}

/// A trap of the lanes that would execute `op`; none: it has no effect.
static const Op *faulty(WarpState &state, const Op &op, TrapKind kind, std::string detail,
                        std::optional<u64> address = std::nullopt) {
  Warp &warp = warpOf(state);
  LaneMask lanes = warp.executing(op);
  return lanes ? warp.trap(op, kind, lanes, std::move(detail), address) : &op + 1;
}

const Op *service::misalignedRegister(WarpState &state, const Op &op) {
  return faulty(state, op, TrapKind::MisalignedRegister,
                formatv("{0} needs an aligned register pair for 64 bits, an aligned quad for 128, below RZ",
                        semanticName(op.semantic)));
}

const Op *service::misalignedConstant(WarpState &state, const Op &op) {
  return faulty(
      state, op, TrapKind::IllegalOperand,
      formatv("{0} needs a 64-bit constant at an offset that is a multiple of 8", semanticName(op.semantic)));
}

const Op *service::badTarget(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  u64 target = warp.addressOf(op) + 8 + u64(op.immediate) * 8;
  return faulty(state, op, TrapKind::PcOutOfRange,
                formatv("the target of {0} is outside the program of {1} bytes", semanticName(op.semantic),
                        warp.grid().size() * 8),
                target);
}

const Op *service::misalignedTarget(WarpState &state, const Op &op) {
  return faulty(state, op, TrapKind::MisalignedPc,
                formatv("the target of {0} is not a multiple of 8", semanticName(op.semantic)),
                warpOf(state).addressOf(op) + 8 + u64(op.immediate));
}

const Op *service::badConstantSource(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  Program::PoolRow row = warp.grid().badConstantOf(op).value_or(Program::PoolRow{});
  return faulty(state, op, TrapKind::InvalidConstantAddress,
                formatv("{0} reads 4 bytes at c[{1}][{2:x}]; the bank holds {3} bytes",
                        semanticName(op.semantic), row.bank, row.offset, state.constants[row.bank].size),
                row.offset);
}

//===--- Breakpoints ------------------------------------------------------===//

const Op *service::breakpointTrap(WarpState &state, const Op &op, LaneMask lanes) {
  Warp &warp = warpOf(state);
  if (!warp.grid().debuggerAttached())
    return warp.trap(op, TrapKind::Breakpoint, lanes, formatv("BPT {0} without a debugger", op.immediate));
  state.status = WarpStatus::Breakpoint;
  state.pc = &op + 1;
  return nullptr;
}

const Op *service::breakpoint(WarpState &state, const Op &op) {
  state.status = WarpStatus::Breakpoint;
  state.pc = &op;
  return nullptr;
}
