#include "emu/Trap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;

const char *leno::trapName(TrapKind kind) {
  switch (kind) {
  case TrapKind::IllegalInstruction:
    return "ILLEGAL_INSTRUCTION";
  case TrapKind::IllegalOperand:
    return "ILLEGAL_OPERAND";
  case TrapKind::MisalignedRegister:
    return "MISALIGNED_REGISTER";
  case TrapKind::MisalignedPc:
    return "MISALIGNED_PC";
  case TrapKind::PcOutOfRange:
    return "PC_OUT_OF_RANGE";
  case TrapKind::StackOverflow:
    return "STACK_OVERFLOW";
  case TrapKind::StackError:
    return "STACK_ERROR";
  case TrapKind::RetEmptyStack:
    return "RET_EMPTY_STACK";
  case TrapKind::MisalignedAddress:
    return "MISALIGNED_ADDRESS";
  case TrapKind::AddressOutOfRange:
    return "ADDRESS_OUT_OF_RANGE";
  case TrapKind::InvalidConstantAddress:
    return "INVALID_CONSTANT_ADDRESS";
  case TrapKind::Divergent:
    return "DIVERGENT";
  case TrapKind::LockHeldAtExit:
    return "LOCK_HELD_AT_EXIT";
  case TrapKind::BarrierDeadlock:
    return "BARRIER_DEADLOCK";
  case TrapKind::Timeout:
    return "TIMEOUT";
  case TrapKind::Breakpoint:
    return "BREAKPOINT";
  }
  return "UNKNOWN_TRAP";
}

std::string Trap::str() const {
  std::string text = llvm::formatv("{0} at {1:x4}, CTA ({2},{3},{4}) warp {5} lanes {6:x8}", trapName(kind),
                                   pc, cta.x, cta.y, cta.z, warp, lanes);
  if (hasAddress)
    text += llvm::formatv(", address {0:x}", address).str();
  if (!detail.empty())
    text += ": " + detail;
  for (const CallSite &call : calls)
    text += llvm::formatv("{0} {1:x4}", &call == &calls.front() ? "; called at" : ",", call.pc).str() +
            (call.times > 1 ? " (" + std::to_string(call.times) + " times)" : "");
  return text;
}
