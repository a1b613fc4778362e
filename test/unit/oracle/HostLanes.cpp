//===- HostLanes.cpp - Operations by launches from hosts of every kind ----===//
// Instead of Lanes.cpp: each operation is a kernel, which three host threads
// launch at once, each in a floating-point environment that it has changed for
// itself, through the C++ API, the C API, and on two threads of the library.
// All must get the same bits, and find their environment as it was.
//===----------------------------------------------------------------------===//
#include "../Encodings.h"
#include "../HostFloats.h"
#include "Lanes.h"
#include "asm/LoadProgram.h"
#include "emu/program/Predecoder.h"
#include "leno-c/leno.h"
#include "leno/Leno.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <array>
#include <condition_variable>
#include <functional>
#include <map>
#include <thread>

namespace leno::test {

#if __has_feature(address_sanitizer)
const unsigned sparsity = 512; // the launches, rather than what they compute, are looked at
#else
const unsigned sparsity = 64; // a launch takes a thousand times as long as a call
#endif

Lanes::Lanes() {
  for (LaneMask &predicate : state.predicates)
    predicate = allLanes;
}

std::vector<std::pair<const Engine *, unsigned>> enginesFor(unsigned tuples) {
  std::vector<std::pair<const Engine *, unsigned>> result;
  for (const Engine *engine : availableEngines())
    result.insert(result.begin(),
                  {engine, tuples / sparsity / (engine == availableEngines().back() ? 1 : 16)});
  return result;
}

namespace {

//===--- An operation as a kernel ---------------------------------------------===//

/// With Lanes' registers and predicates; the first of several, the others have signs.
std::vector<const char *> statementsOf(Semantic semantic) {
  switch (semantic) {
  case Semantic::FADD:
    return {"FADD R6, R0, R2"};
  case Semantic::FMUL:
    return {"FMUL R6, R0, R2"};
  case Semantic::FFMA:
    return {"FFMA R6, R0, R2, R4"};
  case Semantic::HADD2:
    return {"HADD2 R6, R0, R2"};
  case Semantic::HMUL2:
    return {"HMUL2 R6, R0, R2"};
  case Semantic::HFMA2:
    return {"HFMA2 R6, R0, R2, R4"};
  case Semantic::DADD:
    return {"DADD R6, R0, R2"};
  case Semantic::DMUL:
    return {"DMUL R6, R0, R2"};
  case Semantic::DFMA:
    return {"DFMA R6, R0, R2, R4"};
  case Semantic::F2F:
    return {"F2F.f32.f32 R6, R2"};
  case Semantic::F2I:
    return {"F2I R6, R2"};
  case Semantic::I2F:
    return {"I2F R6, R2"};
  case Semantic::MUFU:
    return {"MUFU.RCP R6, R2", "MUFU.RCP R6, -R2", "MUFU.RCP R6, |R2|", "MUFU.RCP R6, -|R2|"};
  case Semantic::FMNMX:
    return {"FMNMX R6, R0, R2, P0"};
  case Semantic::DMNMX:
    return {"DMNMX R6, R0, R2, P0"};
  case Semantic::FSETP:
    return {"FSETP.eq P1, P2, R0, R2, P0"};
  case Semantic::DSETP:
    return {"DSETP.eq P1, P2, R0, R2, P0"};
  case Semantic::FSET:
    return {"FSET.eq R6, R0, R2, P0"};
  case Semantic::DSET:
    return {"DSET.eq R6, R0, R2, P0"};
  default:
    ADD_FAILURE() << "a semantic that HostLanes.cpp has no statement for";
    return {};
  }
}

using ModBytes = std::array<u8, sizeof(Op::mods)>;
ModBytes modsOf(const Op &op) {
  ModBytes bytes;
  std::memcpy(bytes.data(), op.mods, sizeof(op.mods));
  return bytes;
}

/// The words of a semantic by their modifiers, found by decoding every combination of modifier fields.
std::map<ModBytes, u64> wordsOf(Semantic semantic) {
  std::map<ModBytes, u64> result;
  for (const char *statement : statementsOf(semantic)) {
    std::string text = std::string(".kernel k\n") + statement + "\nEXIT\n.endkernel\n";
    std::vector<u64> words{llvm::cantFail(loadProgramText(text, "k.s", {}, llvm::nulls())).code()[0]};
    const Record *record = claiming(words[0]);
    for (const auto &[name, field] : record->mods)
      for (size_t i = 0, before = words.size(); i < before; ++i)
        for (unsigned value = 0; value < field.spellings.size(); ++value)
          if (value != field.valueIn(words[i]))
            words.push_back(field.put(words[i], value));
    for (u64 word : words) {
      Program program = predecode(word, *availableEngines().back());
      if (!record->hasUndefinedModifier(word) && program.ops()[0].semantic == semantic)
        result.emplace(modsOf(program.ops()[0]), word);
    }
  }
  return result;
}

struct Input {
  u32 words[laneCount][7]; ///< R0 to R5 and P0 of each lane
};
struct Output {
  u32 words[laneCount][3]; ///< R6, R7 and P1 of each lane
  bool operator==(const Output &other) const { return std::memcmp(words, other.words, sizeof(words)) == 0; }
};
constexpr unsigned ctas = 2; ///< both do the same

std::string kernelOf(u64 word) {
  return R"(
.kernel lanes
.param  ptr in
.param  ptr out
        S2R     R20, SR_LANEID
        IMUL    R21, R20, 28
        IADD.CC R22, R21, c[0][in]
        IADD.X  R23, RZ, c[0][in+4]
        LDG     R0, [R22.64]
        LDG     R1, [R22.64+4]
        LDG     R2, [R22.64+8]
        LDG     R3, [R22.64+12]
        LDG     R4, [R22.64+16]
        LDG     R5, [R22.64+20]
        LDG     R8, [R22.64+24]
        ISETP.ne P0, R8, 0
        MOV     R6, 0
        MOV     R7, 0
        .quad   )" +
         hex(word) + R"(
        S2R     R21, SR_CTAID.X
        SHL     R21, R21, 5
        IADD    R21, R21, R20
        IMUL    R21, R21, 12
        IADD.CC R22, R21, c[0][out]
        IADD.X  R23, RZ, c[0][out+4]
        STG     [R22.64], R6
        STG     [R22.64+4], R7
        MOV     R9, 1
        SEL     R9, R9, RZ, P1
        STG     [R22.64+8], R9
        EXIT
.endkernel
)";
}

