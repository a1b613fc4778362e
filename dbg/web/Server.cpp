#include "dbg/web/Server.h"
#include "dbg/Interrupt.h"
#include "dbg/Loopback.h"
#include "dbg/web/Page.h"
#include "llvm/ADT/StringExtras.h"
#include <arpa/inet.h>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace llvm;

namespace leno::dbg::web {

//===--- Its life ---------------------------------------------------------===//

Expected<std::unique_ptr<Server>> Server::listen(uint16_t port) {
  Expected<int> listener = listenOnLoopback(port, mostClients, SOCK_NONBLOCK);
  if (!listener)
    return listener.takeError();
  return std::unique_ptr<Server>(new Server(*listener, {port, newToken()}));
}

Server::~Server() {
  setInterruptSource({});
  for (Client &client : clients)
    ::close(client.socket);
  ::close(listener);
}

std::string Server::address() const {
  return "http://127.0.0.1:" + std::to_string(gate.port) + "/" + gate.token + "/";
}

void Server::close() {
  asker = nullptr;
  for (Client &client : clients)
    if (client.isSocket && !client.isClosing)
      send(client, closeFrame(GoingAway, "the debugger has ended"), /*last=*/true);
  // Whoever does not read is not waited for long.
  Clock::time_point end = Clock::now() + std::chrono::seconds(1);
  auto waits = [&] { return any_of(clients, [](const Client &client) { return !client.toSend.empty(); }); };
  while (waits() && Clock::now() < end)
    attend(20, false);
}

//===--- Sockets ----------------------------------------------------------===//

void Server::acceptClients() {
  for (;;) {
    int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0)
      return;
    if (clients.size() >= mostClients) {
      ::close(socket);
      continue;
    }
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // answers are short
    clients.push_back({socket, Clock::now()});
  }
}

void Server::flush(Client &client) {
  while (!client.toSend.empty() && !client.isGone) {
    ssize_t count = ::send(client.socket, client.toSend.data(), client.toSend.size(), MSG_NOSIGNAL);
    if (count > 0)
      client.toSend.erase(0, size_t(count));
    else if (errno == EAGAIN)
      break;
    else if (errno != EINTR)
      client.isGone = true;
  }
  if (client.isClosing && client.toSend.empty())
    shutdown(client.socket, SHUT_WR); // what it still sends is read, so that it gets what was said last
}

void Server::send(Client &client, StringRef bytes, bool last) {
  client.toSend += bytes;
  if (client.toSend.size() > mostUnsent)
    client.isGone = true;
  if (last) {
    client.isClosing = true;
    client.since = Clock::now();
  }
  flush(client);
}

void Server::request(Client &client) {
  size_t end = client.received.find("\r\n\r\n");
  if (end > mostBytesOfHead && client.received.size() > mostBytesOfHead)
    return send(client, refusal(431, "the request is too long"), /*last=*/true);
  if (end == std::string::npos)
    return;
  std::string rest = client.received.substr(end + 4);
  client.received.resize(end + 4);
  Verdict verdict = judge(client.received, gate);
  client.received.clear();
  if (verdict.kind == Verdict::Refused)
    return send(client, verdict.response, /*last=*/true);
  if (verdict.kind == Verdict::Page)
    return send(client, pageResponse(livePage()), /*last=*/true);
  client.isSocket = true;
  send(client, switchResponse(verdict.key));
  send(client, textFrame(hello));
  if (!lastStop.empty())
    send(client, textFrame(lastStop));
  messages(client, rest);
}

void Server::messages(Client &client, StringRef bytes) {
  for (Message &message : client.reader.feed(bytes)) {
    if (client.isClosing)
      return;
    if (message.kind == Message::Ping)
      send(client, pongFrame(message.payload));
    else if (message.kind == Message::Close) {
      uint16_t code = message.payload.empty()
                          ? uint16_t(NormalClosure)
                          : uint16_t(uint8_t(message.payload[0]) << 8 | uint8_t(message.payload[1]));
      send(client, closeFrame(code), /*last=*/true);
    } else if (message.payload == "\x03")
      stopWanted = true;
    else if (typed.size() >= mostTyped)
      send(client, closeFrame(PolicyViolation, "too many commands wait"), /*last=*/true);
    else
      typed.push_back({&client, std::move(message.payload)});
  }
  if (std::optional<CloseCode> code = client.reader.mistake(); code && !client.isClosing)
    send(client, closeFrame(*code, *code == TooBig ? "the message is too big" : "the frame is malformed"),
         /*last=*/true);
}

