//===- BlockHeat.cpp - How often the blocks of a graph have executed ------===//
#include "asm/BlockHeat.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno {

BlockHeat::BlockHeat(const ProfileFile &profile) {
  auto add = [&](const ProfileFile::Counts &counts, StringRef key, uint64_t &to) {
    if (size_t kind = profile.kind(key); kind < counts.size())
      to += counts[kind];
  };
  for (const ProfileFile::Launch &launch : profile.launches)
    for (const ProfileFile::Instruction &from : launch.instructions) {
      Row &row = rows[from.address];
      row.word = from.word;
      add(from.counts, "warps", row.warps);
      add(from.counts, "warps", total);
      add(from.counts, "lanes", row.lanes);
      add(from.counts, "divergences", row.divergences);
      add(from.counts, "reconvergences", row.reconvergences);
    }
}

Error BlockHeat::check(ArrayRef<uint64_t> words) const {
  for (const auto &[address, row] : rows) {
    if (row.word.empty())
      continue;
    if (address / 8 >= words.size() || row.word != "0x" + utohexstr(words[address / 8], true, 16))
      return createStringError("the profile is of another program: at 0x" + utohexstr(address, true) +
                               " it has " + row.word);
  }
  return Error::success();
}

/// Times are those of the first instruction: what traps has fewer behind it.
BlockHeat::Row BlockHeat::sum(uint64_t begin, uint64_t end) const {
  Row sum;
  for (auto row = rows.lower_bound(begin); row != rows.end() && row->first < end; ++row) {
    sum.warps += row->second.warps;
    sum.lanes += row->second.lanes;
    sum.divergences += row->second.divergences;
    sum.reconvergences += row->second.reconvergences;
  }
  return sum;
}

std::string BlockHeat::note(uint64_t begin, uint64_t end) const {
  auto first = rows.find(begin);
  if (first == rows.end() || !first->second.warps)
    return "never";
  const Row all = sum(begin, end);
  std::string text;
  raw_string_ostream os(text);
  os << first->second.warps << (first->second.warps == 1 ? " time" : " times")
     << format(", lanes %.1f%%", 100.0 * double(all.lanes) / (32.0 * double(all.warps)));
  if (all.divergences)
    os << ", divergences: " << all.divergences;
  if (all.reconvergences)
    os << ", reconvergences: " << all.reconvergences;
  return text;
}

std::string BlockHeat::attributes(uint64_t begin, uint64_t end) const {
  const double share = total ? double(sum(begin, end).warps) / double(total) : 0;
  std::string text;
  raw_string_ostream(text) << format(", style=filled, fillcolor=\"0.07 %.3f 1.0\"", share);
  return text;
}

} // namespace leno