//===--- Hosts ----------------------------------------------------------------===//

class Host {
public:
  /// The kernel of this word on this host's device with that engine.
  virtual ~Host() = default;
  virtual void launch(const Engine &engine, u64 word, const Input &input, Output (&output)[ctas]) = 0;
};

class CppHost : public Host {
public:
  explicit CppHost(unsigned threads) { config.threads = threads; }
  void launch(const Engine &engine, u64 word, const Input &input, Output (&output)[ctas]) override {
    auto &machine = machines[&engine];
    if (!machine)
      machine = std::make_unique<Machine>();
    Kernel &kernel = machine->kernels[word];
    if (!kernel.valid())
      kernel = Module::assemble(kernelOf(word)).orExit().kernel().orExit();
    machine->in.write(0, std::as_bytes(std::span(&input, 1))).orExit();
    LaunchResult result = host::launch(machine->device, kernel, config, machine->in, machine->out).orExit();
    EXPECT_TRUE(result.finished()) << result.trap->text;
    machine->out.read(0, std::as_writable_bytes(std::span(output))).orExit();
  }

private:
  using Device = host::Device;
  using Module = host::Module;
  using Kernel = host::Kernel;
  using LaunchResult = host::LaunchResult;
  struct Machine {
    Device device = Device::create().orExit();
    host::Buffer in = device.allocate(sizeof(Input), "in").orExit();
    host::Buffer out = device.allocate(sizeof(Output) * ctas, "out").orExit();
    std::map<u64, Kernel> kernels;
  };
  host::LaunchConfig config{.grid = {ctas}, .block = {laneCount}};
  std::map<const Engine *, std::unique_ptr<Machine>> machines;
};

