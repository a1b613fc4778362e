//===- WebSocket.h - Frames of RFC 6455, on bytes alone --------------------===//
// The server's side. What a client sends is read strictly: whatever the standard does not allow ends the
// connection with the code that the standard has for it.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leno::dbg::web {

/// Why a connection ends (RFC 6455, 7.4.1).
enum CloseCode : uint16_t {
  NormalClosure = 1000,
  GoingAway = 1001,
  ProtocolError = 1002,
  UnsupportedData = 1003,
  NotUtf8 = 1007,
  PolicyViolation = 1008,
  TooBig = 1009,
};

/// The answer to Sec-WebSocket-Key.
std::string acceptKey(llvm::StringRef key);
std::string textFrame(llvm::StringRef text);
std::string pongFrame(llvm::StringRef payload);
std::string closeFrame(uint16_t code, llvm::StringRef reason = "");

struct Message {
  enum Kind : uint8_t { Text, Ping, Close } kind;
  std::string payload;
};

class FrameReader {
public:
  static constexpr size_t mostBytes = 64 << 10; ///< of a message

  /// The messages that end in these bytes. After a mistake no more come.
  std::vector<Message> feed(llvm::StringRef bytes);
  /// What is wrong with what came.
  std::optional<CloseCode> mistake() const { return wrong; }

private:
  struct Frame;
  /// Takes a whole frame from the start of `pending`; false: there is none.
  bool take(Frame &frame);
  bool fail(CloseCode code);
  void accept(Frame frame, std::vector<Message> &messages);

  std::string pending;
  std::optional<std::string> fragments; ///< of a message that goes on
  std::optional<CloseCode> wrong;
};

} // namespace leno::dbg::web
