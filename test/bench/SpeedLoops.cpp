//===- SpeedLoops.cpp - Loops that stress one thing each ------------------===//
#include "test/bench/SpeedKernels.h"

#include <bit>
#include <cmath>

namespace leno::bench {
namespace {

/// A kernel around a loop body: R0 lane, R1 turns so far; the body may use R4 up; R4 is stored at the end.
std::string loop(const std::string &name, const std::string &setup, const std::string &body) {
  return "  .kernel " + name +
         "\n"
         "  .param ptr out\n"
         "  .param u32 turns\n"
         "  .shared words, 4096\n"
         "  S2R R0, SR_TID.X\n"
         "  MOV R1, RZ\n" +
         setup + "turn:\n" + body +
         "  IADD R1, R1, 1\n"
         "  ISETP.lt.u32 P0, R1, c[0][turns]\n"
         "  @P0 BRA turn\n"
         "  SHL R2, R0, 2\n"
         "  IADD.CC R2, R2, c[0][out]\n"
         "  IADD.X R3, RZ, c[0][out+4]\n"
         "  STG [R2.64], R4\n"
         "  EXIT\n"
         "  .endkernel\n";
}

// Eight operations 25 times: 200, and three for the loop.
const char *const mixedBody = "  .rept 25\n"
                              "  IMAD R4, R4, R5, R0\n"
                              "  FFMA R6, R6, R7, R8\n"
                              "  IADD R5, R5, R4\n"
                              "  LOP.xor R4, R4, R5\n"
                              "  FADD R6, R6, -R8\n"
                              "  SHL R9, R4, 3\n"
                              "  FMUL R6, R6, R7\n"
                              "  IADD R4, R4, -R9\n"
                              "  .endr\n";
const char *const mixedSetup = "  IADD R4, R0, 7\n"
                               "  MOV R5, 3\n"
                               "  I2F.u32 R6, R0\n"
                               "  MOV32I R7, 0.75\n"
                               "  MOV32I R8, 1.5\n";

uint32_t mixed(uint32_t lane, uint32_t turns) {
  uint32_t r4 = lane + 7, r5 = 3;
  for (uint32_t i = 0; i < turns * 25; ++i) {
    r4 = r4 * r5 + lane;
    r5 += r4;
    r4 ^= r5;
    r4 -= r4 << 3;
  }
  return r4;
}

uint32_t floats(uint32_t lane, uint32_t turns) {
  float r4 = float(lane), r5 = 0.75f, r6 = 1.5f;
  for (uint32_t i = 0; i < turns * 50; ++i) {
    r4 = std::fma(r4, r5, r6);
    r4 = r4 + -r6;
    r4 = r4 * r5;
    r4 = std::fma(r4, r5, r6);
  }
  return std::bit_cast<uint32_t>(r4);
}

// Odd lanes only: every instruction of the body is guarded.
uint32_t guarded(uint32_t lane, uint32_t turns) {
  uint32_t r4 = lane + 7, r5 = 3;
  if (lane & 1)
    for (uint32_t i = 0; i < turns * 50; ++i) {
      r4 = r4 * r5 + lane;
      r5 += r4;
      r4 ^= r5;
      r4 -= r5;
    }
  return r4;
}

// Even lanes take one side, odd ones the other; both meet again.
uint32_t divergent(uint32_t lane, uint32_t turns) {
  uint32_t r4 = lane;
  for (uint32_t i = 0; i < turns * 20; ++i)
    r4 = (r4 ^ lane) & 1 ? r4 * 5 : r4 + 7;
  return r4;
}

uint32_t branches(uint32_t lane, uint32_t turns) { return lane + turns * 150; }

uint32_t broadcast(uint32_t lane, uint32_t turns) { return lane + turns * 500; }

uint32_t gathered(uint32_t lane, uint32_t turns) {
  uint32_t r4 = lane;
  for (uint32_t i = 0; i < turns * 50; ++i) {
    r4 = r4 * 5 + lane;
    r4 += r4 & 31;
  }
  return r4;
}

uint32_t shared(uint32_t lane, uint32_t turns) {
  uint32_t word = 0, r4 = lane;
  for (uint32_t i = 0; i < turns * 50; ++i) {
    word = r4;
    r4 = word + lane;
  }
  return r4;
}

uint32_t global(uint32_t lane, uint32_t turns) {
  uint32_t word = 0, r4 = lane;
  for (uint32_t i = 0; i < turns * 50; ++i) {
    word = r4;
    r4 = word + 3;
  }
  return r4;
}

/// Each lane of the warp by itself, for the reference.
template <uint32_t (*lane)(uint32_t lane, uint32_t turns)>
void eachLane(uint32_t turns, std::vector<Words> &buffers) {
  for (uint32_t i = 0; i < 32; ++i)
    buffers[0][i] = lane(i, turns);
}

SpeedWork oneWarp(uint32_t turns) { return {{Words(32)}, {{1, 1, 32, 1, {0}, {turns}}}, 0}; }

template <uint32_t (*lane)(uint32_t lane, uint32_t turns)>
SpeedKernel kernelOf(const std::string &name, const std::string &what, const std::string &setup,
                     const std::string &body) {
  return {name, what, 20000, 100, oneWarp, eachLane<lane>, loop(name, setup, body)};
}

} // namespace

const std::vector<SpeedKernel> &speedLoops() {
  static const std::vector<SpeedKernel> kernels = {
      kernelOf<mixed>("arithmetic", "203 operations a turn, integer and float mixed, all lanes", mixedSetup,
                      mixedBody),
      kernelOf<floats>("float", "203 operations a turn, three quarters of them FFMA and FMUL",
                       "  I2F.u32 R4, R0\n  MOV32I R5, 0.75\n  MOV32I R6, 1.5\n",
                       "  .rept 50\n  FFMA R4, R4, R5, R6\n  FADD R4, R4, -R6\n  FMUL R4, R4, R5\n"
                       "  FFMA R4, R4, R5, R6\n  .endr\n"),
      kernelOf<guarded>("guarded", "every operation guarded, half of the lanes",
                        "  IADD R4, R0, 7\n  MOV R5, 3\n  LOP.and R6, R0, 1\n  ISETP.ne P1, R6, RZ\n",
                        "  .rept 50\n  @P1 IMAD R4, R4, R5, R0\n  @P1 IADD R5, R5, R4\n"
                        "  @P1 LOP.xor R4, R4, R5\n  @P1 IADD R4, R4, -R5\n  .endr\n"),
      kernelOf<divergent>("divergent", "a branch that half of the lanes take, and the join, 20 times a turn",
                          "  MOV R4, R0\n",
                          "  .rept 20\n  LOP.xor R5, R4, R0\n  LOP.and R5, R5, 1\n  ISETP.ne P1, R5, RZ\n"
                          "  SSY 2f\n  @P1 BRA 1f\n  IADD R4, R4, 7\n  SYNC\n"
                          "1:\n  IMUL R4, R4, 5\n  SYNC\n2:\n  .endr\n"),
      kernelOf<branches>("branches", "a branch that all lanes take every second instruction",
                         "  MOV R4, R0\n", "  .rept 50\n  IADD R4, R4, 3\n  BRA 1f\n1:\n  .endr\n"),
      kernelOf<shared>(
          "shared", "consecutive words of shared memory, stored and loaded",
          "  MOV R4, R0\n  SHL R5, R0, 2\n",
          "  .rept 50\n  STS [R5+words], R4\n  LDS R6, [R5+words]\n  IADD R4, R6, R0\n  .endr\n"),
      kernelOf<global>("global", "consecutive words of global memory, stored and loaded",
                       "  MOV R4, R0\n  SHL R5, R0, 2\n  IADD.CC R6, R5, c[0][out]\n"
                       "  IADD.X R7, RZ, c[0][out+4]\n",
                       "  .rept 50\n  STG [R6.64], R4\n  LDG R8, [R6.64]\n  IADD R4, R8, 3\n  .endr\n"),
      kernelOf<broadcast>("broadcast", "one word of shared memory, loaded by all lanes",
                          "  MOV R4, R0\n  MOV R5, 5\n  STS [words+64], R5\n  MOV R5, 64\n",
                          "  .rept 100\n  LDS R6, [R5+words]\n  IADD R4, R4, R6\n  .endr\n"),
      kernelOf<gathered>("gathered", "words of shared memory in an order of no kind, loaded",
                         "  SHL R5, R0, 2\n  STS [R5+words], R0\n  MOV R4, R0\n",
                         "  .rept 50\n  IMAD R4, R4, 5, R0\n  LOP.and R5, R4, 31\n  SHL R5, R5, 2\n"
                         "  LDS R6, [R5+words]\n  IADD R4, R4, R6\n  .endr\n"),
  };
  return kernels;
}

} // namespace leno::bench
