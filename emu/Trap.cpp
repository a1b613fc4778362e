#include "emu/Trap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;

const char *leno::trapName(TrapKind kind) {
  return size_t(kind) < std::size(isa::trapNames) ? isa::trapNames[size_t(kind)] : "UNKNOWN_TRAP";
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
