// Guest faults in words: Architecture.md 10 with the executable's labels and source lines.
#pragma once

#include "asm/Executable.h"
#include "asm/SourceSearch.h"
#include "emu/Trap.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace leno::runtime {

/// "saxpy+0x48 (saxpy.s:14)", without the parentheses when there is no line table.
std::string describePlace(const Executable &executable, uint64_t pc);

/// "0-7,16"; "none" for an empty mask.
std::string laneRanges(LaneMask lanes);

/// A call path, a line each: `called at f+0x18 (f.s:7), 62 times`. Long paths are cut in the middle.
std::vector<std::string> describeCalls(const Executable &executable, llvm::ArrayRef<CallSite> calls);

/// "14 | STG [R4], R5;": the source line of an instruction, else its text. Empty: there is none.
std::string sourceText(const Executable &executable, uint64_t pc, SourceReader &sources);

/// One line: `ADDRESS_OUT_OF_RANGE at saxpy+0x48 (saxpy.s:14), CTA (2,0,0), warp 0, lane 3: what went wrong`.
std::string describeTrap(const Executable &executable, const Trap &trap);

/// The same, then the source line (else the instruction's text) on an indented line of its own, then the call
/// path.
std::string describeTrapWithSource(const Executable &executable, const Trap &trap);

/// An object's attributes: "pc", "label", and "file" and "line" where they are known.
void writePlace(llvm::json::OStream &json, const Executable &executable, uint64_t pc);
/// "cta", "warp", "lanes" (bits) and "calls", if there are any.
void writeWho(llvm::json::OStream &json, const Executable &executable, Dim3 cta, unsigned warp,
              LaneMask lanes, llvm::ArrayRef<CallSite> calls);

/// An object's attributes: "kind", "text" (describeTrap), "detail", "pc", "label", "file", "line", "cta",
/// "warp", "lanes", "address" and "calls", those that it has.
void writeTrap(llvm::json::OStream &json, const Executable &executable, const Trap &trap);

} // namespace leno::runtime
