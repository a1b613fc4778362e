#include "dbg/web/Request.h"
#include "dbg/web/WebSocket.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Base64.h"
#include <optional>
#include <random>

using namespace llvm;

namespace leno::dbg::web {

std::string newToken() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i)
    token += utohexstr(device(), /*LowerCase=*/true, 8);
  return token;
}

static StringRef phrase(unsigned status) {
  switch (status) {
  case 200:
    return "OK";
  case 400:
    return "Bad Request";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 405:
    return "Method Not Allowed";
  case 426:
    return "Upgrade Required";
  case 431:
    return "Request Header Fields Too Large";
  default:
    return "Service Unavailable";
  }
}

static std::string response(unsigned status, StringRef type, StringRef body, StringRef more = "") {
  return ("HTTP/1.1 " + Twine(status) + " " + phrase(status) + "\r\nContent-Type: " + type +
          "; charset=utf-8\r\nContent-Length: " + Twine(body.size()) +
          "\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n" + more +
          "\r\n" + body)
      .str();
}

std::string refusal(unsigned status, StringRef why) {
  StringRef more = status == 405   ? "Allow: GET\r\n"
                   : status == 426 ? "Sec-WebSocket-Version: 13\r\n"
                                   : "";
  return response(status, "text/plain", (why + "\n").str(), more);
}

std::string pageResponse(StringRef page) {
  return response(200, "text/html", page,
                  "Referrer-Policy: no-referrer\r\n"
                  "Cross-Origin-Resource-Policy: same-origin\r\n"
                  "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src "
                  "'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                  "frame-ancestors 'none'\r\n");
}

std::string switchResponse(StringRef key) {
  return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Accept: " +
         acceptKey(key) + "\r\n\r\n";
}

/// Takes as long wherever they differ.
static bool isSame(StringRef left, StringRef right) {
  unsigned differ = left.size() != right.size();
  for (size_t i = 0; i < std::min(left.size(), right.size()); ++i)
    differ |= unsigned(left[i] ^ right[i]);
  return !differ;
}

static bool isToken(char c) { return isAlnum(c) || StringRef("!#$%&'*+-.^_`|~").contains(c); }

/// Values by name in small letters. Nullopt: they are malformed, or one that counts is there twice.
static std::optional<StringMap<StringRef>> fieldsOf(StringRef lines) {
  StringMap<StringRef> fields;
  while (!lines.empty()) {
    auto [line, rest] = lines.split("\r\n");
    lines = rest;
    auto [name, value] = line.split(':');
    bool hasControl = any_of(value, [](char c) { return uint8_t(c) < 0x20 && c != '\t'; });
    if (name.empty() || name.size() == line.size() || !all_of(name, isToken) || hasControl)
      return std::nullopt;
    std::string key = name.lower();
    bool isNew = fields.try_emplace(key, value.trim(" \t")).second;
    if (!isNew && (key == "host" || key == "origin" || StringRef(key).starts_with("sec-websocket-key")))
      return std::nullopt;
  }
  return fields;
}

static bool hasWord(StringRef list, StringRef word) {
  SmallVector<StringRef, 4> parts;
  list.split(parts, ',');
  return any_of(parts, [&](StringRef part) { return part.trim(" \t").equals_insensitive(word); });
}

Verdict judge(StringRef head, const Gate &gate) {
  auto refuse = [](unsigned status, StringRef why) {
    return Verdict{Verdict::Refused, "", refusal(status, why)};
  };
  head.consume_back("\r\n\r\n");
  auto [first, lines] = head.split("\r\n");
  SmallVector<StringRef, 3> words;
  first.split(words, ' ');
  std::optional<StringMap<StringRef>> fields = fieldsOf(lines);
  if (words.size() != 3 || words[2] != "HTTP/1.1" || !fields)
    return refuse(400, "this is no request of HTTP/1.1");
  StringRef host = fields->lookup("host");
  std::string port = ":" + std::to_string(gate.port);
  if (host != "127.0.0.1" + port && host != "localhost" + port)
    return refuse(403, "another host is asked for");
  // A browser names the origin of who asks; the page itself is asked for without one.
  auto origin = fields->find("origin");
  if (origin != fields->end() && origin->second != ("http://" + host).str())
    return refuse(403, "another origin asks");
  StringRef path = words[1];
  bool hasSlash = path.consume_front("/");
  auto [token, rest] = path.split('/');
  if (!hasSlash || !isSame(token, gate.token))
    return refuse(403, "the token is missing: open the address that leno-dbg has printed");
  if (words[0] != "GET")
    return refuse(405, "only GET is answered");
  if (rest.empty() && path.ends_with("/"))
    return {Verdict::Page};
  if (rest != "socket")
    return refuse(404, "there is only the page and its socket");
  StringRef key = fields->lookup("sec-websocket-key");
  std::vector<char> nonce;
  bool isKey = !errorToBool(decodeBase64(key, nonce)) && nonce.size() == 16;
  if (!hasWord(fields->lookup("upgrade"), "websocket") || !hasWord(fields->lookup("connection"), "upgrade") ||
      fields->lookup("sec-websocket-version") != "13")
    return refuse(426, "a WebSocket of version 13 is expected here");
  if (!isKey)
    return refuse(400, "Sec-WebSocket-Key is not 16 bytes in base64");
  if (origin == fields->end())
    return refuse(403, "a socket needs an origin");
  return {Verdict::Socket, key.str()};
}

} // namespace leno::dbg::web
