#include "emu/memory/HostSide.h"
#include "runtime/host/ChannelState.h"
#include "runtime/host/ContextState.h"

namespace leno::host {

//===--- Host threads -------------------------------------------------------===//

Result<std::uint64_t> ChannelState::send(std::span<const std::uint32_t> message) {
  if (message.size() > words)
    return Error("a message of " + std::to_string(message.size()) +
                 " words does not fit: the channel's have " + std::to_string(words));
  std::vector<std::uint32_t> padded(message.begin(), message.end());
  padded.resize(words);
  std::lock_guard lock(mutex);
  if (stopAsked)
    return Error("cannot send a message: the channel was stopped");
  if (isPlayed)
    return Error("cannot send a message: the channel's host plays a script");
  if (takesLaunches)
    return Error("cannot send a message: those of the channel are launches");
  waiting.push_back({HostScript::Step::Send, 0, std::move(padded)});
  asked.notify_one();
  return ++sent;
}

Result<std::vector<std::uint32_t>> ChannelState::receive(std::uint64_t number) {
  std::unique_lock lock(mutex);
  for (;;) {
    if (takesLaunches)
      return Error("there is no reply to message " + std::to_string(number) +
                   ": the channel's messages are launches; wait for these");
    if (auto reply = replies.find(number); reply != replies.end()) {
      std::vector<std::uint32_t> data = std::move(reply->second);
      replies.erase(reply);
      return data;
    }
    if (number == 0 || number > sent || number <= taken)
      return Error("there is no reply to message " + std::to_string(number) +
                   (number <= taken && number ? ": it was taken already" : ": it was never sent"));
    if (!ended.empty())
      return Error("there is no reply to message " + std::to_string(number) + ": " + ended);
    replied.wait(lock);
  }
}

void ChannelState::stop() {
  std::lock_guard lock(mutex);
  stopAsked = true;
  asked.notify_one();
}

//===--- The thread that runs the kernel ------------------------------------===//

/// S3: the host interface sends what the CPU accesses through the crossbar to a slice.
void ChannelState::pass(std::uint64_t offset, std::uint64_t bytes, bool isWrite) {
  if (models)
    models->accessByHost(buffer.address() + offset, bytes, isWrite);
}

std::uint32_t ChannelState::readWord(std::uint64_t offset) {
  pass(offset, 4, false);
  std::uint32_t word = 0;
  buffer.read(offset, std::as_writable_bytes(std::span(&word, 1)));
  return word;
}

void ChannelState::writeWords(std::uint64_t offset, std::span<const std::uint32_t> data) {
  pass(offset, data.size_bytes(), true);
  buffer.write(offset, std::as_bytes(data));
}

Status ChannelState::open(bool forLaunches) {
  std::lock_guard lock(mutex);
  if (takesLaunches && !forLaunches)
    return Error("the messages of the channel are launches: no kernel can serve it");
  if (users && !takesLaunches)
    return Error("another launch serves the message channel already");
  if (forLaunches && !takesLaunches && sent)
    return Error("the message channel has been used for other messages than launches");
  ++users;
  ended.clear();
  return {};
}

bool ChannelState::takeReplies() {
  bool any = false;
  for (; taken < posted; ++taken, any = true) {
    std::uint64_t number = taken + 1, reply = shape.replyOf(number);
    if (readWord(reply) != std::uint32_t(number))
      break;
    std::vector<std::uint32_t> data(words);
    pass(reply + 4, 4 * words, false);
    buffer.read(reply + 4, std::as_writable_bytes(std::span(data)));
    replies.emplace(number, std::move(data));
  }
  return any;
}

// S3: the message first, the ready value after it.
bool ChannelState::postMessages() {
  bool any = false;
  for (; !waiting.empty() && posted - taken < slots; any = true) {
    std::uint64_t number = ++posted;
    writeWords(shape.requestOf(number) + 4, waiting.front().words);
    std::uint32_t ready = std::uint32_t(number);
    writeWords(shape.requestOf(number), std::span(&ready, 1));
    waiting.pop_front();
  }
  return any;
}

bool ChannelState::postStop() {
  if (!stopAsked || stopPosted || taken < sent)
    return false;
  std::uint32_t one = 1;
  writeWords(0, std::span(&one, 1));
  return stopPosted = true;
}

bool ChannelState::service(MemoryChain *memory) {
  std::lock_guard lock(mutex);
  models = memory;
  bool replies = takeReplies();
  if (replies)
    replied.notify_all();
  bool messages = postMessages();
  bool stopped = postStop();
  models = nullptr;
  return stopped || replies || messages;
}

void ChannelState::close(const std::string &why) {
  std::lock_guard lock(mutex);
  if (!isClocked)
    takeReplies();
  if (--users)
    return;
  ended = why;
  replied.notify_all();
}

void ChannelState::rest() {
  std::unique_lock lock(mutex);
  if (!isPlayed && posted == taken && waiting.empty() && !stopAsked)
    asked.wait_for(lock, std::chrono::milliseconds(1));
}

//===--- On the machine's clock -----------------------------------------------===//

Status ChannelState::sendLaunch(std::vector<u32> message) {
  if (message.size() > words)
    return Error("a launch with its code takes " + std::to_string(message.size()) +
                 " words, and the messages of its channel have " + std::to_string(words) +
                 ": make the channel with as many");
  std::lock_guard lock(mutex);
  if (stopAsked)
    return Error("cannot send a launch: the channel was stopped");
  takesLaunches = true;
  launches.push_back(std::move(message));
  if (!isPlayed) {
    waiting.push_back({HostScript::Step::Launch});
    ++sent;
  }
  return {};
}

/// What has come from host threads since the last time comes to the CPU in the cycle that is next.
bool ChannelState::serviceOnClock(leno::Machine &machine, const leno::Context &context) {
  std::lock_guard lock(mutex);
  static_assert(int(HostScript::Step::Stop) == int(HostStep::Stop));
  HostProcessor &host = *machine.host();
  if (!program)
    program = host.addProgram(context.id(), {traffic}, /*isOpen=*/true);
  else if (users && !host.programs()[*program].failure.empty())
    host.resume(*program);
  bool any = false;
  if (!waiting.empty() || (stopAsked && !stopPosted))
    script.at(machine.cycle());
  for (; !waiting.empty(); waiting.pop_front(), ++posted)
    script.add(std::move(waiting.front()));
  if (stopAsked && !std::exchange(stopPosted, true))
    script.stop();
  for (; scriptTaken < script.steps(); ++scriptTaken, any = true) {
    const HostScript::Step &step = script.all()[scriptTaken];
    if (step.kind != HostScript::Step::Launch) {
      host.addStep(*program, {.kind = HostStep::Kind(step.kind), .cycles = step.cycles, .words = step.words});
      continue;
    }
    if (launches.empty())
      break; // until it comes
    host.addStep(*program, {.kind = HostStep::Send, .words = std::move(launches.front())});
    launches.pop_front();
  }
  if (isPlayed) {
    if (scriptTaken == script.steps() && !std::exchange(stopPosted, true))
      host.addStep(*program, {.kind = HostStep::Stop});
    return true; // nobody else is waited for
  }
  for (auto reply = host.takeReply(*program, 0); reply; reply = host.takeReply(*program, 0), any = true) {
    if (!takesLaunches)
      replies.insert(std::move(*reply));
    ++taken;
    replied.notify_all();
  }
  return any;
}

Status ChannelState::play(const HostScript &wanted) {
  std::lock_guard lock(mutex);
  if (!isClocked)
    return Error("a script is played on the machine's clock: make the device with host.model=clock and "
                 "timing.model=cycles");
  if (sent || program)
    return Error("a script cannot be played: the channel has been used");
  for (const HostScript::Step &step : wanted.all())
    if (step.words.size() > words)
      return Error("a message of " + std::to_string(step.words.size()) +
                   " words does not fit: the channel's have " + std::to_string(words));
  script = wanted;
  isPlayed = true;
  return {};
}

HostScript ChannelState::recorded() {
  std::lock_guard lock(mutex);
  return script;
}

Status ChannelState::played(const leno::Machine &machine) const {
  if (!program)
    return isPlayed ? Status(Error("the script was not played: no launch has had the channel")) : Status();
  const HostProcessor::Program &its = machine.host()->programs()[*program];
  if (!its.mismatches.empty()) {
    const HostProcessor::Mismatch &wrong = its.mismatches.front();
    std::string told;
    for (u32 word : wrong.reply)
      told += (told.empty() ? "" : ", ") + std::to_string(word);
    return Error("step " + std::to_string(wrong.step + 1) + " of the script: the reply to message " +
                 std::to_string(wrong.number) + " is [" + told + "]");
  }
  if (isPlayed && !its.failure.empty())
    return Error("step " + std::to_string(its.taken + 1) + " of the script: " + its.failure);
  if (isPlayed && scriptTaken < script.steps())
    return Error("step " + std::to_string(scriptTaken + 1) +
                 " of the script: no launch has come that it could send");
  return {};
}

HostScript &HostScript::add(Step step) {
  list.push_back(std::move(step));
  return *this;
}
HostScript &HostScript::send(std::span<const std::uint32_t> message) {
  return add({Step::Send, 0, {message.begin(), message.end()}});
}
HostScript &HostScript::expect(std::span<const std::uint32_t> reply) {
  return add({Step::Expect, 0, {reply.begin(), reply.end()}});
}
HostScript &HostScript::wait(std::uint64_t cycles) { return add({Step::Wait, cycles}); }
HostScript &HostScript::at(std::uint64_t cycle) { return add({Step::At, cycle}); }
HostScript &HostScript::stop() { return add({Step::Stop}); }
HostScript &HostScript::launch() { return add({Step::Launch}); }

//===--- The handle -----------------------------------------------------------===//

Result<MessageChannel> MessageChannel::create(DeviceMemory &memory, std::uint32_t slots,
                                              std::uint32_t words) {
  bool isClocked = memory.state && memory.state->device.config().host.model;
  bool hasSlices = isClocked && memory.state->device.config().l2.model;
  return make(memory, slots, words,
              isClocked ? std::optional(std::pair(hasSlices ? ChannelPlace::CoreCache : ChannelPlace::PpuMemory, ChannelPlace::CpuCache))
                        : std::nullopt);
}

Result<MessageChannel> MessageChannel::create(DeviceMemory &memory, std::uint32_t slots, std::uint32_t words,
                                              ChannelPlace requests, ChannelPlace replies) {
  return make(memory, slots, words, std::pair(requests, replies));
}

Result<MessageChannel> MessageChannel::make(DeviceMemory &memory, std::uint32_t slots, std::uint32_t words,
                                            std::optional<std::pair<ChannelPlace, ChannelPlace>> places) {
  if (slots < 1 || slots > ChannelShape::mostSlots)
    return Error("a message channel of " + std::to_string(slots) + " slots; it must have 1 to 65536");
  if (words < 1 || words > ChannelShape::mostWords)
    return Error("a message channel with messages of " + std::to_string(words) +
                 " words; they must have 1 to 1024");
  if (places && memory.state)
    for (ChannelPlace place : {places->first, places->second})
      if (llvm::Error error = checkPlace(memory.state->device.config(), MemoryPlace(place)))
        return Error("cannot make a message channel: " + llvm::toString(std::move(error)));
  // Requests and replies on lines of their own, or pages: no reply's line is one that the host writes.
  ChannelShape shape = ChannelShape::of(slots, words, places && places->first != places->second);
  Result<Buffer> buffer = memory.allocate(shape.bytes(), "message channel");
  if (!buffer)
    return buffer.error();
  u32 traffic = 0;
  if (places) {
    Gate::Alone alone(memory.state->machine->gate);
    leno::Device &device = memory.state->device;
    traffic = device.messages().addChannel("message channel", device.memory(), buffer->address(), shape,
                                           MemoryPlace(places->first), MemoryPlace(places->second));
  }
  return MessageChannel(
      std::make_shared<ChannelState>(std::move(*buffer), shape, places.has_value(), traffic));
}

static_assert(int(ChannelPlace::SystemMemory) == int(MemoryPlace::SystemMemory));

MessageChannel::MessageChannel(std::shared_ptr<ChannelState> state) : state(std::move(state)) {}
MessageChannel::MessageChannel(MessageChannel &&) noexcept = default;
MessageChannel &MessageChannel::operator=(MessageChannel &&) noexcept = default;
MessageChannel::~MessageChannel() = default;

const Buffer &MessageChannel::buffer() const {
  static const Buffer none;
  return state ? state->buffer : none;
}
std::uint32_t MessageChannel::slots() const { return state ? state->slots : 0; }
std::uint32_t MessageChannel::words() const { return state ? state->words : 0; }
std::uint32_t MessageChannel::slotBytes() const { return state ? state->slotBytes : 0; }

static std::shared_ptr<ContextState> ownerOf(const ChannelBuffer &buffer) { return buffer.owner(); }

static Error channelMoved() { return Error("the message channel was moved from"); }

Result<std::uint64_t> MessageChannel::send(std::span<const std::uint32_t> message) {
  return state ? state->send(message) : channelMoved();
}
Result<std::vector<std::uint32_t>> MessageChannel::receive(std::uint64_t number) {
  return state ? state->receive(number) : channelMoved();
}

Result<std::vector<std::uint32_t>> MessageChannel::call(std::uint32_t handle,
                                                        std::span<const std::uint32_t> data) {
  std::vector<std::uint32_t> message(1, handle);
  message.insert(message.end(), data.begin(), data.end());
  Result<std::uint64_t> number = send(message);
  return number ? receive(*number) : Result<std::vector<std::uint32_t>>(number.error());
}

Status MessageChannel::play(const HostScript &script) {
  return state ? state->play(script) : Status(channelMoved());
}
HostScript MessageChannel::recorded() const { return state ? state->recorded() : HostScript(); }

Status MessageChannel::played() const {
  if (!state)
    return channelMoved();
  std::shared_ptr<ContextState> owner = ownerOf(state->buffer);
  return owner ? owner->machine->look([&] { return state->played(owner->machine->machine); }) : Status();
}

ChannelCounts MessageChannel::counts(bool toCore) const {
  std::shared_ptr<ContextState> owner = state && state->isClocked ? ownerOf(state->buffer) : nullptr;
  if (!owner)
    return {};
  return owner->machine->look([&] {
    const MessageTraffic::Channel &its = owner->device.messages().channels()[state->traffic];
    const leno::MessageCounts &c = toCore ? its.toCore : its.toHost;
    return ChannelCounts{c.messages, c.write,  c.readReady, c.readMessage, c.polls,  c.pollWait,
                         c.issue,    c.misses, c.atSlice,   c.atLink,      c.longest};
  });
}
ChannelCounts MessageChannel::toCore() const { return counts(true); }
ChannelCounts MessageChannel::toHost() const { return counts(false); }

void MessageChannel::stop() {
  if (state)
    state->stop();
}

} // namespace leno::host
