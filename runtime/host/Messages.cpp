#include "runtime/host/ChannelState.h"

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
  waiting.push_back(std::move(padded));
  asked.notify_one();
  return ++sent;
}

Result<std::vector<std::uint32_t>> ChannelState::receive(std::uint64_t number) {
  std::unique_lock lock(mutex);
  for (;;) {
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

Status ChannelState::open() {
  std::lock_guard lock(mutex);
  if (serving)
    return Error("another launch serves the message channel already");
  serving = true;
  ended.clear();
  return {};
}

bool ChannelState::takeReplies() {
  bool any = false;
  for (; taken < posted; ++taken, any = true) {
    std::uint64_t number = taken + 1, reply = slotOf(number) + slotBytes / 2;
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
    writeWords(slotOf(number) + 4, waiting.front());
    std::uint32_t ready = std::uint32_t(number);
    writeWords(slotOf(number), std::span(&ready, 1));
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
  takeReplies();
  serving = false;
  ended = why;
  replied.notify_all();
}

void ChannelState::rest() {
  std::unique_lock lock(mutex);
  if (posted == taken && waiting.empty() && !stopAsked)
    asked.wait_for(lock, std::chrono::milliseconds(1));
}

//===--- The handle -----------------------------------------------------------===//

Result<MessageChannel> MessageChannel::create(DeviceMemory &memory, std::uint32_t slots,
                                              std::uint32_t words) {
  if (slots < 1 || slots > 65536)
    return Error("a message channel of " + std::to_string(slots) + " slots; it must have 1 to 65536");
  if (words < 1 || words > 1024)
    return Error("a message channel with messages of " + std::to_string(words) +
                 " words; they must have 1 to 1024");
  // Requests and replies on lines of their own: no reply's line is one that the host writes.
  std::uint32_t half = (4 * (words + 1) + 127) / 128 * 128;
  Result<Buffer> buffer = memory.allocate(256 + std::uint64_t(slots) * 2 * half, "message channel");
  if (!buffer)
    return buffer.error();
  return MessageChannel(std::make_shared<ChannelState>(std::move(*buffer), slots, words, 2 * half));
}

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

void MessageChannel::stop() {
  if (state)
    state->stop();
}

} // namespace leno::host
