//===- Request.h - Who may speak with the debugger -------------------------===//
// The head of an HTTP request, and the decision on it. A page of another site must learn nothing and do
// nothing, even when its name leads to this machine: Host and Origin have to be ours, and the path begins
// with a token that only who started the debugger has seen.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace leno::dbg::web {

struct Gate {
  uint16_t port;
  std::string token;
};

struct Verdict {
  enum Kind : uint8_t {
    Page,   ///< gets the page
    Socket, ///< becomes a WebSocket; `key` is the client's
    Refused ///< gets `response`
  } kind;
  std::string key{};
  std::string response{};
};

inline constexpr size_t mostBytesOfHead = 8 << 10;

/// `head`: from the request line to the blank line.
Verdict judge(llvm::StringRef head, const Gate &gate);
/// "HTTP/1.1 403 Forbidden" with its reason as text.
std::string refusal(unsigned status, llvm::StringRef why);
/// 128 random bits.
std::string newToken();
/// The page, with what a browser has to be told of it.
std::string pageResponse(llvm::StringRef page);
/// The answer that makes the connection a WebSocket.
std::string switchResponse(llvm::StringRef key);

} // namespace leno::dbg::web
