//===- LaunchMessage.cpp - The front end takes launches from messages [S3] ===//
#include "emu/device/LaunchMessage.h"
#include "emu/device/FrontEnd.h"
#include "emu/memory/MemoryPlace.h"
#include "emu/program/Predecoder.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <limits>

using namespace leno;
using namespace llvm;

constexpr u64 never = std::numeric_limits<u64>::max();

//===--- The words ----------------------------------------------------------===//

std::vector<u32> LaunchMessage::of(const Program &program, const LaunchSpec &spec) {
  std::vector<u32> words = {u32(program.size()), u32(spec.entry), spec.grid.x,
                            spec.grid.y,         spec.grid.z,     spec.block.x,
                            spec.block.y,        spec.block.z,    spec.sharedBytes,
                            spec.localBytes,     spec.registers,  u32(spec.parameters.size())};
  words.insert(words.end(), spec.hostWords.begin(), spec.hostWords.end());
  words.resize(headWords + (spec.parameters.size() + 3) / 4);
  if (!spec.parameters.empty())
    std::memcpy(&words[headWords], spec.parameters.data(), spec.parameters.size());
  for (size_t i = 0; i < program.size(); ++i) {
    words.push_back(u32(program.word(i)));
    words.push_back(u32(program.word(i) >> 32));
  }
  return words;
}

Expected<LaunchMessage> LaunchMessage::read(ArrayRef<u32> words) {
  if (words.size() < headWords)
    return createStringError(
        formatv("it has {0} words, and a launch takes at least {1}", words.size(), headWords));
  u64 codeWords = words[0], bytes = words[11], needed = headWords + (bytes + 3) / 4 + 2 * codeWords;
  if (codeWords == 0 || needed > words.size())
    return createStringError(
        formatv("it tells of {0} words of code and {1} bytes of parameters, which take {2} "
                "words with its head; it has {3}",
                codeWords, bytes, needed, words.size()));
  LaunchMessage message;
  LaunchSpec &spec = message.spec;
  spec.entry = words[1];
  spec.grid = {words[2], words[3], words[4]};
  spec.block = {words[5], words[6], words[7]};
  spec.sharedBytes = words[8];
  spec.localBytes = words[9];
  spec.registers = words[10];
  std::copy_n(words.begin() + 12, spec.hostWords.size(), spec.hostWords.begin());
  spec.parameters.resize(bytes);
  if (bytes)
    std::memcpy(spec.parameters.data(), &words[headWords], bytes);
  for (u64 at = needed - 2 * codeWords; at < needed; at += 2)
    message.code.push_back(words[at] | u64(words[at + 1]) << 32);
  return message;
}

bool LaunchMessage::isCodeOf(const Program &program) const {
  if (program.size() != code.size())
    return false;
  for (size_t i = 0; i < code.size(); ++i)
    if (program.word(i) != code[i])
      return false;
  return true;
}

//===--- The front end's reads ----------------------------------------------===//

static const MessageTraffic::Channel &channelOf(Context &context, u32 channel) {
  return context.device().messages().channels()[channel];
}

void FrontEnd::beginReading(Context &context, u32 channel, u64 now) {
  LaunchReading &reading = context.reading;
  reading.isActive = true;
  reading.isFound = reading.isAgain = false;
  reading.channel = channel;
  reading.words.clear();
  readWord(context, now);
}

/// What it sees is there now; it has it when the answer comes.
void FrontEnd::readWord(Context &context, u64 now) {
  LaunchReading &reading = context.reading;
  const MessageTraffic::Channel &channel = channelOf(context, reading.channel);
  u64 at = reading.isFound && !reading.isAgain ? 4 + 4 * reading.words.size() : 0;
  u64 address = channel.base + channel.shape.requestOf(reading.number()) + at;
  u8 bytes[4] = {};
  if (Error error = context.memory().peek(address, bytes))
    consumeError(std::move(error)); // the buffer is gone
  std::memcpy(&reading.value, bytes, 4);
  MemoryAnswer answer = access(context, address, MemoryAccess::Kind::Load, now);
  reading.freeAt = std::max(answer.cycle, now + 1);
  reading.times = {now, reading.freeAt, answer.atSlice, answer.atLink, !answer.hit};
}

