//===- MicroBench.cpp - The parts, timed by Google Benchmark --------------===//
#include "asm/Decoder.h"
#include "asm/LoadProgram.h"
#include "emu/program/Predecoder.h"

#include "leno/Leno.h"

#include <benchmark/benchmark.h>

#include "llvm/Support/raw_ostream.h"

using namespace leno;

static std::string manyInstructions() {
  std::string text = "  .kernel k\n  .rept 1000\n";
  for (const char *line :
       {"IADD R1, R2, R3", "@P1 FFMA R4, R5, R6, -R7", "ISETP.lt.and P1, P2, R1, c[0][0x40], !P3",
        "LDG.64 R2, [R4.64+0x10]", "MOV32I R9, 0x12345678"})
    text += std::string("  ") + line + "\n";
  return text + "  .endr\n  EXIT\n  .endkernel\n";
}

static const Executable &program() {
  static Executable executable =
      llvm::cantFail(loadProgramText(manyInstructions(), "<many>", {}, llvm::errs()));
  return executable;
}

static void assembleAndLink(benchmark::State &state) {
  std::string text = manyInstructions();
  for (auto _ : state)
    benchmark::DoNotOptimize(llvm::cantFail(loadProgramText(text, "<many>", {}, llvm::errs())));
  state.SetItemsProcessed(int64_t(state.iterations()) * 5001);
}
BENCHMARK(assembleAndLink);

static void decode(benchmark::State &state) {
  Decoder decoder;
  llvm::MCInst inst;
  for (auto _ : state)
    for (uint64_t word : program().code())
      benchmark::DoNotOptimize(decoder.decode(word, inst));
  state.SetItemsProcessed(int64_t(state.iterations() * program().code().size()));
}
BENCHMARK(decode);

static void predecodeProgram(benchmark::State &state) {
  const Engine &engine = *availableEngines().back();
  for (auto _ : state)
    benchmark::DoNotOptimize(predecode(program().code(), engine).size());
  state.SetItemsProcessed(int64_t(state.iterations() * program().code().size()));
}
BENCHMARK(predecodeProgram);

/// What a launch costs beside its kernel: two warps of it end at once. test/bench/python_launch.py compares.
static void launchFromTheHost(benchmark::State &state) {
  host::Device device = host::Device::create().orExit();
  host::Kernel kernel = host::Module::assemble("  .kernel nothing\n  .param u32 n\n  .param f32 a\n  .param ptr x\n"
                                               "  .param ptr y\n  EXIT\n  .endkernel\n")
                            .orExit()
                            .kernel()
                            .orExit();
  host::Buffer x = device.allocate<float>(64, "x").orExit(), y = device.allocate<float>(64, "y").orExit();
  for (auto _ : state)
    benchmark::DoNotOptimize(
        host::launch(device, kernel, {.grid = {1}, .block = {64}}, 64u, 2.0f, x, y).orExit().warpInstructions);
}
BENCHMARK(launchFromTheHost);

BENCHMARK_MAIN();
