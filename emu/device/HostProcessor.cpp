#include "emu/device/HostProcessor.h"
#include "asm/support/Assert.h"
#include <cstring>
#include <limits>

using namespace leno;

constexpr u64 never = std::numeric_limits<u64>::max();

HostProcessor::HostProcessor(const MachineConfig &config)
    : bytesOfLine(config.l2.lineBytes), pollInterval(config.host.pollInterval),
      port(unsigned(config.sm.count)), link(config.host) {}

//===--- Programs ---------------------------------------------------------===//

u32 HostProcessor::addProgram(u32 context, const std::vector<u32> &channels, bool isOpen) {
  Program program{context, isOpen, {}};
  for (u32 traffic : channels)
    program.channels.push_back({traffic});
  all.push_back(std::move(program));
  return u32(all.size() - 1);
}

void HostProcessor::addStep(u32 program, HostStep step) {
  Program &its = all[program];
  its.steps.push_back(std::make_shared<const HostStep>(std::move(step)));
  if (its.doing == Program::Nothing)
    its.freeAt = 0;
}

void HostProcessor::resume(u32 program) {
  all[program].failure.clear();
  all[program].freeAt = 0;
}

std::optional<std::pair<u64, std::vector<u32>>> HostProcessor::takeReply(u32 program, u32 channel) {
  auto &replies = all[program].channels[channel].replies;
  if (replies.empty())
    return std::nullopt;
  std::pair<u64, std::vector<u32>> first = std::move(*replies.begin());
  replies.erase(replies.begin());
  return first;
}

//===--- Accesses ---------------------------------------------------------===//

static MessageTraffic &trafficOf(const HostProcessor::Program &program,
                                 const HostProcessor::Surroundings &machine) {
  return machine.contexts[program.context]->device().messages();
}

static const MessageTraffic::Channel &channelOf(const HostProcessor::Program &program, u32 channel,
                                                const HostProcessor::Surroundings &machine) {
  return trafficOf(program, machine).channels()[program.channels[channel].traffic];
}

void HostProcessor::issue(Access access, u64 now, const Surroundings &machine) {
  const Program &program = all[access.program];
  std::optional<u64> physical =
      machine.contexts[program.context]->memory().pageTable().translate(access.address);
  if (physical && !(*physical & PlaceBits::host)) {
    u64 there = link.cross(now, access.atLink);
    crossing.push_back({there, access});
  } else
    arrive(access, now, machine);
}

/// At the CPU's cache or memory, or at the crossbar.
void HostProcessor::arrive(const Access &access, u64 now, const Surroundings &machine) {
  Program &program = all[access.program];
  Context &context = *machine.contexts[program.context];
  MemoryAnswer answer{now, false};
  // The channel's buffer may be gone meanwhile.
  std::optional<u64> physical = context.memory().pageTable().translate(access.address);
  if (physical) {
    u64 inLine = access.address % bytesOfLine;
    MemoryRequest request{access.address - inLine,
                          *physical - inLine,
                          bytesOfLine,
                          ByteMask::range(inLine, 4),
                          access.isRead ? MemoryAccess::Kind::Load : MemoryAccess::Kind::Store,
                          MemoryRequest::Host,
                          port,
                          context.device().driverMemory()};
    answer = machine.memory.ask(0, request, now);
    if (GridRun *grid = context.grid(); grid && !(*physical & PlaceBits::host))
      if (MemoryChain *chain = grid->memoryChain())
        chain->countHost(answer.hit);
  }
  if (access.isRead) {
    bool isPast = physical && *physical & PlaceBits::past;
    program.freeAt = std::max(answer.cycle, now + 1);
    program.times.done = program.freeAt;
    program.times.atSlice = answer.atSlice;
    program.times.atLink = access.atLink;
    program.times.misses = !answer.hit && !isPast;
    return;
  }
  // CHOICE: writes land in their order, whatever queue they were in.
  program.unqueued = std::max(program.unqueued, answer.cycle - answer.atSlice - access.atLink);
  program.landing = std::max(program.landing, answer.cycle);
  u8 bytes[4];
  std::memcpy(bytes, &access.word, 4);
  MessageTraffic &traffic = context.device().messages();
  traffic.post(access.address, bytes, program.landing, true);
  if (!access.message)
    return;
  u64 late = program.landing - program.unqueued, atLink = std::min(late, access.atLink);
  traffic.sent(access.channel, access.message, {0, program.landing, late - atLink, atLink, false});
}

/// What it sees is there now; it has it when the answer comes.
void HostProcessor::read(Program &program, u64 address, u64 now, const Surroundings &machine) {
  u8 bytes[4] = {};
  if (llvm::Error error = machine.contexts[program.context]->memory().read(address, bytes, /*isMessage=*/true))
    llvm::consumeError(std::move(error)); // the buffer is gone
  std::memcpy(&program.value, bytes, 4);
  program.times = {};
  program.times.issued = now;
  program.freeAt = never;
  issue({u32(&program - all.data()), true, address, 0, 0, 0}, now, machine);
}

