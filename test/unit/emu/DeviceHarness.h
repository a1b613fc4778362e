//===- DeviceHarness.h - Contexts with work whose results are known -------===//
#pragma once
#include "Harness.h"
#include "emu/Machine.h"

namespace leno::test {

/// Each thread walks `steps` steps of a linear congruence from its number on, and stores where it ends:
/// parameters are the output and the number of steps.
inline Program walk() {
  return assembled(R"(
    .param u32 out
    .param u32 steps
    S2R R0, SR_TID.X
    S2R R1, SR_CTAID.X
    IMAD R0, R1, c[0][0], R0
    MOV R5, c[0][steps]
    MOV32I R7, 1013904223
    IADD R3, R0, 0
  loop:
    IMAD R3, R3, 69069, R7
    IADD R5, R5, -1
    ISETP.ne P0, R5, 0
    @P0 BRA loop
    SHL R6, R0, 2
    MOV R8, c[0][out]
    IADD R6, R6, R8
    STG [R6], R3
    EXIT
  )");
}

inline u32 walked(u32 thread, u32 steps) {
  u32 value = thread;
  for (u32 i = 0; i < steps; ++i)
    value = value * 69069 + 1013904223;
  return value;
}

/// The same with all that an SM holds of a CTA: each step goes through shared memory to the next thread of
/// the block, between barriers, and half of the lanes take a branch. Blocks of 64 threads; parameters are
/// the output and the number of steps.
inline Program relay() {
  return assembled(R"(
    .param u32 out
    .param u32 steps
    S2R R0, SR_TID.X
    S2R R1, SR_CTAID.X
    SHL R2, R1, 6
    IADD R2, R2, R0        # the thread's number
    MOV R5, c[0][steps]
    IADD R3, R2, 0         # value
    SHL R4, R0, 2          # its place
    IADD R6, R0, 1
    LOP.and R6, R6, 63
    SHL R6, R6, 2          # the next one's
  loop:
    STS [R6], R3
    BAR.SYNC 0
    LDS R3, [R4]
    BAR.SYNC 0
    LOP.and R7, R3, 1
    ISETP.ne P0, R7, 0
    SSY join
    @P0 BRA odd
    IADD R3, R3, 7
    SYNC
  odd:
    SHL R7, R3, 1
    IADD R3, R3, R7
    IADD.S R3, R3, 1       # 3 v + 1
  join:
    IADD R5, R5, -1
    ISETP.ne P1, R5, 0
    @P1 BRA loop
    SHL R6, R2, 2
    MOV R8, c[0][out]
    IADD R6, R6, R8
    STG [R6], R3
    EXIT
  )");
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
  void submit(Context &context, Command command) {
    if (auto *launch = std::get_if<Launch>(&command))
      launch->overlap |= overlap;
    cantFail(device.submit(context, std::move(command)));
  }
  bool overlap = false; ///< launches submitted from now on do
  static Launch launchOf(const Program &code, u32 ctas, u32 threads, std::vector<u32> parameters,
                         u32 sharedBytes = 0) {
    Launch launch{&code, {}, {}, {}};
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

  const Program walkCode = walk(), relayCode = relay();
  Machine device;
  std::vector<DeviceEvent> events;
};

} // namespace leno::test