MemoryAnswer FrontEnd::access(Context &context, u64 address, MemoryAccess::Kind kind, u64 now) {
  std::optional<u64> physical = context.memory().pageTable().translate(address);
  if (!physical)
    return {now, false};
  u64 lineBytes = config.l2.lineBytes, inLine = address % lineBytes;
  MemoryAnswer answer =
      memory.ask(0,
                 {address - inLine, *physical - inLine, lineBytes, ByteMask::range(inLine, 4), kind,
                  MemoryRequest::Walk, unsigned(config.sm.count), context.device().driverMemory()},
                 now);
  answer.hit |= (*physical & PlaceBits::past) != 0; // nothing that could have missed
  return answer;
}

/// An answer has come. True: the message is read.
bool FrontEnd::readOn(Context &context, u64 now) {
  LaunchReading &reading = context.reading;
  const MessageTraffic::Channel &channel = channelOf(context, reading.channel);
  u64 addresses[laneCount] = {channel.base + channel.shape.requestOf(reading.number()) +
                              (reading.isFound && !reading.isAgain ? 4 + 4 * reading.words.size() : 0)};
  context.device().messages().loaded({MemorySpace::Global, MemoryAccess::Kind::Load, 4, 1, addresses},
                                     reading.times, context.memory());
  if (!reading.isFound) {
    reading.isFound = reading.value == u32(reading.number());
  } else {
    if (!reading.isAgain)
      reading.words.push_back(reading.value);
    // S3: of a line that is its producer's to change, the ready value after each word.
    reading.isAgain = channel.requests == MemoryPlace::CpuCache && !reading.isAgain;
    if (!reading.isAgain && reading.words.size() == channel.shape.words) {
      ++reading.taken[reading.channel];
      reading.isActive = false;
      return true;
    }
  }
  readWord(context, now);
  return false;
}

/// It only polls for a message that is not there.
bool FrontEnd::onlyPolls(const Context &context) const {
  const LaunchReading &reading = context.reading;
  if (!reading.isActive || reading.isFound || reading.value == u32(reading.number()))
    return false;
  const MessageTraffic::Channel &channel = context.view.messages().channels()[reading.channel];
  u8 bytes[4] = {};
  u32 word;
  consumeError(context.view.memory().peek(channel.base + channel.shape.requestOf(reading.number()), bytes));
  std::memcpy(&word, bytes, 4);
  return word != u32(reading.number());
}

u64 FrontEnd::nextPoll(Contexts contexts) const {
  u64 next = never;
  for (const auto &context : contexts)
    if (context->reading.isActive)
      next = std::min(next, context->reading.freeAt);
  return next;
}

/// The launch has ended: its first word tells that, 0, and the ready value.
void FrontEnd::reply(Context &context, u32 channel, u64 number, u64 now) {
  MessageTraffic &traffic = context.device().messages();
  u64 base = traffic.channels()[channel].base + traffic.channels()[channel].shape.replyOf(number);
  for (auto [address, word] : {std::pair(base + 4, 0u), std::pair(base, u32(number))}) {
    MemoryAnswer answer = access(context, address, MemoryAccess::Kind::Store, now);
    u8 bytes[4];
    std::memcpy(bytes, &word, 4);
    MessageTraffic::Times times{now++, answer.cycle, answer.atSlice, answer.atLink, false};
    traffic.post(address, bytes, answer.cycle, false);
    traffic.stored(address, bytes, times);
  }
}

Expected<std::unique_ptr<GridRun>> FrontEnd::launchOfMessage(Context &context, const Launch &launch,
                                                             std::shared_ptr<const Program> &code) {
  LaunchReading &reading = context.reading;
  auto fail = [&](Error error) {
    return createStringError(formatv("message {0} of channel '{1}' holds no launch that can be made: {2}",
                                     reading.number() - 1, channelOf(context, reading.channel).name,
                                     toString(std::move(error))));
  };
  Expected<LaunchMessage> message = LaunchMessage::read(reading.words);
  if (!message)
    return fail(message.takeError());
  LaunchSpec spec = std::move(message->spec);
  spec.kernel = launch.spec.kernel;
  spec.stackDepth = launch.spec.stackDepth;
  spec.maxInstructions = launch.spec.maxInstructions;
  spec.tier = launch.spec.tier;
  if (!message->isCodeOf(*launch.program))
    code = std::make_shared<const Program>(predecode(message->code, context.view.engine()));
  Expected<std::unique_ptr<GridRun>> run =
      GridRun::create(context.view, code ? *code : *launch.program, spec, watchers);
  return run ? std::move(run) : fail(run.takeError());
}
