// Kernels with a mistake, and beside each a near miss: what a checker finds in them, and where.
#pragma once
#include "emu/launch/GridRun.h"
#include "runtime/checks/Finding.h"
#include "test/unit/emu/Harness.h"
#include "llvm/ADT/StringRef.h"

namespace leno::test {

struct CheckCase {
  const char *name;
  /// The lines marked `@1` and `@2` are the later and the earlier instruction of the only finding.
  const char *text;
  const char *kind; ///< empty: nothing is found
  bool divergentBarriers = false;
};

/// Byte address of the instruction whose line has `mark`, counted by lines that hold one.
inline std::optional<u64> placeOf(llvm::StringRef text, llvm::StringRef mark) {
  u64 at = 0;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    auto [code, comment] = line.split('#');
    code = code.trim();
    if (comment.contains(mark))
      return at;
    if (!code.empty() && code.front() != '.' && code.back() != ':')
      at += 8;
  }
  return std::nullopt;
}

/// Two CTAs of two warps; R0 the thread, R1 the CTA, R2 a buffer of 4 KiB, R3 the warp, R4 the lane.
template <class Checker> void expectCase(const CheckCase &test, u64 instructions = 100'000) {
  SCOPED_TRACE(test.name);
  std::string text = std::string(R"(
.param u32 data
  S2R R0, SR_TID.X
  S2R R1, SR_CTAID.X
  S2R R4, SR_LANEID
  MOV R2, c[0][data]
  SHR.u32 R3, R0, 5
)") + test.text + "\n  EXIT\n";
  Program program = assembled(text);
  MachineConfig config;
  config.barrier.divergent = decltype(config.barrier.divergent)(test.divergentBarriers);
  TestMachine machine(config);
  u64 data = machine.buffer(4096);
  Machine &run = machine.launch(program, {2, 1, 1}, {64, 1, 1}, {u32(data)}, 1024, instructions);
  Checker check;
  run.addObserver(check);
  run.run();
  std::vector<checks::Finding> found = check.take();
  if (!*test.kind) {
    EXPECT_TRUE(found.empty()) << found.front().kind << ": " << found.front().text;
    return;
  }
  ASSERT_EQ(found.size(), 1u) << (found.empty() ? "" : found[1].kind + ": " + found[1].text);
  EXPECT_EQ(found[0].kind, test.kind) << found[0].text;
  EXPECT_EQ(found[0].first.pc, placeOf(text, "@1"));
  if (auto second = placeOf(text, "@2"))
    EXPECT_TRUE(found[0].second && found[0].second->pc == *second) << found[0].second->pc;
}

} // namespace leno::test
