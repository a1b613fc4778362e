//===- Listen.h - A client that connects to a port ------------------------===//
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>

namespace leno::dbg::dap {

/// Listens on the loopback address, so that only this machine's programs can connect, and says on `told`
/// where; port 0 is one that is free. Returns the first client's connection, and listens no more. Fails when
/// the port cannot be had.
llvm::Expected<int> acceptClient(uint16_t port, llvm::raw_ostream &told);

} // namespace leno::dbg::dap
