#include "runtime/host/MachineState.h"

#include "emu/program/Predecoder.h"
#include "runtime/MachineConfig.h"
#include "runtime/host/ChannelState.h"
#include "runtime/host/PendingState.h"

namespace leno::host {

Result<MachineSettings> machineOf(std::span<const std::string> settings) {
  MachineSettings machine;
  for (const std::string &setting : settings)
    if (llvm::Error error = runtime::setMachineKey(machine.config, setting))
      return translate(std::move(error));
  if (llvm::Error error = machine.config.check()) // right each for itself, they may make no machine together
    return translate(std::move(error));
  if (llvm::Error error = chooseEngine().moveInto(machine.engine))
    return translate(std::move(error));
  return machine;
}

Status MachineState::checkOpen() const {
  if (isClosed)
    return Error("its device is gone");
  if (isInEvent())
    return Error("the machine tells an event: from there its functions, contexts and buffers cannot be used");
  return {};
}

//===--- Launches alone -------------------------------------------------------===//

std::optional<MachineState::Alone> MachineState::beginAlone(bool mayNeverEnd) {
  std::lock_guard lock(aloneMutex);
  if (isShared)
    return std::nullopt;
  ++alone;
  endless += mayNeverEnd;
  return Alone(*this, mayNeverEnd);
}

MachineState::Alone::~Alone() {
  if (!state)
    return;
  std::lock_guard lock(state->aloneMutex);
  --state->alone;
  state->endless -= mayNeverEnd;
  state->aloneEnded.notify_all();
}

Status MachineState::share() {
  std::unique_lock lock(aloneMutex);
  if (endless)
    return Error(
        "a launch that has the device for itself may never end: it has message channels, or no limit of "
        "instructions; create contexts before it, or wait for its end");
  isShared = true; // and no other launch begins alone
  aloneEnded.wait(lock, [&] { return alone == 0; });
  return {};
}

//===--- Running --------------------------------------------------------------===//

MachineState::Queue::Place::Place(Queue &queue) : queue(queue) {
  std::unique_lock lock(queue.mutex);
  u64 mine = queue.next++;
  ++queue.waiting;
  queue.changed.wait(lock, [&] { return queue.serving == mine; });
  --queue.waiting;
}

MachineState::Queue::Place::~Place() {
  std::lock_guard lock(queue.mutex);
  ++queue.serving;
  queue.changed.notify_all();
}

StopReason MachineState::run(u64 until, llvm::function_ref<bool()> enough) {
  for (;;) {
    if (isInterrupted)
      return StopReason::Budget;
    Queue::Place place(runners);
    if (std::optional<StopReason> reason = runPiece(until, enough))
      return *reason;
    serviceChannels();
  }
}

/// None: somebody else shall have the machine for a while, or its channels.
std::optional<StopReason> MachineState::runPiece(u64 until, llvm::function_ref<bool()> enough) {
  // Long enough for locks and wake-ups to cost little, short enough for messages to be soon seen.
  constexpr u64 othersWait = 5000, channelsWait = 500;
  std::vector<ContextState::InUse> unused; // it goes when others can have the machine
  Turn turn(*this);
  u64 begin = machine.cycle();
  bool makesWay = false;
  auto shallStop = [&] {
    if (enough && enough())
      return true;
    u64 passed = machine.cycle() - begin;
    return makesWay = gate.isWanted || (passed >= othersWait && runners.isWanted()) ||
                      (passed >= channelsWait && !served.empty());
  };
  StopReason reason = machine.runUntil(until, shallStop).reason;
  for (const std::weak_ptr<ContextState> &weak : contexts)
    if (std::shared_ptr<ContextState> context = weak.lock())
      if (std::optional<ContextState::InUse> its = context->takeUnused())
        unused.push_back(std::move(*its));
  if (reason == StopReason::Enough && makesWay)
    return std::nullopt;
  endServices();
  return reason;
}

void MachineState::serviceChannels() {
  std::shared_ptr<ChannelState> idle;
  {
    Turn turn(*this);
    endServices();
    bool any = false;
    for (const std::shared_ptr<ContextLaunchState> &launch : served)
      for (const std::shared_ptr<ChannelState> &channel : launch->channels) {
        GridRun *grid = launch->grid();
        any |= channel->isClocked ? channel->serviceOnClock(machine, *launch->context->context())
                                  : channel->service(grid ? grid->memoryChain() : nullptr);
        idle = channel;
      }
    auto busy = [](const auto &weak) {
      std::shared_ptr<ContextState> context = weak.lock();
      return context && !context->isDone();
    };
    if (any || llvm::count_if(contexts, busy) > 1)
      return;
  }
  if (idle)
    idle->rest();
}

void MachineState::endServices() {
  llvm::erase_if(served, [](const std::shared_ptr<ContextLaunchState> &launch) {
    if (launch->hasEnded())
      for (const std::shared_ptr<ChannelState> &channel : launch->channels)
        channel->close(launch->result ? howEnded(*launch->result)
                                      : "its context has ended: " + launch->context->context()->whyEnded());
    return launch->hasEnded();
  });
}

std::string MachineState::waits() {
  return runtime::describeWaits(machine, [](u32 number) { return std::to_string(number); });
}

void MachineState::close() {
  if (isInEvent()) // where nothing can be ended
    return;
  std::vector<std::shared_ptr<ContextState>> left;
  {
    Turn turn(*this);
    machine.onEvent = nullptr; // what the function uses may be gone before the device
    for (const std::weak_ptr<ContextState> &weak : contexts)
      if (std::shared_ptr<ContextState> context = weak.lock())
        left.push_back(std::move(context));
  }
  for (const std::shared_ptr<ContextState> &context : left)
    context->close("the stream's device is gone");
  {
    Turn turn(*this);
    isClosed = true;
  }
  if (llvm::Error error = writeProfiles())
    llvm::errs() << "error: " + llvm::toString(std::move(error)) + "\n";
}

llvm::Error MachineState::writeProfiles() {
  Turn turn(*this);
  return profiles.write(isShared);
}

} // namespace leno::host
