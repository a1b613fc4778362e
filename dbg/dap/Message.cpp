#include "dbg/dap/Message.h"
#include "asm/support/Assert.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

using namespace llvm;

namespace leno::dbg::dap {

std::string jsonText(StringRef text) { return json::isUTF8(text) ? text.str() : json::fixUTF8(text); }

std::string wordsOf(Error error) {
  std::string words;
  handleAllErrors(
      std::move(error), [&](const TextError &mistake) { words = mistake.message; },
      [&](const ErrorInfoBase &other) { words = other.message(); });
  return jsonText(words);
}

//===--- Framing ----------------------------------------------------------===//

static constexpr StringLiteral lengthField = "Content-Length";

void FrameDecoder::feed(StringRef bytes) {
  size_t skipped = std::min(toSkip, bytes.size());
  toSkip -= skipped;
  buffer += bytes.drop_front(skipped);
}

void FrameDecoder::resynchronize() {
  size_t at = StringRef(buffer).find_insensitive(lengthField);
  lost = at == StringRef::npos;
  // The field's name may be cut by the end of what has arrived.
  size_t tail = buffer.size() > lengthField.size() ? buffer.size() - lengthField.size() : 0;
  buffer.erase(0, lost ? tail : at);
}

/// The length that a header gives, which must be there once.
static Expected<size_t> bodyLength(StringRef header) {
  std::optional<size_t> length;
  while (!header.empty()) {
    auto [line, rest] = header.split("\r\n");
    header = rest;
    auto [name, value] = line.split(':');
    if (line.find(':') == StringRef::npos)
      return createStringError("a header line without a colon: '" + jsonText(line.take_front(80)) + "'");
    if (!name.trim().equals_insensitive(lengthField))
      continue;
    size_t number;
    if (value.trim().getAsInteger(10, number))
      return createStringError("Content-Length is no number: '" + jsonText(value.trim().take_front(80)) +
                               "'");
    length = number;
  }
  if (!length)
    return createStringError("a header without Content-Length");
  return *length;
}

Expected<std::optional<std::string>> FrameDecoder::next() {
  if (lost)
    resynchronize();
  size_t end = StringRef(buffer).find("\r\n\r\n");
  if (end == StringRef::npos) {
    if (buffer.size() <= mostHeaderBytes)
      return std::nullopt;
    // Not from its own beginning, which was no header.
    buffer.erase(0, 1);
    lost = true;
    return createStringError("no header: expected 'Content-Length: N' and an empty line");
  }
  Expected<size_t> length = bodyLength(StringRef(buffer).take_front(end));
  if (!length) {
    buffer.erase(0, end + 4);
    return length.takeError();
  }
  size_t start = end + 4;
  if (*length > mostBodyBytes) {
    size_t here = std::min(buffer.size() - start, *length);
    toSkip = *length - here;
    buffer.erase(0, start + here);
    return createStringError("a message of " + Twine(*length) + " bytes; the most is " +
                             Twine(mostBodyBytes));
  }
  if (buffer.size() - start < *length)
    return std::nullopt;
  std::string body = buffer.substr(start, *length);
  buffer.erase(0, start + *length);
  return body;
}

/// LLVM's parser calls itself for each level.
static bool nestsTooDeep(StringRef body) {
  constexpr unsigned most = 128;
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < body.size(); ++i) {
    char c = body[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"')
      inString = true;
    else if (c == '[' || c == '{') {
      if (++depth > most)
        return true;
    } else if ((c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

Expected<json::Value> parseBody(StringRef body) {
  if (nestsTooDeep(body))
    return createStringError("the message nests too deep");
  return json::parse(body);
}

//===--- Inbox ------------------------------------------------------------===//

Inbox::Inbox(int descriptor) : descriptor(descriptor) {
  int made = pipe(wake);
  LENO_ASSERT(made == 0, "no pipe can be made");
  reader = std::thread([this] { read(); });
}

Inbox::~Inbox() {
  close(wake[1]);
  reader.join();
  close(wake[0]);
}

/// The request that a message cancels, if it is a `cancel` of one.
static std::optional<int64_t> cancelledBy(const Incoming &incoming) {
  if (!incoming.message || incoming.message->getString("command") != StringRef("cancel"))
    return std::nullopt;
  const json::Object *arguments = incoming.message->getObject("arguments");
  return arguments ? arguments->getInteger("requestId") : std::nullopt;
}

void Inbox::put(Incoming incoming) {
  std::lock_guard lock(mutex);
  ++waiting;
  if (std::optional<int64_t> request = cancelledBy(incoming))
    cancelled.insert(*request);
  queue.push_back(std::move(incoming));
  arrived.notify_one();
}

Incoming Inbox::take() {
  std::unique_lock lock(mutex);
  arrived.wait(lock, [&] { return !queue.empty(); });
  Incoming incoming = std::move(queue.front());
  // Nothing comes after the end: it stays.
  if (incoming.ended)
    return {.ended = true};
  queue.pop_front();
  --waiting;
  if (std::optional<int64_t> request = cancelledBy(incoming))
    cancelled.erase(*request); // what it is for has been answered
  return incoming;
}

bool Inbox::takeCancelled(int64_t request) {
  std::lock_guard lock(mutex);
  return cancelled.erase(request) != 0;
}

static Incoming read(StringRef body) {
  Expected<json::Value> value = parseBody(body);
  if (!value)
    return {.mistake = "not JSON: " + toString(value.takeError())};
  json::Object *object = value->getAsObject();
  if (!object)
    return {.mistake = "a message is a JSON object"};
  return {.message = std::move(*object)};
}

void Inbox::read() {
  FrameDecoder decoder;
  char bytes[1 << 14];
  for (;;) {
    pollfd sources[2] = {{descriptor, POLLIN, 0}, {wake[0], POLLIN, 0}};
    if (poll(sources, 2, -1) < 0 && errno == EINTR)
      continue;
    if (sources[1].revents)
      return;
    ssize_t count = ::read(descriptor, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (count <= 0)
      break;
    decoder.feed(StringRef(bytes, size_t(count)));
    for (;;) {
      Expected<std::optional<std::string>> body = decoder.next();
      if (!body)
        put({.mistake = toString(body.takeError())});
      else if (*body)
        put(dap::read(**body));
      else
        break;
    }
  }
  put({.ended = true});
}

//===--- Outbox -----------------------------------------------------------===//

void Outbox::send(json::Object message) {
  message["seq"] = ++sequence;
  std::string body;
  raw_string_ostream(body) << json::Value(std::move(message));
  out << lengthField << ": " << body.size() << "\r\n\r\n" << body;
  out.flush();
}

} // namespace leno::dbg::dap
