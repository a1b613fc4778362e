//===- Control.h - Control flow, barrier, special registers ---------------===//
// Architecture.md 5 [S0]: what each instruction does to the active mask and the
// stack; the machinery behind is the divergence stack's.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/engine/Services.h"
#include "emu/semantics/Predicate.h"
#include "isa/Modifiers.h"

namespace leno::sem {

/// NOP does nothing; with .S it is SYNC.
struct NOP {
  static const Op *warp(WarpState &, const Op &op, isa::NOPMods, LaneMask) { return &op + 1; }
};

/// The executing lanes whose flags pass the branch's test [S1].
template <class M> LaneMask takenLanes(const WarpState &warp, M m, LaneMask lanes) {
  return m.test == isa::CCTest::T ? lanes : lanes & passing(m.test, warp.codes);
}

/// BRA, JMP: uniform both ways without a push. A divergent one pushes the lanes
/// that stay and runs the taken side first; .U promises that it never happens.
template <class M> const Op *branch(WarpState &warp, const Op &op, M m, LaneMask lanes) {
  LaneMask taken = takenLanes(warp, m, lanes);
  if (taken == 0)
    return &op + 1;
  if (taken == warp.active)
    return &op + 1 + op.immediate;
  return m.U ? service::brokenUniform(warp, op, taken) : service::diverge(warp, op, taken);
}
struct BRA {
  static const Op *warp(WarpState &warp, const Op &op, isa::BRAMods m, LaneMask lanes) {
    return branch(warp, op, m, lanes);
  }
};
struct JMP {
  static const Op *warp(WarpState &warp, const Op &op, isa::JMPMods m, LaneMask lanes) {
    return branch(warp, op, m, lanes);
  }
};

/// BRX, JMX: each lane to a place plus its register, which is a distance (signed) or an address (unsigned).
template <bool isSigned, class M>
const Op *indirectBranch(WarpState &warp, const Op &op, M m, LaneMask lanes) {
  LaneMask taken = takenLanes(warp, m, lanes);
  if (taken == 0)
    return &op + 1;
  const u32 *a = reinterpret_cast<const u32 *>(warp.frame + op.a);
  s64 targets[laneCount];
  for (unsigned i = 0; i < laneCount; ++i)
    targets[i] = op.immediate + (isSigned ? s64(s32(a[i])) : s64(a[i]));
  return service::branchIndirect(warp, op, taken, targets, m.U);
}
struct BRX {
  static const Op *warp(WarpState &warp, const Op &op, isa::BRXMods m, LaneMask lanes) {
    return indirectBranch<true>(warp, op, m, lanes);
  }
};
struct JMX {
  static const Op *warp(WarpState &warp, const Op &op, isa::JMXMods m, LaneMask lanes) {
    return indirectBranch<false>(warp, op, m, lanes);
  }
};

/// SSY: the active lanes will meet again at the join.
struct SSY {
  static const Op *warp(WarpState &warp, const Op &op, isa::SSYMods, LaneMask) {
    return service::push(warp, op, service::Push::Sync);
  }
};
/// PBK: pre-break, the lanes that break wait for the loop's end.
struct PBK {
  static const Op *warp(WarpState &warp, const Op &op, isa::PBKMods, LaneMask) {
    return service::push(warp, op, service::Push::Brk);
  }
};
/// PCNT: pre-continue, the lanes that continue wait for the turn's end. The entry is popped with it: each
/// turn begins with its own PCNT.
struct PCNT {
  static const Op *warp(WarpState &warp, const Op &op, isa::PCNTMods, LaneMask) {
    return service::push(warp, op, service::Push::Cont);
  }
};
/// PRET: pre-return, the CALL entry of a function that is entered by a branch.
struct PRET {
  static const Op *warp(WarpState &warp, const Op &op, isa::PRETMods, LaneMask) {
    return service::push(warp, op, service::Push::Ret);
  }
};
/// CAL, JCAL: push the return address and go to the target.
struct CAL {
  static const Op *warp(WarpState &warp, const Op &op, isa::CALMods, LaneMask) {
    return service::call(warp, op);
  }
};

struct JCAL {
  static const Op *warp(WarpState &warp, const Op &op, isa::JCALMods, LaneMask) {
    return service::call(warp, op);
  }
};

struct BRK {
  static const Op *warp(WarpState &warp, const Op &op, isa::BRKMods, LaneMask lanes) {
    return lanes ? service::leave(warp, op, lanes, service::Leave::Brk, &op + 1) : &op + 1;
  }
};
struct CONT {
  static const Op *warp(WarpState &warp, const Op &op, isa::CONTMods, LaneMask lanes) {
    return lanes ? service::leave(warp, op, lanes, service::Leave::Cont, &op + 1) : &op + 1;
  }
};
struct RET {
  static const Op *warp(WarpState &warp, const Op &op, isa::RETMods, LaneMask lanes) {
    return lanes ? service::leave(warp, op, lanes, service::Leave::Ret, &op + 1) : &op + 1;
  }
};
struct EXIT {
  static const Op *warp(WarpState &warp, const Op &op, isa::EXITMods, LaneMask lanes) {
    return lanes ? service::leave(warp, op, lanes, service::Leave::Exit, &op + 1) : &op + 1;
  }
};

/// KIL: as EXIT, and counted apart.
struct KIL {
  static const Op *warp(WarpState &warp, const Op &op, isa::KILMods, LaneMask lanes) {
    return lanes ? service::leave(warp, op, lanes, service::Leave::Exit, &op + 1) : &op + 1;
  }
};

/// BAR: all live lanes of the warp arrive together, or trap DIVERGENT.
struct BAR_SYNC {
  static const Op *warp(WarpState &warp, const Op &op, isa::BAR_SYNCMods, LaneMask lanes) {
    return lanes ? service::barrier(warp, op, lanes, BarrierOperation::Sync) : &op + 1;
  }
};
struct BAR_ARV {
  static const Op *warp(WarpState &warp, const Op &op, isa::BAR_ARVMods, LaneMask lanes) {
    return lanes ? service::barrier(warp, op, lanes, BarrierOperation::Arrive) : &op + 1;
  }
};
struct BAR_RED_POPC {
  static const Op *warp(WarpState &warp, const Op &op, isa::BAR_RED_POPCMods, LaneMask lanes) {
    return lanes ? service::barrier(warp, op, lanes, BarrierOperation::Popc) : &op + 1;
  }
};
struct BAR_RED_AND {
  static const Op *warp(WarpState &warp, const Op &op, isa::BAR_RED_ANDMods, LaneMask lanes) {
    return lanes ? service::barrier(warp, op, lanes, BarrierOperation::And) : &op + 1;
  }
};
struct BAR_RED_OR {
  static const Op *warp(WarpState &warp, const Op &op, isa::BAR_RED_ORMods, LaneMask lanes) {
    return lanes ? service::barrier(warp, op, lanes, BarrierOperation::Or) : &op + 1;
  }
};

/// BPT: a stop in the debugger, a trap without one.
struct BPT {
  static const Op *warp(WarpState &warp, const Op &op, isa::BPTMods, LaneMask lanes) {
    return lanes ? service::breakpointTrap(warp, op, lanes) : &op + 1;
  }
};

/// S2R: the special register's value in each lane [S1].
struct S2R {
  static bool values(WarpState &warp, const Op &op, service::SpecialValues &values) {
    return service::specialRegister(warp, op, values);
  }
};

} // namespace leno::sem
