#include "runtime/TrapText.h"
#include "asm/Decoder.h"
#include "asm/SourceSearch.h"

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

std::vector<std::string> describeCalls(const Executable &executable, const Trap &trap) {
  constexpr size_t innermost = 12, outermost = 4;
  std::vector<std::string> lines;
  for (size_t i = 0; i < trap.calls.size(); ++i) {
    if (i == innermost && trap.calls.size() > innermost + outermost) {
      size_t left = trap.calls.size() - innermost - outermost;
      lines.push_back("... " + std::to_string(left) + " more ...");
      i += left;
    }
    const CallSite &call = trap.calls[i];
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

/// The innermost first.
static void writeCalls(llvm::json::OStream &json, const Executable &executable, const Trap &trap) {
  for (const CallSite &call : trap.calls)
    json.object([&] {
      json.attribute("pc", call.pc);
      json.attribute("label", executable.describe(call.pc));
      if (std::optional<SourceLine> line = executable.line(call.pc)) {
        json.attribute("file", line->file);
        json.attribute("line", line->line);
      }
      json.attribute("times", call.times);
    });
}

void writeTrap(llvm::json::OStream &json, const Executable &executable, const Trap &trap) {
  json.attribute("kind", trapName(trap.kind));
  json.attribute("text", describeTrap(executable, trap));
  json.attribute("detail", trap.detail);
  json.attribute("pc", trap.pc);
  json.attribute("label", executable.describe(trap.pc));
  if (std::optional<SourceLine> line = executable.line(trap.pc)) {
    json.attribute("file", line->file);
    json.attribute("line", line->line);
  }
  json.attributeArray("cta", [&] {
    for (uint32_t index : {trap.cta.x, trap.cta.y, trap.cta.z})
      json.value(index);
  });
  json.attribute("warp", trap.warp);
  json.attribute("lanes", trap.lanes);
  if (trap.hasAddress)
    json.attribute("address", trap.address);
  if (!trap.calls.empty())
    json.attributeArray("calls", [&] { writeCalls(json, executable, trap); });
}

std::string describeTrap(const Executable &executable, const Trap &trap) {
  std::string text = describeFault(executable, trap);
  for (const std::string &call : describeCalls(executable, trap))
    text += "; " + call;
  return text;
}

std::string describeTrapWithSource(const Executable &executable, const Trap &trap) {
  std::string text = describeFault(executable, trap);
  std::optional<SourceLine> line = executable.line(trap.pc);
  SourceReader sources(executable.lineTable());
  if (std::optional<StringRef> source = line ? sources.text(*line) : std::nullopt)
    text += "\n  " + std::to_string(line->line) + " | " + source->str();
  else if (trap.pc % 8 == 0 && trap.pc / 8 < executable.code().size())
    text += "\n  " + Decoder().print(executable.code()[trap.pc / 8]) + ";";
  for (const std::string &call : describeCalls(executable, trap))
    text += "\n  " + call;
  for (const std::string &complaint : sources.takeComplaints())
    text += "\n  " + complaint;
  return text;
}

} // namespace leno::runtime
