//===- HostEvent.h - What the host does to global memory ------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include <string_view>

namespace leno {

/// Copies in a context's stream, the words of messages and a debugger's changes are the host's too.
struct HostEvent {
  enum Kind : u8 { Allocates, Releases, Reads, Writes } kind;
  u64 address, bytes;
  u32 context = 0;
  std::string_view name = {}; ///< of an allocation that begins or ends; for as long as the event lasts
  bool isMessage = false;     ///< a word of a message channel
};

} // namespace leno
