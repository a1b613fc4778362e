//===- AssembleBench.cpp - leno-bench assemble ----------------------------===//
// leno-as and LLVM's assembler for AMDGPU turn files of as many instructions
// of the same kinds into objects, by turns in one run. leno-as works as users
// run it, with its static checker.
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"

#include "asm/support/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;

namespace leno::bench {
namespace {

/// One kind of instruction in both languages; {0} to {3} are registers, {2} an even one, {4} the next label.
struct Shape {
  const char *leno, *amdgpu;
};
constexpr Shape shapes[] = {
    {"        IADD    R{0}, R{1}, R{3};\n", "        v_add_u32_e32 v{0}, v{1}, v{3}\n"},
    {"        FFMA    R{0}, R{1}, R{3}, R{2};\n", "        v_fma_f32 v{0}, v{1}, v{3}, v{2}\n"},
    {"        LDG     R{0}, [R{2}.64+16];\n",
     "        global_load_dword v{0}, v[{2}:{2}+1], off offset:16\n"},
    {"        ISETP.lt P0, R{1}, R{3};\n", "        v_cmp_lt_i32_e32 vcc, v{1}, v{3}\n"},
    {"        SHL     R{0}, R{1}, 4;\n", "        v_lshlrev_b32_e32 v{0}, 4, v{1}\n"},
    {"        LOP.and R{0}, R{1}, R{3};\n", "        v_and_b32_e32 v{0}, v{1}, v{3}\n"},
    {"        IMUL    R{0}, R{1}, R{3};\n", "        v_mul_lo_u32 v{0}, v{1}, v{3}\n"},
    {"        SEL     R{0}, R{1}, R{3}, P0;\n", "        v_cndmask_b32_e32 v{0}, v{1}, v{3}, vcc\n"},
    {"        STG     [R{2}.64+32], R{0};\n",
     "        global_store_dword v[{2}:{2}+1], v{0}, off offset:32\n"},
    {"    @P0 BRA     L{4};\n", "        s_cbranch_vccnz L{4}\n"},
};

/// The first instructions write every register, so that the checker finds nothing to say.
constexpr Shape first = {"        MOV     R{0}, {0};\n", "        v_mov_b32_e32 v{0}, {0}\n"};
constexpr unsigned registers = 250;

std::string source(unsigned count, const char *Shape::*language) {
  std::string text;
  raw_string_ostream os(text);
  bool leno = language == &Shape::leno;
  os << (leno ? "        .kernel test\n" : "        .text\ntest:\n");
  unsigned seed = 1, label = 0;
  auto next = [&] { return (seed = seed * 1664525 + 1013904223) >> 8; };
  for (unsigned i = 0; i + 1 < count; ++i) {
    if (i < registers) {
      os << formatv(first.*language, i);
      continue;
    }
    if (i % 20 == 0)
      os << 'L' << label++ << ":\n";
    unsigned a = next() % registers, b = next() % registers, even = next() % (registers / 2) * 2,
             c = next() % registers;
    os << formatv(shapes[i % std::size(shapes)].*language, a, b, even, c, label);
  }
  os << 'L' << label << ":\n" << (leno ? "        EXIT;\n        .endkernel\n" : "        s_endpgm\n");
  return text;
}

struct Tool {
  std::string name, program;
  std::vector<std::string> arguments;
  const char *Shape::*language;
  SmallString<128> input, output;
  double wall = 0, cpu = 0; ///< seconds, the least of all runs
  uint64_t objectBytes = 0;

  Error prepare(unsigned count) {
    int file;
    if (auto error = sys::fs::createTemporaryFile("leno-bench", "s", file, input))
      return createStringError("no temporary file: " + error.message());
    if (auto error = sys::fs::createTemporaryFile("leno-bench", "o", output))
      return createStringError("no temporary file: " + error.message());
    raw_fd_ostream os(file, /*shouldClose=*/true);
    os << source(count, language);
    os.close();
    return os.has_error() ? createStringError(input + ": " + os.error().message()) : Error::success();
  }

