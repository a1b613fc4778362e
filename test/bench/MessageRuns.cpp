#include "test/bench/MessageRuns.h"
#include "test/bench/KernelSources.h"

#include "leno/Leno.h"

namespace leno::bench {

MessageFormula messageFormula(bool atProducer, bool inCache, std::uint64_t T, std::uint64_t K) {
  if (inCache)
    return atProducer ? MessageFormula{T / 5 + K + 1, 6 * T / 5, 12 * K * T / 5}
                      : MessageFormula{6 * T / 5 + K + 1, T / 5, K * T / 5};
  return atProducer ? MessageFormula{T + K + 1, 2 * T, 2 * K * T} : MessageFormula{2 * T + K + 1, T, K * T};
}

void run(MessageRun &run) {
  using host::ChannelPlace;
  std::string T = std::to_string(run.T), fifth = std::to_string(run.T / 5);
  host::Device device =
      host::Device::create(
          {"sm.count=2", "contexts.allocation=" + std::string(run.loadWarps ? "static" : "one"),
           "timing.model=cycles", "host.model=clock", "l2.model=slices",
           "l2.slices=" + std::to_string(run.slices), "timing.memoryLatency=" + T, "l2.latency=" + fifth,
           "host.link=" + T, "host.memoryLatency=" + T, "host.cache.latency=" + fifth})
          .orExit();
  host::Module module =
      host::Module::assemble(kernelSource("messages/service.s"), "messages/service.s").orExit();
  ChannelPlace ofHost = run.inCache ? ChannelPlace::CpuCache : ChannelPlace::SystemMemory,
               ofCores = run.inCache ? ChannelPlace::CoreCache : ChannelPlace::PpuMemory;
  ChannelPlace requests = run.atProducer ? ofHost : ofCores, replies = run.atProducer ? ofCores : ofHost;
  host::MessageChannel channel =
      host::MessageChannel::create(device, run.slots, run.K, requests, replies).orExit();

  std::vector<std::uint32_t> message(run.K), reply(run.K);
  for (std::uint32_t i = 0; i < run.K; ++i)
    message[i] = i * 2654435761u + 12345, reply[i] = message[i] + 1;
  host::HostScript script;
  script.wait(20 * run.T); // the kernel polls, and its lines are in the caches
  for (std::uint32_t i = 0; i < run.messages; ++i) {
    script.send(message);
    if (run.each)
      script.expect(reply).wait(i);
  }
  channel.play(script).orExit();

  host::Context load;
  host::Buffer buffer;
  if (run.loadWarps) {
    load = device.createContext({.name = "load"}).orExit();
    buffer = load.allocate(65536, "read").orExit();
    (void)load.launch(module.kernel("load").orExit(),
                      {.grid = {run.loadWarps}, .block = {32}, .maximumInstructions = 0}, buffer)
        .orExit();
  }
  host::PendingLaunch service =
      device.context()
          .launch(module.kernel("serve").orExit(),
                  {.grid = {1}, .block = {run.slots}, .maximumInstructions = 0, .channels = {&channel}},
                  channel.buffer(), channel.slotBytes(), channel.slots(), channel.words(),
                  std::uint32_t(requests == ChannelPlace::CpuCache))
          .orExit();
  host::LaunchResult result = service.wait().orExit();
  if (result.trap)
    host::Status(host::Error(result.trap->text)).orExit();
  channel.played().orExit();
  host::LaunchCycles cycles = service.cycles();
  run.cycles = *cycles.ended - *cycles.started;
  run.toCore = channel.toCore();
  run.toHost = channel.toHost();
}

} // namespace leno::bench