//===--- Step by step -----------------------------------------------------===//

/// The oldest reply of the channel that it has not taken. False: none is to come.
bool HostProcessor::poll(Program &program, u32 channel, u64 now, const Surroundings &machine) {
  Channel &its = program.channels[channel];
  if (its.taken == its.sent)
    return false;
  const MessageTraffic::Channel &buffer = channelOf(program, channel, machine);
  Context &context = *machine.contexts[program.context];
  if (!context.isBusy() && trafficOf(program, machine).nothingPosted()) {
    u8 bytes[4] = {};
    u32 word;
    llvm::consumeError(context.memory().peek(buffer.base + buffer.shape.replyOf(its.taken + 1), bytes));
    std::memcpy(&word, bytes, 4);
    if (word != u32(its.taken + 1)) {
      program.failure = "there is no reply to message " + std::to_string(its.taken + 1) + " of channel '" +
                        buffer.name + "': " +
                        (context.alive() ? "no launch is left that could give it" : context.whyEnded());
      program.freeAt = never;
      return true;
    }
  }
  program.channel = channel;
  program.number = its.taken + 1;
  program.doing = Program::Polling;
  read(program, buffer.base + buffer.shape.replyOf(program.number), now, machine);
  return true;
}

bool HostProcessor::pollAny(Program &program, u64 now, const Surroundings &machine) {
  for (size_t i = 1; i <= program.channels.size(); ++i) // in turn
    if (poll(program, u32((program.channel + i) % program.channels.size()), now, machine))
      return true;
  return false;
}

void HostProcessor::compare(Program &program, const HostStep &step, u64 number) {
  auto reply = program.channels[step.channel].replies.find(number);
  std::vector<u32> words = std::move(reply->second);
  program.channels[step.channel].replies.erase(reply);
  if (step.words.size() > words.size() || !std::equal(step.words.begin(), step.words.end(), words.begin()))
    program.mismatches.push_back({program.taken - 1, number, std::move(words)});
}

void HostProcessor::stop(Program &program, u32 channel, u64 now, const Surroundings &machine) {
  program.channels[channel].isStopped = true;
  program.doing = Program::Writing;
  program.number = 0;
  program.place = 0;
  program.writes = {{channelOf(program, channel, machine).base, 1}};
  program.freeAt = now + 1;
}

/// What it does next, when it does nothing.
void HostProcessor::choose(Program &program, u64 now, const Surroundings &machine) {
  if (program.steps.empty()) {
    if (pollAny(program, now, machine))
      return;
    for (u32 i = 0; !program.isOpen && i < program.channels.size(); ++i)
      if (!program.channels[i].isStopped)
        return stop(program, i, now, machine);
    program.freeAt = never;
    return;
  }
  std::shared_ptr<const HostStep> step = program.steps.front();
  auto begin = [&] {
    program.steps.pop_front();
    ++program.taken;
  };
  Channel &channel = program.channels[step->channel];
  switch (step->kind) {
  case HostStep::Send: {
    const MessageTraffic::Channel &buffer = channelOf(program, step->channel, machine);
    if (channel.sent - channel.taken >= buffer.shape.slots)
      return void(poll(program, step->channel, now, machine));
    program.channel = step->channel;
    program.number = ++channel.sent;
    u64 request = buffer.base + buffer.shape.requestOf(program.number);
    program.writes.clear();
    for (u32 i = 0; i < buffer.shape.words; ++i)
      program.writes.push_back({request + 4 + 4 * i, i < step->words.size() ? step->words[i] : 0});
    program.writes.push_back({request, u32(program.number)}); // S3: the ready value last
    program.place = 0;
    program.doing = Program::Writing;
    program.freeAt = now + 1;
    trafficOf(program, machine).begins(channel.traffic, program.number, now);
    machine.tell({.kind = DeviceEvent::MessageSent,
                  .context = program.context,
                  .other = channel.traffic,
                  .amount = program.number});
    return begin();
  }
  case HostStep::Expect:
    if (channel.expected < channel.taken) {
      begin();
      return compare(program, *step, ++channel.expected);
    }
    if (poll(program, step->channel, now, machine))
      return;
    program.failure = "a reply is expected of channel '" + channelOf(program, step->channel, machine).name +
                      "', and all messages have been replied to";
    program.freeAt = never;
    return;
  case HostStep::Wait:
    program.freeAt = now + step->cycles;
    return begin();
  case HostStep::At:
    if (step->cycles <= now)
      return begin();
    if (!pollAny(program, now, machine))
      program.freeAt = step->cycles;
    return;
  case HostStep::Stop:
    if (poll(program, step->channel, now, machine))
      return;
    if (!channel.isStopped)
      stop(program, step->channel, now, machine);
    return begin();
  }
}

