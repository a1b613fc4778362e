//===- Harness.h - Programs from text, machines on the spot ---------------===//
#pragma once
#include "asm/LoadProgram.h"
#include "emu/Machine.h"
#include "emu/observe/Statistics.h"
#include "emu/program/Predecoder.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>

namespace leno::test {

/// The widest engine of the host, or the one LENO_VECTOR names.
inline const Engine &widest() { return *llvm::cantFail(chooseEngine()); }

/// The program of an assembly text: of a whole kernel, or of the lines between .kernel and .endkernel.
inline Program assembled(const std::string &text, const Engine &engine = widest()) {
  bool isWhole = text.find(".kernel") != std::string::npos;
  std::string diagnostics, source = isWhole ? text : ".kernel test\n" + text + "\n.endkernel\n";
  llvm::raw_string_ostream told(diagnostics);
  llvm::Expected<Executable> executable = loadProgramText(source, "<test>", {}, told);
  if (!executable)
    llvm::report_fatal_error(llvm::Twine(toString(executable.takeError()) + "\n" + diagnostics));
  return predecode(executable->code(), engine);
}

/// A device with one launch on it.
struct TestMachine {
  explicit TestMachine(MachineConfig config = {}, const Engine &engine = widest()) : device(config, engine) {}

  u64 buffer(u64 bytes, const char *name = "buffer") {
    return cantFail(device.memory().allocate(bytes, name));
  }
  std::vector<u32> words(u64 address, size_t count) {
    std::vector<u32> result(count);
    cantFail(device.memory().read(address, {reinterpret_cast<uint8_t *>(result.data()), count * 4}));
    return result;
  }
  void setWords(u64 address, const std::vector<u32> &values) {
    cantFail(device.memory().write(address,
                                   {reinterpret_cast<const uint8_t *>(values.data()), values.size() * 4}));
  }
  Machine &launch(const Program &program, Dim3 grid, Dim3 block, std::vector<u32> parameters = {},
                  u32 sharedBytes = 0, u64 limit = 10'000'000, u32 localBytes = 0) {
    LaunchSpec spec;
    spec.kernel = "test";
    spec.grid = grid;
    spec.block = block;
    spec.sharedBytes = sharedBytes;
    spec.localBytes = localBytes;
    spec.maxInstructions = limit;
    spec.parameters.resize(parameters.size() * 4);
    if (!parameters.empty())
      std::memcpy(spec.parameters.data(), parameters.data(), spec.parameters.size());
    run = cantFail(Machine::create(device, program, spec));
    return *run;
  }

  Device device;
  std::unique_ptr<Machine> run;
};

} // namespace leno::test