class CHost : public Host {
public:
  void launch(const Engine &engine, u64 word, const Input &input, Output (&output)[ctas]) override {
    Machine &machine = machines[&engine];
    leno_kernel *&kernel = machine.kernels[word];
    if (!machine.device) {
      check(leno_device_create(nullptr, 0, &machine.device));
      check(leno_buffer_create(machine.device, sizeof(Input), "in", &machine.in));
      check(leno_buffer_create(machine.device, sizeof(output), "out", &machine.out));
    }
    if (!kernel) {
      leno_module *module = nullptr;
      check(leno_module_assemble(kernelOf(word).c_str(), nullptr, &module));
      check(leno_module_kernel(module, nullptr, &kernel));
      leno_module_destroy(module);
    }
    leno_launch_config config = leno_launch_defaults();
    config.grid[0] = ctas, config.block[0] = laneCount, config.threads = 1;
    leno_argument arguments[] = {leno_ptr(machine.in), leno_ptr(machine.out)};
    check(leno_buffer_write(machine.in, 0, &input, sizeof(input)));
    check(leno_launch(machine.device, kernel, &config, arguments, 2, nullptr));
    check(leno_buffer_read(machine.out, 0, output, sizeof(output)));
  }
  ~CHost() override {
    for (auto &[engine, machine] : machines) {
      for (auto &[word, kernel] : machine.kernels)
        leno_kernel_destroy(kernel);
      leno_buffer_destroy(machine.in), leno_buffer_destroy(machine.out);
      leno_device_destroy(machine.device);
    }
  }

private:
  static void check(leno_status status) {
    if (status != LENO_OK)
      ADD_FAILURE() << leno_last_error();
  }
  struct Machine {
    leno_device *device = nullptr;
    leno_buffer *in = nullptr, *out = nullptr;
    std::map<u64, leno_kernel *> kernels;
  };
  std::map<const Engine *, Machine> machines;
};

/// The host threads: each has its environment from its start to its end.
class Hosts {
public:
  Hosts() {
    start(FE_UPWARD, "C++, upward", std::make_unique<CppHost>(1));
    start(FE_DOWNWARD, "C, downward", std::make_unique<CHost>());
    start(FE_TOWARDZERO, "C++, toward zero, on two threads", std::make_unique<CppHost>(2));
  }
  ~Hosts() {
    tell(nullptr);
    for (std::thread &thread : threads)
      thread.join();
  }
  Output run(const Engine &engine, u64 word, const Input &input) {
    setenv("LENO_VECTOR", engine.name, 1);
    Output results[count][ctas];
    auto job = [&](unsigned number, Host &host) { host.launch(engine, word, input, results[number]); };
    Job function = job;
    tell(&function);
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return busy == 0; });
    for (unsigned i = 0; i < count; ++i)
      for (const Output &result : results[i])
        if (!(result == results[0][0])) {
          ADD_FAILURE() << engine.name << " gives other bits in the host '" << names[i] << "' than in '"
                        << names[0] << "': " << hex(word);
          return result;
        }
    return results[0][0];
  }

private:
  using Job = std::function<void(unsigned, Host &)>;
  static constexpr unsigned count = 3;

  void start(int rounding, const char *name, std::unique_ptr<Host> host) {
    unsigned number = unsigned(threads.size());
    names[number] = name;
    threads.emplace_back([this, number, rounding, host = std::move(host)]() mutable {
      setHostFloats(rounding);
      host_floats mine = hostFloats();
      for (u64 done = 0;;) {
        Job *next;
        {
          std::unique_lock lock(mutex);
          changed.wait(lock, [&] { return jobs != done; });
          done = jobs, next = job;
        }
        if (!next)
          break;
        (*next)(number, *host);
        if (!hostFloatsAre(mine))
          ADD_FAILURE() << "the host '" << names[number] << "' does not find its own environment";
        std::lock_guard lock(mutex);
        --busy;
        changed.notify_all();
      }
      host.reset();
      EXPECT_TRUE(hostFloatsAre(mine)) << names[number];
    });
  }
  void tell(Job *next) {
    std::lock_guard lock(mutex);
    job = next, busy = count, ++jobs;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  Job *job = nullptr;
  u64 jobs = 0;
  unsigned busy = 0;
  const char *names[count];
  std::vector<std::thread> threads;
};

} // namespace

void Lanes::execute(const Engine &engine) {
  static Hosts hosts;
  static std::map<Semantic, std::map<ModBytes, u64>> known;
  auto &words = known[op.semantic];
  if (words.empty())
    words = wordsOf(op.semantic);
  auto word = words.find(modsOf(op));
  if (word == words.end()) {
    ADD_FAILURE() << "no word has these modifiers of " << semanticName(op.semantic);
    return;
  }
  Input input;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    for (int i = 0; i < 6; ++i)
      input.words[lane][i] = row(unsigned(i)).lane[lane];
    input.words[lane][6] = state.predicates[0] >> lane & 1;
  }
  Output output = hosts.run(engine, word->second, input);
  state.predicates[1] = 0;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    row(6).lane[lane] = output.words[lane][0], row(7).lane[lane] = output.words[lane][1];
    state.predicates[1] |= output.words[lane][2] << lane;
  }
}

} // namespace leno::test
