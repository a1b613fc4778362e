#include "runtime/Trace.h"
#include "asm/Decoder.h"
#include "emu/Cta.h"

#include "llvm/Support/Format.h"

namespace leno::runtime {

Trace::Trace(const Executable &executable, llvm::raw_ostream &os) : os(os) {
  Decoder decoder;
  for (size_t i = 0; i < executable.code().size(); ++i) {
    places.push_back(executable.describe(i * 8));
    texts.push_back(decoder.print(executable.code()[i], i * 8,
                                  [&](uint64_t place) { return executable.describe(place); }));
  }
}

void Trace::instruction(const Warp &warp, const Op &op, LaneMask executing) {
  uint64_t pc = warp.addressOf(op);
  Dim3 cta = warp.cta().index();
  pending.clear();
  llvm::raw_string_ostream line(pending);
  line << cta.x << ',' << cta.y << ',' << cta.z << ' ' << warp.index() << ' '
       << llvm::format("0x%04llx %08x ", static_cast<unsigned long long>(pc), executing);
  if (pc / 8 < texts.size())
    line << places[pc / 8] << ' ' << texts[pc / 8] << ";\n";
}

void Trace::instructionDone(const Warp &, const Op &, LaneMask) { os << pending; }

} // namespace leno::runtime