void Server::receive(Client &client) {
  char buffer[16 << 10];
  ssize_t count = recv(client.socket, buffer, sizeof buffer, 0);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
    client.isGone = true;
    return;
  }
  if (count < 0 || client.isClosing)
    return;
  if (client.isSocket)
    return messages(client, StringRef(buffer, size_t(count)));
  client.received.append(buffer, size_t(count));
  request(client);
}

/// Those that left, and those that took too long to say what they want.
void Server::sweep() {
  for (auto client = clients.begin(); client != clients.end();) {
    bool isLate = (!client->isSocket || client->isClosing) && Clock::now() - client->since > patience;
    if (!client->isGone && !isLate) {
      ++client;
      continue;
    }
    Client *who = &*client;
    erase_if(typed, [&](const Typed &one) { return one.by == who; });
    if (asker == who) {
      asker = nullptr;
      stopWanted = true; // nobody waits for what it has begun
    }
    ::close(client->socket);
    client = clients.erase(client);
  }
}

void Server::readInput() {
  char buffer[4096];
  ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
  if (count < 0 && errno == EINTR)
    return;
  inputEnded = count <= 0;
  if (inputEnded && !input.empty())
    input += '\n';
  input.append(buffer, size_t(std::max<ssize_t>(count, 0)));
  for (size_t end; (end = input.find('\n')) != std::string::npos; input.erase(0, end + 1))
    typed.push_back({nullptr, input.substr(0, end)});
}

/// Waits for something to happen and deals with it. True: what runs is to stop.
bool Server::attend(int timeout, bool readsInput) {
  if (std::exchange(attending, true))
    return stopWanted;
  std::vector<pollfd> waited{{listener, POLLIN, 0}};
  bool hasInput = readsInput && !inputEnded;
  waited.push_back({hasInput ? STDIN_FILENO : -1, POLLIN, 0});
  std::vector<Client *> order;
  for (Client &client : clients) {
    waited.push_back({client.socket, short(POLLIN | (client.toSend.empty() ? 0 : POLLOUT)), 0});
    order.push_back(&client);
  }
  if (poll(waited.data(), waited.size(), timeout) > 0) {
    for (size_t i = 0; i < order.size(); ++i) {
      if (waited[i + 2].revents & POLLOUT)
        flush(*order[i]);
      if (waited[i + 2].revents & (POLLIN | POLLHUP | POLLERR))
        receive(*order[i]);
    }
    if (waited[1].revents)
      readInput();
    if (waited[0].revents)
      acceptClients();
  }
  sweep();
  attending = false;
  return stopWanted;
}

//===--- Lines ------------------------------------------------------------===//

/// Stops concern everybody, an answer who has asked.
void Server::line(StringRef text) {
  Expected<json::Value> object = json::parse(text);
  if (!object)
    return consumeError(object.takeError());
  std::string type = object->getAsObject()->getString("type").value_or("").str();
  if (type == "hello")
    hello = text.str();
  if (type == "stop")
    lastStop = text.str();
  std::string frame = textFrame(text);
  for (Client &client : clients)
    if (client.isSocket && !client.isClosing && (type != "answer" || asker == &client))
      send(client, frame);
  if (told && (type != "answer" || !asker))
    told(text);
}

void Server::execute(Interpreter &interpreter, const Typed &one) {
  asker = one.by;
  interpreter.reachesOut = !asker;
  SmallVector<StringRef, 4> lines;
  StringRef(one.text).split(lines, '\n');
  for (StringRef text : lines) {
    if (interpreter.quitting())
      break;
    stopWanted = false;
    clearInterrupt();
    interpreter.execute(text);
  }
  // A block belongs to whom it was begun by; a message holds it whole.
  if (one.by)
    interpreter.collecting.reset();
  interpreter.reachesOut = true;
  // Others look at the same machine.
  if (lines.size() != 1 || !onlyLooks(one.text))
    for (Client &client : clients)
      if (client.isSocket && !client.isClosing && &client != one.by)
        send(client, textFrame(changedLine));
  asker = nullptr;
}

void Server::serve(Interpreter &interpreter) {
  setInterruptSource([this] { return attend(0, false); });
  while (!interpreter.quitting()) {
    if (typed.empty()) {
      if (inputEnded)
        break;
      attend(1000, true);
      stopWanted = false; // nothing runs
      if (interruptRequested())
        break;
      continue;
    }
    Typed next = std::move(typed.front());
    typed.pop_front();
    execute(interpreter, next);
    sweep();
  }
  setInterruptSource({});
}

} // namespace leno::dbg::web