/// It is free: what it did is done.
void HostProcessor::act(Program &program, u64 now, const Surroundings &machine) {
  Channel &channel = program.channels[program.channel];
  MessageTraffic &traffic = trafficOf(program, machine);
  switch (program.doing) {
  case Program::Nothing:
    choose(program, now, machine);
    return;
  case Program::Writing: {
    auto [address, word] = program.writes[program.place++];
    bool isLast = program.place == program.writes.size();
    program.freeAt = now + 1;
    if (isLast) {
      program.doing = Program::Nothing;
      program.freeAt = now;
    }
    issue({u32(&program - all.data()), false, address, word, channel.traffic, isLast ? program.number : 0}, now,
          machine);
    return;
  }
  case Program::Polling: {
    bool isFound = program.value == u32(program.number);
    traffic.polledReply(channel.traffic, program.number, isFound, program.times);
    program.doing = Program::Nothing;
    program.freeAt = now + (isFound ? 0 : pollInterval);
    if (!isFound)
      return;
    program.doing = Program::Reading;
    program.words.clear();
    program.isAgain = false;
    break;
  }
  case Program::Reading: {
    traffic.readReply(channel.traffic, program.number, program.times);
    if (!program.isAgain)
      program.words.push_back(program.value);
    bool reads = traffic.channels()[channel.traffic].replies == MemoryPlace::CoreCache;
    program.isAgain = reads && !program.isAgain;
    break;
  }
  }
  const MessageTraffic::Channel &buffer = traffic.channels()[channel.traffic];
  u64 reply = buffer.base + buffer.shape.replyOf(program.number);
  if (!program.isAgain && program.words.size() == buffer.shape.words) {
    channel.replies.emplace(program.number, std::move(program.words));
    program.words.clear();
    ++channel.taken;
    program.doing = Program::Nothing;
    program.freeAt = now;
    machine.tell({.kind = DeviceEvent::ReplyTaken,
                  .context = program.context,
                  .other = channel.traffic,
                  .amount = program.number});
    return;
  }
  read(program, program.isAgain ? reply : reply + 4 + 4 * program.words.size(), now, machine);
}

bool HostProcessor::step(u64 now, const Surroundings &machine) {
  bool any = false;
  for (const auto &context : machine.contexts)
    any |= context->device().messages().land(now, context->memory());
  for (; !crossing.empty() && crossing.front().first <= now; crossing.pop_front())
    arrive(crossing.front().second, now, machine);
  for (Program &program : all)
    while (program.freeAt <= now && program.failure.empty())
      act(program, now, machine);
  return any;
}

//===--- When -------------------------------------------------------------===//

/// It polls for a reply that is not there, of a context that may still give it.
bool HostProcessor::onlyPolls(const Program &program, llvm::ArrayRef<std::unique_ptr<Context>> contexts) const {
  Context &context = *contexts[program.context];
  if (program.doing != Program::Polling || program.value == u32(program.number) || !context.isBusy())
    return false;
  const MessageTraffic::Channel &buffer =
      context.device().messages().channels()[program.channels[program.channel].traffic];
  u8 bytes[4] = {};
  u32 word;
  llvm::consumeError(context.memory().peek(buffer.base + buffer.shape.replyOf(program.number), bytes));
  std::memcpy(&word, bytes, 4);
  return word != u32(program.number);
}

u64 HostProcessor::nextCycle(llvm::ArrayRef<std::unique_ptr<Context>> contexts, bool polls) const {
  u64 next = never;
  for (const auto &context : contexts)
    next = std::min(next, context->device().messages().nextLanding());
  for (const auto &[cycle, access] : crossing)
    if (polls || !access.isRead || !onlyPolls(all[access.program], contexts)) {
      next = std::min(next, cycle);
      break;
    }
  for (const Program &program : all)
    if (program.failure.empty() && program.freeAt < next && (polls || !onlyPolls(program, contexts)))
      next = program.freeAt;
  return next;
}

bool HostProcessor::isIdle(llvm::ArrayRef<std::unique_ptr<Context>> contexts) const {
  return crossing.empty() &&
         llvm::all_of(contexts,
                      [](const auto &context) { return context->device().messages().nothingPosted(); }) &&
         llvm::all_of(all, [](const Program &program) {
           return !program.failure.empty() || (program.doing == Program::Nothing && program.freeAt == never);
         });
}

void HostProcessor::addTo(StateHash &hash) const {
  link.addTo(hash);
  hash.number(crossing.size());
  for (const auto &[cycle, access] : crossing)
    hash.add(cycle, access.program, access.isRead, access.address, access.word, access.message);
  for (const Program &program : all) {
    hash.add(program.steps.size(), program.taken, program.mismatches.size(), program.doing, program.freeAt,
             program.channel, program.number, program.place, program.isAgain, program.value,
             program.times.issued, program.landing, program.unqueued);
    hash.text(program.failure);
    hash.all(program.words);
    for (const auto &[address, word] : program.writes)
      hash.add(address, word);
    for (const Channel &channel : program.channels) {
      hash.add(channel.sent, channel.taken, channel.expected, channel.isStopped);
      for (const auto &[number, words] : channel.replies)
        hash.number(number), hash.all(words);
    }
  }
}
