//===- Loopback.h - A port that only this machine's programs reach -----------===//
#pragma once

#include "llvm/Support/Error.h"
#include <cstdint>

namespace leno::dbg {

/// Listens on 127.0.0.1 for up to `waiting` clients that are not accepted yet; port 0 becomes one that is
/// free. `flags` are socket()'s, as SOCK_NONBLOCK. Returns the socket. Fails when the port cannot be had.
llvm::Expected<int> listenOnLoopback(uint16_t &port, int waiting, int flags = 0);

} // namespace leno::dbg
