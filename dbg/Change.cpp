#include "dbg/Change.h"
#include "asm/support/Assert.h"
#include "emu/sm/Cta.h"
#include <cstring>

namespace leno::dbg {

LaneMask &flagOf(Warp &warp, Flag flag) {
  switch (flag) {
  case Flag::Overflow:
    return warp.codes.overflow;
  case Flag::Carry:
    return warp.codes.carry;
  case Flag::Sign:
    return warp.codes.sign;
  case Flag::Zero:
    break;
  }
  return warp.codes.zero;
}

Share Change::share() const {
  Share share;
  if (kind == Priority)
    share.priority = int(value);
  else
    share.sms = value;
  return share;
}

void Change::apply(Machine &machine) const {
  if (kind == Memory && space == MemorySpace::Global) {
    llvm::cantFail(machine.device(context).memory().write(address, bytes));
    return;
  }
  if (kind == Priority || kind == Sms) {
    llvm::cantFail(machine.share(*machine.contexts()[context], share()));
    return;
  }
  Warp *found = findWarp(machine, *this);
  LENO_ASSERT(found, "a change is made again where its warp does not run");
  Warp &target = *found;
  switch (kind) {
  case Priority:
  case Sms:
    break;
  case Register:
    target.writeRegister(number, lane, value);
    break;
  case Predicate:
    target.predicates[number] = value;
    break;
  case FlagBits:
    flagOf(target, Flag(number)) = value;
    break;
  case Pc:
    target.pc = target.grid().opAt(address / 8);
    target.stepOver = true; // the user knows what stands there
    break;
  case Memory:
    for (size_t i = 0; i < bytes.size(); ++i)
      *(space == MemorySpace::Shared ? &target.cta().shared()[address + i]
                                     : target.localByte(lane, address + i)) = bytes[i];
    break;
  }
}

} // namespace leno::dbg
