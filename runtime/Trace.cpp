#include "runtime/Trace.h"
#include "asm/Decoder.h"
#include "emu/sm/Cta.h"

#include "runtime/ContextReport.h"
#include "runtime/Prepared.h"
#include "runtime/TrapText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

namespace leno::runtime {

Trace::Trace(const Executable &executable, llvm::raw_ostream &os) : executable(executable), os(os) {
  Decoder decoder;
  for (size_t i = 0; i < executable.code().size(); ++i) {
    places.push_back(executable.describe(i * 8));
    texts.push_back(decoder.print(executable.code()[i], i * 8,
                                  [&](uint64_t place) { return executable.describe(place); }));
  }
}

void Trace::begin(const Warp &warp, uint64_t pc, LaneMask lanes) {
  Dim3 cta = warp.cta().index();
  llvm::raw_string_ostream line(pending);
  line << cta.x << ',' << cta.y << ',' << cta.z << ' ' << warp.index() << ' '
       << llvm::format("0x%04llx %08x ", static_cast<unsigned long long>(pc), lanes);
  if (pc / 8 < texts.size())
    line << places[pc / 8] << ' ';
}

void Trace::instruction(const Warp &warp, const Op &op, LaneMask executing) {
  uint64_t pc = warp.addressOf(op);
  pending.clear();
  begin(warp, pc, executing);
  pending += (pc / 8 < texts.size() ? texts[pc / 8] + ";" : "") + "\n";
}

//===--- The stack --------------------------------------------------------===//

void Trace::event(const Warp &warp, const Op &op, LaneMask lanes, const std::string &text) {
  begin(warp, warp.addressOf(op), lanes);
  pending += "> " + text + "\n";
}

std::string Trace::entryText(const Token &token, const StackAccess &access) const {
  return std::string(tokenTypeName(token.type)) + " " + std::to_string(access.entry) + " at " +
         describePlace(executable, uint64_t(token.pc) * 8) + ": " + entryPlaceName(access.place);
}

void Trace::push(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) {
  event(warp, op, token.mask, "push " + entryText(token, access));
}

void Trace::pop(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) {
  event(warp, op, token.mask, "pop " + entryText(token, access));
}

void Trace::divergence(const Warp &warp, const Op &op, LaneMask taken, LaneMask) {
  event(warp, op, taken, "diverge");
}

void Trace::reconvergence(const Warp &warp, const Op &op, const Token &token, LaneMask lanes) {
  event(warp, op, lanes, "reconverge at " + describePlace(executable, uint64_t(token.pc) * 8));
}

void Trace::stackTransfer(const Warp &warp, const Op &op, const StackTransfer &transfer) {
  std::string entries = std::to_string(transfer.first);
  if (transfer.count > 1)
    entries += "-" + std::to_string(transfer.first + transfer.count - 1);
  event(warp, op, warp.active,
        (transfer.isRestore ? "restore " + entries + " from 0x" : "spill " + entries + " to 0x") +
            llvm::utohexstr(transfer.address, true));
}

void Trace::stackWait(const Warp &warp, const Op &op, u64 cycles) {
  event(warp, op, warp.active, "wait " + std::to_string(cycles) + (cycles == 1 ? " cycle" : " cycles"));
}

void Trace::constantEvent(const ConstantEvent &event) { os << eventText(event) << '\n'; }

void Trace::constantAccess(const Warp &warp, const Op &op, const ConstantAccess &access) {
  if (access.source != ConstantSource::L2 && access.source != ConstantSource::Memory)
    return;
  event(warp, op, warp.active,
        "constant c[" + std::to_string(access.bank) + "][0x" + llvm::utohexstr(access.offset, true) +
            "] = 0x" + llvm::utohexstr(access.value, true) + " from " +
            (access.source == ConstantSource::L2 ? "L2" : "memory"));
}

void Trace::instructionDone(const Warp &, const Op &, LaneMask) { os << pending; }

//===--- Several contexts ---------------------------------------------------===//

void ContextTrace::deviceEvent(const DeviceEvent &event) {
  os << eventText(event, prepared.run().contexts()) << '\n';
}

void ContextTrace::constantEvent(const ConstantEvent &event) {
  os << eventText(event, prepared.run().contexts()) << '\n';
}

void ContextTrace::line(const Warp &warp, llvm::function_ref<void(Trace &)> event) {
  const Machine &machine = prepared.run();
  const Executable *executable = prepared.launchOf(warp.grid()).executable;
  Trace &trace = programs.try_emplace(executable, *executable, os).first->second;
  event(trace);
  os << "cycle " << machine.cycle() << " context " << nameOf(*machine.contexts()[warp.grid().device().contextId()])
     << ": " << std::exchange(trace.pending, "");
}

void ContextTrace::push(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) {
  line(warp, [&](Trace &trace) { trace.push(warp, op, token, access); });
}

void ContextTrace::pop(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) {
  line(warp, [&](Trace &trace) { trace.pop(warp, op, token, access); });
}

void ContextTrace::stackTransfer(const Warp &warp, const Op &op, const StackTransfer &transfer) {
  line(warp, [&](Trace &trace) { trace.stackTransfer(warp, op, transfer); });
}

void ContextTrace::stackWait(const Warp &warp, const Op &op, u64 cycles) {
  line(warp, [&](Trace &trace) { trace.stackWait(warp, op, cycles); });
}

} // namespace leno::runtime
