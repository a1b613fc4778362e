#include "dbg/web/WebSocket.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/SHA1.h"

using namespace llvm;

namespace leno::dbg::web {

std::string acceptKey(StringRef key) {
  std::string whole = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").str();
  return encodeBase64(SHA1::hash(arrayRefFromStringRef(whole)));
}

//===--- Writing ----------------------------------------------------------===//

enum Opcode : uint8_t { Continuation = 0, TextOf = 1, CloseOf = 8, PingOf = 9, PongOf = 10 };
static constexpr size_t mostOfControl = 125;

static std::string frame(Opcode opcode, StringRef payload) {
  std::string result(1, char(0x80 | opcode));
  auto number = [&](uint64_t value, unsigned bytes) {
    while (bytes-- > 0)
      result += char(value >> (8 * bytes));
  };
  if (payload.size() <= 125)
    number(payload.size(), 1);
  else if (payload.size() <= 0xffff) {
    number(126, 1);
    number(payload.size(), 2);
  } else {
    number(127, 1);
    number(payload.size(), 8);
  }
  return result + payload.str();
}

std::string textFrame(StringRef text) { return frame(TextOf, text); }
std::string pongFrame(StringRef payload) { return frame(PongOf, payload); }
std::string closeFrame(uint16_t code, StringRef reason) {
  std::string payload{char(code >> 8), char(code)};
  return frame(CloseOf, payload + reason.take_front(mostOfControl - 2).str());
}

//===--- Reading ----------------------------------------------------------===//

struct FrameReader::Frame {
  bool isLast;
  uint8_t opcode;
  std::string payload;
};

bool FrameReader::fail(CloseCode code) {
  wrong = code;
  pending.clear();
  return false;
}

bool FrameReader::take(Frame &frame) {
  auto byte = [&](size_t i) { return uint8_t(pending[i]); };
  if (wrong || pending.size() < 2)
    return false;
  frame.isLast = byte(0) & 0x80;
  frame.opcode = byte(0) & 0x0f;
  bool isControl = frame.opcode & 8;
  uint64_t length = byte(1) & 0x7f;
  // No extension is agreed on, and a client masks all that it sends.
  if ((byte(0) & 0x70) || !(byte(1) & 0x80) || frame.opcode > PongOf || (frame.opcode > 2 && !isControl))
    return fail(ProtocolError);
  if (isControl && (length > mostOfControl || !frame.isLast))
    return fail(ProtocolError);
  if (frame.opcode == 2)
    return fail(UnsupportedData);
  if (!isControl && (frame.opcode == Continuation) != fragments.has_value())
    return fail(ProtocolError);
  size_t wide = length == 126 ? 2 : length == 127 ? 8 : 0;
  if (pending.size() < 2 + wide)
    return false;
  if (wide) {
    length = 0;
    for (size_t i = 0; i < wide; ++i)
      length = length << 8 | byte(2 + i);
    if (length < (wide == 2 ? 126u : 0x10000u) || length >> 63) // the shortest form is the only one
      return fail(ProtocolError);
  }
  // Refused before any of it is kept.
  if (length > mostBytes || length + (fragments ? fragments->size() : 0) > mostBytes)
    return fail(TooBig);
  size_t start = 2 + wide + 4;
  if (pending.size() < start + length)
    return false;
  frame.payload = pending.substr(start, length);
  for (size_t i = 0; i < length; ++i)
    frame.payload[i] = char(frame.payload[i] ^ pending[start - 4 + i % 4]);
  pending.erase(0, start + length);
  return true;
}

static bool isUtf8(StringRef text) {
  const UTF8 *start = reinterpret_cast<const UTF8 *>(text.begin());
  return isLegalUTF8String(&start, start + text.size());
}

/// What a client may say when it leaves.
static bool isCloseCode(unsigned code) {
  return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
         (code >= 3000 && code <= 4999);
}

void FrameReader::accept(Frame frame, std::vector<Message> &messages) {
  switch (frame.opcode) {
  case PongOf:
    return;
  case PingOf:
    messages.push_back({Message::Ping, std::move(frame.payload)});
    return;
  case CloseOf:
    if (StringRef payload = frame.payload; !payload.empty()) {
      if (payload.size() < 2 || !isCloseCode(uint8_t(payload[0]) << 8 | uint8_t(payload[1])))
        return void(fail(ProtocolError));
      if (!isUtf8(payload.drop_front(2)))
        return void(fail(NotUtf8));
    }
    messages.push_back({Message::Close, std::move(frame.payload)});
    return;
  default:
    break;
  }
  std::string whole = fragments ? std::move(*fragments) + frame.payload : std::move(frame.payload);
  fragments.reset();
  if (!frame.isLast)
    fragments = std::move(whole);
  else if (!isUtf8(whole))
    fail(NotUtf8);
  else
    messages.push_back({Message::Text, std::move(whole)});
}

std::vector<Message> FrameReader::feed(StringRef bytes) {
  std::vector<Message> messages;
  if (wrong)
    return messages;
  pending += bytes;
  Frame frame;
  while (take(frame)) {
    accept(std::move(frame), messages);
    frame = {};
  }
  return messages;
}

} // namespace leno::dbg::web
