#include "dbg/dap/Listen.h"
#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace llvm;

namespace leno::dbg::dap {

static Expected<int> acceptOn(int listener, uint16_t port, raw_ostream &told) {
  auto failed = [&](const Twine &what) {
    return createStringError(what + ": " + errnoAsErrorCode().message());
  };
  int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr *>(&address), size) || listen(listener, 1) ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size))
    return failed("cannot listen on 127.0.0.1:" + Twine(port));
  told << "listening on 127.0.0.1:" << ntohs(address.sin_port) << '\n';
  told.flush();
  int client;
  do
    client = accept(listener, nullptr, nullptr);
  while (client < 0 && errno == EINTR);
  if (client < 0)
    return failed("no client can be accepted");
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // answers are short
  return client;
}

Expected<int> acceptClient(uint16_t port, raw_ostream &told) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0)
    return createStringError("cannot make a socket: " + errnoAsErrorCode().message());
  Expected<int> client = acceptOn(listener, port, told);
  close(listener);
  return client;
}

} // namespace leno::dbg::dap
