// What S2R reads.
#include "emu/engine/SpecialRegisters.h"
#include "emu/engine/ServiceWarp.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using llvm::formatv;

static bool ramp(service::SpecialValues &values, u64 first, u32 step) {
  values.first = u32(first);
  values.step = step;
  values.isRamp = true;
  return true;
}

template <class F> static bool each(service::SpecialValues &values, F value) {
  for (unsigned lane = 0; lane < laneCount; ++lane)
    values.each[lane] = value(lane);
  values.isRamp = false;
  return true;
}

bool leno::specialValues(const Warp &warp, u32 number, service::SpecialValues &values) {
  using SR = isa::SpecialRegister;
  const Cta &cta = warp.cta();
  const GridRun &run = warp.grid();
  const Dim3 &block = run.launch().block, &grid = run.launch().grid;
  auto all = [&](u64 value) { return ramp(values, value, 0); };
  auto thread = [&](u32 Dim3::*axis) { // counted on from the first, which takes divisions
    Dim3 next = warp.thread(0);
    if (next.x + laneCount <= block.x) // all in one row of the block
      return ramp(values, next.*axis, axis == &Dim3::x);
    return each(values, [&](unsigned) {
      u32 value = next.*axis;
      if (++next.x == block.x) {
        next.x = 0;
        if (++next.y == block.y)
          next.y = 0, ++next.z;
      }
      return value;
    });
  };
  switch (SR(number)) {
  case SR::LANEID:
    return ramp(values, 0, 1);
  case SR::WARPID:
    return all(warp.index());
  case SR::NWARPID:
    return all(run.warpsPerCta());
  case SR::SMID:
    return all(cta.multiprocessor().index());
  case SR::NSMID:
    return all(u32(run.device().config().sm.count));
  case SR::GRIDID:
    return all(run.gridId());
  case SR::CTXID:
    return all(run.device().contextId());
  case SR::TID_X:
    return thread(&Dim3::x);
  case SR::TID_Y:
    return thread(&Dim3::y);
  case SR::TID_Z:
    return thread(&Dim3::z);
  case SR::NTID_X:
    return all(block.x);
  case SR::NTID_Y:
    return all(block.y);
  case SR::NTID_Z:
    return all(block.z);
  case SR::CTAID_X:
    return all(cta.index().x);
  case SR::CTAID_Y:
    return all(cta.index().y);
  case SR::CTAID_Z:
    return all(cta.index().z);
  case SR::NCTAID_X:
    return all(grid.x);
  case SR::NCTAID_Y:
    return all(grid.y);
  case SR::NCTAID_Z:
    return all(grid.z);
  case SR::LANEMASK_EQ:
    return each(values, [](unsigned lane) { return 1u << lane; });
  case SR::LANEMASK_LT:
    return each(values, [](unsigned lane) { return (1u << lane) - 1; });
  case SR::LANEMASK_LE:
    return each(values, [](unsigned lane) { return (2u << lane) - 1; });
  case SR::LANEMASK_GT:
    return each(values, [](unsigned lane) { return ~((2u << lane) - 1); });
  case SR::LANEMASK_GE:
    return each(values, [](unsigned lane) { return ~((1u << lane) - 1); });
  case SR::SHARED_SIZE:
    return all(warp.shared.size);
  case SR::SHARED_BASE:
    return all(AddressSpace::sharedWindow >> 16);
  case SR::LOCAL_BASE:
    return all(AddressSpace::localWindow >> 16);
  case SR::LOCAL_SIZE:
    return all(warp.local.size);
  default:
    return false;
  }
}

bool service::specialRegister(WarpState &state, const Op &op, SpecialValues &values) {
  if (specialValues(warpOf(state), op.extra, values))
    return true;
  if (!isClock(op.extra)) {
    warpOf(state).trap(op, TrapKind::IllegalOperand, state.active,
                       formatv("there is no special register {0}", op.extra));
    return false;
  }
  // The SM's counter moves on only when a turn ends: end it, and run this
  // instruction again with the counter up to date.
  if (!state.clockIsFresh) {
    state.status = WarpStatus::NeedsClock;
    state.pc = &op;
    return false;
  }
  state.clockIsFresh = false;
  return ramp(values, isa::SpecialRegister(op.extra) == isa::SpecialRegister::CLOCKLO ? state.clock : state.clock >> 32,
              0);
}
