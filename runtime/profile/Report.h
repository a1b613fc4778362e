//===- Report.h - A profile as files --------------------------------------===//
// Report.cpp has what all of them show; one file each writes them. The same
// profile gives the same bytes. Profile.md describes them.
//===----------------------------------------------------------------------===//
#pragma once
#include "asm/Executable.h"
#include "asm/support/RunFiles.h"
#include "runtime/profile/Profile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::profile {

/// A launch that has been profiled. What it points to lives as long.
struct ProfiledLaunch {
  std::string context; ///< its name; empty: a launch alone
  size_t number = 0;   ///< of the context's launches
  std::string kernel, program;
  const Executable *executable;
  Dim3 grid, block;
  const Profile *profile;

  /// "saxpy", or "context a, launch 0, saxpy".
  std::string name() const;
};

/// An instruction that has executed.
struct InstructionRow {
  uint64_t address;
  std::string text, label, function; ///< "IADD R0, R0, 1;", "loop+0x8", the kernel or function it stands in
  std::optional<SourceLine> line;
  CountRow counts;
};
/// By address.
std::vector<InstructionRow> instructionRows(const ProfiledLaunch &launch);

struct LineRow {
  SourceLine line;
  CountRow counts;
};
/// The sums of the instructions of each line, by file and line; those without a line are none's.
std::vector<LineRow> lineRows(llvm::ArrayRef<InstructionRow> instructions);
CountRow totalOf(const ProfiledLaunch &launch);

/// The lines of the source file; empty when it is not there.
std::vector<std::string> sourceOf(const ProfiledLaunch &launch, llvm::StringRef file);

using Launches = llvm::ArrayRef<ProfiledLaunch>;
void writeJson(llvm::raw_ostream &os, Launches launches);
void writeCsv(llvm::raw_ostream &os, Launches launches);
void writeCallgrind(llvm::raw_ostream &os, Launches launches);
void writeSpeedscope(llvm::raw_ostream &os, Launches launches);
void writeHtml(llvm::raw_ostream &os, Launches launches);

/// Notes the files that writeReport will write into a folder. Fails when the folder cannot be one: something
/// else has its name, or there is no folder to make it in. `asked` is how it was asked for.
llvm::Error noteReport(llvm::StringRef folder, RunFiles &files, llvm::StringRef asked = "--profile");
/// Makes the folder and writes all of them, or none.
llvm::Error writeReport(llvm::StringRef folder, Launches launches);

} // namespace leno::profile
