//===- ProfileDiff.h - Two profiles beside each other ---------------------===//
#pragma once
#include "asm/ProfileFile.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::profile {

/// A line of one profile or of both.
struct LinePair {
  const ProfileFile::Line *a, *b; ///< one may be null
};
/// Which lines belong together: those with the same text, in their order; without a text, those with the same
/// file and number.
std::vector<LinePair> pairLines(const ProfileFile &a, const ProfileFile::Launch &ofA, const ProfileFile &b,
                                const ProfileFile::Launch &ofB);

/// Writes what differs, launch by launch and line by line, for people or as JSON. Launches belong together
/// whose context and number are the same. `a` and `b`: folders of --profile, or their profile.json.
llvm::Error writeDiff(llvm::raw_ostream &os, llvm::StringRef a, llvm::StringRef b, bool asJson);

} // namespace leno::profile
