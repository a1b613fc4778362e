//===- Message.h - The framing of the Debug Adapter Protocol --------------===//
// A message is a header ("Content-Length: N", an empty line) and N bytes of JSON. What comes from an editor
// is not trusted: every mistake becomes a value that the server answers.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

namespace leno::dbg::dap {

/// A string that JSON can hold, whatever the bytes are.
std::string jsonText(llvm::StringRef text);

/// What is said of a mistake, without the typed text and a caret beneath: an editor shows that text itself.
std::string wordsOf(llvm::Error error);

/// Cuts a stream of bytes into the bodies of messages.
class FrameDecoder {
public:
  static constexpr size_t mostHeaderBytes = 4096, mostBodyBytes = size_t(64) << 20;

  void feed(llvm::StringRef bytes);
  /// The next body; nullopt: more bytes are needed. An error is a damaged header, which is dropped; where
  /// nothing like a header came at all, everything up to the next "Content-Length" is.
  llvm::Expected<std::optional<std::string>> next();

private:
  /// Drops bytes up to where the next header can begin.
  void resynchronize();

  std::string buffer;
  bool lost = false; ///< nothing like a header came
  size_t toSkip = 0; ///< of a body that is too large
};

/// Reads a body. Refuses nesting that would exhaust the stack.
llvm::Expected<llvm::json::Value> parseBody(llvm::StringRef body);

/// What arrived: a message, a mistake, or the end of the input.
struct Incoming {
  std::optional<llvm::json::Object> message{};
  std::string mistake{}; ///< empty: none
  bool ended = false;
};

/// Reads messages on a thread of its own, so that those who move the machine can see that one waits.
class Inbox {
public:
  explicit Inbox(int descriptor);
  ~Inbox();
  Inbox(const Inbox &) = delete;
  Inbox &operator=(const Inbox &) = delete;

  /// Waits for the next.
  Incoming take();
  bool empty() const { return waiting == 0; }
  /// Whether a `cancel` of that request has arrived; told once.
  bool takeCancelled(int64_t request);

private:
  void read();
  void put(Incoming incoming);

  int descriptor;
  int wake[2] = {-1, -1}; ///< a pipe whose end tells the thread to go
  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<Incoming> queue;
  std::set<int64_t> cancelled; ///< requests whose `cancel` waits
  std::atomic<unsigned> waiting = 0;
  std::thread reader;
};

/// Writes framed messages, numbered from 1.
class Outbox {
public:
  explicit Outbox(llvm::raw_ostream &out) : out(out) {}
  void send(llvm::json::Object message);

private:
  llvm::raw_ostream &out;
  int64_t sequence = 0;
};

} // namespace leno::dbg::dap