  Error run() {
    SmallVector<StringRef, 12> command = {program};
    command.append(arguments.begin(), arguments.end());
    command.append({input, "-o", output});
    std::optional<sys::ProcessStatistics> statistics;
    std::string message;
    double start = now();
    int status =
        sys::ExecuteAndWait(program, command, std::nullopt, {}, 0, 0, &message, nullptr, &statistics);
    double seconds = now() - start;
    if (status != 0)
      return createStringError(name + " failed on a generated file" +
                               (message.empty() ? "" : ": " + message));
    double busy = statistics ? double(statistics->TotalTime.count()) / 1e6 : seconds;
    wall = wall == 0 ? seconds : std::min(wall, seconds);
    cpu = cpu == 0 ? busy : std::min(cpu, busy);
    return errorCodeToError(sys::fs::file_size(output, objectBytes));
  }

  void remove() {
    for (const auto &path : {input, output})
      if (!path.empty())
        sys::fs::remove(path);
  }
};

} // namespace

void addAssemble(CLI::App &app, AssembleBenchOptions &options) {
  CLI::App *assemble = app.add_subcommand(
      "assemble", "leno-as beside LLVM's assembler for AMDGPU (llvm-mc-22, package llvm-22)");
  assemble->add_option("--instructions", options.instructions, "Instructions of each file (default 200000)")
      ->check(CLI::Range(1u, 100'000'000u));
  assemble->add_option("--runs", options.runs, "Runs of each, by turns; the fastest counts (default 5)")
      ->check(CLI::Range(1u, 1000u));
  addResultFiles(*assemble, options.json, nullptr);
}

Error runAssemble(const AssembleBenchOptions &options) {
  static int here;
  std::string self = sys::fs::getMainExecutable("leno-bench", &here);
  Tool ours{"leno-as", (sys::path::parent_path(self) + "/leno-as").str(), {"-c"}, &Shape::leno, {}, {}};
  Tool theirs{"llvm-mc", "", {"-triple=amdgcn", "-mcpu=gfx900", "-filetype=obj"}, &Shape::amdgpu, {}, {}};
  auto clean = make_scope_exit([&] {
    ours.remove();
    theirs.remove();
  });
  if (!sys::fs::can_execute(ours.program))
    return createStringError(ours.program + ": leno-as is not beside leno-bench: build it first");
  for (const char *name : {"llvm-mc-22", "/usr/lib/llvm-22/bin/llvm-mc"})
    if (auto found = sys::findProgramByName(name); found && theirs.program.empty())
      theirs.program = *found;
  bool compares = !theirs.program.empty();
  for (Tool *tool : {&ours, &theirs})
    if (tool == &ours || compares)
      if (Error error = tool->prepare(options.instructions))
        return error;
  for (unsigned i = 0; i < options.runs; ++i)
    for (Tool *tool : {&ours, &theirs})
      if (tool == &ours || compares)
        if (Error error = tool->run())
          return error;

  Table table({"assembler", "wall s", "cpu s", "M instr/s", "object bytes"});
  json::Array rows;
  for (Tool *tool : {&ours, &theirs})
    if (tool == &ours || compares) {
      double rate = options.instructions / tool->wall;
      table.add({tool->name, fixed(tool->wall, 3), fixed(tool->cpu, 3), fixed(rate / 1e6, 2),
                 std::to_string(tool->objectBytes)});
      rows.push_back(json::Object{{"assembler", tool->name},
                                  {"wall_seconds", tool->wall},
                                  {"cpu_seconds", tool->cpu},
                                  {"instructions_per_second", rate},
                                  {"object_bytes", int64_t(tool->objectBytes)}});
    }
  json::Object result{{"benchmark", "assemble"},
                      {"host", hostName()},
                      {"instructions", int64_t(options.instructions)},
                      {"rows", std::move(rows)}};
  if (compares) {
    result["wall_ratio"] = ours.wall / theirs.wall;
    result["cpu_ratio"] = ours.cpu / theirs.cpu;
  }
  if (options.json != "-") {
    outs() << "host: " << hostName() << ", " << options.instructions << " instructions, the fastest of "
           << options.runs << " runs by turns\n\n";
    table.print(outs());
    if (compares)
      outs() << "\nleno-as needs " << fixed(ours.wall / theirs.wall, 2) << " of llvm-mc's wall time, "
             << fixed(ours.cpu / theirs.cpu, 2) << " of its processor time\n";
    else
      outs() << "\nllvm-mc-22 is not installed (package llvm-22): nothing to compare with\n";
  }
  return writeJson(options.json, std::move(result));
}

} // namespace leno::bench
