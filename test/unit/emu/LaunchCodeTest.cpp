#include "emu/program/LaunchCode.h"
#include "Harness.h"
#include "emu/engine/Services.h"
#include <algorithm>

// Patches lie over each other: what an operation does depends on which there are, not on their order in time.
using namespace leno;
using namespace leno::test;

namespace {

using Patch = LaunchCode::Patch;
constexpr Patch all[] = {Patch::HostThreads, Patch::BadConstant, Patch::ThroughCaches, Patch::Breakpoint};

/// Operation 1 is an atomic, 2 reads a constant and has a guard.
Program smallProgram() {
  return assembled(R"(
    .param u32 a
    MOV32I R0, 1
    ATOM.add R1, [R4], R0
    @P0 MOV R2, c[0][a]
    EXIT
  )");
}

bool isSame(const Op &a, const Op &b) {
  return a.fn == b.fn && a.inner == b.inner && a.flags == b.flags && a.counting == b.counting;
}
bool areSame(const LaunchCode &a, const LaunchCode &b) {
  return std::equal(a.ops().begin(), a.ops().end(), b.ops().begin(), isSame);
}

} // namespace

TEST(LaunchCode, WhatLiesOnTopRuns) {
  const Program program = smallProgram();
  LaunchCode launch(program);
  Handler atomic = launch.at(1)->fn;
  EXPECT_EQ(atomic, program.ops()[1].inner);
  launch.lay(Patch::HostThreads);
  EXPECT_EQ(launch.at(1)->fn, program.engine().sharedHandler(Semantic::ATOM));
  EXPECT_EQ(launch.at(0)->fn, program.ops()[0].inner) << "a move is the same for all host threads";
  launch.set(Patch::ThroughCaches, 1, true);
  EXPECT_EQ(launch.at(1)->fn, service::readConstants);
  launch.set(Patch::Breakpoint, 1, true);
  EXPECT_EQ(launch.at(1)->fn, service::breakpoint);
  launch.set(Patch::BadConstant, 1, true);
  EXPECT_EQ(launch.at(1)->fn, service::breakpoint);
  EXPECT_EQ(service::wrapped(*launch.at(1)), service::badConstantSource) << "what traps reads nothing";
  for (Patch patch : all)
    launch.lift(patch);
  EXPECT_EQ(launch.at(1)->fn, atomic);
}

TEST(LaunchCode, PatchesComeAndGoInAnyOrder) {
  const Program program = smallProgram();
  const LaunchCode original(program);
  for (bool counted : {false, true}) {
    unsigned order[] = {0, 1, 2, 3, 4}; // the last is counting
    LaunchCode wanted(program);
    for (Patch patch : all)
      wanted.set(patch, 2, true);
    wanted.count(counted);
    do {
      LaunchCode launch(program);
      for (unsigned k : order)
        k < 4 ? launch.set(all[k], 2, true) : launch.count(counted);
      EXPECT_TRUE(areSame(launch, wanted));
      std::rotate(order, order + 2, order + 5); // away in another order
      for (unsigned k : order)
        k < 4 ? launch.set(all[k], 2, false) : launch.count(false);
      EXPECT_TRUE(areSame(launch, original));
      std::rotate(order, order + 3, order + 5);
    } while (std::next_permutation(order, order + 5));
  }
}

TEST(LaunchCode, AGenerationIsAChange) {
  const Program program = smallProgram();
  LaunchCode launch(program);
  u64 before = launch.generation();
  auto changed = [&] { return std::exchange(before, launch.generation()) != before; };
  launch.lift(Patch::BadConstant);
  launch.set(Patch::Breakpoint, 1, false);
  launch.count(false);
  EXPECT_FALSE(changed());
  launch.set(Patch::Breakpoint, 1, true);
  EXPECT_TRUE(changed());
  launch.set(Patch::Breakpoint, 1, true);
  EXPECT_FALSE(changed());
  launch.lay(Patch::BadConstant, [](const Op &op) { return op.semantic == Semantic::MOV; });
  EXPECT_TRUE(launch.has(Patch::BadConstant, 2));
  EXPECT_TRUE(changed()) << "under a breakpoint or not";
  launch.count(true);
  EXPECT_TRUE(changed());
  launch.set(Patch::Breakpoint, 1, false);
  EXPECT_TRUE(changed());
}
