//===- DeviceHarness.h - Contexts with work whose results are known -------===//
#pragma once
#include "Harness.h"
#include "emu/Machine.h"

namespace leno::test {

/// Each thread walks `steps` steps of a linear congruence from its number on, and stores where it ends:
/// parameters are the output and the number of steps.
inline Code walk() {
  Code code;
  auto mad = [&](unsigned d, unsigned a, u32 b, unsigned c) {
    code.op<sem::IMAD>(isa::IMADMods{}, [=](OpBuilder &o) {
      o.dst(Slot::D, d), o.src(Slot::A, a), o.imm(Slot::B, b), o.src(Slot::C, c);
    });
  };
  code.s2r(0, isa::SpecialRegister::TID_X).s2r(1, isa::SpecialRegister::CTAID_X);
  code.op<sem::IMAD>(isa::IMADMods{}, [=](OpBuilder &o) {
    o.dst(Slot::D, 0), o.src(Slot::A, 1), o.constant(Slot::B, 0, bank0::blockDim), o.src(Slot::C, 0);
  });
  code.param(5, 4).mov(7, 1013904223).iaddImm(3, 0, 0);
  size_t loop = code.here();
  mad(3, 3, 1664525, 7);
  code.iaddImm(5, 5, u32(-1)).isetpImm(0, isa::Cmp::NE, 5, 0).when(0).bra(loop);
  code.shlImm(6, 0, 2).param(8, 0).iadd(6, 6, 8).stg(6, 0, 3).exit().done();
  return code;
}

inline u32 walked(u32 thread, u32 steps) {
  u32 value = thread;
  for (u32 i = 0; i < steps; ++i)
    value = value * 1664525 + 1013904223;
  return value;
}

/// The same with all that an SM holds of a CTA: each step goes through shared memory to the next thread of
/// the block, between barriers, and half of the lanes take a branch. Blocks of 64 threads; parameters are
/// the output and the number of steps.
inline Code relay() {
  Code code;
  code.s2r(0, isa::SpecialRegister::TID_X).s2r(1, isa::SpecialRegister::CTAID_X);
  code.shlImm(2, 1, 6).iadd(2, 2, 0);                                        // R2: the thread's number
  code.param(5, 4).iaddImm(3, 2, 0).shlImm(4, 0, 2);                         // R3: value, R4: its place
  code.iaddImm(6, 0, 1).lopImm(6, isa::LogicOp::AND, 6, 63).shlImm(6, 6, 2); // R6: the next one's
  size_t loop = code.here();
  code.sts(6, 0, 3).bar(0).lds(3, 4, 0).bar(0);
  code.lopImm(7, isa::LogicOp::AND, 3, 1).isetpImm(0, isa::Cmp::NE, 7, 0);
  size_t ssy = code.here(), join = ssy + 7;
  code.ssy(join).when(0).bra(ssy + 4);
  code.iaddImm(3, 3, 7).sync();
  code.shlImm(7, 3, 1).iadd(3, 3, 7).joining().iaddImm(3, 3, 1); // odd: 3 v + 1
  EXPECT_EQ(code.here(), join);
  code.iaddImm(5, 5, u32(-1)).isetpImm(1, isa::Cmp::NE, 5, 0).when(1).bra(loop);
  code.shlImm(6, 2, 2).param(8, 0).iadd(6, 6, 8).stg(6, 0, 3).exit().done();
  return code;
}

inline std::vector<u32> relayed(u32 ctas, u32 steps) {
  std::vector<u32> result;
  for (u32 cta = 0; cta < ctas; ++cta) {
    std::vector<u32> values(64), next(64);
    for (u32 i = 0; i < 64; ++i)
      values[i] = cta * 64 + i;
    for (u32 step = 0; step < steps; ++step) {
      for (u32 i = 0; i < 64; ++i)
        next[(i + 1) % 64] = values[i];
      for (u32 &value : next)
        value = value & 1 ? 3 * value + 1 : value + 7;
      values = next;
    }
    result.insert(result.end(), values.begin(), values.end());
  }
  return result;
}

inline MachineConfig sharedMachine(u64 sms = 4) {
  MachineConfig config;
  config.sm.count = sms;
  config.sm.warps = 24; // S4: a CTA of 768 threads fills an SM
  config.timing.model = MachineConfig::Timing::Cycles;
  return config;
}

/// A device with programs, and launches of them by number of CTAs.
struct Contexts {
  explicit Contexts(MachineConfig config) : device(config, widest()) {
    device.onEvent = [this](const DeviceEvent &event) { events.push_back(event); };
  }

  Context &context(ContextSpec spec = {}) { return *cantFail(device.createContext(std::move(spec))); }
  u64 buffer(Context &context, u64 words) { return cantFail(context.memory().allocate(words * 4, "buffer")); }
  void submit(Context &context, Command command) { cantFail(device.submit(context, std::move(command))); }
  static Launch launchOf(const Code &code, u32 ctas, u32 threads, std::vector<u32> parameters,
                         u32 sharedBytes = 0) {
    Launch launch{&code.program, {}, {}, {}};
    launch.spec.kernel = "test";
    launch.spec.grid = {ctas};
    launch.spec.block = {threads};
    launch.spec.sharedBytes = sharedBytes;
    launch.spec.parameters.resize(parameters.size() * 4);
    if (!parameters.empty())
      std::memcpy(launch.spec.parameters.data(), parameters.data(), launch.spec.parameters.size());
    return launch;
  }
  u64 submitWalk(Context &context, u32 ctas, u32 threads, u32 steps) {
    u64 out = buffer(context, u64(ctas) * threads);
    submit(context, launchOf(walkCode, ctas, threads, {u32(out), steps}));
    return out;
  }
  u64 submitRelay(Context &context, u32 ctas, u32 steps) {
    u64 out = buffer(context, u64(ctas) * 64);
    submit(context, launchOf(relayCode, ctas, 64, {u32(out), steps}, 256));
    return out;
  }
  std::vector<u32> words(Context &context, u64 address, size_t count) {
    std::vector<u32> result(count);
    cantFail(context.memory().read(address, {reinterpret_cast<uint8_t *>(result.data()), count * 4}));
    return result;
  }
  void expectWalked(Context &context, u64 out, u32 ctas, u32 threads, u32 steps) {
    std::vector<u32> got = words(context, out, size_t(ctas) * threads);
    for (u32 i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], walked(i, steps)) << "thread " << i << " of context " << context.name();
  }
  std::vector<DeviceEvent> eventsOf(DeviceEvent::Kind kind) const {
    std::vector<DeviceEvent> some;
    for (const DeviceEvent &event : events)
      if (event.kind == kind)
        some.push_back(event);
    return some;
  }

  const Code walkCode = walk(), relayCode = relay();
  Machine device;
  std::vector<DeviceEvent> events;
};

} // namespace leno::test
