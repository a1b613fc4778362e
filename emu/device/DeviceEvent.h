//===- DeviceEvent.h - What the machine does about contexts ---------------===//
#pragma once
#include "emu/warp/Lanes.h"

namespace leno {

/// For tests, traces and people.
struct DeviceEvent {
  enum Kind : u8 {
    ContextChange, ///< S4's context changing event; `why` says which
    SliceMoved,    ///< rebalancing: one SM from context `other` to `context`
    SmGranted,     ///< an SM begins to work for the context
    SmSaves,       ///< its state goes to context storage: `amount` bytes
    SmRestores,    ///< comes back, on this SM
    SmDrains,      ///< it takes no more CTAs of the context
    GridStarts,    ///< the first CTA of the context's launch `amount` is out
    GridEnds,      ///< the same launch
    PageFault,     ///< `amount` is the page's address
    ContextEnds,   ///< by a fault or a kill
    MessageSent,   ///< the host begins to write message `amount` of channel `other`
    ReplyTaken,    ///< it has the reply to that message
  } kind;
  enum Why : u8 {
    None,
    ContextArrives,
    PriorityArrives,
    ContextIdles,
    SliceExpires,
    Fault,
    FaultServed,
    ShareChanges
  } why = None;
  u64 cycle = 0;
  u32 context = 0;
  u32 other = 0;
  unsigned sm = 0;
  u64 amount = 0;
};

} // namespace leno
