#include "runtime/TrapText.h"
#include "asm/Decoder.h"

#include "llvm/ADT/StringRef.h"

using llvm::StringRef;

namespace leno::runtime {

std::string describePlace(const Executable &executable, uint64_t pc) {
  std::string text = executable.describe(pc);
  if (std::optional<SourceLine> line = executable.line(pc))
    text += " (" + line->file + ":" + std::to_string(line->line) + ")";
  return text;
}

std::string laneRanges(LaneMask lanes) {
  std::string text;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    unsigned last = lane;
    while (last + 1 < laneCount && lanes >> (last + 1) & 1)
      ++last;
    text += (text.empty() ? "" : ",") + std::to_string(lane);
    if (last > lane)
      text += "-" + std::to_string(last);
    lane = last;
  }
  return text.empty() ? "none" : text;
}

std::vector<std::string> describeCalls(const Executable &executable, llvm::ArrayRef<CallSite> calls) {
  constexpr size_t innermost = 12, outermost = 4;
  std::vector<std::string> lines;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (i == innermost && calls.size() > innermost + outermost) {
      size_t left = calls.size() - innermost - outermost;
      lines.push_back("... " + std::to_string(left) + " more ...");
      i += left;
    }
    const CallSite &call = calls[i];
    lines.push_back("called at " + describePlace(executable, call.pc) +
                    (call.times > 1 ? ", " + std::to_string(call.times) + " times" : ""));
  }
  return lines;
}

static std::string describeFault(const Executable &executable, const Trap &trap) {
  std::string text = std::string(trapName(trap.kind)) + " at " + describePlace(executable, trap.pc) +
                     ", CTA (" + std::to_string(trap.cta.x) + "," + std::to_string(trap.cta.y) + "," +
                     std::to_string(trap.cta.z) + "), warp " + std::to_string(trap.warp);
  if (trap.lanes)
    text += (trap.lanes & (trap.lanes - 1) ? ", lanes " : ", lane ") + laneRanges(trap.lanes);
  return text + ": " + trap.detail;
}

void writePlace(llvm::json::OStream &json, const Executable &executable, uint64_t pc) {
  json.attribute("pc", pc);
  json.attribute("label", executable.describe(pc));
  if (std::optional<SourceLine> line = executable.line(pc)) {
    json.attribute("file", line->file);
    json.attribute("line", line->line);
  }
}

void writeWho(llvm::json::OStream &json, const Executable &executable, Dim3 cta, unsigned warp,
              LaneMask lanes, llvm::ArrayRef<CallSite> calls) {
  json.attributeArray("cta", [&] {
    for (uint32_t index : {cta.x, cta.y, cta.z})
      json.value(index);
  });
  json.attribute("warp", warp);
  json.attribute("lanes", lanes);
  if (calls.empty())
    return;
  json.attributeArray("calls", [&] { // the innermost first
    for (const CallSite &call : calls)
      json.object([&] {
        writePlace(json, executable, call.pc);
        json.attribute("times", call.times);
      });
  });
}

void writeTrap(llvm::json::OStream &json, const Executable &executable, const Trap &trap) {
  json.attribute("kind", trapName(trap.kind));
  json.attribute("text", describeTrap(executable, trap));
  json.attribute("detail", trap.detail);
  writePlace(json, executable, trap.pc);
  writeWho(json, executable, trap.cta, trap.warp, trap.lanes, trap.calls);
  if (trap.hasAddress)
    json.attribute("address", trap.address);
}

std::string describeTrap(const Executable &executable, const Trap &trap) {
  std::string text = describeFault(executable, trap);
  for (const std::string &call : describeCalls(executable, trap.calls))
    text += "; " + call;
  return text;
}

std::string sourceText(const Executable &executable, uint64_t pc, SourceReader &sources) {
  std::optional<SourceLine> line = executable.line(pc);
  if (std::optional<StringRef> source = line ? sources.text(*line) : std::nullopt)
    return std::to_string(line->line) + " | " + source->str();
  if (pc % 8 == 0 && pc / 8 < executable.code().size())
    return Decoder().print(executable.code()[pc / 8]) + ";";
  return "";
}

std::string describeTrapWithSource(const Executable &executable, const Trap &trap) {
  std::string text = describeFault(executable, trap);
  SourceReader sources(executable.lineTable());
  if (std::string source = sourceText(executable, trap.pc, sources); !source.empty())
    text += "\n  " + source;
  for (const std::string &call : describeCalls(executable, trap.calls))
    text += "\n  " + call;
  for (const std::string &complaint : sources.takeComplaints())
    text += "\n  " + complaint;
  return text;
}

} // namespace leno::runtime
