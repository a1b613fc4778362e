//===- Server.h - The debugger in a browser --------------------------------===//
// Serves one page, and the debugger's JSON protocol over WebSockets, to browsers of this machine alone. All
// in one thread: while a command runs, sockets are attended wherever Ctrl-C is looked for. What pages send
// reaches nothing outside of the debugger: no file is written and no program run.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/JsonReport.h"
#include "dbg/LineStream.h"
#include "dbg/web/Request.h"
#include "dbg/web/WebSocket.h"
#include <chrono>
#include <deque>
#include <list>

namespace leno::dbg::web {

class Server {
public:
  /// Listens on 127.0.0.1; port 0: one that is free.
  static llvm::Expected<std::unique_ptr<Server>> listen(uint16_t port);
  ~Server();
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;

  /// With the token.
  std::string address() const;
  /// Where a JsonReport writes its lines.
  llvm::raw_ostream &lines() { return output; }
  /// Who hears each line for standard input and scripts.
  void listen(std::function<void(llvm::StringRef)> who) { told = std::move(who); }
  /// Executes what pages and standard input say, until somebody quits, standard input ends or Ctrl-C comes
  /// while nothing runs.
  void serve(Interpreter &interpreter);
  /// The last lines leave, and everybody is told goodbye.
  void close();

private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    int socket;
    Clock::time_point since;
    bool isSocket = false, isClosing = false, isGone = false;
    std::string received{}, toSend{};
    FrameReader reader{};
  };
  struct Typed {
    Client *by; ///< null: standard input
    std::string text;
  };

  Server(int listener, Gate gate) : listener(listener), gate(std::move(gate)) {}
  bool attend(int timeout, bool readsInput);
  void acceptClients();
  void receive(Client &client);
  void request(Client &client);
  void messages(Client &client, llvm::StringRef bytes);
  void send(Client &client, llvm::StringRef bytes, bool last = false);
  void flush(Client &client);
  void line(llvm::StringRef text);
  void readInput();
  void execute(Interpreter &interpreter, const Typed &typed);
  void sweep();

  static constexpr size_t mostClients = 32;
  static constexpr size_t mostUnsent = 64 << 20; ///< of a client that does not read
  static constexpr size_t mostTyped = 1000;      ///< commands that wait
  static constexpr std::chrono::seconds patience{10};

  int listener;
  Gate gate;
  LineStream output{[this](llvm::StringRef text) { line(text); }};
  std::list<Client> clients;
  std::deque<Typed> typed;
  Client *asker = nullptr;
  std::string hello, lastStop, input;
  std::function<void(llvm::StringRef)> told;
  bool inputEnded = false, stopWanted = false, attending = false;
};

} // namespace leno::dbg::web
